// rk2 and rk4 in eight lanes.
#include "integrate/fixed_lanes.hpp"
#include "integrate/lane_field.hpp"
#include "integrate/lane_marks.hpp"
#include "integrate/runge_kutta.hpp"

namespace hamel {
namespace {

struct RungeKuttaLanes {
  LaneBlock y;
  LaneClocks clocks;
};

class LaneRungeKutta final : public MarkedLanes<RungeKuttaLanes> {
 public:
  LaneRungeKutta(const System& system, const RungeKuttaTableau& tableau, double step, bool reproject,
                 LaneParameters parameters)
      : MarkedLanes({LaneBlock(Field(system, Form::omega).size()), LaneClocks(step)}),
        tableau_(tableau),
        field_(system, parameters),
        reproject_(reproject),
        next_(field_.size()) {
    for (LaneBlock& k : k_) k = next_;
  }

  void start(int lane, const System& member, const State& state) override {
    now_.clocks[lane].restart(state.t);
    field_.start(lane, member, state, now_.y);
  }
  double time(int lane) const override { return now_.clocks[lane].t; }
  double next_time(int lane, double limit) const override { return now_.clocks[lane].next(limit).end; }
  void current(int lane, State& state) override { field_.current(lane, time(lane), now_.y, state); }

  Lanes step(Lanes which, const Times& limits) override {
    const LaneSteps steps = now_.clocks.next(limits);
    LaneSet regular = which;
    for (std::size_t i = 0; i < tableau_.stages; ++i) {
      Eight t = steps.t;
      for (int k = 0; i > 0 && k < lanes; ++k) t[k] += tableau_.c[i] * steps.h[k];
      if (i > 0) combine(tableau_.a[i], i, steps.h);
      regular &= field_(t, i == 0 ? now_.y : next_, k_[i]);
    }
    combine(tableau_.b, tableau_.stages, steps.h);
    regular &= finite_lanes(next_);
    for (int k = 0; reproject_ && k < lanes; ++k)
      if (regular[static_cast<std::size_t>(k)]) field_.project(k, steps.t[k] + steps.h[k], next_);
    now_.y.swap(next_);
    now_.clocks.take(regular, steps);
    return which & ~regular;
  }

 private:
  std::vector<const Program*> programs() const override { return {&field_.program()}; }
  double evaluations_per_step() const override { return static_cast<double>(tableau_.stages); }

  // next = y + h sum_j weight_j k_j
  void combine(const std::array<double, RungeKuttaTableau::most_stages>& weights, std::size_t count, const Eight& h) {
    std::array<Eight, RungeKuttaTableau::most_stages> scaled;
    std::array<const LaneBlock*, RungeKuttaTableau::most_stages> stages{};
    std::size_t used = 0;
    for (std::size_t j = 0; j < count; ++j) {
      if (weights[j] == 0) continue;
      for (int k = 0; k < lanes; ++k) scaled[used][k] = h[k] * weights[j];
      stages[used++] = &k_[j];
    }
    add_stages(now_.y, scaled.data(), stages.data(), static_cast<int>(used), next_);
  }

  const RungeKuttaTableau& tableau_;
  LaneField field_;
  bool reproject_;
  LaneBlock next_;
  std::array<LaneBlock, RungeKuttaTableau::most_stages> k_;
};

}  // namespace

std::unique_ptr<LaneStepper> runge_kutta_lanes(const System& system, const RungeKuttaTableau& tableau, double step,
                                               Form form, bool reproject, LaneParameters parameters) {
  if (!LaneField::exists(system, form)) return nullptr;
  return std::make_unique<LaneRungeKutta>(system, tableau, step, reproject, parameters);
}

}  // namespace hamel
