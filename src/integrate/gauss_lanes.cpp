// Gauss methods with fixed steps in eight lanes: gauss_motion.hpp has the equations. As native code alone: the stages
// of one motion fill the lanes of programs that are run one by one.
#include "integrate/gauss_lanes.hpp"

#include "hamel/mechanics/parts.hpp"
#include "integrate/fixed_lanes.hpp"
#include "integrate/gauss_lane_text.hpp"
#include "integrate/lane_kernel.hpp"

namespace hamel {
namespace {

struct GaussLaneMotion {
  LaneClocks clocks;
  LaneBlock y, lost, rate;  // (q, p), what rounding has taken of it, and how it changes
  LaneBlock stages;         // rates at those of the last step
  LaneBlock last_h;         // of that step, zero before the first one
};

class LaneGauss final : public FixedLanes<GaussLaneMotion> {
 public:
  LaneGauss(const System& system, const Gauss& method, LaneParameters parameters)
      : FixedLanes(motion_of(system, method), parameters),
        flow_(canonical(system).program(), parameters),
        momentum_(momentum_kernel(system), parameters),
        normal_part_(canonical(system).normal_part(), parameters),
        work_(system),
        u_(system.inputs()),
        p_(VectorXd::Zero(system.ambient())) {
    if (fit_into_lane_text(programs()))
      native_ = LaneCode(programs(), gauss_lane_text(system, method.order / 2,
                                                     {flow_.program(), momentum_.program(),
                                                      normal_part_.empty() ? nullptr : &normal_part_.program()}));
  }

  void start(int lane, const System& member, const State& state) override {
    flow_.set(lane, canonical(member).program());
    momentum_.set(lane, momentum_kernel(member));
    normal_part_.set(lane, canonical(member).normal_part());
    now_.clocks[lane].restart(state.t);
    member.momentum(work_, state.t, state.q, state.v, p_);
    for (long i = 0; i < p_.size(); ++i) {
      now_.y[i][lane] = state.q(i);
      now_.y[p_.size() + i][lane] = p_(i);
    }
    now_.lost.fill(lane, 0);
    now_.last_h.fill(lane, 0);
    LaneSteps none{};
    none.t[lane] = state.t;
    step_natively(Lanes().set(static_cast<std::size_t>(lane)), none);
  }
  void current(int lane, State& state) override {
    state.t = time(lane);
    state.q.resize(p_.size());
    state.v.resize(p_.size());
    for (long i = 0; i < p_.size(); ++i) {
      state.q(i) = now_.y[i][lane];
      state.v(i) = now_.rate[i][lane];
    }
  }

  bool can_step() const override { return native_.exists(); }
  Lanes step(Lanes which, const Times& limits) override {
    const LaneSteps steps = now_.clocks.next(limits);
    const Lanes unusual = step_natively(which, steps);
    now_.clocks.take(which & ~unusual, steps);
    return unusual;
  }

 private:
  static GaussLaneMotion motion_of(const System& system, const Gauss& method) {
    const LaneBlock y(2L * system.ambient());
    return {
        LaneClocks(method.step), y, y, y, LaneBlock(static_cast<long>(y.rows()) * (method.order / 2)), LaneBlock(1)};
  }

  std::vector<const Program*> programs() const override {
    std::vector<const Program*> result{&flow_.program(), &momentum_.program()};
    if (!normal_part_.empty()) result.push_back(&normal_part_.program());
    return result;
  }
  double evaluations_per_step() const override {
    constexpr double expected_iterations = 8;
    return expected_iterations * static_cast<double>(now_.stages.rows()) / static_cast<double>(now_.y.rows());
  }
  LaneStepWork work() const override {  // beside those of motions alone
    return {evaluations_per_step(), 4, 3e-6 + 0.9e-6 * static_cast<double>(now_.y.rows())};
  }
  void add_numbers(std::vector<const double*>& in, std::vector<double*>& out) override {
    in.insert(in.end(), {u_.data(), flow_.constants(), momentum_.constants(), normal_part_.constants()});
    out.insert(out.end(), {now_.y.data(), now_.lost.data(), now_.rate.data(), now_.stages.data(), now_.last_h.data()});
  }

  LaneKernel flow_, momentum_, normal_part_;
  Workspace work_;
  LaneBlock u_;
  VectorXd p_;
};

}  // namespace

std::unique_ptr<LaneStepper> gauss_lanes(const System& system, const Gauss& method, LaneParameters parameters) {
  if (method.step == 0 || !system.has_energies() || system.has_hamiltonian()) return nullptr;
  if (!canonical(system).is_all_programs()) return nullptr;
  return std::make_unique<LaneGauss>(system, method, parameters);
}

}  // namespace hamel
