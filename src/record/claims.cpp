#include "hamel/record/claims.hpp"

#include "hamel/derive/formulation.hpp"
#include "hamel/graph/differentiate.hpp"

namespace hamel {

Claims::Claims(const Model& model, const std::vector<Output>& claims) {
  if (claims.empty()) return;
  Sheet sheet(model);
  LoweredModel& lowered = sheet.lowered;
  std::vector<Expr> values, sizes;
  for (const auto& [name, formula] : claims) {
    for (const std::string& component : component_names(name, formula.rows(), formula.cols()))
      names_.push_back(component);
    components_.push_back(formula.rows() * formula.cols());
    const MatrixXe F = lower(formula, model, lowered);
    for (const Expr component : F.reshaped()) {
      Expr size;
      for (const auto& variables : {lowered.q, lowered.v}) {
        const std::vector<Expr> derivatives = gradient(component, variables);
        for (std::size_t i = 0; i < variables.size(); ++i) size += abs(derivatives[i] * variables[i]);
      }
      values.push_back(component);
      sizes.push_back(size);
    }
  }
  kernel_ = Kernel("conserved", {lowered.q, lowered.v, {lowered.t}}, {values, sizes},
                   {lowered.parameters, parameter_values(model)});
  scratch_.resize(static_cast<Eigen::Index>(kernel_.program().scratch_size()));
}

void Claims::operator()(const State& state, VectorXd& values, VectorXd& sizes) {
  const auto count = static_cast<Eigen::Index>(names_.size());
  values.resize(count), sizes.resize(count);
  if (kernel_.empty()) return;
  kernel_.run<3, 2>({state.q.data(), state.v.data(), &state.t}, {values.data(), sizes.data()}, scratch_.data());
  Eigen::Index first = 0;
  for (const int components : components_) {
    sizes.segment(first, components).setConstant(sizes.segment(first, components).maxCoeff());
    first += components;
  }
}

}  // namespace hamel
