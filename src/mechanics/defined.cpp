#include "mechanics/defined.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "hamel/derive/formulation.hpp"
#include "hamel/graph/differentiate.hpp"
#include "hamel/graph/table.hpp"
#include "hamel/mechanics/dynamics.hpp"
#include "hamel/program/program.hpp"

namespace hamel {

namespace {

using Exprs = std::vector<Expr>;

VectorXd momentum_or_zero(const System& system, const State& state) {
  VectorXd p(system.ambient());
  try {
    Workspace w(system);
    system.momentum(w, state.t, state.q, state.v, p);
  } catch (const std::exception&) {
    p.setZero();
  }
  return p.allFinite() ? p : VectorXd::Zero(p.size());
}

// "; the table lift goes from 0 to 2" for each that the term looks into.
std::string ends_of_tables(const Formula& term) {
  const Formula::Node& node = term.node();
  std::string text;
  if (node.kind == Kind::function && node.function == "interp") {
    const double key = node.args[0].node().value(0, 0);
    const std::vector<double> rows = table_rows(key);
    text = fmt::format("; the table {} goes from {} to {}", table_name(key), rows[0], rows[rows.size() - 5]);
  }
  for (const Formula& argument : node.args) text += ends_of_tables(argument);
  return text;
}

// Looks at one term after another, its value and its derivatives up to the second order.
class TermSearch {
 public:
  TermSearch(const System& system, const State& state)
      : model_(system.model()), state_(state), sheet_(model_), lowered_(sheet_.lowered) {
    parameters_ = parameter_values(model_);
    inputs_ = VectorXd::Zero(system.inputs());
    if (system.has_hamiltonian()) momentum_ = momentum_or_zero(system, state);
  }

  void run() {
    const auto energies = [&](const char* what, const std::vector<Formula>& terms) {
      for (const Formula& term : summands(terms)) look_at(what, term);
    };
    energies("the kinetic energy", model_.kinetic_terms());
    energies("the potential energy", model_.potential_terms());
    energies("the Lagrangian", model_.lagrangian_terms());
    energies("the Hamiltonian", model_.hamiltonian_terms());
    energies("the dissipation", model_.dissipation_terms());
    for (const Model::Named& constraint : model_.constraints())
      look_at("the constraint " + constraint.name, constraint.formula);
    for (const Model::Applied& applied : model_.forces())
      if (!is_finite(entries(applied.force)))
        throw std::domain_error(
            fmt::format("the {} has no finite value at t = {:.6g}: {}", applied.what, state_.t, applied.force.brief()));
  }

 private:
  Exprs entries(const Formula& formula) {
    const MatrixXe all = lower(formula, model_, lowered_);
    return {all.data(), all.data() + all.size()};
  }

  Exprs derivatives(const Exprs& values) const {
    Exprs result;
    for (const Expr value : values)
      for (const Exprs* variables : {&lowered_.q, &lowered_.v, &lowered_.mu})
        for (const Expr derivative : gradient(value, *variables)) result.push_back(derivative);
    return result;
  }

  bool is_finite(const Exprs& values) const {
    const Program program("term", {lowered_.q, lowered_.v, lowered_.mu, lowered_.u, lowered_.parameters, {lowered_.t}},
                          {values});
    VectorXd scratch(static_cast<Eigen::Index>(program.scratch_size())), out(static_cast<Eigen::Index>(values.size()));
    const double* in[] = {state_.q.data(), state_.v.data(),    momentum_.data(),
                          inputs_.data(),  parameters_.data(), &state_.t};
    double* to[] = {out.data()};
    program.run(in, to, scratch.data());
    return out.allFinite();
  }

  void look_at(const std::string& what, const Formula& term) {
    const Exprs value = entries(term);
    if (!is_finite(value))
      throw std::domain_error(fmt::format("{} has no finite value at t = {:.6g}: the term {} gives none there{}", what,
                                          state_.t, term.brief(), ends_of_tables(term)));
    const Exprs first = derivatives(value);
    if (!is_finite(first)) refuse_derivative("derivative", what, term);
    if (!is_finite(derivatives(first))) refuse_derivative("second derivative", what, term);
  }

  [[noreturn]] void refuse_derivative(const char* order, const std::string& what, const Formula& term) const {
    throw std::domain_error(fmt::format(
        "{} has no finite {} at t = {:.6g}: the term {} gives none there, as norm(a) and sqrt(a) do where a is 0", what,
        order, state_.t, term.brief()));
  }

  const Model& model_;
  const State& state_;
  Sheet sheet_;
  LoweredModel& lowered_;
  VectorXd parameters_, inputs_, momentum_;
};

}  // namespace

void check_defined(const System& system, const State& state, System::CheckScratch& scratch) {
  if (system.dynamics().is_finite_at(system, state, scratch)) return;
  TermSearch(system, state).run();
}

}  // namespace hamel
