#include "hamel/integrate/lane_stepper.hpp"

#include <stdexcept>

#include "hamel/program/native.hpp"
#include "integrate/method_row.hpp"

namespace hamel {

class LaneStepper::Detour {
 public:
  explicit Detour(LaneStepper& stepper) : stepper_(stepper) { stepper_.go_to_mark(); }
  ~Detour() { stepper_.go_back(); }
  Detour(const Detour&) = delete;
  Detour& operator=(const Detour&) = delete;

 private:
  LaneStepper& stepper_;
};

LaneStepper::Lanes LaneStepper::within(Lanes which, const Times& times, State& state, const Observer& observer) {
  const Detour detour(*this);
  Lanes unusual, going = which;
  while (going.any()) {
    unusual |= step(going, times);
    for (std::size_t k = 0; k < lanes; ++k)
      if (unusual[k] || time(static_cast<int>(k)) == times[k]) going[k] = false;
  }
  for (std::size_t k = 0; k < lanes; ++k) {
    if (!which[k] || unusual[k]) continue;
    current(static_cast<int>(k), state);
    state.t = times[k];
    observer(static_cast<int>(k), state);
  }
  return unusual;
}

void LaneStepper::at_mark(int lane, State& state) {
  const Detour detour(*this);
  current(lane, state);
}

void LaneStepper::interpolate(int /*lane*/, double /*t*/, State& /*state*/) {
  throw std::logic_error("these lanes have no states between the ends of a step");
}

void LaneStepper::prepare(double steps) {
  if (compile_whole_steps(steps) || !can_step()) return;
  std::vector<const Program*> wanted;
  for (const Program* program : programs())
    if (native_pays(*program, steps * evaluations_per_step(), lanes)) wanted.push_back(program);
  if (!wanted.empty()) compile_native(wanted, lanes);
}

std::unique_ptr<LaneStepper> make_lane_stepper(const System& system, const Method& method, LaneParameters parameters) {
  return std::visit(
      [&]<class M>(const M& m) -> std::unique_ptr<LaneStepper> {
        return M::row().lanes == nullptr ? nullptr : M::row().lanes(system, m, parameters);
      },
      method);
}

}  // namespace hamel
