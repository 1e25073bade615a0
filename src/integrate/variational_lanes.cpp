// The variational integrator of the constant-mass path in eight lanes: variational_constant_mass.cpp has the equations.
#include <cmath>

#include "hamel/mechanics/parts.hpp"
#include "integrate/composition.hpp"
#include "integrate/event_lane_text.hpp"
#include "integrate/fixed_lanes.hpp"
#include "integrate/fixed_step.hpp"
#include "integrate/variational_lane_kernels.hpp"
#include "integrate/variational_stepper.hpp"

namespace hamel {
namespace {

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

class LaneVariational final : public FixedLanes<VariationalMotion> {
 public:
  LaneVariational(const System& system, const Variational& method, LaneParameters parameters)
      : FixedLanes(motion_of(system, hamel::step(system, method.rule), method), parameters),
        rule_(method.rule),
        space_(system.space()),
        alone_(hamel::step(system, method.rule)),
        kernels_(alone_, parameters),
        parts_(system.geometry()),
        curved_(curved_factors(system.geometry())),
        substeps_(composition(method.order)),
        has_multipliers_(hamel::step(system, method.rule).multipliers > 0),
        W_(now_.P),
        trial_(now_.P),
        change_(now_.P),
        impulse_(now_.P),
        F_next_(now_.F),
        v_begin_(now_.v),
        lambda_trial_(now_.histories.front().lambda),
        u_(system.inputs()) {
    for (int f = 0; f < system.geometry().factors(); ++f)
      has_groups_ = has_groups_ || system.geometry().is_given_by_basis(f);
    for (VectorXd* x : {&q_, &way_alone_, &rate_between_}) *x = VectorXd::Zero(system.ambient());
    find_native_code();
  }

  void start(int lane, const System& member, const State& state) override {
    const StepKernels& kernels = hamel::step(member, rule_);
    kernels_.set(lane, kernels);
    now_.clocks[lane].restart(state.t);
    now_.clock[0][lane] = state.t;
    now_.velocity_is_known = false;
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

  void current(int lane, State& state) override {
    find_velocity();
    state.t = time(lane);
    state.q.resize(static_cast<Eigen::Index>(now_.q.rows()));
    state.v.resize(static_cast<Eigen::Index>(now_.v.rows()));
    now_.q.get(lane, state.q);
    now_.v.get(lane, state.v);
  }

  bool can_interpolate() const override { return true; }
  void interpolate(int lane, double t, State& state) override {
    find_velocities();
    const StepClock& clock = now_.clocks[lane];
    const double h = clock.t - clock.begin, s = (t - clock.begin) / h;
    for (long i = 0; i < q_.size(); ++i) {
      const double q0 = marked_.q[i][lane], v0 = v_begin_[i][lane], q1 = now_.q[i][lane], v1 = now_.v[i][lane];
      q_(i) = hermite(s, h, q0, v0, q1, v1);
      rate_between_(i) = hermite_rate(s, h, q0, v0, q1, v1);
    }
    state.t = t;
    state.q.resize(q_.size());
    state.v.resize(q_.size());
    space_.project(q_, state.q);
    space_.tangent_project(state.q, rate_between_, state.v);
  }

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
    now_.velocity_is_known = begin_is_known_ = false;
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
  LaneStepWork work() const override { return {evaluations_per_step(), 2, 0.3e-6}; }

  // None where too little is known of the last ones.
  double whole_steps(Lanes which, const Times& limits, const Times& targets) const override {
    for (std::size_t k = 0; kernels_.closed.empty() && k < which.size(); ++k)
      for (std::size_t s = 0; which[k] && s < substeps_.size(); ++s) {
        const VariationalMotion::History& history = now_.histories[s];
        const double h = substeps_[s] * now_.clocks[static_cast<int>(k)].h;
        if (history.steps[k] < extrapolated_steps || history.h.lane[k] != h) return 0;
      }
    return FixedLanes::whole_steps(which, limits, targets);
  }

  bool can_watch(const Program& events) const override { return can_watch_points(events, space_); }
  void find_native_code() override {
    const LaneStepPrograms programs = kernels_.in_a_step();
    if (!fit_into_lane_text(programs.all()) || !straight_reaches(alone_.reaches, parts_).empty()) return;
    std::vector<const Program*> all = programs.all();
    const LaneStepEvents watched{events(), &kernels_.velocity.program(), &space_};
    if (events() != nullptr) all.insert(all.end(), {watched.events, watched.velocity});
    native_ = LaneCode(all, variational_lane_text(programs, alone_, substeps_, curved_, space_.ambient(), has_groups_,
                                                  events() != nullptr ? &watched : nullptr));
  }

  void add_numbers(std::vector<const double*>& in, std::vector<double*>& out) override {
    in.insert(in.end(),
              {u_.data(), kernels_.newton.constants(), kernels_.refine.constants(), kernels_.way.constants(),
               kernels_.finish.constants(), kernels_.closed.constants(), now_.bend.data(), harmless_.lane.data()});
    if (events() != nullptr) {
      find_velocity();
      in.insert(in.end(), {kernels_.velocity.constants(), now_.v.data()});
    }
    add_places(now_, out);
  }
  void add_places(VariationalMotion& motion, std::vector<double*>& out) override {
    out.insert(out.end(),
               {motion.q.data(), motion.P.data(), motion.F.data(), motion.q_lost.data(), motion.P_lost.data()});
    for (VariationalMotion::History& history : motion.histories) {
      for (LaneBlock& W : history.recent) out.push_back(W.data());
      out.push_back(history.lambda.data());
    }
  }

  // What begins and ends a motion remains a few programs, which are interpreted.
  void whole_steps_are_taken(VariationalMotion& motion, Lanes which) override {
    motion.velocity_is_known = begin_is_known_ = false;
    for (int k = 0; k < lanes; ++k) {
      if (!which[static_cast<std::size_t>(k)]) continue;
      const StepClock& at = motion.clocks[k];
      motion.clock[0][k] = at.begin + at.h;
      motion.clock[1][k] = substeps_.back() * at.h;
      motion.clock[2][k] = 1 / motion.clock[1][k];
    }
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

  void find_velocity() {
    if (!now_.velocity_is_known) find_velocity(now_.q);
    now_.velocity_is_known = true;
  }
  // At both ends of the last step, from the mark on; the clock is that of its end.
  void find_velocities() {
    find_velocity();
    if (begin_is_known_) return;
    begin_clock_ = now_.clock;
    for (int k = 0; k < lanes; ++k) begin_clock_[0][k] = now_.clocks[k].begin;
    kernels_.velocity.run<3, 1>({marked_.q.data(), marked_.P.data(), begin_clock_.data()}, {v_begin_.data()});
    begin_is_known_ = true;
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
  const Manifold& space_;
  const StepKernels& alone_;
  LaneStepKernels kernels_;
  Parts parts_;
  std::vector<CurvedFactor> curved_;
  std::array<std::vector<StepKernels::Reach>, 8> straight_;
  std::vector<double> substeps_;
  bool has_multipliers_, has_groups_ = false;
  Eight harmless_;
  LaneBlock W_, trial_, change_, impulse_, F_next_, v_begin_, lambda_trial_, u_, begin_clock_;
  bool begin_is_known_ = false;  // v_begin_, of the last step
  VectorXd q_, way_alone_, rate_between_;
};

}  // namespace

std::unique_ptr<LaneStepper> constant_mass_lanes(const System& system, const Variational& method,
                                                 LaneParameters parameters) {
  if (system.path() != Path::constant_mass) return nullptr;
  return std::make_unique<LaneVariational>(system, method, parameters);
}

}  // namespace hamel
