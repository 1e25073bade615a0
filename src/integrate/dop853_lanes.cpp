#include "integrate/dop853_lanes.hpp"

#include <limits>
#include <stdexcept>

#include "hamel/integrate/dormand_prince.hpp"
#include "hamel/program/lane_text.hpp"
#include "integrate/dop853_control.hpp"
#include "integrate/dop853_lane_text.hpp"
#include "integrate/dop853_tableau.hpp"
#include "integrate/fixed_lanes.hpp"
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
  LaneBlock y;
  LaneBlock clock = LaneBlock(3);  // t, h, and whether the last attempt failed

  double& t(int lane) { return clock[0][lane]; }
  double t(int lane) const { return clock[0][lane]; }
  double& h(int lane) { return clock[1][lane]; }
  double& failed(int lane) { return clock[2][lane]; }
};

constexpr double attempts_at_once = 64;  // of native code: in between somebody may want to stop

// As AdaptiveSolver, an attempt at a time; in native code, many.
class LaneDop853 final : public MarkedLanes<Dop853Motion> {
 public:
  LaneDop853(const System& system, const Dop853& method, LaneParameters parameters)
      : MarkedLanes({LaneBlock(Field(system, Form::omega).size())}),
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
    if (is_short()) native_text_ = dop853_lane_text(field_.program(), system.ambient(), field_.size());
    find_native_code();
  }

  void start(int lane, const System& member, const State& state) override {
    field_.start(lane, member, state, now_.y);
    starting_ = lane;
    now_.y.get(lane, y_);
    solver_.start(state.t, y_);
    now_.t(lane) = state.t;
    now_.h(lane) = solver_.first_step();
    now_.failed(lane) = 0;
  }
  double time(int lane) const override { return now_.t(lane); }
  double next_time(int lane, double limit) const override {
    return time(lane) + next_size(limit - time(lane), now_.clock[1][lane]);
  }
  void current(int lane, State& state) override { field_.current(lane, time(lane), now_.y, state); }

  bool has_native_steps() const override { return native_ != nullptr; }

  Lanes step(Lanes which, const Times& limits) override {
    if (native_ == nullptr) return step_by_programs(which, limits);
    const Eight before = now_.clock[0];
    Times no_targets;
    no_targets.fill(std::numeric_limits<double>::infinity());
    const Lanes unusual = run_natively(which, limits, no_targets, 1).unusual;
    LaneSet accepted;
    for (int k = 0; k < lanes; ++k) accepted[static_cast<std::size_t>(k)] = time(k) != before[k];
    project(accepted);
    return unusual;
  }

  Taken steps(Lanes which, const Times& limits, const Times& targets) override {
    if (native_ == nullptr || method_.reproject) return {step(which, limits), 1};
    return run_natively(which, limits, targets, attempts_at_once);
  }

 private:
  std::vector<const Program*> programs() const override { return {&field_.program()}; }
  double evaluations_per_step() const override { return DormandPrince8::evaluations_per_step; }
  static double next_size(double left, double natural) { return left <= 1.1 * natural ? left : natural; }

  bool is_short() const { return field_.program().operations() <= longest_lane_function; }
  void find_native_code() {
    if (is_short()) native_ = lane_code(field_.program(), native_text_);
  }
  bool compile_whole_step() override {
    const std::array programs{&field_.program()};
    const bool is_native = is_short() && compile_lane_text(programs, native_text_);
    find_native_code();
    return is_native;
  }

  Taken run_natively(Lanes which, const Times& limits, const Times& targets, double attempts) {
    const Eight taken = as_numbers(which);
    Eight unusual;
    double left = attempts;
    const std::array settings{method_.relative, method_.absolute, method_.largest_step};
    const std::array<const double*, 6> in{field_.inputs(), field_.constants(), settings.data(),
                                          limits.data(),   targets.data(),     taken.lane.data()};
    const std::array<double*, 4> out{now_.y.data(), now_.clock.data(), unusual.lane.data(), &left};
    native_(in.data(), out.data());
    return {lanes_of(unusual), static_cast<std::size_t>(attempts - left)};
  }

  Lanes step_by_programs(Lanes which, const Times& limits) {
    Eight h;
    Lanes unusual;
    for (int k = 0; k < lanes; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const double left = limits[i] - time(k);
      h[k] = next_size(left, now_.h(k));
      unusual[i] = which[i] && h[k] < left && !(time(k) + h[k] / 16 > time(k));
    }
    const Eight error = attempt(h, which, unusual);
    Lanes accepted;
    for (int k = 0; k < lanes; ++k) {
      const auto i = static_cast<std::size_t>(k);
      if (!which[i] || unusual[i]) continue;
      accepted[i] = error[k] <= 1;
      if (accepted[i])
        accept(k, h[k], limits[i], error[k]);
      else
        now_.h(k) = h[k] * dop853::factor_after_failure(error[k]);
      now_.failed(k) = accepted[i] ? 0 : 1;
    }
    take_lanes(accepted, now_.y, trial_);
    project(accepted);
    return unusual;
  }

  void project(LaneSet accepted) {
    for (int k = 0; method_.reproject && k < lanes; ++k)
      if (accepted[static_cast<std::size_t>(k)]) field_.project(k, time(k), now_.y);
  }

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
    const Eight t = now_.clock[0];
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

  void accept(int lane, double h, double limit, double error) {
    const double natural = now_.h(lane);
    const bool at_limit = h == limit - time(lane);
    double next = h * dop853::factor_after_success(error, now_.failed(lane) != 0);
    if (h < natural) next = std::max(next, natural);  // it was the limit that made this step short
    now_.h(lane) = std::min(next, method_.largest_step);
    now_.t(lane) = at_limit ? limit : time(lane) + h;
  }

  Dop853 method_;
  LaneField field_;
  LaneBlock trial_, error_;
  DormandPrince8 solver_;
  int starting_ = 0;
  VectorXd y_;
  StageWeights b_, e5_, e3_;
  std::array<LaneBlock, dop853::steps> k_;
  std::string native_text_;
  LaneEntry native_ = nullptr;
};

}  // namespace

std::unique_ptr<LaneStepper> dop853_lanes(const System& system, const Dop853& method, LaneParameters parameters) {
  if (method.step != 0 || !LaneField::exists(system, method.form)) return nullptr;
  return std::make_unique<LaneDop853>(system, method, parameters);
}

}  // namespace hamel
