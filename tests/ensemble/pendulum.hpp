#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <hamel/ensemble/ensemble.hpp>
#include <hamel/manifold/spaces.hpp>
#include <hamel/model/formula.hpp>

namespace hamel {

// A pendulum with two parameters, and its height.
struct Pendulum {
  Model model{"pendulum"};
  Formula height = make();
  System system = derive(model);
  State start = system.state(0, Eigen::Vector3d(0.6, 0, -0.8), Eigen::Vector3d(0, 0.5, 0));

  Formula make() {
    const Formula m = model.parameter("m", 1.0), l = model.parameter("l", 0.9), g = model.parameter("g", 9.81);
    const Formula q = model.coordinate("q", S2());
    const Formula x = l * q;
    model.kinetic(m / 2 * squared_norm(rate(x)));
    model.potential(m * g * x.z());
    return x.z();
  }
  Members members(const Vary& vary, const Method& method = Variational{.step = 0.01}, double until = 1) const {
    return {system, starts_from(start, model, vary), method, {.t = until, .every = 0.1}};
  }
};

inline bool same_bits(const MemberRows& a, const MemberRows& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::equal(a.data(), a.data() + a.size(), b.data(), [](double x, double y) {
           return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
         });
}

}  // namespace hamel
