// Gauss-Newton, iterated until the steps stop getting shorter.
//
// Far from a solution a step is shortened until it makes the residual smaller; near one (where the size of the residual
// is flat to rounding) full steps are taken as long as each is shorter than the one before.
#pragma once

#include <Eigen/Core>
#include <limits>

namespace hamel {

struct Convergence {
  bool converged;
  int iterations;
  double step;  // the length of the last one
};

// x is a vector of numbers; size(x) the size of the residual, step(x) the full step, move(x, s) where a step leads.
template <class Size, class Step, class Move>
Convergence gauss_newton(Eigen::VectorXd& x, Size size, Step step, Move move) {
  constexpr int most_iterations = 200, most_halvings = 30;
  constexpr double near = 1e-3, converged = 1e-10;
  double previous = std::numeric_limits<double>::infinity();
  Eigen::VectorXd s;
  for (int iteration = 1; iteration <= most_iterations; ++iteration) {
    s = step(x);
    const double length = s.norm(), scale = 1 + x.norm();
    if (!(length < near * scale)) {
      const double before = size(x);
      int halvings = 0;
      Eigen::VectorXd trial = move(x, s);
      while (!(size(trial) < before) && halvings++ < most_halvings) trial = move(x, s *= 0.5);
      if (halvings > most_halvings) return {false, iteration, length};
      x = trial;
      continue;
    }
    if (length == 0 || length >= previous) return {previous <= converged * scale || length == 0, iteration, length};
    x = move(x, s);
    previous = length;
  }
  return {previous <= converged * (1 + x.norm()), most_iterations, previous};
}

}  // namespace hamel
