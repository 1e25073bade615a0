// rk2 and rk4 in eight lanes.
#include <fmt/format.h>

#include "hamel/program/device_text.hpp"
#include "hamel/program/lane_text.hpp"
#include "integrate/field_lane_text.hpp"
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

constexpr const char* rk_steps_text = R"(
void hamel_lanes(const double* const* in, double* const* out) {
  for (long part = 0; part < 8; part += WIDTH) {
    const double* clock = in[2] + part;
    const number h = ROW(clock, 1), origin = ROW(clock, 2), count = ROW(clock, 3);
    const mask taken = (mask)(ROW(in[3] + part, 0) != 0.0);
    number t = ROW(clock, 0), y[NY];
    mask unusual = taken & ~taken;
    double done = 0;
    EACH(i) y[i] = ROW(out[2] + part, i);
    while (done < in[4][0] && !any(unusual)) {
      unusual = taken & step(in[0] + part, in[1] + PART_OF_CONSTANTS(part), t, h, y);
      done += 1;
      t = origin + (count + done) * h;
    }
    EACH(i) ROW(out[2] + part, i) = y[i];
    ROW(out[0] + part, 0) = pick(unusual, ALL(1.0), ALL(0.0));
    ROW(out[1] + part, 0) = ALL(done);
  }
}
)";

// As combine.
std::string weighted_lane_stages(const std::array<double, RungeKuttaTableau::most_stages>& weights, std::size_t count) {
  std::string text = "y[i]";
  for (std::size_t j = 0; j < count; ++j)
    if (weights[j] != 0) text += fmt::format(" + (h * {}) * k[{}][i]", device_literal(weights[j]), j);
  return text;
}

// Whole steps of a field: inputs, constants, clocks, one in the lanes that are taken, how many; one where something
// unusual was met, how many were taken, y.
std::string rk_lane_text(const RungeKuttaTableau& tableau, const Program& motion, long ambient, long size) {
  std::string text = field_lane_text(motion, ambient, size);
  text += fmt::format(
      "static inline mask step(const double* u, const double* constants, number t, number h, number* y) {{\n"
      "  number x[NY], k[{}][NY];\n  FOUR(off);\n  rate(u, constants, t, y, k[0]);\n",
      tableau.stages);
  constexpr const char* watch = "  EACH_OF_FOUR(i, m, NY) off[m] += x[i] - x[i];\n";
  for (std::size_t i = 1; i < tableau.stages; ++i)
    text += fmt::format("  EACH(i) x[i] = {};\n{}  rate(u, constants, t + {} * h, x, k[{}]);\n",
                        weighted_lane_stages(tableau.a[i], i), watch, device_literal(tableau.c[i]), i);
  text += fmt::format("  EACH(i) x[i] = {};\n{}  EACH(i) y[i] = x[i];\n  return ~is_finite(SUM(off));\n}}\n",
                      weighted_lane_stages(tableau.b, tableau.stages), watch);
  return text + rk_steps_text;
}

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
    if (reproject_ || field_.program().operations() > longest_lane_function) return;
    native_text_ = rk_lane_text(tableau, field_.program(), system.ambient(), field_.size());
    native_ = lane_code(field_.program(), native_text_);
  }

  void start(int lane, const System& member, const State& state) override {
    now_.clocks[lane].restart(state.t);
    field_.start(lane, member, state, now_.y);
  }
  double time(int lane) const override { return now_.clocks[lane].t; }
  double next_time(int lane, double limit) const override { return now_.clocks[lane].next(limit).end; }
  void current(int lane, State& state) override { field_.current(lane, time(lane), now_.y, state); }

  Taken steps(Lanes which, const Times& limits, const Times& targets) override {
    const double count = native_ == nullptr ? 0 : now_.clocks.whole_steps(which, limits, targets);
    if (count < 1) return {step(which, limits), 1};
    const Eight taken = as_numbers(which);
    Eight unusual, done;
    now_.clocks.write(clock_);
    const std::array<const double*, 5> in{field_.inputs(), field_.constants(), clock_.data(), taken.lane.data(),
                                          &count};
    const std::array<double*, 3> out{unusual.lane.data(), done.lane.data(), now_.y.data()};
    native_(in.data(), out.data());
    now_.clocks.take_whole(which, done);
    return {lanes_of(unusual), static_cast<std::size_t>(count)};
  }

  bool has_native_steps() const override { return native_ != nullptr; }

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
  bool compile_whole_step() override {
    const std::array programs{&field_.program()};
    if (!native_text_.empty() && compile_lane_text(programs, native_text_))
      native_ = lane_code(field_.program(), native_text_);
    return native_ != nullptr;
  }

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
  LaneBlock clock_ = LaneBlock(4);
  std::string native_text_;
  LaneEntry native_ = nullptr;
};

}  // namespace

std::unique_ptr<LaneStepper> runge_kutta_lanes(const System& system, const RungeKuttaTableau& tableau, double step,
                                               Form form, bool reproject, LaneParameters parameters) {
  if (!LaneField::exists(system, form)) return nullptr;
  return std::make_unique<LaneRungeKutta>(system, tableau, step, reproject, parameters);
}

}  // namespace hamel
