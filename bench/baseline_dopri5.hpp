// The explicit Runge-Kutta method of order 5 of Dormand and Prince with its error estimate and step control, on vectors
// of fixed size: what a library of general integrators (odeint's controlled runge_kutta_dopri5) does around equations
// written by hand. Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", table II.5.2.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace hamel::bench {

template <int size>
class Dopri5ByHand {
 public:
  using Vector = Eigen::Matrix<double, size, 1>;

  template <class F>
  void start(const F& f, const Vector& y) {
    f(y, k_[0]);
  }
  // f(y, rate); returns how much longer the next step may be. The rate at the end is the first of the next step.
  template <class F>
  double step(const F& f, double h, Vector& y) {
    stages(f, h, y, std::make_index_sequence<7>());
    Vector error = Vector::Zero();
    for (std::size_t j = 0; j < 7; ++j) error += h * e[j] * k_[j];
    const double in_tolerances =
        (error.array().abs() / (tolerance + tolerance * y.array().abs().max(end_.array().abs()))).maxCoeff();
    y = end_;
    k_[0] = k_[6];
    return std::clamp(0.9 * std::pow(in_tolerances, -1. / 5), 0.2, 5.0);
  }

 private:
  static constexpr double tolerance = 1e-6;
  static constexpr std::array<std::array<double, 6>, 7> a = {
      {{},
       {1. / 5},
       {3. / 40, 9. / 40},
       {44. / 45, -56. / 15, 32. / 9},
       {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
       {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
       {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}}};
  static constexpr std::array<double, 7> e = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                              -17253. / 339200, 22. / 525, -1. / 40};

  template <class F, std::size_t... i>
  void stages(const F& f, double h, const Vector& y, std::index_sequence<i...>) {
    ((i == 0 ? void() : (end_ = y + h * combination<i>(std::make_index_sequence<i>()), f(end_, k_[i]))), ...);
  }
  template <std::size_t row, std::size_t... j>
  Vector combination(std::index_sequence<j...>) const {
    Vector sum = Vector::Zero();
    ((a[row][j] != 0 ? void(sum += a[row][j] * k_[j]) : void()), ...);
    return sum;
  }

  std::array<Vector, 7> k_;
  Vector end_;
};

}  // namespace hamel::bench
