#include "hamel/derive/constant_mass.hpp"

#include <cmath>

#include "derive/derivation.hpp"
#include "hamel/derive/formulation.hpp"

namespace hamel {

void StepKernels::set_reaches() {
  for (std::size_t i = 0; i < reaches.size(); ++i) reaches[i].slope = std::abs(slopes.values()(static_cast<int>(i)));
}

void StepKernels::set_parameters(In values) {
  for (Kernel* kernel : {&predict, &start, &pull, &newton, &refine, &way, &finish, &velocity, &closed})
    kernel->set_parameters(values);
  slopes.set_parameters(values);
  set_reaches();
}

std::vector<const Program*> StepKernels::programs() const {
  std::vector<const Program*> all;
  for (const Kernel* kernel : {&predict, &start, &pull, &newton, &refine, &way, &finish, &velocity, &closed})
    if (!kernel->empty()) all.push_back(&kernel->program());
  return all;
}

ConstantMass constant_mass_kernels(const Model& model) {
  ConstantMass result;
  const auto refuse = [&](const std::string& why) {
    ConstantMass refused;
    refused.obstacle = why;
    return refused;
  };
  for (const auto& coordinate : model.coordinates())
    if (const std::string why = lifting_obstacle(coordinate.space); !why.empty()) return refuse(why);
  try {
    const Sheet sheet(model);
    Derivation derivation(model, sheet.lowered, sheet.parameters);
    result.places_ = derivation.places();
    if (derivation.has_groups()) result.tested_ = sheet.parameters.values;
    if (!derivation.has_constant_mass()) return refuse("the mass matrix depends on the state");
    result.acceleration = derivation.acceleration();
    result.velocity = derivation.velocity();
    result.step = derivation.step(Quadrature::trapezoidal);
  } catch (const NoPivot&) {
    return refuse("some coordinate has no inertia of its own");
  }
  if (!result.acceleration.has_finite_constants()) {
    ConstantMass refused = refuse("the mass matrix is singular in the ambient coordinates");
    refused.singular_ = result.acceleration;
    return refused;
  }
  int natural = 0;
  for (const auto& coordinate : model.coordinates()) {
    result.natural.push_back(natural);
    result.natural_is_ambient = result.natural_is_ambient && !is_by_basis(coordinate.space);
    natural += is_by_basis(coordinate.space) ? coordinate.space.rates() : coordinate.space.ambient();
  }
  result.natural.push_back(natural);
  return result;
}

void ConstantMass::set_parameters(In values) {
  for (Kernel* kernel : {&acceleration, &velocity, &singular_}) kernel->set_parameters(values);
  step.set_parameters(values);
  places_.set_parameters(values);
}

std::string ConstantMass::broken_decision(const ConstantMass& before, In values) const {
  if (!singular_.empty() && singular_.has_finite_constants()) return "the mass matrix is not singular any more";
  if (!acceleration.has_finite_constants()) return "the mass matrix is singular in the ambient coordinates";
  if (places_.chosen() != before.places_.chosen()) return "other points take the place of coordinates";
  for (Eigen::Index i = 0; i < tested_.size(); ++i)
    if (values(i) != 0 && !invariants_hold(tested_(i), values(i)))
      return "a parameter is more than a thousand times as large or as small as it was, and what does not depend on "
             "attitudes has to be found anew";
  return {};
}

namespace {

template <class Use>
auto with_derivation(const Model& model, Use use) {
  const Sheet sheet(model);
  Derivation derivation(model, sheet.lowered, sheet.parameters);
  return use(derivation);
}

}  // namespace

StepKernels step_kernels(const Model& model, const Quadrature& rule) {
  return with_derivation(model, [&](Derivation& derivation) { return derivation.step(rule); });
}

Kernel motion_kernel(const Model& model) {
  for (const auto& coordinate : model.coordinates())
    if (!is_by_basis(coordinate.space) && !coordinate.space.has_rates_formula()) return {};
  return with_derivation(model, [](Derivation& derivation) { return derivation.motion(); });
}

Kernel step_pivots(const Model& model, const Quadrature& rule) {
  return with_derivation(model, [&](Derivation& derivation) { return derivation.step_pivots(rule); });
}

}  // namespace hamel
