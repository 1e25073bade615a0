#include "model/angular_velocity.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>

#include "hamel/graph/functions.hpp"
#include "hamel/model/index.hpp"

namespace hamel {

namespace {

bool is_piecewise(Op op) {
  if (const FunctionRow* row = find_function(op)) return row->shape != FunctionRow::Shape::smooth;
  return op == Op::less || op == Op::less_equal || op == Op::select;
}

bool has_piecewise(Expr f) {
  const Graph& graph = Graph::current();
  const std::vector<std::uint32_t> nodes = reachable(std::array{f});
  return std::any_of(nodes.begin(), nodes.end(), [&](std::uint32_t id) { return is_piecewise(graph.node(id).op); });
}

Expr dot(const VectorXe& a, const VectorXe& b) {
  Expr sum;
  for (Eigen::Index i = 0; i < a.size(); ++i) sum += a(i) * b(i);
  return sum;
}

bool depends_on(const std::vector<Expr>& f, const std::vector<Expr>& w) {
  std::unordered_set<std::uint32_t> ids;
  for (const Expr x : w) ids.insert(x.id());
  const std::vector<Expr> leaves = dependencies(f);
  return std::any_of(leaves.begin(), leaves.end(), [&](Expr leaf) { return ids.contains(leaf.id()); });
}

// The Hessian of a smooth energy; empty if the energy is not quadratic in w.
MatrixXe constant_hessian(Expr energy, const std::vector<Expr>& w) {
  if (has_piecewise(energy)) return {};
  const auto n = static_cast<Eigen::Index>(w.size());
  MatrixXe full = MatrixXe::Constant(n, n, Expr());
  std::vector<Expr> values;
  for (const Entry& entry : hessian(energy, w)) {
    full(entry.row, entry.col) = entry.value;
    values.push_back(entry.value);
  }
  return depends_on(values, w) ? MatrixXe() : full;
}

// An energy that is quadratic in w, with this Hessian: E(0) + E_w(0).values + 1/2 values.(hessian values).
Expr expansion(Expr energy, const std::vector<Expr>& w, const std::vector<Expr>& values, const MatrixXe& hessian) {
  std::unordered_map<std::uint32_t, Expr> zero;
  for (const Expr x : w) zero[x.id()] = Expr();
  std::vector<Expr> f = gradient(energy, w);
  f.push_back(energy);
  const std::vector<Expr> at_zero = substitute(f, zero);
  Expr sum = at_zero.back();
  for (std::size_t i = 0; i < w.size(); ++i) {
    sum += at_zero[i] * values[i];
    for (std::size_t j = 0; j < w.size(); ++j)
      sum += hessian(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * values[i] * values[j] / 2;
  }
  return sum;
}

}  // namespace

MatrixXe AngularVelocity::auxiliary(int coordinate) {
  const auto [found, is_new] = factor_of_.try_emplace(coordinate, factors_.size());
  if (is_new) {
    Factor factor{coordinate, {}, values(coordinate)};
    const std::string name = "omega_" + model_.coordinates()[at(coordinate)].name;
    factor.variables = Graph::current().variables(name, static_cast<int>(factor.values.size()));
    for (std::size_t i = 0; i < factor.values.size(); ++i) {
      replacement_[factor.variables[i].id()] = factor.values[i];
      factor_of_variable_[factor.variables[i].id()] = factors_.size();
    }
    factors_.push_back(std::move(factor));
  }
  const std::vector<Expr>& variables = factors_[found->second].variables;
  return Eigen::Map<const VectorXe>(variables.data(), static_cast<Eigen::Index>(variables.size()));
}

std::vector<Expr> AngularVelocity::put_in(std::span<const Expr> f) const { return substitute(f, replacement_); }

VectorXe AngularVelocity::part(const std::vector<Expr>& ambient, int coordinate, int begin, int size) const {
  return Eigen::Map<const VectorXe>(ambient.data() + lowered_.offsets[at(coordinate)] + begin, size);
}

// S^1: (S q).q'; S^2: q x q'; SO(3), SE(3): vee of the skew part of R^T R'.
std::vector<Expr> AngularVelocity::values(int coordinate) const {
  const Turning turning = model_.coordinates()[at(coordinate)].space.turning();
  const auto q = [&](int begin, int size) { return part(lowered_.q, coordinate, begin, size); };
  const auto v = [&](int begin, int size) { return part(lowered_.v, coordinate, begin, size); };
  if (turning == Turning::none) {
    const Manifold& space = model_.coordinates()[at(coordinate)].space;
    const VectorXe xi = space.group_rates(q(0, space.ambient()), v(0, space.ambient()));
    return {xi.data(), xi.data() + xi.size()};
  }
  if (turning == Turning::plane) return {q(0, 1)(0) * v(1, 1)(0) - q(1, 1)(0) * v(0, 1)(0)};
  if (turning == Turning::direction) {
    const VectorXe a = q(0, 3), b = v(0, 3);
    return {a(1) * b(2) - a(2) * b(1), a(2) * b(0) - a(0) * b(2), a(0) * b(1) - a(1) * b(0)};
  }
  const auto skew = [&](int i, int j) { return (dot(q(3 * i, 3), v(3 * j, 3)) - dot(q(3 * j, 3), v(3 * i, 3))) / 2; };
  return {skew(2, 1), skew(0, 2), skew(1, 0)};
}

bool AngularVelocity::depends_on_parameters_only(const MatrixXe& inertia) const {
  std::unordered_set<std::uint32_t> parameters;
  for (const Expr p : lowered_.parameters) parameters.insert(p.id());
  const std::vector<Expr> leaves = dependencies(std::span(inertia.data(), static_cast<std::size_t>(inertia.size())));
  return std::all_of(leaves.begin(), leaves.end(), [&](Expr leaf) { return parameters.contains(leaf.id()); });
}

bool AngularVelocity::has_natural_energy(int coordinate, const MatrixXe& inertia) const {
  const Expr zero;
  if (model_.coordinates()[at(coordinate)].space.turning() == Turning::none) return false;
  if (std::all_of(inertia.reshaped().begin(), inertia.reshaped().end(), [&](Expr entry) { return entry == zero; }))
    return false;
  if (!depends_on_parameters_only(inertia)) return false;
  if (model_.coordinates()[at(coordinate)].space.turning() != Turning::direction) return true;
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 3; ++j)
      if (inertia(i, j) != (i == j ? inertia(0, 0) : zero)) return false;
  return true;
}

// 1/2 omega . (inertia omega) by q': 1/2 c |q'|^2 on spheres, 1/2 tr(R' J_d R'^T) with J_d = tr(J)/2 I - J on SO(3).
Expr AngularVelocity::natural_energy(int coordinate, const MatrixXe& inertia) const {
  const Manifold& space = model_.coordinates()[at(coordinate)].space;
  if (space.turning() != Turning::body) {
    const VectorXe rate = part(lowered_.v, coordinate, 0, space.ambient());
    return inertia(0, 0) / 2 * dot(rate, rate);
  }
  const Expr half_trace = (inertia(0, 0) + inertia(1, 1) + inertia(2, 2)) / 2;
  const auto column = [&](int i) { return part(lowered_.v, coordinate, 3 * i, 3); };
  Expr twice;
  for (int i = 0; i < 3; ++i) twice += (half_trace - inertia(i, i)) * dot(column(i), column(i));
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) twice -= 2 * inertia(i, j) * dot(column(i), column(j));
  return twice / 2;
}

std::vector<std::size_t> AngularVelocity::factors_in(Expr energy) const {
  std::set<std::size_t> present;
  for (const Expr leaf : dependencies(std::array{energy}))
    if (const auto found = factor_of_variable_.find(leaf.id()); found != factor_of_variable_.end())
      present.insert(found->second);
  return {present.begin(), present.end()};
}

Expr AngularVelocity::take_natural_energy(const std::vector<std::size_t>& factors, MatrixXe& hessian) const {
  Expr sum;
  Eigen::Index begin = 0;
  for (const std::size_t k : factors) {
    const auto size = static_cast<Eigen::Index>(factors_[k].values.size());
    auto block = hessian.block(begin, begin, size, size);
    begin += size;
    if (!has_natural_energy(factors_[k].coordinate, block)) continue;
    sum += natural_energy(factors_[k].coordinate, block);
    block.setConstant(Expr());
  }
  return sum;
}

Expr AngularVelocity::put_in_energy(Expr energy) const {
  const std::vector<std::size_t> factors = factors_in(energy);
  std::vector<Expr> w, values;
  for (const std::size_t k : factors) {
    w.insert(w.end(), factors_[k].variables.begin(), factors_[k].variables.end());
    values.insert(values.end(), factors_[k].values.begin(), factors_[k].values.end());
  }
  MatrixXe hessian = constant_hessian(energy, w);
  const Expr natural = hessian.size() == 0 ? Expr() : take_natural_energy(factors, hessian);
  if (natural == Expr()) return put_in(std::array{energy}).front();
  return natural + expansion(energy, w, values, hessian);
}

}  // namespace hamel
