// rk2 and rk4 in eight lanes.
#include <fmt/format.h>

#include "hamel/program/device_text.hpp"
#include "integrate/event_lane_text.hpp"
#include "integrate/field_lane_text.hpp"
#include "integrate/field_lanes.hpp"
#include "integrate/runge_kutta.hpp"

namespace hamel {
namespace {

// As combine.
std::string weighted_lane_stages(const std::array<double, RungeKuttaTableau::most_stages>& weights, std::size_t count) {
  std::string text = "y[i]";
  for (std::size_t j = 0; j < count; ++j)
    if (weights[j] != 0) text += fmt::format(" + (h * {}) * k[{}][i]", device_literal(weights[j]), j);
  return text;
}

std::string rk_lane_text(const RungeKuttaTableau& tableau, const Program& motion, long ambient, long size,
                         const Program* events) {
  std::string body =
      fmt::format("  number x[NY], k[{}][NY];\n  {};\n", tableau.stages,
                  events == nullptr ? "rate(u, constants, t, y, k[0])" : "EACH(i, NY) k[0][i] = rate_now[i]");
  constexpr const char* watch = "  EACH_OF_FOUR(i, m, NY) off[m] += x[i] - x[i];\n";
  for (std::size_t i = 1; i < tableau.stages; ++i)
    body += fmt::format("  EACH(i, NY) x[i] = {};\n{}  rate(u, constants, t + {} * h, x, k[{}]);\n",
                        weighted_lane_stages(tableau.a[i], i), watch, device_literal(tableau.c[i]), i);
  body += fmt::format("  EACH(i, NY) x[i] = {};\n{}  EACH(i, NY) y[i] = x[i];\n",
                      weighted_lane_stages(tableau.b, tableau.stages), watch);
  return field_lane_text(motion, ambient, size) +
         (events == nullptr ? field_steps_text(body) : watched_field_steps_text(body, motion, *events));
}

class LaneRungeKutta final : public FieldLanes {
 public:
  LaneRungeKutta(const System& system, const RungeKuttaTableau& tableau, double step, bool reproject,
                 LaneParameters parameters)
      : FieldLanes(system, step, parameters, reproject ? Projects::yes : Projects::no),
        tableau_(tableau),
        ambient_(system.ambient()),
        reproject_(reproject),
        next_(field_.size()) {
    for (LaneBlock& k : k_) k = next_;
    find_native_code();
  }

  Lanes step(Lanes which, const Times& limits) override {
    const LaneSteps steps = now_.clocks.next(limits);
    forget_last_step();
    const LaneSet regular = native_.exists() ? which & ~step_natively(which, steps) : step_by_programs(which, steps);
    now_.clocks.take(regular, steps);
    return which & ~regular;
  }

 private:
  double evaluations_per_step() const override { return static_cast<double>(tableau_.stages); }

  bool can_watch(const Program& events) const override {
    return !reproject_ && can_watch_field(events, field_.program());
  }
  void find_native_code() override {
    std::vector<const Program*> all = programs();
    if (events() != nullptr) all.push_back(events());
    if (!reproject_ && fit_into_lane_text(all))
      native_ = LaneCode(all, rk_lane_text(tableau_, field_.program(), ambient_, field_.size(), events()));
  }

  LaneSet step_by_programs(LaneSet regular, const LaneSteps& steps) {
    for (std::size_t i = 0; i < tableau_.stages; ++i) {
      Eight t = steps.t;
      for (int k = 0; i > 0 && k < lanes; ++k) t[k] += tableau_.c[i] * steps.h[k];
      if (i > 0) combine(tableau_.a[i], i, steps.h);
      regular &= field_(t, i == 0 ? now_.y : next_, k_[i]);
    }
    combine(tableau_.b, tableau_.stages, steps.h);
    regular &= finite_lanes(next_);
    for (std::size_t k = 0; reproject_ && k < regular.size(); ++k)
      regular[k] = regular[k] && field_.project(static_cast<int>(k), steps.t.lane[k] + steps.h.lane[k], next_);
    now_.y.swap(next_);
    return regular;
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
  long ambient_;
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
