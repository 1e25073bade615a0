// The programs of a system, and native code for them.
#include "hamel/mechanics/system.hpp"
#include "hamel/program/native.hpp"

namespace hamel {

namespace {

void append(std::vector<const Program*>& programs, const std::vector<const Program*>& more) {
  programs.insert(programs.end(), more.begin(), more.end());
}

std::vector<const Program*> programs_of(std::initializer_list<const Kernel*> kernels) {
  std::vector<const Program*> result;
  for (const Kernel* kernel : kernels)
    if (!kernel->empty()) result.push_back(&kernel->program());
  return result;
}

}  // namespace

std::vector<const Program*> System::energy_programs() const { return programs_of({&energy_, &momentum_}); }

std::vector<const Program*> System::motion_programs() const {
  std::vector<const Program*> all =
      programs_of({&field_, &force_, &constant_mass_.acceleration, &constant_mass_.velocity});
  append(all, reduced_.motion_programs());
  return all;
}

void System::prepare(double runs) const {
  std::vector<const Program*> wanted = energy_programs();
  append(wanted, motion_programs());
  append(wanted, constant_mass_.step.programs());
  append(wanted, reduced_.step_programs());
  std::erase_if(wanted, [&](const Program* program) { return !native_pays(*program, runs); });
  if (!wanted.empty()) compile_native(wanted);
}

}  // namespace hamel
