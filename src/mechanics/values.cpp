#include "hamel/mechanics/values.hpp"

#include "hamel/derive/formulation.hpp"

namespace hamel {

namespace {

Kernel kernel_of(const Model& model, const std::vector<Formula>& formulas) {
  Sheet sheet(model);
  LoweredModel& lowered = sheet.lowered;
  std::vector<Expr> values;
  for (const Formula& formula : formulas) {
    const MatrixXe value = lower(formula, model, lowered);
    values.insert(values.end(), value.data(), value.data() + value.size());
  }
  return {"values",
          {lowered.q, lowered.v, lowered.u, {lowered.t}},
          {values},
          {lowered.parameters, parameter_values(model)}};
}

}  // namespace

Values::Values(const System& system, const std::vector<Formula>& formulas) {
  if (formulas.empty()) return;
  kernel_ = kernel_of(system.model(), formulas);
  for (const Formula& formula : formulas) size_ += formula.rows() * formula.cols();
  scratch_ = VectorXd::Zero(static_cast<Eigen::Index>(kernel_.program().scratch_size()));
}

void Values::set_parameters(const System& member) {
  if (size_ > 0) kernel_.set_parameters(parameter_values(member.model()));
}

void Values::operator()(double t, In q, In v, In u, Out values) {
  if (size_ > 0) kernel_.run<4, 1>({q.data(), v.data(), u.data(), &t}, {values.data()}, scratch_.data());
}

}  // namespace hamel
