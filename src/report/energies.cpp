#include "hamel/report/energies.hpp"

#include "hamel/textbook/calculus.hpp"
#include "hamel/textbook/textbook.hpp"

namespace hamel {

namespace {

// The kinetic energy of a body is written with R', which is what the integrators need; people read Omega.
Formula readable(const Model& model, const Formula& term) {
  try {
    const Formula other = simplified(model, term);
    return latex(other).size() < latex(term).size() ? other : term;
  } catch (const std::invalid_argument&) {  // no vector form
    return term;
  }
}

Formula sum_of(const std::vector<Formula>& terms) {
  Formula sum = terms.front();
  for (std::size_t k = 1; k < terms.size(); ++k) sum = sum + terms[k];
  return sum;
}

std::vector<Formula> readable(const Model& model, const std::vector<Formula>& terms) {
  std::vector<Formula> result;
  for (const Formula& term : terms) result.push_back(readable(model, term));
  return result;
}

Formula turning_of(const Model::Body& body) {
  return Formula::symbol({.role = Role::quantity, .name = "Omega_" + body.name, .slot = 0}, 3, 1);
}

// book (7.13), with the angular velocity by its name.
Formula energy_with_turning(const Model::Body& one) {
  const auto& [R, x, m, J, c] = one.body;
  const Formula turning = turning_of(one), v = rate(x);
  Formula energy = dot(turning, J * turning) / 2;
  if (!v.is_zero() && !c.is_zero()) energy = m * dot(v, R * cross(turning, c)) + energy;
  if (!v.is_zero()) energy = m / 2 * squared_norm(v) + energy;
  return energy;
}

NamedFormula equation(const std::string& text, const std::string& latex_name, const Formula& right) {
  return {text + " = " + right.to_string(), latex_name + " = " + latex(right)};
}

}  // namespace

std::vector<NamedFormula> energies_of(const Model& model) {
  std::vector<Formula> kinetic = readable(model, model.kinetic_terms());
  std::vector<NamedFormula> turnings;
  for (const Model::Body& one : model.bodies()) {
    if (one.body.inertia.is_zero()) continue;
    const Formula other = energy_with_turning(one);
    if (latex(other).size() >= latex(kinetic[one.energy]).size()) continue;
    kinetic[one.energy] = other;
    const std::string name = "R_" + one.name;
    const Formula R = one.body.attitude.named(name);
    turnings.push_back(equation("Omega_" + one.name, latex(turning_of(one)), vee(transpose(R) * rate(R))));
    turnings.push_back(equation(name, latex(R), one.body.attitude));
  }
  const std::pair<const char*, std::vector<Formula>> kinds[] = {{"T", kinetic},
                                                                {"U", readable(model, model.potential_terms())},
                                                                {"L", readable(model, model.lagrangian_terms())},
                                                                {"H", readable(model, model.hamiltonian_terms())},
                                                                {"D", readable(model, model.dissipation_terms())}};
  std::vector<NamedFormula> all;
  for (const auto& [name, terms] : kinds)
    if (!terms.empty()) all.push_back(equation(name, name, sum_of(terms)));
  all.insert(all.end(), turnings.begin(), turnings.end());
  return all;
}

std::vector<NamedFormula> points_of(const Model& model) {
  std::vector<NamedFormula> all;
  for (const auto& [name, formula] : model.points()) all.push_back(equation(name, latex(formula.named(name)), formula));
  return all;
}

}  // namespace hamel
