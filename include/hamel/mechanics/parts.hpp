// What a System is made of, and what integrators ask of it: programs that are derived when they are first asked for.
// Those of a system that System::with made share the programs of the first one, and have values of their own.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "hamel/derive/constant_mass.hpp"
#include "hamel/mechanics/canonical.hpp"
#include "hamel/mechanics/discrete_map.hpp"
#include "hamel/mechanics/dynamics.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

struct System::Parts {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const ParameterRules> rules;
  std::shared_ptr<const Dynamics> dynamics;
  std::string path_reason;
  int inputs = 0;
  bool conservative = false;
  std::shared_ptr<const Parts> first;  // that was derived, of which this one has other parameters

  struct Later {
    std::mutex mutex;
    std::optional<Canonical> canonical;
    std::optional<Kernel> motion;
    std::map<Quadrature, std::optional<StepKernels>> steps;
    std::map<Quadrature, std::optional<Kernel>> pivots;
    std::map<Quadrature, std::optional<DiscreteMap>> maps;
  };
  mutable Later later;
};

// Of the constant-mass path:
const ConstantMass& constant_mass(const System& system);  // refused on others
const StepKernels& step(const System& system, const Quadrature& rule);
const Kernel& step_pivots(const System& system, const Quadrature& rule);
// Of (q, xi), motion_kernel or reduced_motion_kernel; of a field, of q alone. Empty where there is none.
const Kernel& motion(const System& system);
// Of those with a Lagrangian:
const Kernel& momentum_kernel(const System& system);  // (q, v, t) -> p
// Of the others than the constant-mass path:
const DiscreteMap& discrete_map(const System& system, const Quadrature& rule);
// Of all:
const Canonical& canonical(const System& system);
Kernel canonical_derivative(const System& system);
// Native code for energies, motion and trapezoidal steps, for so many evaluations, where that pays.
void prepare(const System& system, double runs);

}  // namespace hamel
