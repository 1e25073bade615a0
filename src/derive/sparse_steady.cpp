#include "hamel/derive/sparse_steady.hpp"

#include <fmt/core.h>

#include <stdexcept>

#include "hamel/derive/energies.hpp"
#include "hamel/derive/expressions.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/derive/lift.hpp"
#include "hamel/graph/differentiate.hpp"

namespace hamel {
namespace {

[[noreturn]] void refuse_sparse(const Model& model, const std::string& because) {
  throw std::invalid_argument(fmt::format("{} has no sparse linear model: {}", model.name(), because));
}

void check_sparse(const Model& model, const LoweredModel& lowered) {
  if (model.has_field() || !model.hamiltonian_terms().empty() || !lowered.lagrangian.empty())
    refuse_sparse(model, "it is not given by a kinetic and a potential energy");
  if (!is_conservative(lowered)) refuse_sparse(model, "forces, inputs or time act on it");
  for (const Coordinate& coordinate : model.coordinates())
    if (is_by_basis(coordinate.space)) refuse_sparse(model, coordinate.name + " is on a group");
}

Exprs values_of(const SparseEntries& entries, SparseSteady::Places& places) {
  Exprs values;
  for (const auto& [row, col, value] : entries) {
    places.emplace_back(row, col);
    values.push_back(value);
  }
  return values;
}

}  // namespace

SparseSteady sparse_steady(const Model& model) {
  Sheet sheet(model);
  check_sparse(model, sheet.lowered);
  const Lifted lifted = lift(model, sheet.lowered);
  Exprs c;
  for (std::size_t f = 0; f < model.coordinates().size(); ++f) {
    const Manifold& space = model.coordinates()[f].space;
    const Eigen::Map<const VectorXe> q(lifted.Q.data() + sheet.lowered.offsets[f], space.ambient());
    for (const Expr one : space.constraints(q)) c.push_back(one);
  }
  c.insert(c.end(), lifted.constraints.begin(), lifted.constraints.end());
  const Exprs lambda = Graph::current().variables("multiplier", static_cast<int>(c.size()));
  const Expr T = sum(lifted.kinetic), U = sum(lifted.potential);
  Expr reduced = U;
  for (std::size_t i = 0; i < c.size(); ++i) reduced += lambda[i] * c[i];

  SparseSteady result;
  result.ambient = static_cast<int>(sheet.lowered.q.size());
  result.lifted = static_cast<int>(lifted.Q.size());
  result.increments = static_cast<int>(lifted.z.size());
  result.multipliers = static_cast<int>(c.size());
  const Exprs mass = values_of(hessian(T, lifted.V), result.mass),
              stiffness = values_of(hessian(reduced, lifted.Q), result.stiffness),
              slopes = values_of(jacobian(c, lifted.Q), result.constraints);
  Exprs A;
  for (std::size_t row = 0; row < lifted.A.size(); ++row)
    for (const auto& [col, value] : lifted.A[row]) {
      result.A.emplace_back(static_cast<int>(row), col);
      A.push_back(value);
    }
  if (!jacobian(mass, lifted.Q).empty() || !jacobian(A, lifted.Q).empty())
    refuse_sparse(model, "its mass depends on where it is");
  result.points = Kernel("sparse_points", {sheet.lowered.q}, {lifted.point_values}, sheet.parameters);
  result.forces = Kernel("sparse_forces", {lifted.Q}, {gradient(U, lifted.Q), c}, sheet.parameters);
  result.entries = Kernel("sparse_entries", {lifted.Q, lambda}, {mass, stiffness, slopes, A}, sheet.parameters);
  return result;
}

}  // namespace hamel
