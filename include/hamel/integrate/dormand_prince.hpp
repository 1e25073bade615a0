// The methods of Dormand and Prince, of order 5(4) and 8(5, 3), for any y' = f(t, y): the cores of rk45 and dop853, to
// be used alone where the equations were written by hand.
//
//   DormandPrince solver("my equations", size, rate, Rk45{.relative = 1e-8});
//   solver.start(0, y0);
//   while (solver.step(10.0) < 10.0) solver.interpolate(t, y);
//
// Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", sections II.4 to II.6 and II.10, as in their
// codes DOPRI5 and DOP853; or, if so chosen, as in the code ode45 of Shampine and Reichelt, "The MATLAB ODE suite".
#pragma once

#include <array>

#include "hamel/integrate/adaptive.hpp"
#include "hamel/integrate/method.hpp"

namespace hamel {

class DormandPrince final : public AdaptiveSolver {
 public:
  using Method = Rk45;
  // Of the method only tolerances, steps and code are used.
  DormandPrince(const std::string& system, int size, Rate rate, const Rk45& method);

  void interpolate(double t, Out y) override;  // of order 4
  void remember(Memory& memory) override;
  static constexpr double evaluations_per_step = 6;

 private:
  double attempt(double h) override;
  void accepted() override;
  double factor_after_success(double error, bool failed_before) override;
  double factor_after_failure(double error, bool failed_before) const override;
  double first_step_of(double size, double speed) override;

  Rk45Code code_;
  std::array<VectorXd, 7> k_;  // of the last step
  VectorXd bend_;
};

class DormandPrince8 final : public AdaptiveSolver {
 public:
  using Method = Dop853;
  DormandPrince8(const std::string& system, int size, Rate rate, const Dop853& method);

  void step_by(double t, double h);            // from now, which is t, whatever the error; refuses what is not finite
  void interpolate(double t, Out y) override;  // of order 7; the first time within a step costs four evaluations of f
  void remember(Memory& memory) override;
  static constexpr double order = 8, evaluations_per_step = 12;

 private:
  double attempt(double h) override;
  void accepted() override { is_dense_ = false; }
  double factor_after_success(double error, bool failed_before) override;
  double factor_after_failure(double error, bool failed_before) const override;
  void try_step(double h);
  void make_dense();

  std::array<VectorXd, 16> k_;    // of the last step; the last four for interpolation
  std::array<VectorXd, 4> bend_;  // of the interpolant
  VectorXd sum_;
  Eigen::ArrayXd unit_;    // the tolerance of each number is one over it
  bool is_dense_ = false;  // are they known?
};

}  // namespace hamel
