#include "hamel/analyze/linear_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <stdexcept>

#include "analyze/family.hpp"
#include "analyze/fibre.hpp"
#include "analyze/imbalance.hpp"
#include "analyze/scales.hpp"
#include "hamel/analyze/spectrum.hpp"
#include "hamel/derive/energies.hpp"
#include "hamel/graph/interruption.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/product.hpp"
#include "hamel/mechanics/geometry.hpp"
#include "hamel/mechanics/parts.hpp"
#include "hamel/symmetry/noether.hpp"

namespace hamel {

Generator generator(const ConservedMomentum& momentum, int ambient, double rate) {
  Generator result{MatrixXd::Zero(ambient, ambient), VectorXd::Zero(ambient)};
  for (const ConservedMomentum::Block& block : momentum.blocks) {
    const Eigen::Index n = block.b.size();
    result.A.block(block.offset, block.offset, n, n) += rate * block.A;
    result.b.segment(block.offset, n) += rate * block.b;
  }
  for (const auto& [direction, weight] : momentum.couplings) result.A += rate * direction * weight.transpose();
  return result;
}

Generator operator+(const Generator& a, const Generator& b) {
  if (a.is_rest()) return b;
  if (b.is_rest()) return a;
  return {a.A + b.A, a.b + b.b};
}

Displacement Generator::displacement(double time) const {
  const Eigen::Index n = b.size();
  MatrixXd whole = MatrixXd::Zero(n + 1, n + 1);
  whole.topLeftCorner(n, n) = time * A;
  whole.topRightCorner(n, 1) = time * b;
  whole = linear::exponential(whole);
  return {whole.topLeftCorner(n, n), whole.topRightCorner(n, 1)};
}

LinearModel::FirstOrder LinearModel::first_order() const {
  const Eigen::Index n = K.rows();
  if (is_field) return {-K, B};  // D = 1
  MatrixXd right(n, 2 * n + B.cols());
  right << -K, -(D + G), B;
  const MatrixXd solved = linear::solve_columns(M, right);
  FirstOrder result{MatrixXd::Zero(2 * n, 2 * n), MatrixXd::Zero(2 * n, B.cols())};
  result.A.topRightCorner(n, n).setIdentity();
  result.A.bottomRows(n) = solved.leftCols(2 * n);
  result.B.bottomRows(n) = solved.rightCols(B.cols());
  return result;
}

Linearization::Linearization(const System& system)
    : system_(system),
      kernels_(std::make_shared<SteadyKernels>(steady_kernels(system.model()))),
      is_conservative_without_inputs_(is_conservative_without_inputs(system.model())) {
  need_regular_fibre(system, *kernels_);
  measure(0, VectorXd::Zero(kernels_->inputs), [](In) { return Generator(); });
}

namespace {

VectorXd room_for(const Kernel& kernel) {
  return VectorXd::Zero(static_cast<Eigen::Index>(kernel.program().scratch_size()));
}

// Rates that are as many as the dimensions are coordinates of their own; redundant ones follow from ambient vectors.
void add_factor_basis(const Manifold& factor, bool by_basis, In q, OutMatrix natural, OutMatrix ambient) {
  const int n = factor.dimension();
  if (by_basis && factor.rates() == n) {
    natural.setIdentity();
    for (int j = 0; j < n; ++j) factor.velocity(q, natural.col(j), ambient.col(j));
    return;
  }
  factor.tangent_basis(q, ambient);
  for (int j = 0; j < n; ++j) {
    if (by_basis)
      factor.rates(q, ambient.col(j), natural.col(j));
    else
      natural.col(j) = ambient.col(j);
  }
}

}  // namespace

// Those columns of the basis of the factors along which the constraints do not change.
Linearization::Frame Linearization::frame(In q, const MatrixXd& reactions) const {
  const Geometry& geometry = system_.geometry();
  const int n = geometry.dimension();
  Frame result{MatrixXd::Zero(kernels_->natural, n), MatrixXd::Zero(geometry.ambient(), n)};
  int next = 0;
  for (int f = 0; f < geometry.factors(); ++f) {
    const Manifold& factor = geometry.space(f);
    const bool by_basis = geometry.is_given_by_basis(f);
    const int size = by_basis ? factor.rates() : factor.ambient(), column = geometry.tangent_offset(f);
    add_factor_basis(factor, by_basis, q.segment(geometry.offset(f), factor.ambient()),
                     result.natural.block(next, column, size, factor.dimension()),
                     result.ambient.block(geometry.offset(f), column, factor.ambient(), factor.dimension()));
    next += size;
  }
  const int constraints = system_.constraints();
  if (constraints == 0) return result;
  MatrixXd C = reactions.rightCols(constraints).transpose() * result.natural;
  for (auto row : C.rowwise()) row /= row.norm() > 0 ? row.norm() : 1;
  constexpr double independent = 1e-8;
  const VectorXd sizes = linear::singular_values(C);
  if (sizes(constraints - 1) < independent)
    throw std::domain_error(fmt::format(
        "the constraints of {} are not independent at this point (smallest singular value {:.2g}, with rows "
        "of length 1): there is no tangent space, and motions may branch; take another point",
        system_.name(), sizes(constraints - 1)));
  const MatrixXd kept = linear::null_space(C, independent);
  return {result.natural * kept, result.ambient * kept};
}

namespace {

// Drag like |v| v has the slope 0 at rest, which its derivatives give as 0 times infinity. Numbers there are the limit
// along small rates: it is the same from all sides and at two sizes, or goes to zero. None: not differentiable.
std::optional<VectorXd> limit_at_rest(const System& system, In q, In v,
                                      const std::function<VectorXd(const VectorXd& v)>& numbers) {
  constexpr int sides = 4;
  constexpr double large = 1e-40, small = 1e-60, goes_to_zero = 1e-2, agrees = 1e-9;
  Random random(19);
  std::normal_distribution<double> normal;
  VectorXd most_of_large, most_of_small, first, differs;
  for (int side = 0; side < sides; ++side) {
    const VectorXd any = VectorXd::NullaryExpr(q.size(), [&] { return normal(random); });
    VectorXd direction(q.size());
    system.space().tangent_project(q, any, direction);
    const VectorXd far = numbers(v + large * direction), near = numbers(v + small * direction);
    if (!far.allFinite() || !near.allFinite()) return std::nullopt;
    if (side == 0) {
      first = near;
      most_of_large = most_of_small = differs = VectorXd::Zero(near.size());
    }
    most_of_large = most_of_large.cwiseMax(far.cwiseAbs());
    most_of_small = most_of_small.cwiseMax(near.cwiseAbs());
    differs = differs.cwiseMax((near - first).cwiseAbs()).cwiseMax((far - first).cwiseAbs());
  }
  for (Eigen::Index k = 0; k < first.size(); ++k) {
    if (most_of_small(k) <= goes_to_zero * most_of_large(k))
      first(k) = 0;
    else if (differs(k) > agrees * most_of_small(k))
      return std::nullopt;
  }
  return first;
}

}  // namespace

Linearization::Balanced Linearization::balance(double t, In q, In v, In a, In u) const {
  const SteadyKernels& k = *kernels_;
  Balanced result{VectorXd(k.natural), VectorXd(k.multipliers), VectorXd(k.sizes), MatrixXd(k.natural, k.multipliers)};
  VectorXd scratch = room_for(k.balance);
  const auto run = [&](const VectorXd& rate) {
    const Fibre fibre = fibre_at(system_, k, t, q, rate, a);
    k.balance.run<8, 4>(
        {q.data(), rate.data(), a.data(), u.data(), &t, fibre.p.data(), fibre.r.data(), fibre.weights.data()},
        {result.F.data(), result.reactions.data(), result.c.data(), result.sizes.data()}, scratch.data());
  };
  run(v);
  if (result.F.allFinite() && result.sizes.allFinite()) return result;
  const std::optional<VectorXd> limit = limit_at_rest(system_, q, v, [&](const VectorXd& rate) {
    run(rate);
    VectorXd all(result.F.size() + result.sizes.size());
    all << result.F, result.sizes;
    return all;
  });
  run(v);
  if (!limit) return result;
  result.F = limit->head(result.F.size());
  result.sizes = limit->tail(result.sizes.size());
  return result;
}

// No momentum may belong to a velocity far away.
Linearization::Balanced Linearization::balance_or_nan(double t, In q, In v, In a, In u) const {
  try {
    return balance(t, q, v, a, u);
  } catch (const std::exception&) {
    const SteadyKernels& k = *kernels_;
    const double nan = std::nan("");
    return {VectorXd::Constant(k.natural, nan), VectorXd::Constant(k.multipliers, nan),
            VectorXd::Constant(k.sizes, nan), MatrixXd()};
  }
}

VectorXd Linearization::forces(double t, In q, In u, const Generator& moving) const {
  const VectorXd v = moving.velocity(q), a = moving.is_rest() ? v : VectorXd(moving.A * v);
  return balance(t, q, v, a, u).F;
}

void Linearization::measure(double t, In u, const Moving& moving) {
  const int constraints = system_.constraints();
  const std::vector<Eigen::Index> parts = natural_parts(system_);
  const auto acting = [&](In q) {
    const Generator field = moving(q);
    const VectorXd v = field.velocity(q), a = field.is_rest() ? v : VectorXd(field.A * v);
    const Balanced found = balance_or_nan(t, q, v, a, u);
    VectorXd forces(static_cast<Eigen::Index>(parts.size()));
    Eigen::Index begin = 0;
    for (std::size_t k = 0; k < parts.size(); begin += parts[k++])
      forces(static_cast<Eigen::Index>(k)) = found.F.segment(begin, parts[k]).norm();
    constexpr double rounding_errors = 1e-12;
    const double smallest = rounding_errors * found.sizes.norm();
    VectorXd sizes(forces.size() + found.sizes.size() + constraints);
    sizes << (forces.array() > smallest).select(forces, 0), found.sizes.cwiseAbs(),
        found.c.tail(constraints).cwiseAbs();
    return sizes;
  };
  scales_ = std::make_shared<Scales>(hamel::scales(system_, acting));
}

bool Linearization::always(const LinearModel& model, const std::function<bool(double t)>& is_true) const {
  if (!kernels_->depends_on_time) return true;
  const double unit = 0.37 / scaled(model).rate;
  for (const double later : {1.0, 5.17, 1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9}) try {
      if (!is_true(model.at.t + later * unit)) return false;
    } catch (const std::exception&) {
      // Not defined then: exp(t) overflows.
    }
  return true;
}

bool Linearization::is_conservative(In u) const {
  return u.isZero(0) ? is_conservative_without_inputs_ : system_.is_conservative();
}

Linearization::Variations Linearization::variations_at(const LinearModel& model, In v, In a) const {
  const SteadyKernels& k = *kernels_;
  const VectorXd& q = model.at.q;
  const double t = model.at.t;
  const Eigen::Index N = q.size();
  Variations of{MatrixXd(k.natural, N), MatrixXd(k.natural, N), MatrixXd(k.natural, N), MatrixXd(k.natural, k.inputs)};
  MatrixXd by_momentum(k.natural, k.momenta), by_momentum_rate(k.natural, k.momenta);
  VectorXd scratch = room_for(k.variations);
  const Fibre fibre = fibre_at(system_, k, t, q, v, a);
  k.variations.run<9, 6>({q.data(), v.data(), a.data(), model.multipliers.data(), model.inputs.data(), &t,
                          fibre.p.data(), fibre.r.data(), fibre.weights.data()},
                         {of.by_point.data(), of.by_velocity.data(), of.by_acceleration.data(), of.by_input.data(),
                          by_momentum.data(), by_momentum_rate.data()},
                         scratch.data());
  if (k.momenta > 0) {
    of.by_point += by_momentum * fibre.p_q + by_momentum_rate * fibre.r_q;
    of.by_velocity += by_momentum * fibre.p_v + by_momentum_rate * fibre.r_v;
    of.by_acceleration += by_momentum_rate * fibre.p_v;
  }
  return of;
}

Linearization::Variations Linearization::variations(const LinearModel& model, In a) const {
  Variations result = variations_at(model, model.at.v, a);
  const auto is_finite = [&] {
    return result.by_point.allFinite() && result.by_velocity.allFinite() && result.by_acceleration.allFinite() &&
           result.by_input.allFinite();
  };
  if (is_finite()) return result;
  const std::optional<VectorXd> limit = limit_at_rest(system_, model.at.q, model.at.v, [&](const VectorXd& v) {
    const Variations of = variations_at(model, v, a);
    VectorXd all(of.by_point.size() + of.by_velocity.size() + of.by_acceleration.size() + of.by_input.size());
    all << of.by_point.reshaped(), of.by_velocity.reshaped(), of.by_acceleration.reshaped(), of.by_input.reshaped();
    return all;
  });
  if (!limit) return result;
  const double* next = limit->data();
  for (MatrixXd* part : {&result.by_point, &result.by_velocity, &result.by_acceleration, &result.by_input}) {
    *part = Eigen::Map<const MatrixXd>(next, part->rows(), part->cols());
    next += part->size();
  }
  return result;
}

LinearModel Linearization::near(double t, In q, In given, const Generator& moving) const {
  check_interruption();
  const SteadyKernels& k = *kernels_;
  const Eigen::Index N = q.size();
  LinearModel result;
  result.inputs = given.size() == 0 ? VectorXd::Zero(k.inputs) : VectorXd(given);
  if (result.inputs.size() != k.inputs)
    throw std::invalid_argument(
        fmt::format("{} has {} inputs, got {}", system_.name(), k.inputs, result.inputs.size()));
  result.moving = moving;
  const VectorXd v = moving.velocity(q);
  result.at = {t, q, v, system_.parts().model};
  const VectorXd a = moving.is_rest() ? VectorXd::Zero(N) : VectorXd(moving.A * v);
  result.is_field = !system_.has_energies();
  result.has_forces = !is_conservative(result.inputs);

  const auto [F, c, sizes, reactions] = balance(t, q, v, a, result.inputs);
  const auto [W, Z] = frame(q, reactions);
  result.basis = Z;
  result.units = scales_->units_at(q).ambient;
  result.multipliers = k.multipliers == 0 ? VectorXd() : VectorXd(-linear::shortest_least_squares(reactions, F));
  result.residual = W.transpose() * F;

  const auto [by_point, by_velocity, by_acceleration, by_input] = variations(result, a);
  result.M = W.transpose() * by_acceleration * Z;
  MatrixXd rate = W.transpose() * by_velocity * Z;
  result.K = W.transpose() * by_point * Z;
  if (!moving.is_rest()) {  // dv = x' + A x, da = x'' + 2 A x' + A^2 x
    const MatrixXd AZ = moving.A * Z;
    rate += 2 * W.transpose() * by_acceleration * AZ;
    result.K += W.transpose() * (by_velocity * AZ + by_acceleration * (moving.A * AZ));
  }
  result.B = -W.transpose() * by_input;
  if (result.is_field) {  // D = 1 in any basis
    result.K = linear::solve_columns(rate, result.K);
    result.B = linear::solve_columns(rate, result.B);
    result.residual = linear::solve(rate, result.residual);
    rate.setIdentity();
  }
  result.D = (rate + rate.transpose()) / 2;
  result.G = (rate - rate.transpose()) / 2;
  for (const MatrixXd* part : {&result.M, &result.D, &result.G, &result.K, &result.B})
    if (!part->allFinite())
      throw std::runtime_error(
          fmt::format("{} has no linear model here: its energies or forces are not differentiable", system_.name()));
  const Acting acting{F,
                      reactions * result.multipliers,
                      by_point,
                      by_velocity,
                      by_acceleration.cwiseAbs() * a.cwiseAbs() + by_input.cwiseAbs() * result.inputs.cwiseAbs(),
                      sizes};
  result.imbalance = imbalance(system_, *scales_, acting, W, result);
  return result;
}

namespace {

std::string neighbour(const Linearization& linearization, const LinearModel& model) {
  const auto near = [&](In q) { return linearization.near(model.at.t, q, model.inputs, model.moving); };
  const std::optional<LinearModel> other = find_equilibrium(linearization.system(), near, model.at.q);
  if (!other) return "none was found nearby";
  VectorXd q = other->at.q;
  for (double& entry : q)
    if (std::abs(entry) < 1e-12) entry = 0;
  return fmt::format("there is one at a distance of {:.3g}, [{:.6g}]", (q - model.at.q).norm(), fmt::join(q, ", "));
}

}  // namespace

// In the basis that the motion takes along.
bool Linearization::stays_the_same(const LinearModel& model) const {
  const double speed = model.at.v.cwiseQuotient(model.units).norm(), rate = scaled(model).rate;
  if (speed == 0) return true;
  constexpr double tolerance = 1e-8;
  const double mass = model.M.norm();
  for (const double path : {0.37, -1.3}) {
    const auto [turn, shift] = model.moving.displacement(path / speed);
    const LinearModel later = near(model.at.t, turn * model.at.q + shift, model.inputs, model.moving);
    const MatrixXd C = linear::pseudo_inverse(later.basis) * turn * model.basis;
    const auto differs = [&](const MatrixXd& a, const MatrixXd& b, double size) {
      return (C.transpose() * a * C - b).norm() > tolerance * size;
    };
    if (differs(later.M, model.M, mass) || differs(later.K, model.K, mass * rate * rate) ||
        differs(later.D + later.G, model.D + model.G, mass * rate) ||
        (C.transpose() * later.B - model.B).norm() > tolerance * model.B.norm())
      return false;
  }
  return true;
}

LinearModel Linearization::at(const State& state, In u, const Generator& moving) const {
  constexpr double tolerance = 1e-8;
  const VectorXd v = moving.velocity(state.q);
  if (system_.has_energies() && (state.v - v).norm() > tolerance * (1 + v.norm()))
    throw std::invalid_argument(fmt::format(
        "{}: the velocity of this state is not {}; it differs by {:.3g}", system_.name(),
        moving.is_rest() ? "zero, as that of an equilibrium" : "the one of the steady motion", (state.v - v).norm()));
  system_.check({state.t, state.q, v}, tolerance);
  LinearModel result = near(state.t, state.q, u, moving);
  if (result.imbalance <= tolerance) {
    if (!moving.is_rest()) result.is_uniform = stays_the_same(result);
    return result;
  }
  throw std::domain_error(
      fmt::format("{} is not in equilibrium here: the force that is left is {:.3g} of what acts; {}", system_.name(),
                  result.imbalance, neighbour(*this, result)));
}

Eigen::RowVectorXd Linearization::slope(const ConservedMomentum& momentum, const LinearModel& model) const {
  const SteadyKernels& k = *kernels_;
  const VectorXd &q = model.at.q, &v = model.at.v;
  const Eigen::Index N = q.size(), n = model.K.rows();
  VectorXd p(N);
  MatrixXd by_point(N, N), by_velocity(N, N);
  if (k.momenta > 0) {
    Fibre fibre = fibre_at(system_, k, model.at.t, q, v, VectorXd::Zero(N));
    std::tie(p, by_point, by_velocity) = std::tie(fibre.p, fibre.p_q, fibre.p_v);
  } else {
    VectorXd scratch = room_for(k.momentum);
    k.momentum.run<3, 3>({q.data(), v.data(), &model.at.t}, {p.data(), by_point.data(), by_velocity.data()},
                         scratch.data());
  }
  const Generator field = generator(momentum, system_.ambient());
  const VectorXd X = field.velocity(q);
  VectorXd gauge = VectorXd::Zero(N);
  for (const ConservedMomentum::Block& block : momentum.blocks)
    gauge.segment(block.offset, block.b.size()) +=
        block.linear + block.quadratic * q.segment(block.offset, block.b.size());
  const MatrixXd& Z = model.basis;
  Eigen::RowVectorXd result(2 * n);
  result.head(n) = p.transpose() * field.A * Z + X.transpose() * by_point * Z - gauge.transpose() * Z;
  result.tail(n) = X.transpose() * by_velocity * Z;
  if (!model.moving.is_rest()) result.head(n) += X.transpose() * by_velocity * (model.moving.A * Z);
  return result;
}

std::optional<CharacteristicPolynomial> characteristic_polynomial(const System& system, const LinearModel& model) {
  if (!model.moving.is_rest() || !model.inputs.isZero(0)) return std::nullopt;
  const Geometry& geometry = system.geometry();
  MatrixXd natural(0, model.basis.cols());
  for (Eigen::Index j = 0; j < model.basis.cols(); ++j) {
    const VectorXd column = geometry.natural_coordinates(model.at.q, model.basis.col(j));
    natural.conservativeResize(column.size(), Eigen::NoChange);
    natural.col(j) = column;
  }
  return characteristic_polynomial(system.model(), model.at.t, model.at.q, natural, model.basis);
}

LinearModel linearize(const System& system, const State& state, In u, const Generator& moving) {
  return Linearization(system).at(state, u, moving);
}

}  // namespace hamel
