#include "analyze/enumerate.hpp"

#include <fmt/core.h>

#include <cmath>

#include "analyze/family.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/mechanics/dynamics.hpp"

namespace hamel {

namespace {

constexpr int samples = 8;
constexpr std::size_t most_links = 10;
constexpr double same_force = 1e-12;

bool consists_of_spheres(const Geometry& geometry) {
  bool spheres = false;
  for (int f = 0; f < geometry.factors(); ++f) {
    if (!geometry.space(f).is_unit_sphere() && !geometry.space(f).is_flat()) return false;
    spheres = spheres || geometry.space(f).is_unit_sphere();
  }
  return spheres;
}

// Where it is the same at random points.
std::optional<VectorXd> constant_force(const Linearization& linearization, double t, In u) {
  const System& system = linearization.system();
  Random random(7);
  const VectorXd force = linearization.forces(t, system.space().random_point(random), u);
  for (int k = 1; k < samples; ++k) {
    const VectorXd other = linearization.forces(t, system.space().random_point(random), u);
    if (!((other - force).norm() <= same_force * force.norm())) return std::nullopt;
  }
  return force;
}

}  // namespace

VectorXd with_signs(const System& system, const VectorXd& up, const std::string& signs) {
  const Geometry& geometry = system.geometry();
  VectorXd q = up;
  std::size_t next = 0;
  for (int f = 0; f < geometry.factors(); ++f)
    if (geometry.space(f).is_unit_sphere() && next < signs.size() && signs[next++] == '-')
      q.segment(geometry.offset(f), geometry.space(f).ambient()) *= -1;
  return q;
}

std::optional<Enumeration> enumerate(const Linearization& linearization, double t, In u) {
  const System& system = linearization.system();
  const Geometry& geometry = system.geometry();
  if (!system.has_energies() || system.constraints() > 0 || !consists_of_spheres(geometry)) return std::nullopt;
  const std::optional<VectorXd> force = constant_force(linearization, t, u);
  if (!force) return std::nullopt;
  Enumeration result;
  result.up = VectorXd::Zero(system.ambient());
  std::size_t links = 0;
  const double largest = force->norm();
  for (int f = 0; f < geometry.factors(); ++f) {
    const Manifold& factor = geometry.space(f);
    const VectorXd pull = force->segment(geometry.offset(f), factor.ambient());
    const bool pulled = pull.norm() > same_force * largest;
    if (factor.is_flat() && pulled) return std::nullopt;
    if (factor.is_flat()) continue;
    if (!pulled) return std::nullopt;  // a whole sphere of them: left to the search
    ++links;
    for (int i = 0; i < factor.ambient(); ++i) {  // without rounding errors, where it points along an axis
      double entry = pull(i) / pull.norm();
      if (std::abs(entry) < 1e-14) entry = 0;
      if (std::abs(std::abs(entry) - 1) < 1e-14) entry = std::copysign(1.0, entry);
      result.up(geometry.offset(f) + i) = entry;
    }
  }
  result.has_all = links <= most_links;
  const auto add = [&](const std::string& signs) {
    result.signs.push_back(signs);
    result.points.push_back(with_signs(system, result.up, signs));
  };
  if (!result.has_all) {
    add(std::string(links, '-'));
    add(std::string(links, '+'));
    return result;
  }
  for (std::size_t pattern = 0; pattern < std::size_t{1} << links; ++pattern) {
    std::string signs(links, '-');
    for (std::size_t k = 0; k < links; ++k)
      if ((pattern >> (links - 1 - k) & 1) != 0) signs[k] = '+';
    add(signs);
  }
  return result;
}

std::string reason_for_none(const Linearization& linearization, double t, In u) {
  const System& system = linearization.system();
  if (!system.has_energies()) return "";
  const Geometry& geometry = system.geometry();
  struct Candidate {
    int factor;
    AffineField field;
  };
  std::vector<Candidate> candidates;
  constexpr int largest_factor = 12;  // fields of larger ones are many
  for (int f = 0; f < geometry.factors(); ++f)
    if (geometry.space(f).ambient() <= largest_factor)
      for (const AffineField& field : geometry.space(f).symmetries()) candidates.push_back({f, field});
  constexpr std::size_t most_candidates = 200;
  if (candidates.empty() || candidates.size() > most_candidates) return "";

  // Rows: the power of each field at one point, and how it changes the constraints there.
  const auto count = static_cast<Eigen::Index>(candidates.size());
  const int points = 2 * static_cast<int>(candidates.size()) + samples;
  std::vector<Eigen::RowVectorXd> powers, changes;
  Random random(11);
  for (int k = 0; k < points; ++k) {
    const VectorXd q = moved_along(system, system.space().random_point(random), VectorXd::Zero(system.ambient()));
    const VectorXd force = linearization.forces(t, q, u);
    if (!force.allFinite()) continue;
    MatrixXd fields = MatrixXd::Zero(system.ambient(), count);
    Eigen::RowVectorXd power(count);
    for (Eigen::Index a = 0; a < count; ++a) {
      const auto& [f, field] = candidates[static_cast<std::size_t>(a)];
      const auto part = Eigen::seqN(geometry.offset(f), geometry.space(f).ambient());
      fields(part, a) = field.A * q(part) + field.b;
      power(a) = geometry.natural_coordinates(q, fields.col(a)).dot(force);
    }
    powers.push_back(power);
    if (system.constraints() == 0) continue;
    Constraints::Workspace work = system.dynamics().constraints().workspace();
    system.dynamics().constraints().evaluate(work, q);
    const MatrixXd change = work.G * fields;
    for (Eigen::Index i = 0; i < change.rows(); ++i) changes.emplace_back(change.row(i));
  }
  if (powers.size() < 4) return "";
  double size = 0;
  for (const Eigen::RowVectorXd& power : powers) size = std::max(size, power.cwiseAbs().maxCoeff());
  if (size == 0) return "";
  MatrixXd rows(static_cast<Eigen::Index>(powers.size() - 1 + changes.size()), count);
  for (std::size_t k = 1; k < powers.size(); ++k)
    rows.row(static_cast<Eigen::Index>(k - 1)) = (powers[k] - powers[0]) / size;
  for (std::size_t k = 0; k < changes.size(); ++k)
    rows.row(static_cast<Eigen::Index>(powers.size() - 1 + k)) = changes[k];
  const MatrixXd constant = linear::null_space(rows, 1e-11);
  if (constant.cols() == 0) return "";
  const Eigen::RowVectorXd rates = powers[0] * constant;
  const VectorXd field = constant * rates.transpose().normalized();
  if (!(rates.norm() > 1e-9 * size)) return "";
  Eigen::Index most = 0;
  field.cwiseAbs().maxCoeff(&most);
  const auto& [f, moved] = candidates[static_cast<std::size_t>(most)];
  return fmt::format("the momentum of a {} of {} changes at a constant rate", moved.name,
                     system.model().coordinates()[static_cast<std::size_t>(f)].name);
}

}  // namespace hamel
