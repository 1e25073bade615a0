// Neighbouring outputs that are rows of a constant matrix times the same values:
//
//   out[first + r] = c[r] x_0 + c'[r] x_1 + ...,     c[r] neighbouring numbers of a uniform group.
//
// They are computed together, in the order in which the single rows would be: to the same bits.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "hamel/program/code.hpp"

namespace hamel {

struct RowBundle {
  using Terms = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // x_j, and the number of c_j[0]
  std::uint32_t first_output = 0;
  Terms terms;
};

class RowBundles {
 public:
  static constexpr std::uint32_t rows = 3;

  explicit RowBundles(const Code& code);
  std::vector<RowBundle> find();
  // Operations that only bundles needed.
  const std::set<std::uint32_t>& replaced() const { return replaced_; }

 private:
  using Terms = RowBundle::Terms;

  const Operation* sole(std::uint32_t value, Op op) const;
  bool is_uniform_input(std::uint32_t value) const;
  std::pair<std::uint32_t, std::uint32_t> product(const Operation& operation) const;
  Terms terms_of(std::uint32_t value) const;
  bool is_bundle(const RowBundle& bundle) const;
  void mark(std::uint32_t value);

  const Code& code_;
  std::uint32_t first_;
  std::vector<std::uint32_t> uses_;
  std::set<std::uint32_t> replaced_;
};

}  // namespace hamel
