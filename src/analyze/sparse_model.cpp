#include "hamel/analyze/sparse_model.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "hamel/derive/sparse_steady.hpp"
#include "hamel/mechanics/parts.hpp"

namespace hamel {

namespace {

linear::SparseMatrix assembled(int rows, int cols, const SparseSteady::Places& places, const VectorXd& values) {
  std::vector<Eigen::Triplet<double>> all;
  for (std::size_t k = 0; k < places.size(); ++k)
    all.emplace_back(places[k].first, places[k].second, values(static_cast<Eigen::Index>(k)));
  linear::SparseMatrix result(rows, cols);
  result.setFromTriplets(all.begin(), all.end());
  return result;
}

VectorXd scratch_of(const Kernel& kernel) {
  return VectorXd::Zero(static_cast<Eigen::Index>(kernel.program().scratch_size()));
}

}  // namespace

SparseModel sparse_linear_model(const System& system, const State& state) {
  system.check({state.t, state.q, VectorXd::Zero(state.q.size())}, 1e-8);
  const SparseSteady k = sparse_steady(system.model());
  VectorXd Q(k.lifted), U_Q(k.lifted), c(k.multipliers), scratch = scratch_of(k.points);
  Q.head(k.ambient) = state.q;
  k.points.run<1, 1>({state.q.data()}, {Q.data() + k.ambient}, scratch.data());
  scratch = scratch_of(k.forces);
  k.forces.run<1, 2>({Q.data()}, {U_Q.data(), c.data()}, scratch.data());
  const auto size = [](const auto& places) { return static_cast<Eigen::Index>(places.size()); };
  VectorXd mass(size(k.mass)), stiffness(size(k.stiffness)), slopes(size(k.constraints)), A_values(size(k.A)),
      lambda = VectorXd::Zero(k.multipliers);
  scratch = scratch_of(k.entries);
  const auto evaluate = [&] {
    k.entries.run<2, 4>({Q.data(), lambda.data()}, {mass.data(), stiffness.data(), slopes.data(), A_values.data()},
                        scratch.data());
  };
  evaluate();
  const linear::SparseMatrix A = assembled(k.lifted, k.increments, k.A, A_values);
  SparseModel result;
  result.at = {state.t, state.q, VectorXd::Zero(state.q.size()), system.parts().model};
  result.C = assembled(k.multipliers, k.lifted, k.constraints, slopes) * A;
  const VectorXd force = A.transpose() * U_Q;
  lambda = -linear::sparse_multipliers(result.C, force);
  evaluate();
  const linear::SparseMatrix M = assembled(k.lifted, k.lifted, k.mass, mass),
                             K = assembled(k.lifted, k.lifted, k.stiffness, stiffness);
  result.M = A.transpose() * M * A;
  result.K = A.transpose() * K * A;
  result.to_ambient = A.topRows(k.ambient);
  const VectorXd reaction = result.C.transpose() * lambda;
  const double left = (force + reaction).norm();
  result.imbalance = left == 0 ? 0 : left / (force.norm() + reaction.norm());
  if (!(result.imbalance <= 1e-8))
    throw std::domain_error(fmt::format("{} is not in equilibrium here: the force that is left is {:.3g} of what acts",
                                        system.name(), result.imbalance));
  return result;
}

LowestModes lowest_modes(const SparseModel& model, int count) {
  const linear::SparseModes found = linear::lowest_modes(model.K, model.M, model.C, count);
  LowestModes result{found.values, model.to_ambient * found.vectors};
  for (auto column : result.shapes.colwise()) {
    Eigen::Index largest = 0;
    column.cwiseAbs().maxCoeff(&largest);
    column /= column(largest);
  }
  return result;
}

}  // namespace hamel
