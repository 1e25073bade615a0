// The variational integrator of the constant-mass path in eight lanes: variational_constant_mass.cpp has the equations.
#include <cmath>

#include "hamel/mechanics/parts.hpp"
#include "hamel/program/lane_text.hpp"
#include "integrate/composition.hpp"
#include "integrate/fixed_lanes.hpp"
#include "integrate/lane_kernel.hpp"
#include "integrate/lane_marks.hpp"
#include "integrate/variational_lane_text.hpp"
#include "integrate/variational_stepper.hpp"

namespace hamel {
namespace {

struct LaneStepKernels {
  LaneStepKernels(const StepKernels& k, LaneParameters parameters)
      : predict(k.predict, parameters),
        newton(k.newton, parameters),
        refine(k.refine, parameters),
        way(k.way, parameters),
        finish(k.finish, parameters),
        velocity(k.velocity, parameters),
        closed(k.closed, parameters) {}

  void set(int lane, const StepKernels& member) {
    predict.set(lane, member.predict);
    newton.set(lane, member.newton);
    refine.set(lane, member.refine);
    way.set(lane, member.way);
    finish.set(lane, member.finish);
    velocity.set(lane, member.velocity);
    closed.set(lane, member.closed);
  }
  std::vector<const Program*> programs() const {
    std::vector<const Program*> result;
    for (const LaneKernel* kernel : {&predict, &newton, &refine, &way, &finish, &velocity, &closed})
      if (!kernel->empty()) result.push_back(&kernel->program());
    return result;
  }

  LaneStepPrograms in_a_step() const {
    const auto found = [](const LaneKernel& kernel) { return kernel.empty() ? nullptr : &kernel.program(); };
    return {.newton = closed.empty() ? found(newton) : nullptr,
            .refine = closed.empty() ? found(refine) : nullptr,
            .way = found(way),
            .finish = found(finish),
            .closed = found(closed)};
  }

  LaneKernel predict, newton, refine, way, finish, velocity, closed;
};

struct VariationalMotion {
  struct History {  // what the same substep of earlier steps found
    std::array<LaneBlock, extrapolated_steps> recent;
    LaneBlock lambda;
    Eight h;
    std::array<int, 8> steps{};
  };

  LaneClocks clocks;
  LaneBlock q, before, v, P, P_lost, q_lost, F, way, bend;
  LaneBlock clock;  // t, h and 1/h of the last substep
  std::vector<History> histories;
  bool velocity_is_known = false;
};

class LaneVariational final : public MarkedLanes<VariationalMotion> {
 public:
  LaneVariational(const System& system, const Variational& method, LaneParameters parameters)
      : MarkedLanes(motion_of(system, hamel::step(system, method.rule), method)),
        rule_(method.rule),
        kernels_(hamel::step(system, method.rule), parameters),
        parts_(system.geometry()),
        curved_(curved_factors(system.geometry())),
        substeps_(composition(method.order)),
        has_multipliers_(hamel::step(system, method.rule).multipliers > 0),
        W_(now_.P),
        trial_(now_.P),
        change_(now_.P),
        impulse_(now_.P),
        F_next_(now_.F),
        lambda_trial_(now_.histories.front().lambda),
        u_(system.inputs()) {
    for (int f = 0; f < system.geometry().factors(); ++f)
      has_groups_ = has_groups_ || system.geometry().is_given_by_basis(f);
    for (VectorXd* x : {&q_, &way_alone_}) *x = VectorXd::Zero(system.ambient());
    const StepKernels& kernels = hamel::step(system, method.rule);
    if (!is_short() || !straight_reaches(kernels.reaches, parts_).empty()) return;
    native_text_ =
        variational_lane_text(kernels_.in_a_step(), kernels, substeps_, curved_, system.ambient(), has_groups_);
    native_ = lane_code(*kernels_.in_a_step().all().front(), native_text_);
  }

  void start(int lane, const System& member, const State& state) override {
    const StepKernels& kernels = hamel::step(member, rule_);
    kernels_.set(lane, kernels);
    now_.clocks[lane].restart(state.t);
    now_.q.put(lane, state.q);
    for (LaneBlock* block : {&now_.P_lost, &now_.q_lost, &now_.way}) block->fill(lane, 0);
    begin(lane, kernels, state);
    for (VariationalMotion::History& history : now_.histories) {
      history.steps[static_cast<std::size_t>(lane)] = 0;
      history.lambda.fill(lane, 0);
    }
    harmless_[lane] = std::numeric_limits<double>::infinity();
    for (const auto& [f, first, size] : curved_)
      harmless_[lane] = std::min(harmless_[lane], short_way(state.q.segment(first, size)) / 2);
  }

  double time(int lane) const override { return now_.clocks[lane].t; }
  double next_time(int lane, double limit) const override { return now_.clocks[lane].next(limit).end; }
  void current(int lane, State& state) override {
    if (!now_.velocity_is_known) find_velocity(now_.q);
    now_.velocity_is_known = true;
    state.t = time(lane);
    state.q.resize(static_cast<Eigen::Index>(now_.q.rows()));
    state.v.resize(static_cast<Eigen::Index>(now_.v.rows()));
    now_.q.get(lane, state.q);
    now_.v.get(lane, state.v);
  }

  Taken steps(Lanes which, const Times& limits, const Times& targets) override {
    const double count = native_ == nullptr ? 0 : whole_steps(which, limits, targets);
    return count < 1 ? Taken{step(which, limits), 1} : run_natively(which, count);
  }

  bool has_native_steps() const override { return native_ != nullptr; }

  Lanes step(Lanes which, const Times& limits) override {
    const LaneSteps steps = now_.clocks.next(limits);
    LaneSet regular = which;
    Eight t = steps.t;
    for (std::size_t s = 0; s < substeps_.size(); ++s) {
      Eight h;
      for (int k = 0; k < lanes; ++k) h[k] = substeps_[s] * steps.h[k];
      now_.before.swap(now_.q);
      regular = solve(t, h, now_.histories[s], regular);
      regular &= finite_lanes(now_.q) & finite_lanes(now_.P);
      regular &= lanes_with_short_ways();
      for (int k = 0; k < lanes; ++k) t[k] += h[k];
    }
    for (int k = 0; k < lanes; ++k) now_.clock[0][k] = steps.t[k] + steps.h[k];
    now_.velocity_is_known = false;
    now_.clocks.take(regular, steps);
    return which & ~regular;
  }

 private:
  static VariationalMotion motion_of(const System& system, const StepKernels& kernels, const Variational& method) {
    const LaneBlock point(system.ambient()), increment(kernels.increments), lambda(kernels.multipliers);
    const LaneBlock force(kernels.pull.empty() ? 0 : kernels.increments);
    const VariationalMotion::History history{{increment, increment, increment}, lambda, {}, {}};
    return {.clocks = LaneClocks(method.step),
            .q = point,
            .before = point,
            .v = point,
            .P = increment,
            .P_lost = increment,
            .q_lost = point,
            .F = force,
            .way = point,
            .bend = increment,
            .clock = LaneBlock(3),
            .histories = std::vector(composition(method.order).size(), history)};
  }

  std::vector<const Program*> programs() const override { return kernels_.programs(); }
  double evaluations_per_step() const override { return 2 * static_cast<double>(substeps_.size()); }

  bool is_short() const {
    const auto programs = kernels_.in_a_step().all();
    return std::all_of(programs.begin(), programs.end(),
                       [](const Program* program) { return program->operations() <= longest_lane_function; });
  }
  bool compile_whole_step() override {
    if (native_text_.empty()) return false;
    const auto programs = kernels_.in_a_step().all();
    if (compile_lane_text(programs, native_text_)) native_ = lane_code(*programs.front(), native_text_);
    // What begins and ends a motion remains a few programs, which are interpreted.
    return native_ != nullptr;
  }

  // How many steps can be taken with what is known of the last ones.
  double whole_steps(Lanes which, const Times& limits, const Times& targets) const {
    for (std::size_t k = 0; kernels_.closed.empty() && k < which.size(); ++k)
      for (std::size_t s = 0; which[k] && s < substeps_.size(); ++s) {
        const VariationalMotion::History& history = now_.histories[s];
        const double h = substeps_[s] * now_.clocks[static_cast<int>(k)].h;
        if (history.steps[k] < extrapolated_steps || history.h.lane[k] != h) return 0;
      }
    return now_.clocks.whole_steps(which, limits, targets);
  }

  Taken run_natively(Lanes which, double count) {
    auto& [clock, out] = native_numbers_;
    now_.clocks.write(clock);
    const Eight taken = as_numbers(which);
    Eight unusual, done;
    const std::array<const double*, 11> in{u_.data(),
                                           kernels_.newton.constants(),
                                           kernels_.refine.constants(),
                                           kernels_.way.constants(),
                                           kernels_.finish.constants(),
                                           kernels_.closed.constants(),
                                           clock.data(),
                                           now_.bend.data(),
                                           harmless_.lane.data(),
                                           taken.lane.data(),
                                           &count};
    out.assign({unusual.lane.data(), done.lane.data(), now_.q.data(), now_.P.data(), now_.F.data(), now_.q_lost.data(),
                now_.P_lost.data()});
    for (VariationalMotion::History& history : now_.histories) {
      for (LaneBlock& W : history.recent) out.push_back(W.data());
      out.push_back(history.lambda.data());
    }
    native_(in.data(), out.data());
    now_.velocity_is_known = false;
    now_.clocks.take_whole(which, done);
    for (int k = 0; k < lanes; ++k) {
      const StepClock& at = now_.clocks[k];
      now_.clock[0][k] = at.begin + at.h;
      now_.clock[1][k] = substeps_.back() * at.h;
      now_.clock[2][k] = 1 / now_.clock[1][k];
    }
    return {lanes_of(unusual), static_cast<std::size_t>(count)};
  }

  void begin(int lane, const StepKernels& kernels, const State& state) {
    const std::array clock{state.t, 0.0, 0.0};
    VectorXd P(kernels.increments), bend = VectorXd::Zero(kernels.increments);
    VectorXd scratch(static_cast<Eigen::Index>(std::max(
        kernels.start.program().scratch_size(), kernels.pull.empty() ? 0 : kernels.pull.program().scratch_size())));
    kernels.start.run<3, 1>({state.q.data(), state.v.data(), clock.data()}, {P.data()}, scratch.data());
    now_.P.put(lane, P);
    if (!kernels.pull.empty()) {
      kernels.pull.run<2, 1>({state.q.data(), clock.data()}, {P.data()}, scratch.data());
      now_.F.put(lane, P);
    }
    for (const auto& [increment, number, slope] : kernels.reaches)
      if (parts_.is_curved(number)) bend(increment) = std::max(bend(increment), slope / parts_.size(number, state.q));
    now_.bend.put(lane, bend);
    straight_[static_cast<std::size_t>(lane)] = straight_reaches(kernels.reaches, parts_);
  }

  void find_velocity(const LaneBlock& q) {
    kernels_.velocity.run<3, 1>({q.data(), now_.P.data(), now_.clock.data()}, {now_.v.data()});
  }

  // From before to q, in these lanes; returns those in which that was possible.
  LaneSet solve(const Eight& t, const Eight& h, VariationalMotion::History& history, LaneSet which) {
    now_.clock[0] = t;
    now_.clock[1] = h;
    for (int k = 0; k < lanes; ++k) now_.clock[2][k] = 1 / h[k];
    const LaneSet found = kernels_.closed.empty() ? solve_by_newton(history, which) : solve_directly(history, which);
    kernels_.way.run<3, 1>({now_.before.data(), W_.data(), now_.clock.data()}, {now_.way.data()});
    advance(now_.before, now_.way, now_.q_lost, now_.q);
    kernels_.finish.run<7, 2>({now_.before.data(), now_.q.data(), now_.F.data(), W_.data(), history.lambda.data(),
                               u_.data(), now_.clock.data()},
                              {impulse_.data(), F_next_.data()});
    now_.F.swap(F_next_);
    advance(now_.P, impulse_, now_.P_lost, now_.P);
    remember(history, h);
    return found;
  }

  void advance(const LaneBlock& before, const LaneBlock& change, LaneBlock& lost, LaneBlock& after) const {
    has_groups_ ? add_compensated(before, change, lost, after) : add(before, change, after);
  }

  LaneSet solve_directly(VariationalMotion::History& history, LaneSet which) {
    kernels_.closed.run<5, 2>({now_.before.data(), now_.P.data(), now_.F.data(), u_.data(), now_.clock.data()},
                              {W_.data(), history.lambda.data()});
    return which & finite_lanes(W_);
  }

  LaneSet solve_by_newton(VariationalMotion::History& history, LaneSet which) {
    guess(history);
    const bool is_linear = !kernels_.refine.empty();
    newton(history, LaneSet().set());
    return !is_linear || has_multipliers_ ? iterate(history, is_linear, which) : which;
  }

  void guess(VariationalMotion::History& history) {
    LaneSet extrapolated;
    for (int k = 0; k < lanes; ++k) {
      int& steps = history.steps[static_cast<std::size_t>(k)];
      if (now_.clock[1][k] != history.h[k]) steps = 0;
      extrapolated[static_cast<std::size_t>(k)] = steps == extrapolated_steps;
    }
    if (extrapolated.any()) extrapolate(history.recent[0], history.recent[1], history.recent[2], W_);
    if (extrapolated.all()) return;
    find_velocity(now_.before);
    kernels_.predict.run<2, 1>({now_.before.data(), now_.v.data()}, {trial_.data()});
    take_lanes(~extrapolated, W_, trial_);
  }
  void remember(VariationalMotion::History& history, const Eight& h) {
    history.recent[2].swap(history.recent[1]);
    history.recent[1].swap(history.recent[0]);
    history.recent[0].swap(W_);
    history.h = h;
    for (int& steps : history.steps) steps = std::min(steps + 1, extrapolated_steps);
  }

  void newton(VariationalMotion::History& history, LaneSet which) {
    kernels_.newton.run<7, 2>({now_.before.data(), now_.P.data(), now_.F.data(), W_.data(), history.lambda.data(),
                               u_.data(), now_.clock.data()},
                              {trial_.data(), lambda_trial_.data()});
    accept(history, which);
  }
  void refine(VariationalMotion::History& history, LaneSet which) {
    kernels_.refine.run<5, 2>({now_.before.data(), W_.data(), history.lambda.data(), u_.data(), now_.clock.data()},
                              {trial_.data(), lambda_trial_.data()});
    accept(history, which);
  }
  void accept(VariationalMotion::History& history, LaneSet which) {
    subtract(W_, trial_, change_);
    take_lanes(which, W_, trial_);
    take_lanes(which, history.lambda, lambda_trial_);
  }

  void find_straight_bends() {
    for (int k = 0; k < lanes; ++k) {
      const auto& straight = straight_[static_cast<std::size_t>(k)];
      if (straight.empty()) continue;
      now_.before.get(k, q_);
      now_.way.get(k, way_alone_);
      for (const auto& [increment, number, slope] : straight) now_.bend[increment][k] = 0;
      for (const auto& [increment, number, slope] : straight)
        now_.bend[increment][k] = std::max(now_.bend[increment][k],
                                           slope / std::max(parts_.size(number, q_), parts_.size(number, way_alone_)));
    }
  }

  LaneSet iterate(VariationalMotion::History& history, bool is_linear, LaneSet which) {
    const Eight scale = largest(now_.before);
    find_straight_bends();
    std::array<StepConvergence, 8> convergence{
        StepConvergence(scale[0]), StepConvergence(scale[1]), StepConvergence(scale[2]), StepConvergence(scale[3]),
        StepConvergence(scale[4]), StepConvergence(scale[5]), StepConvergence(scale[6]), StepConvergence(scale[7])};
    LaneSet todo = which, lost;
    for (int iteration = 1; iteration <= most_newton_iterations && todo.any(); ++iteration) {
      if (iteration > 1) is_linear ? refine(history, todo) : newton(history, todo);
      const Eight most = largest(change_), bent = largest(change_, now_.bend);
      for (int k = 0; k < lanes; ++k) {
        const auto i = static_cast<std::size_t>(k);
        if (!todo[i]) continue;
        const double size = std::abs(now_.clock[1][k]), correction = size * most[k], relative = size * bent[k];
        const bool is_guessed = iteration == 1 && is_linear && relative <= well_guessed;
        const bool reached = !is_guessed && convergence[i].reached(correction, relative) && iteration > 1;
        lost[i] = !std::isfinite(correction);
        todo[i] = !is_guessed && !reached && !lost[i];
      }
    }
    return which & ~todo & ~lost & finite_lanes(W_);
  }

  // How near a fold is has to be looked at where a step is long: not here.
  LaneSet lanes_with_short_ways() {
    const Eight moved = largest_difference(now_.q, now_.before);
    LaneSet result;
    for (int k = 0; k < lanes; ++k) {
      bool is_short = moved[k] < harmless_[k];
      if (!is_short) {
        now_.before.get(k, q_);
        now_.q.get(k, way_alone_);
        way_alone_ -= q_;
        is_short = std::all_of(curved_.begin(), curved_.end(), [&](const CurvedFactor& factor) {
          return way_alone_.segment(factor.begin, factor.size).lpNorm<Eigen::Infinity>() <
                 short_way(q_.segment(factor.begin, factor.size));
        });
      }
      result[static_cast<std::size_t>(k)] = is_short;
    }
    return result;
  }

  Quadrature rule_;
  LaneStepKernels kernels_;
  Parts parts_;
  std::vector<CurvedFactor> curved_;
  std::array<std::vector<StepKernels::Reach>, 8> straight_;
  std::vector<double> substeps_;
  bool has_multipliers_, has_groups_ = false;
  Eight harmless_;
  LaneBlock W_, trial_, change_, impulse_, F_next_, lambda_trial_, u_;
  VectorXd q_, way_alone_;
  std::string native_text_;
  LaneEntry native_ = nullptr;
  struct NativeNumbers {
    LaneBlock clock = LaneBlock(4);
    std::vector<double*> out;
  } native_numbers_;
};

}  // namespace

std::unique_ptr<LaneStepper> constant_mass_lanes(const System& system, const Variational& method,
                                                 LaneParameters parameters) {
  if (system.path() != Path::constant_mass) return nullptr;
  return std::make_unique<LaneVariational>(system, method, parameters);
}

}  // namespace hamel
