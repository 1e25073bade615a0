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

Formula sum_of(const Model& model, const std::vector<Formula>& terms) {
  Formula sum = readable(model, terms.front());
  for (std::size_t k = 1; k < terms.size(); ++k) sum = sum + readable(model, terms[k]);
  return sum;
}

NamedFormula equation(const std::string& text, const std::string& latex_name, const Formula& right) {
  return {text + " = " + right.to_string(), latex_name + " = " + latex(right)};
}

}  // namespace

std::vector<NamedFormula> energies_of(const Model& model) {
  const std::pair<const char*, const std::vector<Formula>*> kinds[] = {{"T", &model.kinetic_terms()},
                                                                       {"U", &model.potential_terms()},
                                                                       {"L", &model.lagrangian_terms()},
                                                                       {"H", &model.hamiltonian_terms()},
                                                                       {"D", &model.dissipation_terms()}};
  std::vector<NamedFormula> all;
  for (const auto& [name, terms] : kinds)
    if (!terms->empty()) all.push_back(equation(name, name, sum_of(model, *terms)));
  return all;
}

std::vector<NamedFormula> points_of(const Model& model) {
  std::vector<NamedFormula> all;
  for (const auto& [name, formula] : model.points()) all.push_back(equation(name, latex(formula.named(name)), formula));
  return all;
}

}  // namespace hamel
