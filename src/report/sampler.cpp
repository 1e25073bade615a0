#include "report/sampler.hpp"

namespace hamel {

Sampler::Sampler(const Model& model, const LoweredModel& lowered, int count)
    : ambient_(static_cast<int>(lowered.q.size())), variables_(lowered.q) {
  variables_.push_back(lowered.t);
  for (const auto* group : {&lowered.parameters, &lowered.v, &lowered.mu, &lowered.u})
    variables_.insert(variables_.end(), group->begin(), group->end());

  Random random(1905);
  std::uniform_real_distribution<double> any_time(0, 1);
  const VectorXd parameters = parameter_values(model);
  states_ = MatrixXd::Zero(static_cast<Eigen::Index>(variables_.size()), count);
  for (auto state : states_.colwise()) {
    for (std::size_t i = 0; i < model.coordinates().size(); ++i) {
      const Manifold& space = model.coordinates()[i].space;
      state.segment(lowered.offsets[i], space.ambient()) = space.random_point(random);
    }
    state(ambient_) = any_time(random);
    state.segment(ambient_ + 1, parameters.size()) = parameters;
  }
}

MatrixXd Sampler::values_without(std::span<const Expr> expressions, int offset, int size) const {
  MatrixXd states = states_;
  states.middleRows(offset, size).setZero();
  return values_at(expressions, states);
}

MatrixXd Sampler::values_at(std::span<const Expr> expressions, const MatrixXd& states) const {
  MatrixXd result(static_cast<Eigen::Index>(expressions.size()), states.cols());
  for (Eigen::Index k = 0; k < states.cols(); ++k) {
    const VectorXd state = states.col(k);
    const auto values = evaluate(expressions, variables_, {state.data(), static_cast<std::size_t>(state.size())});
    result.col(k) = Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  }
  return result;
}

}  // namespace hamel
