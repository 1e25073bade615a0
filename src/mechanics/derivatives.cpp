#include "hamel/mechanics/derivatives.hpp"

#include <fmt/core.h>

#include <stdexcept>

#include "hamel/derive/tangent.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/mechanics/geometry.hpp"

namespace hamel {

Derivatives::Derivatives(const System& system)
    : name_(system.name()),
      geometry_(std::make_shared<Geometry>(system.geometry())),
      kernels_(std::make_shared<TangentKernels>(tangent_kernels(system.model()))) {
  for (int f = 0; f < geometry_->factors(); ++f)
    redundant_ = redundant_ ||
                 (geometry_->is_given_by_basis(f) && geometry_->space(f).rates() > geometry_->space(f).dimension());
}

Derivatives Derivatives::with(const System& system) const {
  Derivatives result = *this;
  const VectorXd values = parameter_values(system.model());
  if (values.size() != kernels_->parameters)
    throw std::invalid_argument(fmt::format("{} has other parameters than {}", system.name(), name_));
  auto kernels = std::make_shared<TangentKernels>(*kernels_);
  kernels->set_parameters(values);
  result.kernels_ = std::move(kernels);
  return result;
}

int Derivatives::natural() const { return kernels_->natural; }

VectorXd Derivatives::coordinates(In q, In tangent) const { return geometry_->natural_coordinates(q, tangent); }

namespace {

VectorXd scratch_of(const Kernel& kernel) {
  return VectorXd::Zero(static_cast<Eigen::Index>(kernel.program().scratch_size()));
}

}  // namespace

Derivative Derivatives::of_motion(const State& state, In given) const {
  const VectorXd eta = coordinates(state.q, state.v),
                 u = given.size() == 0 ? VectorXd::Zero(kernels_->inputs) : VectorXd(given);
  if (u.size() != kernels_->inputs)
    throw std::invalid_argument(fmt::format("{} has {} inputs, got {}", name_, kernels_->inputs, u.size()));
  const int n = kernels_->unknowns;
  VectorXd F(n), scratch = scratch_of(kernels_->equations);
  MatrixXd F_z(n, n);
  kernels_->equations.run<4, 2>({state.q.data(), eta.data(), u.data(), &state.t}, {F.data(), F_z.data()},
                                scratch.data());
  constexpr double rank_tolerance = 1e-10;
  // Redundant rates: of all that give the same motion, the shortest.
  const auto solve = [&](const MatrixXd& b) -> MatrixXd {
    return redundant_ ? linear::shortest_least_squares(F_z, b, rank_tolerance) : linear::solve_columns(F_z, b);
  };
  const VectorXd z = -solve(F);
  MatrixXd by_point(n, kernels_->natural), by_velocity(n, kernels_->natural), by_input(n, kernels_->inputs),
      by_parameter(n, kernels_->parameters);
  scratch = scratch_of(kernels_->variations);
  kernels_->variations.run<5, 4>({state.q.data(), eta.data(), z.data(), u.data(), &state.t},
                                 {by_point.data(), by_velocity.data(), by_input.data(), by_parameter.data()},
                                 scratch.data());
  const auto solved = [&](const MatrixXd& b) -> MatrixXd { return -solve(b).topRows(kernels_->natural); };
  Derivative result{solved(by_point), solved(by_velocity), solved(by_input), solved(by_parameter)};
  for (const MatrixXd* part : {&result.point, &result.velocity, &result.inputs, &result.parameters})
    if (!part->allFinite())
      throw std::runtime_error(
          fmt::format("the motion of {} has no finite derivative at t = {:.6g}: its equations are singular, or not "
                      "differentiable, there",
                      name_, state.t));
  return result;
}

Derivative Derivatives::acceleration(const State& state, In u) const {
  if (kernels_->quantities.empty())
    throw std::invalid_argument(fmt::format("{} is given by a field: take the derivatives of that", name_));
  return of_motion(state, u);
}

Derivative Derivatives::field(const State& state, In u) const {
  if (!kernels_->quantities.empty())
    throw std::invalid_argument(
        fmt::format("{} is given by energies: its velocity is no function of its point", name_));
  return of_motion(state, u);
}

Derivative Derivatives::of_quantity(const State& state, bool energy) const {
  if (kernels_->quantities.empty())
    throw std::invalid_argument(fmt::format("{} has neither momentum nor energy: it is given by a field", name_));
  const VectorXd eta = coordinates(state.q, state.v);
  VectorXd scratch = scratch_of(kernels_->quantities);
  const auto empty = [&](Eigen::Index rows) -> Derivative {
    return {MatrixXd::Zero(rows, kernels_->natural), MatrixXd::Zero(rows, kernels_->natural),
            MatrixXd::Zero(rows, kernels_->inputs), MatrixXd::Zero(rows, kernels_->parameters)};
  };
  Derivative p = empty(state.q.size()), E = empty(1);
  kernels_->quantities.run<3, 6>(
      {state.q.data(), eta.data(), &state.t},
      {p.point.data(), p.velocity.data(), p.parameters.data(), E.point.data(), E.velocity.data(), E.parameters.data()},
      scratch.data());
  return energy ? E : p;
}

Derivative Derivatives::momentum(const State& state) const { return of_quantity(state, false); }
Derivative Derivatives::energy(const State& state) const { return of_quantity(state, true); }

}  // namespace hamel
