#include "hamel/integrate/stepper.hpp"

#include <fmt/core.h>

#include <array>

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
    Memory memory(numbers);
    remember(memory);
  } catch (const std::invalid_argument&) {
    Memory memory(std::span<const double>{own});
    remember(memory);
    throw;
  }
}

std::vector<ProgramUse> Stepper::uses(double duration) const {
  std::vector<ProgramUse> all;
  const double runs = expected_evaluations(duration);
  for (const Program* program : programs()) all.push_back({program, runs});
  for (const Program* program : system_.energy_programs()) all.push_back({program, runs});
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

void Stepper::prepare_like(const std::vector<bool>& wanted) {
  const std::vector<ProgramUse> all = uses(0);
  if (wanted.size() != all.size())
    throw std::invalid_argument(
        fmt::format("a run of {} has {} programs, not {}: it was saved by another method, or of "
                    "another system",
                    system_.name(), all.size(), wanted.size()));
  for (const int lanes : kinds_of_lanes) {
    std::vector<const Program*> programs;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].lanes == lanes && wanted[k]) programs.push_back(all[k].program);
    if (!programs.empty()) compile_native(programs, lanes);
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool is_native = all[k].program->is_native(all[k].lanes);
    if (is_native == wanted[k]) continue;
    throw std::runtime_error(fmt::format(
        "this run of {} was saved with the program {} {} and would go on with it {}, to other last bits; {}",
        system_.name(), all[k].program->name(), is_native ? "interpreted" : "as native code",
        is_native ? "as native code" : "interpreted",
        is_native ? "derive the system anew" : "make a C compiler available (HAMEL_CC, HAMEL_NATIVE, HAMEL_CACHE)"));
  }
}

}  // namespace hamel
