// Steps of one size: they end at t_0 + k h, without accumulated rounding; a shorter one where the limit is nearer.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "hamel/integrate/memory.hpp"
#include "hamel/integrate/stepper.hpp"

namespace hamel {

class FixedStep : public Stepper {
 public:
  double step(double limit) final {
    const double next = origin_ + static_cast<double>(count_ + 1) * h_;
    const double beyond = h_ > 0 ? next - limit : limit - next;
    const bool ends_there = beyond >= -rounding(next);
    // Where the limit is t_0 + k h up to rounding, the step keeps its size.
    const double h = beyond > rounding(next) ? limit - t_ : h_;
    begin_ = t_;
    advance(h);
    t_ = ends_there ? limit : next;
    if (h == h_)
      ++count_;
    else
      count_from(t_);
    return t_;
  }

 protected:
  FixedStep(const System& system, double step) : Stepper(system), h_(step) {}
  double expected_evaluations(double duration) const override {
    return std::abs(duration / h_) * evaluations_per_step();
  }

  void remember(Memory& memory) override {
    Stepper::remember(memory);
    memory.same("step", h_);
    memory(t_, begin_, origin_, count_);
  }

  virtual void advance(double h) = 0;  // from t_ to t_ + h
  virtual double evaluations_per_step() const = 0;

  void restart_clock(double t) {
    begin_ = t_ = t;
    count_from(t);
  }

  double t_ = 0, begin_ = 0;  // now, and where the last step began

 private:
  void count_from(double t) {
    origin_ = t;
    count_ = 0;
  }
  double rounding(double t) const {
    return 1e-12 * std::abs(h_) + 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::abs(origin_));
  }

  double h_, origin_ = 0;
  long long count_ = 0;
};

// The cubic polynomial with values x0, x1 and rates v0, v1 at both ends of a step, and its rate, at begin + s h.
template <class X0, class V0, class X1, class V1>
auto hermite(double s, double h, const X0& x0, const V0& v0, const X1& x1, const V1& v1) {
  return (1 + 2 * s) * (1 - s) * (1 - s) * x0 + s * (1 - s) * (1 - s) * h * v0 + s * s * (3 - 2 * s) * x1 +
         s * s * (s - 1) * h * v1;
}
template <class X0, class V0, class X1, class V1>
auto hermite_rate(double s, double h, const X0& x0, const V0& v0, const X1& x1, const V1& v1) {
  return 6 * s * (s - 1) / h * (x0 - x1) + (1 - s) * (1 - 3 * s) * v0 + s * (3 * s - 2) * v1;
}

}  // namespace hamel
