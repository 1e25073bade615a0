#include "analyze/enumerate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "analyze/family.hpp"
#include "analyze/scales.hpp"
#include "hamel/derive/expressions.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/graph/differentiate.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/product.hpp"
#include "hamel/mechanics/dynamics.hpp"

namespace hamel {

namespace {

constexpr int samples = 8;
constexpr std::size_t most_links = 10;
constexpr double same_force = 1e-12;

bool consists_of_spheres(const Model& model) {
  const auto& all = model.coordinates();
  const auto is_sphere = [](const Coordinate& one) { return one.space.is_unit_sphere(); };
  return std::any_of(all.begin(), all.end(), is_sphere) &&
         std::all_of(all.begin(), all.end(), [&](const auto& one) { return is_sphere(one) || one.space.is_flat(); });
}

// Where it is the same at random points.
std::optional<VectorXd> constant_force(const Linearization& linearization, double t, In u) {
  const System& system = linearization.system();
  Random random(7);
  const auto force_somewhere = [&] {
    return linearization.forces(t, linearization.scales().stretched(system.space().random_point(random), 0, 1), u);
  };
  const VectorXd force = force_somewhere();
  for (int k = 1; k < samples; ++k)
    if (!((force_somewhere() - force).norm() <= same_force * force.norm())) return std::nullopt;
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

bool may_be_enumerated(const Model& model) {
  if (model.has_field() || !model.hamiltonian_terms().empty()) return false;
  if (!model.constraints().empty() || !consists_of_spheres(model)) return false;
  const Sheet sheet(model);
  const Exprs& q = sheet.lowered.q;
  const auto is_linear = [&](const Expr& term) {
    Exprs slopes;
    for (const Entry& entry : jacobian(std::vector{term}, q)) slopes.push_back(entry.value);
    return jacobian(slopes, q).empty();
  };
  return std::all_of(sheet.lowered.potential.begin(), sheet.lowered.potential.end(), is_linear);
}

std::optional<Enumeration> enumerate(const Linearization& linearization, double t, In u) {
  const System& system = linearization.system();
  const Geometry& geometry = system.geometry();
  if (!system.has_energies() || system.constraints() > 0 || !consists_of_spheres(system.model())) return std::nullopt;
  const std::optional<VectorXd> force = constant_force(linearization, t, u);
  if (!force) return std::nullopt;
  Enumeration result;
  result.up = VectorXd::Zero(system.ambient());
  std::size_t links = 0;
  const VectorXd units = linearization.scales().units_at(VectorXd::Zero(system.ambient())).ambient;
  const double largest = force->cwiseProduct(units).norm();
  for (int f = 0; f < geometry.factors(); ++f) {
    const Manifold& factor = geometry.space(f);
    const VectorXd pull = force->segment(geometry.offset(f), factor.ambient());
    const bool pulled = pull.norm() * units(geometry.offset(f)) > same_force * largest;
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

namespace {

// Affine fields of the factors, and the power of the forces along each at random points: is there a combination along
// which it is the same everywhere?
class ConstantPower {
 public:
  ConstantPower(const Linearization& linearization, double t, In u)
      : linearization_(linearization), system_(linearization.system()), geometry_(system_.geometry()) {
    collect_fields();
    if (fields_.empty() || fields_.size() > most_fields) return;
    Random random(11);
    for (std::size_t k = 0; k < 2 * fields_.size() + samples; ++k)
      sample(moved_along(system_, linearization.scales().stretched(system_.space().random_point(random), 0, 1),
                         VectorXd::Zero(system_.ambient())),
             t, u);
  }

  std::string reason() const {
    constexpr std::size_t fewest = 4;
    double size = 0;
    for (const Eigen::RowVectorXd& power : powers_) size = std::max(size, power.cwiseAbs().maxCoeff());
    if (powers_.size() < fewest || size == 0) return "";
    MatrixXd rows(static_cast<Eigen::Index>(powers_.size() - 1 + changes_.size()), powers_[0].size());
    Eigen::Index next = 0;
    for (std::size_t k = 1; k < powers_.size(); ++k) rows.row(next++) = (powers_[k] - powers_[0]) / size;
    for (const Eigen::RowVectorXd& change : changes_) rows.row(next++) = change;
    const MatrixXd constant = linear::null_space(rows, 1e-11);
    if (constant.cols() == 0) return "";
    const Eigen::RowVectorXd rates = powers_[0] * constant;
    if (!(rates.norm() > 1e-9 * size)) return "";
    Eigen::Index most = 0;
    (constant * rates.transpose()).cwiseAbs().maxCoeff(&most);
    const auto& [f, field] = fields_[static_cast<std::size_t>(most)];
    return fmt::format("the momentum of a {} of {} changes at a constant rate", field.name,
                       system_.model().coordinates()[static_cast<std::size_t>(f)].name);
  }

 private:
  static constexpr std::size_t most_fields = 200;

  void collect_fields() {
    constexpr int largest_factor = 12;  // fields of larger ones are many
    for (int f = 0; f < geometry_.factors(); ++f)
      if (geometry_.space(f).ambient() <= largest_factor)
        for (const AffineField& field : geometry_.space(f).symmetries()) fields_.push_back({f, field});
  }

  void sample(const VectorXd& q, double t, In u) {
    const VectorXd force = linearization_.forces(t, q, u);
    if (!force.allFinite()) return;
    const auto count = static_cast<Eigen::Index>(fields_.size());
    const VectorXd units = linearization_.scales().units_at(VectorXd::Zero(system_.ambient())).ambient;
    MatrixXd values = MatrixXd::Zero(system_.ambient(), count);
    Eigen::RowVectorXd power(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      const auto& [f, field] = fields_[static_cast<std::size_t>(k)];
      const auto part = Eigen::seqN(geometry_.offset(f), geometry_.space(f).ambient());
      const VectorXd unit = units(part);
      values(part, k) = unit.asDiagonal() * (field.A * q(part).cwiseQuotient(unit) + field.b);
      power(k) = geometry_.natural_coordinates(q, values.col(k)).dot(force);
    }
    powers_.push_back(power);
    if (system_.constraints() == 0) return;
    Constraints::Workspace work = system_.dynamics().constraints().workspace();
    system_.dynamics().constraints().evaluate(work, q);
    const MatrixXd G = work.G.dense(), change = G * values;
    const VectorXd size = (G.cwiseAbs() * values.cwiseAbs()).rowwise().maxCoeff();
    for (Eigen::Index i = 0; i < change.rows(); ++i)
      if (size(i) > 0) changes_.emplace_back(change.row(i) / size(i));
  }

  struct FieldOfFactor {
    int factor;
    AffineField field;
  };
  const Linearization& linearization_;
  const System& system_;
  const Geometry& geometry_;
  std::vector<FieldOfFactor> fields_;
  std::vector<Eigen::RowVectorXd> powers_, changes_;  // of each field: at a point; of a constraint there
};

}  // namespace

std::string reason_for_none(const Linearization& linearization, double t, In u) {
  return linearization.system().has_energies() ? ConstantPower(linearization, t, u).reason() : "";
}

}  // namespace hamel
