#include "hamel/derive/tangent.hpp"

#include <fmt/core.h>

#include <stdexcept>

#include "derive/motion_equations.hpp"

namespace hamel {
namespace {

// How a function changes with the parameters, and with those that follow from them.
class ParameterSlopes {
 public:
  explicit ParameterSlopes(const MotionEquations& m) : lowered_(m.lowered) { follow_parameters(m.model); }

  Exprs operator()(const Exprs& f) const {
    const int rows = static_cast<int>(f.size());
    Exprs result(at(rows) * lowered_.parameters.size());
    for (const auto& [row, k, value] : jacobian(f, lowered_.parameters))
      for (const auto& [j, slope] : following_[at(k)]) result[at(j * rows + row)] += value * slope;
    return result;
  }

 private:
  // Row k: how entry k changes with each entry that it follows, itself first.
  void follow_parameters(const Model& model) {
    for (std::size_t k = 0; k < lowered_.parameters.size(); ++k)
      following_.push_back({{static_cast<int>(k), Expr(1.0)}});
    std::vector<int> first{0};
    for (const Parameter& parameter : model.parameters())
      first.push_back(first.back() + static_cast<int>(parameter.value.size()));
    for (const std::size_t slot : model.derived_parameters()) {
      const MatrixXe formula = lower(*model.origin(slot).formula, model, lowered_);
      const Exprs entries(formula.data(), formula.data() + formula.size());
      for (const auto& [row, k, value] : jacobian(entries, lowered_.parameters))
        for (const auto& [j, slope] : following_[at(k)])
          following_[at(first[slot] + row)].emplace_back(j, value * slope);
    }
  }

  using Row = std::vector<std::pair<int, Expr>>;
  LoweredModel& lowered_;
  std::vector<Row> following_;
};

}  // namespace

TangentKernels tangent_kernels(const Model& model) {
  if (!model.hamiltonian_terms().empty())
    throw std::invalid_argument(fmt::format(
        "{} is given by a Hamiltonian, of which no derivatives are known: give a Lagrangian", model.name()));
  const MotionEquations m(model);
  const LoweredModel& lowered = m.lowered;
  const Parameters& parameters = m.parameters;
  const ParameterSlopes along_parameters(m);
  const Exprs& F = m.equations;
  TangentKernels result;
  result.natural = m.frame.size();
  result.unknowns = static_cast<int>(m.unknowns.size());
  result.inputs = static_cast<int>(lowered.u.size());
  result.parameters = static_cast<int>(lowered.parameters.size());
  result.equations = Kernel("motion_equations", {lowered.q, m.frame.eta, lowered.u, {lowered.t}},
                            {m.at_zero(), NaturalFrame::along(F, m.unknowns)}, parameters);
  result.variations = Kernel("motion_variations", {lowered.q, m.frame.eta, m.unknowns, lowered.u, {lowered.t}},
                             {m.frame.along_points(F), NaturalFrame::along(F, m.frame.eta),
                              NaturalFrame::along(F, lowered.u), along_parameters(F)},
                             parameters);
  if (model.has_field()) return result;
  result.quantities = Kernel(
      "quantity_variations", {lowered.q, m.frame.eta, {lowered.t}},
      {m.frame.along_points(m.momentum), NaturalFrame::along(m.momentum, m.frame.eta), along_parameters(m.momentum),
       m.frame.along_points(m.energy), NaturalFrame::along(m.energy, m.frame.eta), along_parameters(m.energy)},
      parameters);
  return result;
}

void TangentKernels::set_parameters(In values) {
  for (Kernel* kernel : {&equations, &variations, &quantities}) kernel->set_parameters(values);
}

}  // namespace hamel
