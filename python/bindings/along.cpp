// Energies and momenta at every output of a motion.
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "hamel/mechanics/system.hpp"
#include "hamel/symmetry/noether.hpp"
#include "interrupt.hpp"
#include "motion.hpp"

namespace hamel::python {

namespace {

nb::tuple energies_along(const System& system, const Times& t, const States& q, const States& v) {
  if (!system.has_energies()) throw std::invalid_argument(system.name() + " is given by its field, and has no energy");
  const auto count = static_cast<Eigen::Index>(t.size());
  VectorXd kinetic(count), potential(count), total(count);
  {
    const Unlocked unlocked;
    Workspace work(system);
    for (Eigen::Index k = 0; k < count; ++k) {
      const State state = state_at(t, q, v, static_cast<std::size_t>(k));
      const Energy energy = system.energy(work, state.t, state.q, state.v);
      kinetic(k) = energy.kinetic;
      potential(k) = energy.potential;
      total(k) = energy.total;
    }
  }
  return nb::make_tuple(array_of(kinetic), array_of(potential), array_of(total));
}

Array momentum_along(const ConservedMomentum& momentum, const System& system, const Times& t, const States& q,
                     const States& v) {
  VectorXd values(static_cast<Eigen::Index>(t.size()));
  {
    const Unlocked unlocked;
    Workspace work(system);
    for (Eigen::Index k = 0; k < values.size(); ++k)
      values(k) = momentum.value(system, work, state_at(t, q, v, static_cast<std::size_t>(k)));
  }
  return array_of(values);
}

}  // namespace

void bind_along(nb::module_& m) {
  m.def("_energies_along", energies_along, nb::arg("system"), nb::arg("t"), nb::arg("q"), nb::arg("v"),
        "Kinetic, potential and total energy at every output.");
  m.def("_momentum_along", momentum_along, nb::arg("momentum"), nb::arg("system"), nb::arg("t"), nb::arg("q"),
        nb::arg("v"), "A conserved momentum at every output.");
}

}  // namespace hamel::python
