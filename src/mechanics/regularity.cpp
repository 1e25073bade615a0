#include "mechanics/regularity.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <cmath>
#include <stdexcept>

#include "hamel/derive/lift.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/manifold/tangent_space.hpp"
#include "hamel/model/index.hpp"

namespace hamel {
namespace {

constexpr double vanishing = 1e-12;
constexpr int random_states = 4;

MatrixXd tangent_basis(const Geometry& geometry, In q) {
  auto w = geometry.workspace();
  geometry.bases(q, w);
  MatrixXd N = MatrixXd::Zero(geometry.ambient(), geometry.dimension());
  for (int f = 0; f < geometry.factors(); ++f)
    N.block(geometry.offset(f), geometry.tangent_offset(f), w.N[at(f)].rows(), w.N[at(f)].cols()) = w.N[at(f)];
  return N;
}

// In the basis of each factor: a column per constraint, as long as the share of its gradient that is tangent.
MatrixXd normals_of_constraints(const Geometry& geometry, In q, const MatrixXd& G) {
  auto w = geometry.workspace();
  geometry.bases(q, w);
  MatrixXd result(geometry.dimension(), G.rows());
  for (int f = 0; f < geometry.factors(); ++f)
    result.middleRows(geometry.tangent_offset(f), w.N[at(f)].cols()) =
        w.N[at(f)].transpose() * G.middleCols(geometry.offset(f), w.N[at(f)].rows()).transpose();
  for (Eigen::Index k = 0; k < result.cols(); ++k)
    if (const double norm = G.row(k).norm(); norm > 0) result.col(k) /= norm;
  return result;
}

// What is not is for a decomposition of all of them to decide, which takes the cube of their number.
bool are_clearly_independent(const Geometry& geometry, In q, const linear::SparseRows& G) {
  constexpr double clearly = 1e-5;
  if (!G.values.allFinite()) return false;
  TangentSpace tangent(geometry.spaces(), geometry.offsets(), q, VectorXd::Ones(geometry.ambient()));
  tangent.constrain(G);
  for (Eigen::Index k = 0; k < G.rows(); ++k)
    if (!(tangent.normals().lengths()(k) > clearly * G.row_norm(k))) return false;
  return tangent.normals().least_share() > clearly;
}

std::string numbers(In x) {
  std::vector<std::string> result;
  for (const double value : x) result.push_back(fmt::format("{:.3g}", std::abs(value) < 1e-12 ? 0.0 : value));
  return fmt::format("({})", fmt::join(result, ", "));
}

struct Direction {
  std::string what;
  VectorXd numbers;
};

// The part of a tangent vector in one factor; on groups by the body rates, which do not depend on where the body is.
Direction direction(const Coordinate& coordinate, In q, In v) {
  const auto& [name, space] = coordinate;
  if (!is_by_basis(space)) return {name + "'", v};
  Direction result{
      space.turning() == Turning::body && !space.is_pose() ? "omega(" + name + ")" : "the rates of " + name,
      VectorXd(space.rates())};
  space.rates(q, v, result.numbers);
  result.numbers.normalize();
  return result;
}

// "x' along (0, 1), omega(R) along (0, 0, 1)"
std::string directions(const Model& model, const Geometry& geometry, In q, In v) {
  std::vector<std::string> parts;
  double sign = 0;  // such that the largest number of the first part is positive
  for (int f = 0; f < geometry.factors(); ++f) {
    const int begin = geometry.offset(f), n = geometry.space(f).ambient();
    if (v.segment(begin, n).norm() < 1e-6 * v.norm()) continue;
    const auto [what, x] = direction(model.coordinates()[at(f)], q.segment(begin, n), v.segment(begin, n));
    if (sign == 0) sign = x.maxCoeff() > -x.minCoeff() - 1e-6 ? 1 : -1;
    parts.push_back(fmt::format("{} along {}", what, numbers(sign * x)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Directions of the tangent space in which a symmetric matrix vanishes.
std::vector<std::string> null_directions(const Model& model, const Geometry& geometry, In q, const MatrixXd& mass,
                                         const MatrixXd& basis) {
  std::vector<std::string> result;
  if (mass.size() == 0 || !mass.allFinite()) return result;
  const auto [values, vectors] = linear::right_singular(mass);
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (values(i) <= vanishing * values(0)) result.push_back(directions(model, geometry, q, basis * vectors.col(i)));
  return result;
}

[[noreturn]] void refuse_directions(const Model& model, const std::vector<std::string>& names) {
  throw std::domain_error(
      fmt::format("the Lagrangian of {} is not regular: no inertia for {}; add kinetic energy there, remove the "
                  "coordinate, or constrain it",
                  model.name(), fmt::join(names, "; ")));
}

}  // namespace

void check_regularity(const Model& model, const Geometry& geometry, const Reduced& reduced) {
  if (!model.constraints().empty()) return;
  Random random(7);
  std::vector<std::string> names;
  for (int k = 0; k < random_states; ++k) {
    const VectorXd q = geometry.space().random_point(random);
    const VectorXd v = geometry.space().random_tangent(q, random);
    const MatrixXd mass = reduced.mass(0.1 * k, q, v);
    if (!mass.allFinite()) return;  // outside the domain of the energies: nothing to say
    names = null_directions(model, geometry, q, mass, tangent_basis(geometry, q));
    if (names.empty()) return;
  }
  refuse_directions(model, names);
}

void check_range(const std::string& name, const Geometry& geometry, const Kernel& momentum) {
  constexpr double smallest = 1e-100, largest = 1e100;
  const VectorXd &q = geometry.trial_point(), &v = geometry.trial_tangent();
  VectorXd p(geometry.ambient()), scratch(static_cast<Eigen::Index>(momentum.program().scratch_size()));
  const double t = 0;
  momentum.run<3, 1>({q.data(), v.data(), &t}, {p.data()}, scratch.data());
  const double inertia = p.lpNorm<Eigen::Infinity>() / v.lpNorm<Eigen::Infinity>();
  if (inertia == 0 || std::isnan(inertia) || (inertia >= smallest && inertia <= largest)) return;
  throw std::domain_error(
      fmt::format("the inertia of {} is about {:.0e}: products of such numbers leave the range of those of a computer; "
                  "choose units of mass, length and time in which it is between {:.0e} and {:.0e}",
                  name, inertia, smallest, largest));
}

void check_independence(const Geometry& geometry, const Constraints& constraints, In q) {
  auto w = constraints.workspace();
  constraints.evaluate(w, q);
  if (are_clearly_independent(geometry, q, w.G)) return;
  const MatrixXd normals = normals_of_constraints(geometry, q, w.G.dense());
  const linear::Orthogonal qr = linear::orthogonal(linear::without_rotation(normals), 1e-10);
  const auto rank = qr.rank;
  if (rank == w.G.rows()) return;
  std::vector<std::string> redundant;
  for (Eigen::Index k = rank; k < w.G.rows(); ++k) redundant.push_back(constraints.names()[at(qr.order(k))]);
  throw std::domain_error(
      fmt::format("of {} constraints only {} {} independent at this configuration: {} follow{} from the others; "
                  "remove {} or choose another configuration",
                  w.G.rows(), rank, rank == 1 ? "is" : "are", fmt::join(redundant, ", "),
                  redundant.size() == 1 ? "s" : "", redundant.size() == 1 ? "it" : "them"));
}

void check_inertia(const Model& model, const Geometry& geometry, const Constraints& constraints, const Reduced& reduced,
                   In q) {
  auto w = constraints.workspace();
  constraints.evaluate(w, q);
  const MatrixXd mass = reduced.mass(0, q, VectorXd::Zero(geometry.ambient()));
  const MatrixXd N = tangent_basis(geometry, q);
  const MatrixXd free = linear::null_space(normals_of_constraints(geometry, q, w.G.dense()).transpose());
  const auto names = null_directions(model, geometry, q, free.transpose() * mass * free, N * free);
  if (!names.empty()) refuse_directions(model, names);
}

}  // namespace hamel
