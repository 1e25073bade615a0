// Derivatives by central differences of order 4.
#pragma once

#include <functional>

#include "hamel/manifold/manifold.hpp"

namespace hamel::test {

inline VectorXd gradient_of(const std::function<double(const VectorXd&)>& f, const VectorXd& x) {
  constexpr double d = 1e-3;
  VectorXd result(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const auto moved = [&](double s) {
      VectorXd y = x;
      y(i) += s * d;
      return f(y);
    };
    result(i) = (8 * (moved(1) - moved(-1)) - (moved(2) - moved(-2))) / (12 * d);
  }
  return result;
}

}  // namespace hamel::test
