#include "integrate/lie_lanes.hpp"

#include "integrate/field_lanes.hpp"
#include "integrate/lie_lane_text.hpp"
#include "integrate/lie_rk_step.hpp"

namespace hamel {
namespace {

// Where it is no native code: fields of eight motions at once, between which the groups act on each alone.
class LaneLieRk final : public FieldLanes {
 public:
  LaneLieRk(const System& system, const LieRk& method, LaneParameters parameters)
      : FieldLanes(system, method.step, parameters, Projects::yes), point_(field_.size()), rate_(field_.size()) {
    for (int lane = 0; lane < lanes; ++lane) steps_.emplace_back(system, method.scheme, field_.alone().partners());
    if (!fit_into_lane_text(programs())) return;
    if (std::string text = lie_lane_text(system, method.scheme, field_.program()); !text.empty())
      native_ = LaneCode(programs(), std::move(text));
  }

  Lanes step(Lanes which, const Times& limits) override {
    forget_last_step();
    const LaneSteps steps = now_.clocks.next(limits);
    Lanes regular = which;
    const auto in_each = [&](const auto& what) {
      for (int lane = 0; lane < lanes; ++lane)
        if (regular[static_cast<std::size_t>(lane)]) what(lane, steps_[static_cast<std::size_t>(lane)]);
    };
    in_each([&](int lane, LieRkStep& step) { now_.y.get(lane, step.y); });
    for (std::size_t i = 0; i < LieRkStep::stages; ++i) {
      Eight t = steps.t;
      for (int lane = 0; i > 0 && lane < lanes; ++lane) t[lane] += LieRkStep::c[i] * steps.h[lane];
      in_each([&](int lane, LieRkStep& step) { point_.put(lane, step.at_stage(i, steps.h[lane])); });
      regular &= field_(t, point_, rate_);
      in_each([&](int lane, LieRkStep& step) { rate_.get(lane, step.k[i]); });
    }
    in_each([&](int lane, LieRkStep& step) { now_.y.put(lane, step.end(steps.h[lane])); });
    regular &= finite_lanes(now_.y);
    now_.clocks.take(regular, steps);
    return which & ~regular;
  }

 private:
  double evaluations_per_step() const override { return LieRkStep::stages; }
  LaneStepWork work() const override {
    return {LieRkStep::stages, LieRkStep::stages, 2.5e-6 + 0.4e-6 * static_cast<double>(field_.size())};
  }

  LaneBlock point_, rate_;
  std::vector<LieRkStep> steps_;
};

}  // namespace

std::unique_ptr<LaneStepper> lie_group_lanes(const System& system, const LieRk& method, LaneParameters parameters) {
  if (!system.has_energies() || !LaneField::exists(system, Form::omega)) return nullptr;
  return std::make_unique<LaneLieRk>(system, method, parameters);
}

}  // namespace hamel
