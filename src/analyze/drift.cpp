#include "analyze/drift.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "analyze/echelon.hpp"
#include "analyze/family.hpp"
#include "analyze/scales.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/product.hpp"
#include "hamel/mechanics/dynamics.hpp"
#include "hamel/mechanics/geometry.hpp"

namespace hamel {

namespace {

Generator times(double factor, const Generator& field) { return {factor * field.A, factor * field.b}; }

VectorXd as_vector(const Generator& field) {
  VectorXd result(field.A.size() + field.b.size());
  result << field.A.reshaped(), field.b;
  return result;
}

// Affine fields of the factors, and how the acceleration fails to go along with each at random states.
class Equivariance {
 public:
  Equivariance(const Linearization& linearization, double t, In u, Along along)
      : linearization_(linearization), system_(linearization.system()), t_(t), u_(u) {
    collect(along);
    if (fields_.empty() || fields_.size() > most_fields) return;
    Random random(13);
    for (int power = -6; power <= 6; power += 2)
      for (int k = 0; k < samples_of_a_size; ++k) sample(random, std::pow(10.0, power));
  }

  std::vector<NamedGenerator> kept() const {
    if (rows_.empty()) return {};
    Eigen::Index count = 0;
    for (const MatrixXd& block : rows_) count += block.rows();
    MatrixXd all(count, static_cast<Eigen::Index>(fields_.size()));
    Eigen::Index next = 0;
    for (const MatrixXd& block : rows_) {
      all.middleRows(next, block.rows()) = block;
      next += block.rows();
    }
    constexpr double differences = 1e-7;
    all = (all.array().abs() < differences).select(0, all);  // where nothing changes, nothing is large beside it
    const MatrixXd null = linear::null_space(all, differences);
    if (null.cols() == 0) return {};
    const MatrixXd readable = echelon(null);
    std::vector<NamedGenerator> result;
    for (const auto& column : readable.colwise()) result.push_back(combined(column));
    return result;
  }

 private:
  static constexpr std::size_t most_fields = 60;
  static constexpr int samples_of_a_size = 3;

  void collect(Along along) {
    const Geometry& geometry = system_.geometry();
    const VectorXd units = linearization_.scales().units_at(VectorXd::Zero(system_.ambient())).ambient;
    for (int f = 0; f < geometry.factors(); ++f)
      for (const AffineField& field : geometry.space(f).symmetries()) {
        if (along == Along::translations && !field.A.isZero(0)) continue;
        const Eigen::Index begin = geometry.offset(f), n = geometry.space(f).ambient(), N = system_.ambient();
        Generator whole{MatrixXd::Zero(N, N), VectorXd::Zero(N)};
        whole.A.block(begin, begin, n, n) = field.A;
        const VectorXd shift = units.segment(begin, n).cwiseProduct(field.b);
        whole.b.segment(begin, n) = shift;
        const double unit = field.A.isZero(0) ? shift.norm() / field.b.norm() : 1;
        fields_.push_back({fmt::format("{} of {}", field.name, system_.model().coordinates()[std::size_t(f)].name),
                           std::move(whole)});
        units_.push_back(unit);
      }
  }

  void sample(Random& random, double speed) {
    const VectorXd start = linearization_.scales().stretched(system_.space().random_point(random), 0, 1);
    const VectorXd q = moved_along(system_, start, VectorXd::Zero(start.size()));
    const VectorXd units = linearization_.scales().units_at(q).ambient;
    VectorXd v(q.size());
    system_.space().tangent_project(
        q, speed * units.cwiseProduct(VectorXd::NullaryExpr(q.size(), [&] { return normal_(random); })), v);
    MatrixXd columns(q.size(), static_cast<Eigen::Index>(fields_.size()));
    try {
      const VectorXd a = acceleration(system_, {t_, q, v}, u_);
      for (std::size_t k = 0; k < fields_.size(); ++k)
        columns.col(static_cast<Eigen::Index>(k)) = change_along(fields_[k].field, q, v);
      const double size = a.norm() + columns.norm();
      if (size == 0 || !std::isfinite(size)) return;
      rows_.emplace_back(columns / size);
      add_constraints(q);
    } catch (const std::exception&) {
      // No place where the system could be.
    }
  }

  // d/ds exp(-s A) a(exp(s X) q, exp(s A) v), by differences of fourth order
  VectorXd change_along(const Generator& field, const VectorXd& q, const VectorXd& v) const {
    constexpr double h = 2e-3;
    const auto seen = [&](double s) -> VectorXd {
      const Displacement there = field.displacement(s);
      const VectorXd a = acceleration(system_, {t_, there.turn * q + there.shift, there.turn * v}, u_);
      return field.displacement(-s).turn * a;
    };
    return (8 * (seen(h) - seen(-h)) - seen(2 * h) + seen(-2 * h)) / (12 * h);
  }

  void add_constraints(const VectorXd& q) {
    if (system_.constraints() == 0) return;
    const Constraints& constraints = system_.dynamics().constraints();
    Constraints::Workspace work = constraints.workspace();
    constraints.evaluate(work, q);
    MatrixXd change(work.G.rows(), static_cast<Eigen::Index>(fields_.size()));
    for (std::size_t k = 0; k < fields_.size(); ++k)
      change.col(static_cast<Eigen::Index>(k)) = work.G.times(fields_[k].field.velocity(q));
    for (auto row : change.rowwise()) row /= row.norm() > 0 ? row.norm() : 1;
    rows_.push_back(change);
  }

  NamedGenerator combined(const VectorXd& coefficients) const {
    NamedGenerator result;
    const double size = coefficients.cwiseAbs().maxCoeff();
    double first = 0;  // 1 of the first name
    for (std::size_t k = 0; k < fields_.size(); ++k) {
      const double c = coefficients(static_cast<Eigen::Index>(k)) * units_[k];
      if (std::abs(coefficients(static_cast<Eigen::Index>(k))) < 1e-6 * size) continue;
      if (first == 0) first = c;
      const double factor = c / first;
      const bool is_one = std::abs(std::abs(factor) - 1) < 1e-6;
      result.name += fmt::format("{}{}{}",
                                 result.name.empty() ? ""
                                 : factor < 0        ? " - "
                                                     : " + ",
                                 is_one ? "" : fmt::format("{:.4g} ", std::abs(factor)), fields_[k].name);
      result.field = result.field + times(factor / units_[k], fields_[k].field);
    }
    return result;
  }

  const Linearization& linearization_;
  const System& system_;
  double t_;
  VectorXd u_;
  std::vector<NamedGenerator> fields_;  // with shifts by a length of the system
  std::vector<double> units_;           // which lengths
  std::vector<MatrixXd> rows_;
  std::normal_distribution<double> normal_;
};

}  // namespace

std::vector<NamedGenerator> braked_symmetries(const Linearization& linearization, double t, In u,
                                              const std::vector<ConservedMomentum>& conserved, Along along) {
  std::vector<NamedGenerator> result;
  const int ambient = linearization.system().ambient();
  MatrixXd known(ambient * ambient + ambient, 0);
  const auto is_new = [&](const Generator& field) {
    const VectorXd vector = as_vector(field).normalized();
    const VectorXd rest = known.cols() == 0 ? vector : VectorXd(vector - known * linear::least_squares(known, vector));
    if (rest.norm() < 1e-6) return false;
    known.conservativeResize(Eigen::NoChange, known.cols() + 1);
    known.rightCols(1) = rest.normalized();
    return true;
  };
  for (const ConservedMomentum& momentum : conserved) is_new(generator(momentum, ambient));
  for (NamedGenerator& one : Equivariance(linearization, t, u, along).kept())
    if (is_new(one.field)) result.push_back(std::move(one));
  return result;
}

Generator Drift::moving(const VectorXd& rates) const {
  Generator result;
  for (std::size_t k = 0; k < fields_.size(); ++k)
    result = result + times(rates(static_cast<Eigen::Index>(k)), fields_[k].field);
  return result;
}

// Along the pull at rest, each half decade until the forces work against it.
VectorXd Drift::first_rates(double t, In q) const {
  const auto count = static_cast<Eigen::Index>(fields_.size());
  const Geometry& geometry = linearization_.system().geometry();
  constexpr double hardly = 1e-20;  // friction such as |v| v has no second derivative at rest
  const LinearModel rest = linearization_.near(t, q, u_, moving(VectorXd::Constant(count, hardly)));
  MatrixXd natural(0, count), along(rest.size(), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const VectorXd X = fields_[static_cast<std::size_t>(k)].field.velocity(q);
    const VectorXd column = geometry.natural_coordinates(q, X);
    natural.conservativeResize(column.size(), Eigen::NoChange);
    natural.col(k) = column;
    along.col(k) = linear::least_squares(rest.basis, X);
  }
  const VectorXd pull = -along.transpose() * rest.residual;
  if (rest.imbalance < 1e-12 || pull.isZero(0)) return VectorXd::Zero(count);
  const VectorXd sizes = (along.transpose() * rest.M * along).diagonal().cwiseMax(0).cwiseSqrt();
  const VectorXd inverse = (sizes.array() > 0).select(sizes.cwiseInverse(), 0);
  const MatrixXd inertia = inverse.asDiagonal() * along.transpose() * rest.M * along * inverse.asDiagonal();
  const VectorXd direction =
      inverse.asDiagonal() * linear::shortest_least_squares(inertia, VectorXd(inverse.cwiseProduct(pull)));
  const double largest = direction.cwiseProduct(sizes).norm();
  for (int k = -60; k <= 60; ++k) {
    const VectorXd rates = std::pow(10.0, k / 2.0) / largest * direction;
    const double work = -rates.dot(natural.transpose() * linearization_.forces(t, q, u_, moving(rates)));
    if (!std::isfinite(work)) break;
    if (work <= 0) return rates;
  }
  throw std::domain_error("no speed at which what brakes balances what drives");
}

// How the residual changes with rates: x' = X_k, x'' = [X, X_k] in the moving frame.
MatrixXd Drift::by_rates(const LinearModel& model, const MatrixXd& along) const {
  MatrixXd brackets(model.at.q.size(), along.cols());
  const VectorXd v = model.moving.velocity(model.at.q);
  for (Eigen::Index k = 0; k < along.cols(); ++k) {
    const Generator& field = fields_[static_cast<std::size_t>(k)].field;
    const VectorXd X = field.velocity(model.at.q);
    brackets.col(k) = field.A * v;
    if (!model.moving.is_rest()) brackets.col(k) -= model.moving.A * X;
  }
  const MatrixXd bent = linear::pseudo_inverse(model.basis) * brackets;
  return (model.D + model.G) * along + model.M * bent;
}

LinearModel Drift::model_at(double t, In q) const {
  constexpr int most = 40;
  VectorXd rates = first_rates(t, q);
  const auto count = static_cast<Eigen::Index>(fields_.size());
  LinearModel here = linearization_.near(t, q, u_, moving(rates));
  MatrixXd along(here.size(), count);
  for (Eigen::Index k = 0; k < count; ++k)
    along.col(k) = linear::least_squares(here.basis, fields_[static_cast<std::size_t>(k)].field.velocity(q));
  const VectorXd sizes = (along.transpose() * here.M * along).diagonal().cwiseMax(0).cwiseSqrt();
  const VectorXd unit = (sizes.array() > 0).select(sizes.cwiseInverse(), 0);
  const MatrixXd X = along * unit.asDiagonal();
  double left = (X.transpose() * here.residual).norm();
  MatrixXd slope = X.transpose() * by_rates(here, along) * unit.asDiagonal();
  double fraction = 1;
  for (int k = 0; k < most && left > 0 && fraction > 1e-6; ++k) {
    const VectorXd step =
        unit.asDiagonal() * linear::shortest_least_squares(slope, MatrixXd(-X.transpose() * here.residual), 1e-10);
    if (!step.allFinite()) throw std::domain_error("no speed at which what brakes balances what drives");
    LinearModel next = linearization_.near(t, q, u_, moving(rates + fraction * step));
    const double then = (X.transpose() * next.residual).norm();
    if (then >= left) {
      if (here.imbalance < 1e-12 || step.norm() <= 1e-14 * rates.norm()) break;
      fraction /= 2;
      continue;
    }
    rates += fraction * step;
    here = std::move(next);
    left = then;
    fraction = std::min(1.0, 2 * fraction);
    slope = X.transpose() * by_rates(here, along) * unit.asDiagonal();
  }
  // The rates change with q: d rho = -(X.F_rho)^-1 X.K x
  const MatrixXd with_rates = by_rates(here, along) * unit.asDiagonal();
  here.K -= with_rates * linear::shortest_least_squares(slope, MatrixXd(X.transpose() * here.K), 1e-10);
  return here;
}

bool Drift::is_steady(const LinearModel& model) const {
  if (model.moving.is_rest()) return true;
  const double speed = model.at.v.cwiseQuotient(model.units).norm();
  if (speed == 0) return true;
  // Half as fast nothing may balance: where nothing brakes, speeds are found at which all else is a rounding error.
  constexpr double unbalanced = 1e-7;
  if (linearization_.near(model.at.t, model.at.q, u_, times(0.5, model.moving)).imbalance < unbalanced) return false;
  for (const double path : {0.37, -1.3, 5.1}) {
    const Displacement there = model.moving.displacement(path / speed);
    const VectorXd q = there.turn * model.at.q + there.shift;
    if (linearization_.near(model.at.t, q, u_, model.moving).imbalance > 1e-8) return false;
  }
  return true;
}

std::vector<std::pair<std::string, double>> Drift::rates_of(const LinearModel& model) const {
  std::vector<std::pair<std::string, double>> result;
  if (model.moving.is_rest()) return result;
  MatrixXd fields(model.moving.A.size() + model.moving.b.size(), static_cast<Eigen::Index>(fields_.size()));
  for (std::size_t k = 0; k < fields_.size(); ++k)
    fields.col(static_cast<Eigen::Index>(k)) = as_vector(fields_[k].field);
  const VectorXd rates = linear::least_squares(fields, as_vector(model.moving));
  for (std::size_t k = 0; k < fields_.size(); ++k)
    if (const double rate = rates(static_cast<Eigen::Index>(k)); std::abs(rate) > 1e-12 * rates.cwiseAbs().maxCoeff())
      result.emplace_back(fields_[k].name, rate);
  return result;
}

}  // namespace hamel
