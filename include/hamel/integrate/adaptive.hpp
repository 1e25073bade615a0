// Explicit Runge-Kutta methods that choose their steps, for any y' = f(t, y): what all of them share. A method is one
// attempted step with its error, and a polynomial through it: dormand_prince.hpp.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>

#include "hamel/integrate/memory.hpp"

namespace hamel {

class AdaptiveSolver {
 public:
  using Rate = std::function<void(double t, In y, Out rate)>;
  virtual ~AdaptiveSolver() = default;

  void start(double t, In y);
  double step(double limit);                      // one step, not beyond the limit; returns the new time
  virtual void interpolate(double t, Out y) = 0;  // within the last step
  void replace(In y);                             // moves the end of the last step
  void forget_rate() { known_ = false; }          // f has changed

  virtual void remember(Memory& memory);  // lists what the next steps depend on

  double time() const { return t_; }
  const VectorXd& y() const { return y_; }
  double first_step() const { return first_h_; }
  std::size_t rejected() const { return rejected_; }

 protected:
  // The error of a step is at most absolute + relative * |y_i|; or the larger of both.
  struct Settings {
    std::string method, system;  // their names
    double order;
    double relative, absolute, first_step, largest_step;
    bool larger_tolerance = false;
  };
  AdaptiveSolver(Settings settings, int size, Rate rate);

  // trial_ from y_, whose rate is now_, a step h later; returns the error in units of the tolerance.
  virtual double attempt(double h) = 0;
  virtual void accepted() {}  // trial_ has become y_, and y_ before_
  virtual double factor_after_success(double error, bool failed_before) = 0;
  virtual double factor_after_failure(double error, bool failed_before) const = 0;
  virtual double first_step_of(double size, double speed);  // in units of the tolerance

  void find_rate();
  void go_to_trial(double t);
  double scaled_size(const VectorXd& x, const VectorXd& y0, const VectorXd& y1) const;

  const Settings settings_;
  Rate rate_;
  VectorXd y_, before_, trial_, error_, now_;  // now_: the rate of y_, if known
  double t_ = 0, begin_ = 0, last_error_ = 0;
  bool known_ = false;

 private:
  double chosen_first_step();
  double checked_attempt(double h);
  void accept(double h, bool at_limit, double limit, double factor);
  [[noreturn]] void throw_underflow(double h, double error) const;

  double h_ = 0, first_h_ = 0;
  std::size_t rejected_ = 0;
};

}  // namespace hamel
