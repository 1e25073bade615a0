// What all variational steppers share: the composition of substeps, dense output, and the look at the fold.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "hamel/derive/constant_mass.hpp"
#include "hamel/integrate/lane_stepper.hpp"
#include "hamel/mechanics/geometry.hpp"
#include "integrate/fixed_step.hpp"
#include "integrate/parts.hpp"

namespace hamel {

constexpr int most_newton_iterations = 50;

// When to stop Newton's method. It converges quadratically, so each correction shrinks by the square of the factor
// that the one before did: the next one is what is left of the error. That is judged by what is `relative` to each part
// of the configuration; rounding, which may be all that a part at rest has, by the largest number of all.
class StepConvergence {
 public:
  explicit StepConvergence(double scale) : scale_(scale) {}

  static constexpr double rounding = 1e-16, small = 1e-10;

  bool reached(double correction, double relative) {
    const bool stagnates = relative >= previous_ && correction <= small * scale_;
    const double rate = std::isfinite(previous_) ? std::min(relative / previous_, 1.0) : 1.0;
    previous_ = relative;
    return stagnates || rate * rate * relative <= rounding;
  }

 private:
  double scale_, previous_ = std::numeric_limits<double>::infinity();
};

constexpr double well_guessed = 3e-9;  // relative; the error that a Newton step leaves is about the square of it
constexpr int extrapolated_steps = 3;  // to guess the next one

// No fold is nearer than this: an eighth of a turn of a unit vector moves some entry further.
constexpr double short_way_of_unit_vectors = 0.4;
inline double short_way(In q) { return short_way_of_unit_vectors * std::min(1.0, q.lpNorm<Eigen::Infinity>()); }
constexpr double near_the_fold = 0.01;  // the smallest pivot of a step, in units of that at rest

// The manifold bends away under long steps: how much each factor moved decides whether that has to be looked at.
struct CurvedFactor {
  int factor, begin, size;
};
std::vector<CurvedFactor> curved_factors(const Geometry& geometry);
// Of the reaches of increments, those that move nothing that is curved.
std::vector<StepKernels::Reach> straight_reaches(const std::vector<StepKernels::Reach>& reaches, const Parts& parts);

class VariationalStepper : public FixedStep {
 public:
  VariationalStepper(const System& system, const Variational& method);

  void start(const State& state) final;
  void current(State& state) final;
  void interpolate(double t, State& state) final;

 protected:
  virtual void begin() = 0;                                         // from now_
  virtual void solve(double t, double h, std::size_t substep) = 0;  // from before_ to now_
  // For methods that keep momenta: of now_, and of the state where the whole step began.
  virtual void find_velocity() {}
  virtual void find_velocity_before(State&) {}
  virtual double sum_of_state() const { return now_.q.sum() + now_.v.sum(); }
  // The matrix of the step relative to what it is for a step of no length: the smallest ratio of their pivots, or the
  // ratio of their determinants. It is 0 at a fold of the discrete Legendre transform, and negative beyond.
  virtual double fold_indicator(double t, double h, std::size_t substep) = 0;

  [[noreturn]] void did_not_converge(double h, double correction) const;
  std::size_t substeps() const { return substeps_.size(); }
  void remember(Memory& memory) override;

  Quadrature rule_;
  State before_, now_;

 private:
  void advance(double h) final;
  double evaluations_per_step() const override { return 2 * static_cast<double>(substeps_.size()); }
  void check_fold(double t, double h, std::size_t substep);

  std::vector<double> substeps_;
  std::vector<CurvedFactor> curved_;
  State first_;          // where the whole step began
  double harmless_ = 0;  // change of every entry that is certainly short
  VectorXd between_, rate_between_;
};

// With the kernels of the constant-mass path, in O(n); and on any manifold.
std::unique_ptr<Stepper> constant_mass_stepper(const System& system, const Variational& method);
std::unique_ptr<Stepper> reduced_stepper(const System& system, const Variational& method);
std::unique_ptr<LaneStepper> constant_mass_lanes(const System& system, const Variational& method,
                                                 LaneParameters parameters);

}  // namespace hamel
