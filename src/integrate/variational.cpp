#include "hamel/integrate/variational.hpp"

#include "integrate/variational_stepper.hpp"

namespace hamel {

std::unique_ptr<Stepper> variational_stepper(const System& system, const Variational& method) {
  if (system.path() == Path::constant_mass) return constant_mass_stepper(system, method);
  return reduced_stepper(system, method);
}

}  // namespace hamel
