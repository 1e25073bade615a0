// Discrete Lagrangians, as data: how the Lagrangian is sampled on the chord between q0 and q1,
//
//   L_d(q0, q1) = h sum_i w_i L((1 - s_i) q0 + s_i q1, (q1 - q0)/h),
//
// so that  -D1 L_d = sum_i w_i { p_i - h (1 - s_i) F_i },   D2 L_d = sum_i w_i { p_i + h s_i F_i }  with the momenta
// p_i and forces F_i = dL/dq + f of the nodes. All have order 2, since the chord has.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <span>

namespace hamel {

struct Quadrature {
  static constexpr std::size_t most_nodes = 3;
  struct Node {
    double at = 0, weight = 0;
    friend auto operator<=>(const Node&, const Node&) = default;
  };
  const char* name;
  std::size_t count;
  std::array<Node, most_nodes> all;

  std::span<const Node> nodes() const { return {all.data(), count}; }
  friend bool operator<(const Quadrature& a, const Quadrature& b) { return a.all < b.all; }
  friend bool operator==(const Quadrature& a, const Quadrature& b) { return a.all == b.all; }

  static const Quadrature trapezoidal, midpoint, simpson;
};

inline constexpr Quadrature Quadrature::trapezoidal{"trapezoidal", 2, {{{0, 1. / 2}, {1, 1. / 2}}}};
inline constexpr Quadrature Quadrature::midpoint{"midpoint", 1, {{{1. / 2, 1}}}};
inline constexpr Quadrature Quadrature::simpson{"simpson", 3, {{{0, 1. / 6}, {1. / 2, 4. / 6}, {1, 1. / 6}}}};

// The table of them. Each has its name, and is found by it.
inline constexpr std::array quadratures{Quadrature::trapezoidal, Quadrature::midpoint, Quadrature::simpson};

}  // namespace hamel
