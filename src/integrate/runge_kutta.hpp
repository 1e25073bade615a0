// Runge-Kutta methods of fixed step, one state at a time and in lanes.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "hamel/integrate/lane_stepper.hpp"

namespace hamel {

// An explicit method: k_i = f(t + c_i h, y + h sum_j<i a_ij k_j), and y + h sum_i b_i k_i is next.
struct RungeKuttaTableau {
  static constexpr int most_stages = 4;
  std::size_t stages;
  std::array<double, most_stages> c, b;
  std::array<std::array<double, most_stages>, most_stages> a;
};

std::unique_ptr<LaneStepper> runge_kutta_lanes(const System& system, const RungeKuttaTableau& tableau, double step,
                                               Form form, bool reproject, LaneParameters parameters);

}  // namespace hamel
