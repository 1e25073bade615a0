#include "integrate/dop853_lanes.hpp"

#include <limits>
#include <stdexcept>

#include "hamel/integrate/dormand_prince.hpp"
#include "integrate/dop853_control.hpp"
#include "integrate/dop853_tableau.hpp"
#include "integrate/lane_field.hpp"
#include "integrate/lane_marks.hpp"

namespace hamel {
namespace {

// Coefficients that are zero cost nothing.
struct StageWeights {
  template <std::size_t size>
  explicit StageWeights(const std::array<double, size>& row) {
    for (std::size_t j = 0; j < std::min<std::size_t>(size, dop853::steps); ++j)
      if (row[j] != 0) {
        weights[count] = row[j];
        stage[count++] = j;
      }
  }
  std::array<double, dop853::steps> weights{};
  std::array<std::size_t, dop853::steps> stage{};
  std::size_t count = 0;
};

const std::array<StageWeights, dop853::steps - 1>& stage_weights() {
  using namespace dop853;
  static const std::array<StageWeights, steps - 1> rows{
      StageWeights(a1), StageWeights(a2), StageWeights(a3), StageWeights(a4),  StageWeights(a5), StageWeights(a6),
      StageWeights(a7), StageWeights(a8), StageWeights(a9), StageWeights(a10), StageWeights(a11)};
  return rows;
}

struct Dop853Motion {
  struct Lane {
    double t = 0, h = 0;
    bool failed = false;  // the last attempt
  };
  LaneBlock y;
  std::array<Lane, 8> lane;
};

// As AdaptiveSolver, an attempt at a time.
class LaneDop853 final : public MarkedLanes<Dop853Motion> {
 public:
  LaneDop853(const System& system, const Dop853& method, LaneParameters parameters)
      : MarkedLanes({LaneBlock(Field(system, Form::omega).size()), {}}),
        method_(method),
        field_(system, parameters),
        trial_(field_.size()),
        error_(field_.size()),
        solver_(
            system.name(), static_cast<int>(field_.size()), [this](double t, In y, Out r) { rate(t, y, r); }, method),
        y_(VectorXd::Zero(field_.size())),
        b_(dop853::b),
        e5_(dop853::e5),
        e3_(dop853::e3) {
    for (LaneBlock& k : k_) k = trial_;
  }

  void start(int lane, const System& member, const State& state) override {
    field_.start(lane, member, state, now_.y);
    starting_ = lane;
    now_.y.get(lane, y_);
    solver_.start(state.t, y_);
    of(lane) = {.t = state.t, .h = solver_.first_step()};
  }
  double time(int lane) const override { return now_.lane[static_cast<std::size_t>(lane)].t; }
  void current(int lane, State& state) override { field_.current(lane, time(lane), now_.y, state); }

  Lanes step(Lanes which, const Times& limits) override {
    Eight h;
    Lanes unusual;
    for (int k = 0; k < lanes; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const Dop853Motion::Lane& at = of(k);
      const double left = limits[i] - at.t;
      h[k] = left <= 1.1 * at.h ? left : at.h;
      unusual[i] = which[i] && h[k] < left && !(at.t + h[k] / 16 > at.t);
    }
    const Eight error = attempt(h, which, unusual);
    Lanes accepted;
    for (int k = 0; k < lanes; ++k) {
      const auto i = static_cast<std::size_t>(k);
      if (!which[i] || unusual[i]) continue;
      accepted[i] = error[k] <= 1;
      if (accepted[i])
        accept(of(k), h[k], limits[i], error[k]);
      else
        of(k).h = h[k] * dop853::factor_after_failure(error[k]);
      of(k).failed = !accepted[i];
    }
    take_lanes(accepted, now_.y, trial_);
    for (int k = 0; method_.reproject && k < lanes; ++k)
      if (accepted[static_cast<std::size_t>(k)]) field_.project(k, of(k).t, now_.y);
    return unusual;
  }

 private:
  std::vector<const Program*> programs() const override { return {&field_.program()}; }
  double evaluations_per_step() const override { return DormandPrince8::evaluations_per_step; }
  Dop853Motion::Lane& of(int lane) { return now_.lane[static_cast<std::size_t>(lane)]; }

  // Of the lane that is being started: a solver chooses its first step.
  void rate(double t, In y, Out result) {
    Eight now;
    now.lane.fill(t);
    trial_.put(starting_, y);
    if (!field_(now, trial_, error_)[static_cast<std::size_t>(starting_)])
      throw std::runtime_error("the motion begins where it is singular");
    error_.get(starting_, result);
  }

  // The error in units of the tolerance; infinity where a stage does not exist.
  Eight attempt(const Eight& h, Lanes which, Lanes& unusual) {
    Eight t;
    for (int k = 0; k < lanes; ++k) t[k] = of(k).t;
    LaneSet exists = field_(t, now_.y, k_[0]);
    unusual |= which & ~exists;
    for (std::size_t i = 1; i < dop853::steps; ++i) {
      combine(stage_weights()[i - 1], &now_.y, h, trial_);
      Eight then;
      for (int k = 0; k < lanes; ++k) then[k] = t[k] + dop853::c[i] * h[k];
      exists &= field_(then, trial_, k_[i]);
    }
    combine(b_, &now_.y, h, trial_);
    exists &= finite_lanes(trial_);
    combine(e5_, nullptr, h, error_);
    const Eight fifth = scaled_size(error_, now_.y, trial_, method_.relative, method_.absolute);
    combine(e3_, nullptr, h, error_);
    const Eight third = scaled_size(error_, now_.y, trial_, method_.relative, method_.absolute);
    Eight result;
    for (int k = 0; k < lanes; ++k) {
      const double error = dop853::error(fifth[k], third[k]);
      result[k] =
          exists[static_cast<std::size_t>(k)] && std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
    }
    return result;
  }

  void combine(const StageWeights& row, const LaneBlock* y, const Eight& h, LaneBlock& result) {
    std::array<const LaneBlock*, dop853::steps> stages{};
    for (std::size_t j = 0; j < row.count; ++j) stages[j] = &k_[row.stage[j]];
    combine_stages(y, h, row.weights.data(), stages.data(), static_cast<int>(row.count), result);
  }

  void accept(Dop853Motion::Lane& at, double h, double limit, double error) const {
    const double natural = at.h;
    const bool at_limit = h == limit - at.t;
    at.h = h * dop853::factor_after_success(error, at.failed);
    if (h < natural) at.h = std::max(at.h, natural);  // it was the limit that made this step short
    at.h = std::min(at.h, method_.largest_step);
    at.t = at_limit ? limit : at.t + h;
  }

  Dop853 method_;
  LaneField field_;
  LaneBlock trial_, error_;
  DormandPrince8 solver_;
  int starting_ = 0;
  VectorXd y_;
  StageWeights b_, e5_, e3_;
  std::array<LaneBlock, dop853::steps> k_;
};

}  // namespace

std::unique_ptr<LaneStepper> dop853_lanes(const System& system, const Dop853& method, LaneParameters parameters) {
  if (method.step != 0 || !LaneField::exists(system, method.form)) return nullptr;
  return std::make_unique<LaneDop853>(system, method, parameters);
}

}  // namespace hamel
