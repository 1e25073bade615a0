#include "hamel/integrate/stepper.hpp"

#include <fmt/core.h>

#include <array>

#include "hamel/integrate/memory.hpp"
#include "hamel/mechanics/dynamics.hpp"
#include "hamel/program/native.hpp"

namespace hamel {

void Stepper::save(std::vector<double>& numbers) const {
  Memory memory(numbers);
  const_cast<Stepper*>(this)->remember(memory);  // which only reads, of a memory that saves
}

void Stepper::restore(std::span<const double> numbers) {
  std::vector<double> own;
  save(own);
  if (numbers.size() != own.size())
    throw std::invalid_argument(
        fmt::format("{} numbers cannot be restored to this stepper of {}, which has {}: they were saved by another "
                    "method, or of another system",
                    numbers.size(), system_.name(), own.size()));
  try {
    go_to(numbers);
  } catch (const std::invalid_argument&) {
    go_to(own);
    throw;
  }
}

void Stepper::go_to(std::span<const double> place) {
  Memory memory(place);
  remember(memory);
}

void Stepper::mark() {
  mark_.clear();
  save(mark_);
}

void Stepper::within(double t, State& state) {
  end_.clear();
  save(end_);
  go_to(mark_);
  while (step(t) < t) {
  }
  current(state);
  state.t = t;
  go_to(end_);
}

void need_inputs(In u, const System& system, double t) {
  if (u.size() != system.inputs() || !u.allFinite())
    throw std::runtime_error(
        fmt::format("the control law at t = {:.9g} gave {} inputs, or one that is not finite; expected {}", t, u.size(),
                    system.inputs()));
}

void Stepper::follow(const InputLaw& /*law*/) {
  throw std::logic_error("inputs follow a law at every evaluation of explicit methods alone");
}

void Stepper::remember(Memory& memory) { memory(work_.u); }

std::vector<ProgramUse> Stepper::uses(double duration) const {
  std::vector<ProgramUse> all;
  const double runs = expected_evaluations(duration);
  for (const Program* program : programs()) all.push_back({program, runs});
  for (const Program* program : system_.dynamics().energy_programs()) all.push_back({program, runs});
  return all;
}

namespace {

constexpr std::array kinds_of_lanes{1, 4, 8};

}  // namespace

void Stepper::prepare(double duration) {
  const std::vector<ProgramUse> all = uses(duration);
  for (const int lanes : kinds_of_lanes) {
    std::vector<const Program*> wanted;
    for (const ProgramUse& use : all)
      if (use.lanes == lanes && native_pays(*use.program, use.runs)) wanted.push_back(use.program);
    if (!wanted.empty()) compile_native(wanted, lanes);
  }
}

std::vector<bool> Stepper::native() const {
  std::vector<bool> result;
  for (const ProgramUse& use : uses(0)) result.push_back(use.program->is_native(use.lanes));
  return result;
}

}  // namespace hamel
