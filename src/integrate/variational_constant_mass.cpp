#include <fmt/core.h>

#include <array>
#include <set>

#include "hamel/mechanics/parts.hpp"
#include "integrate/compensated.hpp"
#include "integrate/parts.hpp"
#include "integrate/variational_stepper.hpp"

namespace hamel {
namespace {

// The unknown W is the mean rate over the step.
class ConstantMassStepper final : public VariationalStepper {
 public:
  ConstantMassStepper(const System& system, const Variational& method)
      : VariationalStepper(system, method),
        kernels_(hamel::step(system, method.rule)),
        parts_(system.geometry()),
        straight_(straight_reaches(kernels_.reaches, parts_)),
        histories_(substeps()) {
    P_ = P_before_ = P_lost_ = impulse_ = W_ = next_ = VectorXd::Zero(kernels_.increments);
    F_ = F_next_ = VectorXd::Zero(kernels_.pull.empty() ? 0 : kernels_.increments);
    lambda_ = lambda_next_ = VectorXd::Zero(kernels_.multipliers);
    pivots_ = pivots_at_rest_ = VectorXd::Zero(kernels_.increments + kernels_.multipliers);
    q_lost_ = way_ = VectorXd::Zero(system.ambient());
    bend_ = VectorXd::Zero(kernels_.increments);
    for (int f = 0; f < system.geometry().factors(); ++f)
      has_groups_ = has_groups_ || system.geometry().is_given_by_basis(f);
    for (History& history : histories_) {
      history.lambda = lambda_;
      for (VectorXd& W : history.recent) W = W_;
    }
    std::size_t scratch = 1;
    for (const Program* program : programs()) scratch = std::max(scratch, program->scratch_size());
    scratch_ = VectorXd::Zero(static_cast<Eigen::Index>(scratch));
  }

 private:
  // What the same substep of earlier steps found.
  struct History {
    std::array<VectorXd, extrapolated_steps> recent;  // W
    VectorXd lambda;
    double h = 0;
    int steps = 0;  // of this size, at most as many as are kept
  };

  std::vector<const Program*> programs() const override { return kernels_.programs(); }
  void remember(Memory& memory) override {
    VariationalStepper::remember(memory);
    memory(P_, P_before_, P_lost_, F_, q_lost_, way_, bend_, is_known_);
    for (History& history : histories_) {
      for (VectorXd& W : history.recent) memory(W);
      memory(history.lambda, history.h, history.steps);
    }
  }

  void begin() override {
    q_lost_.setZero();
    P_lost_.setZero();
    clock_ = {now_.t, 0, 0};
    kernels_.start.run<3, 1>({now_.q.data(), now_.v.data(), clock_.data()}, {P_.data()}, scratch_.data());
    if (!kernels_.pull.empty()) kernels_.pull.run<2, 1>({now_.q.data(), clock_.data()}, {F_.data()}, scratch_.data());
    is_known_ = true;
    find_bends();
    for (History& history : histories_) {
      history.steps = 0;
      history.lambda.setZero();
    }
  }

  void find_velocity() override {
    if (!is_known_) find_velocity(now_, P_);
    is_known_ = true;
  }
  void find_velocity_before(State& from) override { find_velocity(from, P_before_); }
  void find_velocity(State& state, const VectorXd& P) {
    clock_[0] = state.t;
    kernels_.velocity.run<3, 1>({state.q.data(), P.data(), clock_.data()}, {state.v.data()}, scratch_.data());
  }
  double sum_of_state() const override { return now_.q.sum() + P_.sum(); }

  void solve(double t, double h, std::size_t substep) override {
    if (substep == 0) P_before_ = P_;
    History& history = histories_[substep];
    clock_ = {t, h, 1 / h};
    lambda_.swap(history.lambda);
    if (kernels_.closed.empty())
      solve_by_newton(history, h);
    else
      solve_directly(h);
    kernels_.way.run<3, 1>({before_.q.data(), W_.data(), clock_.data()}, {way_.data()}, scratch_.data());
    add(before_.q, way_, q_lost_, now_.q);
    kernels_.finish.run<7, 2>(
        {before_.q.data(), now_.q.data(), F_.data(), W_.data(), lambda_.data(), work_.u.data(), clock_.data()},
        {impulse_.data(), F_next_.data()}, scratch_.data());
    F_.swap(F_next_);
    add(P_, impulse_, P_lost_, P_);
    is_known_ = false;
    lambda_.swap(history.lambda);
    remember(history, h);
  }

  void add(const VectorXd& before, const VectorXd& change, VectorXd& lost, VectorXd& after) const {
    if (has_groups_)
      add_compensated(before, change, lost, after);
    else
      after = before + change;
  }

  void solve_directly(double h) {
    kernels_.closed.run<5, 2>({before_.q.data(), P_.data(), F_.data(), work_.u.data(), clock_.data()},
                              {W_.data(), lambda_.data()}, scratch_.data());
    if (std::isfinite(W_.sum())) return;
    throw StepError(
        time(), h,
        fmt::format(
            "the variational step of {} at t = {:.9g} with step {:.6g} has no solution: a coordinate would turn "
            "by a quarter turn or more, beyond the fold of the discrete Legendre transform; try {:.3g}",
            system_.name(), time(), h, h / 4));
  }

  void solve_by_newton(History& history, double h) {
    guess(history, h);
    newton();
    const bool is_linear = !kernels_.refine.empty();
    if (!is_linear || kernels_.multipliers > 0) iterate(is_linear);
  }

  // By extrapolation from the last three steps where they had the same size, else from the velocity.
  void guess(History& history, double h) {
    if (h != history.h) history.steps = 0;
    if (history.steps == extrapolated_steps) {
      W_ = 3 * (history.recent[0] - history.recent[1]) + history.recent[2];
      return;
    }
    find_velocity(before_, P_);
    kernels_.predict.run<2, 1>({before_.q.data(), before_.v.data()}, {W_.data()}, scratch_.data());
  }
  void remember(History& history, double h) {
    history.recent[2].swap(history.recent[1]);
    history.recent[1].swap(history.recent[0]);
    history.recent[0].swap(W_);
    history.h = h;
    history.steps = std::min(history.steps + 1, extrapolated_steps);
  }

  void newton() {
    kernels_.newton.run<7, 2>(
        {before_.q.data(), P_.data(), F_.data(), W_.data(), lambda_.data(), work_.u.data(), clock_.data()},
        {next_.data(), lambda_next_.data()}, scratch_.data());
    lambda_.swap(lambda_next_);
    accept();
  }

  // The equation of momentum holds after one Newton step where it is linear; only the constraints are left.
  void refine() {
    kernels_.refine.run<5, 2>({before_.q.data(), W_.data(), lambda_.data(), work_.u.data(), clock_.data()},
                              {next_.data(), lambda_next_.data()}, scratch_.data());
    lambda_.swap(lambda_next_);
    accept();
  }

  void accept() {
    next_.swap(W_);
    next_ -= W_;
  }
  double correction() const { return std::abs(clock_[1]) * next_.lpNorm<Eigen::Infinity>(); }
  double relative_correction() const { return std::abs(clock_[1]) * next_.cwiseAbs().cwiseProduct(bend_).maxCoeff(); }

  // How much a change of W by 1/h is, relative to the numbers of q that it moves: those of spheres and rotations, where
  // there are any; they keep their size.
  void find_bends() {
    bend_.setZero();
    for (const auto& [increment, number, slope] : kernels_.reaches)
      if (parts_.is_curved(number)) bend_(increment) = std::max(bend_(increment), slope / parts_.size(number, now_.q));
  }
  void find_straight_bends() {
    for (const auto& [increment, number, slope] : straight_) bend_(increment) = 0;
    for (const auto& [increment, number, slope] : straight_)
      bend_(increment) =
          std::max(bend_(increment), slope / std::max(parts_.size(number, before_.q), parts_.size(number, way_)));
  }
  void iterate(bool is_linear) {
    const double scale = before_.q.lpNorm<Eigen::Infinity>();
    find_straight_bends();
    if (is_linear && relative_correction() <= well_guessed) return;
    StepConvergence convergence(scale);
    convergence.reached(correction(), relative_correction());
    for (int iteration = 2; iteration <= most_newton_iterations && std::isfinite(correction()); ++iteration) {
      is_linear ? refine() : newton();
      if (convergence.reached(correction(), relative_correction())) return;
    }
    did_not_converge(clock_[1], correction());
  }

  // The last W is the first of its history by now.
  double fold_indicator(double t, double h, std::size_t substep) override {
    const Kernel& kernel = step_pivots(system_, rule_);
    if (const auto size = static_cast<Eigen::Index>(kernel.program().scratch_size()); scratch_.size() < size)
      scratch_ = VectorXd::Zero(size);
    const History& history = histories_[substep];
    const std::array clock{t, h, 1 / h};
    const auto find_pivots = [&](const VectorXd& W, VectorXd& pivots) {
      kernel.run<6, 1>({before_.q.data(), P_.data(), W.data(), history.lambda.data(), work_.u.data(), clock.data()},
                       {pivots.data()}, scratch_.data());
    };
    next_.setZero();
    find_pivots(history.recent[0], pivots_);
    find_pivots(next_, pivots_at_rest_);
    return pivots_.cwiseQuotient(pivots_at_rest_).minCoeff();
  }

  const StepKernels& kernels_;
  Parts parts_;
  std::vector<StepKernels::Reach> straight_;  // of increments that move nothing else
  std::vector<History> histories_;
  VectorXd F_, F_next_;  // where the step begins, and where it ends
  VectorXd P_, P_before_, P_lost_, impulse_, W_, next_, lambda_, lambda_next_, way_, q_lost_, pivots_, pivots_at_rest_,
      bend_, scratch_;
  std::array<double, 3> clock_{};
  bool has_groups_ = false;  // points of the others are solved for: their rounding does not add up
  bool is_known_ = false;    // the velocity of now_
};

}  // namespace

std::vector<StepKernels::Reach> straight_reaches(const std::vector<StepKernels::Reach>& reaches, const Parts& parts) {
  std::set<int> bent;
  for (const StepKernels::Reach& reach : reaches)
    if (parts.is_curved(reach.number)) bent.insert(reach.increment);
  std::vector<StepKernels::Reach> result;
  for (const StepKernels::Reach& reach : reaches)
    if (!bent.contains(reach.increment)) result.push_back(reach);
  return result;
}

std::unique_ptr<Stepper> constant_mass_stepper(const System& system, const Variational& method) {
  return std::make_unique<ConstantMassStepper>(system, method);
}

}  // namespace hamel
