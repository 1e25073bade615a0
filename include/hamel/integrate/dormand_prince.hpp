// The method of Dormand and Prince, order 5(4), for any y' = f(t, y): the core of rk45, to be used alone where the
// equations were written by hand.
//
//   DormandPrince solver("my equations", size, rate, Rk45{.relative = 1e-8});
//   solver.start(0, y0);
//   while (solver.step(10.0) < 10.0) solver.interpolate(t, y);
//
// Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", sections II.4 to II.6, as in their code DOPRI5;
// or, if so chosen, as in the code ode45 of Shampine and Reichelt, "The MATLAB ODE suite".
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>

#include "hamel/integrate/memory.hpp"
#include "hamel/integrate/method.hpp"

namespace hamel {

class DormandPrince {
 public:
  using Rate = std::function<void(double t, In y, Out rate)>;
  // Of the method only tolerances, steps and code are used.
  DormandPrince(std::string name, int size, Rate rate, const Rk45& method);

  void start(double t, In y);
  double step(double limit);              // one step, not beyond the limit; returns the new time
  void interpolate(double t, Out y);      // within the last step
  void replace(In y);                     // moves the end of the last step
  void forget_rate() { known_ = false; }  // f has changed

  void remember(Memory& memory);  // lists what the next steps depend on

  double time() const { return t_; }
  const VectorXd& y() const { return y_; }
  double first_step() const { return first_h_; }
  std::size_t rejected() const { return rejected_; }

 private:
  static constexpr std::size_t stages = 7;

  double scaled_size(const VectorXd& x, const VectorXd& y0, const VectorXd& y1) const;
  double chosen_first_step();
  double attempt(double h);
  void accept(double h, bool at_limit, double limit, double factor);
  double factor_after_success(double error, bool failed_before);
  double factor_after_failure(double error, bool failed_before) const;
  void find_rate();
  [[noreturn]] void throw_underflow(double h, double error) const;

  std::string name_;
  Rate rate_;
  Rk45 method_;
  std::array<VectorXd, stages> k_;  // of the last step; then k_[0] is not yet that of the next one
  VectorXd y_, before_, trial_, error_, bend_, now_;
  double t_ = 0, begin_ = 0, h_ = 0, first_h_ = 0, last_error_ = 0;
  bool known_ = false;  // is now_ the rate at y_?
  std::size_t rejected_ = 0;
};

}  // namespace hamel
