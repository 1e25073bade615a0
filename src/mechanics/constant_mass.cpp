#include "hamel/mechanics/constant_mass.hpp"

#include "mechanics/derivation.hpp"

namespace hamel {

std::vector<const Program*> StepKernels::programs() const {
  std::vector<const Program*> all;
  for (const Kernel* kernel : {&predict, &start, &newton, &refine, &way, &finish, &velocity, &closed})
    if (!kernel->empty()) all.push_back(&kernel->program());
  return all;
}

ConstantMass derive_constant_mass(const Model& model, const LoweredModel& lowered, const Parameters& parameters) {
  ConstantMass result;
  const auto refuse = [&](const std::string& why) {
    ConstantMass refused;
    refused.obstacle = why;
    return refused;
  };
  for (const auto& coordinate : model.coordinates())
    if (!is_sparse_friendly(coordinate.space)) return refuse(coordinate.space.name() + " has no formula for its basis");
  try {
    Derivation derivation(model, lowered, parameters);
    if (!derivation.has_constant_mass()) return refuse("the mass matrix depends on the state");
    result.acceleration = derivation.acceleration();
    result.velocity = derivation.velocity();
    result.step = derivation.step(Quadrature::trapezoidal);
  } catch (const NoPivot&) {
    return refuse("some coordinate has no inertia of its own");
  }
  if (!result.acceleration.has_finite_constants())
    return refuse("the mass matrix is singular in the ambient coordinates");
  int natural = 0;
  for (const auto& coordinate : model.coordinates()) {
    result.natural.push_back(natural);
    natural += is_by_basis(coordinate.space) ? coordinate.space.rates() : coordinate.space.ambient();
  }
  result.natural.push_back(natural);
  return result;
}

namespace {

template <class Use>
auto with_derivation(const Model& model, Use use) {
  Graph graph;
  const Graph::Scope scope(graph);
  const LoweredModel lowered = lower(model);
  const Parameters parameters{lowered.parameters, parameter_values(model)};
  Derivation derivation(model, lowered, parameters);
  return use(derivation);
}

}  // namespace

StepKernels derive_step(const Model& model, Quadrature rule) {
  return with_derivation(model, [=](Derivation& derivation) { return derivation.step(rule); });
}

Kernel derive_step_pivots(const Model& model, Quadrature rule) {
  return with_derivation(model, [=](Derivation& derivation) { return derivation.step_pivots(rule); });
}

}  // namespace hamel
