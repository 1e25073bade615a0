// The chain pendulum on (S^2)^n by hand: what hamel is measured against.
//
// Point masses m_i at x_i = x_{i-1} + l_i q_i, gravity along e3. With the tensions tau_i of the links,
//   m_i x_i'' = m_i g e3 - tau_i q_i + tau_{i+1} q_{i+1},     q_i . q_i'' = - |q_i'|^2,
// so that the tensions solve a tridiagonal system: O(n). The variational step is RATTLE in the same unknowns.
// States are 3n numbers, link after link.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace hamel::bench {

struct Chain {
  std::vector<double> masses, lengths;
  double gravity;
};

class ChainBaseline {
 public:
  explicit ChainBaseline(const Chain& chain)
      : n_(chain.masses.size()),
        gravity_(chain.gravity),
        lengths_(chain.lengths),
        solution_(n_ + 1),
        factor_(n_),
        tension_(n_ + 1),
        previous_(n_),
        rate_(3 * n_) {
    for (std::size_t i = 0; i < n_; ++i) {
      inverse_length_.push_back(1 / chain.lengths[i]);
      inverse_mass_.push_back(1 / chain.masses[i]);
      both_.push_back(inverse_mass_[i] + (i == 0 ? 0 : inverse_mass_[i - 1]));
    }
  }

  void acceleration(const double* q, const double* v, double* a) {
    solve_symmetric(
        q, [&](std::size_t i) { return lengths_[i] * at(v, i).squaredNorm() + (i == 0 ? gravity_ * q[2] : 0); });
    pull(q, solution_, gravity_, [&](std::size_t i, const Eigen::Vector3d& change) { at(a, i) = change; });
  }

  void start() {
    steps_ = 0;
    std::fill(tension_.begin(), tension_.end(), 0.0);
  }

  void step(double h, const double* q0, const double* v0, double* q1, double* v1) {
    extrapolate();
    const double kick = 0.5 * h * gravity_;
    for (int iteration = 1; newton(h, kick, q0, v0) > quadratically_small; ++iteration)
      if (iteration == most_iterations) throw std::runtime_error("the baseline's variational step did not converge");
    pull(q0, tension_, kick, [&](std::size_t i, const Eigen::Vector3d& change) {
      const Eigen::Vector3d mean = at(v0, i) + change;
      at(rate_.data(), i) = mean;
      at(q1, i) = at(q0, i) + h * mean;
    });
    project(kick, q1, v1);
    ++steps_;
  }

 private:
  static constexpr double quadratically_small = 1e-9;
  static constexpr int most_iterations = 50;
  using Map = Eigen::Map<Eigen::Vector3d>;
  using ConstMap = Eigen::Map<const Eigen::Vector3d>;

  static Map at(double* x, std::size_t i) { return Map(x + 3 * i); }
  static ConstMap at(const double* x, std::size_t i) { return ConstMap(x + 3 * i); }

  // How tensions and gravity change the rates of q: the difference of what they do to neighbouring masses.
  template <class Use>
  void pull(const double* q, const std::vector<double>& tension, double gravity, Use use) const {
    Eigen::Vector3d above(0, 0, -gravity), force = tension[0] * at(q, 0);  // the support does not fall
    for (std::size_t i = 0; i < n_; ++i) {
      const Eigen::Vector3d next =
          i + 1 < n_ ? Eigen::Vector3d(tension[i + 1] * at(q, i + 1)) : Eigen::Vector3d::Zero();
      const Eigen::Vector3d here = inverse_mass_[i] * (next - force);
      use(i, inverse_length_[i] * (here - above));
      above = here;
      force = next;
    }
  }

  // (1/m_{i-1} + 1/m_i) tau_i - q_{i-1}.q_i tau_{i-1}/m_{i-1} - q_i.q_{i+1} tau_{i+1}/m_i = right(i), by Thomas.
  template <class Right>
  void solve_symmetric(const double* q, Right right) {
    double inverse = 1 / both_[0];
    solution_[0] = right(0) * inverse;
    for (std::size_t i = 1; i < n_; ++i) {
      const double coupling = -inverse_mass_[i - 1] * at(q, i - 1).dot(at(q, i));
      factor_[i - 1] = coupling * inverse;
      inverse = 1 / (both_[i] - coupling * factor_[i - 1]);
      solution_[i] = (right(i) - coupling * solution_[i - 1]) * inverse;
    }
    substitute_back();
  }

  void substitute_back() {
    for (std::size_t i = n_ - 1; i-- > 0;) solution_[i] -= factor_[i] * solution_[i + 1];
  }

  // tension_ becomes the guess, previous_ the tension of the last step.
  void extrapolate() {
    for (std::size_t i = 0; i < n_; ++i) {
      const double now = tension_[i];
      if (steps_ >= 2) tension_[i] = 2 * now - previous_[i];
      previous_[i] = now;
    }
  }

  // One Newton step for  q0 . V + h/2 |V|^2 = 0,  V the mean rate over the step. Returns the largest | |q1|^2 - 1 |
  // / 2.
  double newton(double h, double kick, const double* q0, const double* v0) {
    double largest = 0, inverse = 0, upper_before = 0;
    pull(q0, tension_, kick, [&](std::size_t i, const Eigen::Vector3d& change) {
      const auto q = at(q0, i);
      const Eigen::Vector3d mean = at(v0, i) + change, end = q + h * mean;
      const double defect = 0.5 * mean.dot(q + end) * lengths_[i];
      largest = std::max(largest, std::abs(h * defect));
      const double lower = i == 0 ? 0 : -inverse_mass_[i - 1] * end.dot(at(q0, i - 1));
      if (i > 0) factor_[i - 1] = upper_before * inverse;
      inverse = 1 / (both_[i] * end.dot(q) - (i == 0 ? 0 : lower * factor_[i - 1]));
      solution_[i] = (defect - (i == 0 ? 0 : lower * solution_[i - 1])) * inverse;
      upper_before = i + 1 < n_ ? -inverse_mass_[i] * end.dot(at(q0, i + 1)) : 0;
    });
    substitute_back();
    for (std::size_t i = 0; i < n_; ++i) tension_[i] += solution_[i];
    return largest;
  }

  // v1: the mean rate after the second kick, without its part along the links.
  void project(double kick, const double* q1, double* v1) {
    rate_[2] += kick * inverse_length_[0];
    solve_symmetric(q1, [&](std::size_t i) { return lengths_[i] * at(q1, i).dot(at(rate_.data(), i)); });
    pull(q1, solution_, 0,
         [&](std::size_t i, const Eigen::Vector3d& change) { at(v1, i) = at(rate_.data(), i) + change; });
  }

  std::size_t n_;
  double gravity_;
  std::vector<double> lengths_, inverse_length_, inverse_mass_, both_;
  std::vector<double> solution_, factor_, tension_, previous_, rate_;
  int steps_ = 0;
};

}  // namespace hamel::bench
