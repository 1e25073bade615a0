#include "integrate/dop853_lanes.hpp"

#include <limits>
#include <optional>
#include <stdexcept>

#include "hamel/integrate/dormand_prince.hpp"
#include "hamel/program/lane_text.hpp"
#include "integrate/dop853_control.hpp"
#include "integrate/dop853_lane_text.hpp"
#include "integrate/dop853_tableau.hpp"
#include "integrate/event_lane_text.hpp"
#include "integrate/first_step.hpp"
#include "integrate/lane_clocks.hpp"
#include "integrate/lane_field.hpp"
#include "integrate/lane_marks.hpp"

namespace hamel {
namespace {

// Coefficients that are zero cost nothing.
struct StageWeights {
  template <std::size_t size>
  explicit StageWeights(const std::array<double, size>& row) {
    for (std::size_t j = 0; j < size; ++j)
      if (row[j] != 0) {
        weights[count] = row[j];
        stage[count++] = j;
      }
  }
  std::array<double, dop853::stages> weights{};
  std::array<std::size_t, dop853::stages> stage{};
  std::size_t count = 0;
};

const std::array<StageWeights, dop853::steps - 1>& stage_weights() {
  using namespace dop853;
  static const std::array<StageWeights, steps - 1> rows{
      StageWeights(a1), StageWeights(a2), StageWeights(a3), StageWeights(a4),  StageWeights(a5), StageWeights(a6),
      StageWeights(a7), StageWeights(a8), StageWeights(a9), StageWeights(a10), StageWeights(a11)};
  return rows;
}

const std::array<StageWeights, 3>& dense_stage_weights() {
  using namespace dop853;
  static const std::array<StageWeights, 3> rows{StageWeights(a13), StageWeights(a14), StageWeights(a15)};
  return rows;
}
const std::array<StageWeights, 4>& bend_weights() {
  using namespace dop853;
  static const std::array<StageWeights, 4> rows{StageWeights(d4), StageWeights(d5), StageWeights(d6), StageWeights(d7)};
  return rows;
}

struct Dop853Motion {
  LaneBlock y;
  LaneBlock clock = LaneBlock(4);  // t, h, whether the last attempt failed, and how long it was

  double& t(int lane) { return clock[0][lane]; }
  double t(int lane) const { return clock[0][lane]; }
  double& h(int lane) { return clock[1][lane]; }
  double& failed(int lane) { return clock[2][lane]; }
  Eight& attempted() { return clock[3]; }
};

constexpr double attempts_at_once = 64;  // of native code: in between somebody may want to stop

// As AdaptiveSolver, an attempt at a time; in native code, many.
class LaneDop853 final : public MarkedLanes<Dop853Motion> {
 public:
  LaneDop853(const System& system, const Dop853& method, LaneParameters parameters)
      : MarkedLanes({LaneBlock(Field(system, Form::omega).size())}),
        method_(method),
        field_(system, parameters),
        starts_(system, parameters),
        begin_({LaneBlock(field_.size())}),
        parameters_(parameters),
        ambient_(system.ambient()),
        trial_(field_.size()),
        error_(field_.size()),
        y_(VectorXd::Zero(field_.size())),
        b_(dop853::b),
        e5_(dop853::e5),
        e3_(dop853::e3) {
    for (LaneBlock& k : k_) k = trial_;
    for (LaneBlock& bend : bend_) bend = trial_;
    find_native_code();
  }

  void start(int lane, const System& member, const State& state) override {
    const LaneMotion motion{&member, &state};
    gather({&motion, 1});
    start_gathered(lane, 0);
  }
  void gather(std::span<const LaneMotion> motions) override {
    for (std::size_t k = 0; k < motions.size(); ++k) {
      if (motions[k].system == nullptr) continue;
      const int lane = static_cast<int>(k);
      starts_.start(lane, *motions[k].system, *motions[k].start, begin_.y);
      begin_.t(lane) = motions[k].start->t;
    }
    choose_first_steps();
  }
  void start_gathered(int lane, std::size_t place) override {
    const int from = static_cast<int>(place);
    if (!begins_[place]) throw std::runtime_error("the motion begins where it is singular");
    field_.take(lane, starts_, from);
    for (long i = 0; i < field_.size(); ++i) now_.y[i][lane] = begin_.y[i][from];
    now_.t(lane) = begin_.t(from);
    now_.h(lane) = begin_.h(from);
    now_.failed(lane) = 0;
  }
  double time(int lane) const override { return now_.t(lane); }
  double next_time(int lane, double limit) const override {
    return time(lane) + next_size(limit - time(lane), now_.clock[1][lane]);
  }
  void current(int lane, State& state) override { field_.current(lane, time(lane), now_.y, state); }

  bool has_native_steps() const override { return native_.exists(); }

  Lanes step(Lanes which, const Times& limits) override { return attempt_once(which, limits, false).unusual; }
  Taken one_step(Lanes which, const Times& limits) override { return attempt_once(which, limits, true); }

  Taken steps(Lanes which, const Times& limits, const Times& targets) override {
    if (!native_.exists() || method_.reproject) return one_step(which, limits);
    const Taken taken = run_natively(which, limits, targets, attempts_at_once, true);
    if (looks_at_events() && taken.suspicious.any()) marked_ = before_;
    return taken;
  }

  bool can_interpolate() const override { return true; }
  double time_at_mark(int lane) const override { return marked_.t(lane); }
  void interpolate(int lane, double t, State& state) override {
    make_dense();
    if (!has_dense_[static_cast<std::size_t>(lane)]) throw std::runtime_error("the motion is singular there");
    const double h = time(lane) - marked_.t(lane), s = (t - marked_.t(lane)) / h, r = 1 - s;
    for (long i = 0; i < y_.size(); ++i) {
      const double begin = marked_.y[i][lane], way = now_.y[i][lane] - begin;
      const double k = k_[0][i][lane], k_end = k_[dop853::steps][i][lane];
      y_(i) = begin +
              s * (way + r * (h * k - way +
                              s * (2 * way - h * (k + k_end) +
                                   r * (bend_[0][i][lane] +
                                        s * (bend_[1][i][lane] + r * (bend_[2][i][lane] + s * bend_[3][i][lane]))))));
    }
    field_.unpack(lane, t, method_.reproject, y_, state);
  }

  void watch(const Kernel& events) override {
    if (method_.reproject || !can_watch_field(events.program(), field_.program())) return;
    events_.emplace(events, parameters_);
    find_native_code();
  }
  void watch(int lane, const Kernel& events) override {
    if (events_) events_->set(lane, events);
  }
  bool looks_at_events() const override { return events_ && native_.exists(); }

 private:
  std::vector<const Program*> programs() const override { return {&field_.program()}; }
  double evaluations_per_step() const override { return DormandPrince8::evaluations_per_step; }
  static double next_size(double left, double natural) { return left <= 1.1 * natural ? left : natural; }

  void find_native_code() {
    std::vector<const Program*> all{&field_.program()};
    if (events_) all.push_back(&events_->program());
    if (fit_into_lane_text(all))
      native_ = LaneCode(
          all, dop853_lane_text(field_.program(), ambient_, field_.size(), events_ ? &events_->program() : nullptr));
  }
  bool compile_whole_steps(double steps) override {
    constexpr LaneStepWork work{DormandPrince8::evaluations_per_step, DormandPrince8::evaluations_per_step, 1e-6};
    return native_.pays(steps, work) && native_.compile();
  }

  Taken attempt_once(Lanes which, const Times& limits, bool looks) {
    if (!native_.exists()) return {step_by_programs(which, limits), 1, which};
    const Eight before = now_.clock[0];
    Times no_targets;
    no_targets.fill(std::numeric_limits<double>::infinity());
    Taken taken = run_natively(which, limits, no_targets, 1, looks);
    LaneSet accepted;
    for (int k = 0; k < lanes; ++k) accepted[static_cast<std::size_t>(k)] = time(k) != before[k];
    taken.unusual |= project(accepted);
    return taken;
  }

  Taken run_natively(Lanes which, const Times& limits, const Times& targets, double attempts, bool looks) {
    const Eight taken = as_numbers(which);
    Eight unusual, suspicious;
    suspicious.lane.fill(1);
    is_dense_ = false;
    double left = attempts;
    const std::array settings{method_.relative, method_.absolute, method_.largest_step, looks ? 1.0 : 0.0};
    const std::array<const double*, 7> in{field_.inputs(),
                                          field_.constants(),
                                          settings.data(),
                                          limits.data(),
                                          targets.data(),
                                          taken.lane.data(),
                                          events_ ? events_->constants() : nullptr};
    const std::array<double*, 7> out{now_.y.data(),          now_.clock.data(), unusual.lane.data(), &left,
                                     suspicious.lane.data(), before_.y.data(),  before_.clock.data()};
    native_(in.data(), out.data());
    return {lanes_of(unusual), static_cast<std::size_t>(attempts - left), which & lanes_of(suspicious)};
  }

  Lanes step_by_programs(Lanes which, const Times& limits) {
    is_dense_ = false;
    Eight h;
    Lanes unusual;
    for (int k = 0; k < lanes; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const double left = limits[i] - time(k);
      h[k] = next_size(left, now_.h(k));
      unusual[i] = which[i] && h[k] < left && !(time(k) + h[k] / 16 > time(k));
    }
    now_.attempted() = h;
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
    return unusual | project(accepted);
  }

  // Those for which there is no nearest point.
  LaneSet project(LaneSet accepted) {
    LaneSet lost;
    for (std::size_t k = 0; method_.reproject && k < accepted.size(); ++k)
      lost[k] = accepted[k] && !field_.project(static_cast<int>(k), time(static_cast<int>(k)), now_.y);
    return lost;
  }

  // As AdaptiveSolver chooses them.
  void choose_first_steps() {
    begin_.clock[1].lane.fill(std::min(method_.first_step, method_.largest_step));
    begins_.set();
    if (method_.first_step > 0) return;
    LaneBlock &rate = k_[0], &slope = k_[1];
    const Eight& t = begin_.clock[0];
    begins_ &= starts_(t, begin_.y, rate);
    const Eight size = relative_size(begin_.y, begin_.y, method_.relative, method_.absolute);
    const Eight speed = relative_size(rate, begin_.y, method_.relative, method_.absolute);
    Eight guess, then;
    for (int k = 0; k < lanes; ++k) guess[k] = first_guess(size[k], speed[k]), then[k] = t[k] + guess[k];
    combine(StageWeights(std::array{1.0}), &begin_.y, guess, trial_);
    begins_ &= starts_(then, trial_, error_);
    subtract(error_, rate, slope);
    for (long i = 0; i < field_.size(); ++i)
      for (int k = 0; k < lanes; ++k) slope[i][k] /= guess[k];
    const Eight bend = relative_size(slope, begin_.y, method_.relative, method_.absolute);
    for (int k = 0; k < lanes; ++k)
      begin_.h(k) =
          std::min(first_step_after(guess[k], speed[k], bend[k], DormandPrince8::order), method_.largest_step);
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

  // As DormandPrince8 does it; the stages of the last attempt are found anew.
  void make_dense() {
    if (is_dense_) return;
    const Eight attempted = now_.attempted(), begin = marked_.clock[0], end = now_.clock[0];
    Eight h;
    for (int k = 0; k < lanes; ++k) h[k] = end[k] - begin[k];
    Lanes irregular;
    go_to_mark();
    attempt(attempted, Lanes().set(), irregular);
    go_back();
    combine(b_, &marked_.y, h, trial_);
    has_dense_ = ~irregular & field_(end, trial_, k_[dop853::steps]);
    for (std::size_t i = 0; i < dense_stage_weights().size(); ++i) {
      const std::size_t stage = dop853::steps + 1 + i;
      combine(dense_stage_weights()[i], &marked_.y, h, trial_);
      Eight then;
      for (int k = 0; k < lanes; ++k) then[k] = begin[k] + dop853::c[stage] * h[k];
      has_dense_ &= field_(then, trial_, k_[stage]);
    }
    for (std::size_t i = 0; i < bend_.size(); ++i) combine(bend_weights()[i], nullptr, h, bend_[i]);
    is_dense_ = true;
  }

  void combine(const StageWeights& row, const LaneBlock* y, const Eight& h, LaneBlock& result) {
    std::array<const LaneBlock*, dop853::stages> stages{};
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
  LaneField field_, starts_;
  Dop853Motion begin_;  // of the motions that were gathered
  LaneSet begins_;      // that are regular there
  LaneParameters parameters_;
  long ambient_;
  std::optional<LaneKernel> events_;
  Dop853Motion before_ = now_;  // the last attempt, where it is suspicious
  LaneBlock trial_, error_;
  VectorXd y_;
  StageWeights b_, e5_, e3_;
  std::array<LaneBlock, dop853::stages> k_;
  std::array<LaneBlock, 4> bend_;
  LaneSet has_dense_;
  bool is_dense_ = false;  // the last step
  LaneCode native_;
};

}  // namespace

std::unique_ptr<LaneStepper> dop853_lanes(const System& system, const Dop853& method, LaneParameters parameters) {
  if (method.step != 0 || !LaneField::exists(system, method.form)) return nullptr;
  return std::make_unique<LaneDop853>(system, method, parameters);
}

}  // namespace hamel
