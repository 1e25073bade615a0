// The equations of the constant-mass path as expressions: what constant_mass.cpp and step_kernels.cpp make kernels of.
#pragma once

#include <algorithm>
#include <unordered_set>

#include "derive/invariance.hpp"
#include "derive/radial.hpp"
#include "hamel/derive/constant_mass.hpp"
#include "hamel/derive/expressions.hpp"

namespace hamel {

class Derivation {
 public:
  Derivation(const Model& model, const LoweredModel& lowered, const Parameters& parameters)
      : model_(model),
        lowered_(lowered),
        parameters_(parameters),
        graph_(Graph::current()),
        lifted_(lift(model, lowered)) {
    natural_velocities();
    differentiate();
    collect_constraints();
  }

  const PointPlaces& places() const { return lifted_.places; }
  bool has_groups() const { return !velocity_of_rates_.empty(); }
  bool has_constant_mass() const { return is_constant(hessian_); }

  Kernel acceleration() {
    const auto [rates, multipliers] = natural_acceleration(solve(kkt_right_side()));
    return Kernel("acceleration", {lowered_.q, eta_, lowered_.u, {lowered_.t}}, {rates, multipliers}, parameters_);
  }

  // The rate of (q, xi): what methods integrate that know nothing of mechanics, as one program. Of spheres it is that
  // on the manifold: |q| is known.
  Kernel motion() {
    Exprs xi, q_rate, xi_rate;
    std::unordered_map<std::uint32_t, Expr> of_xi;
    for (int f = 0; f < factors(); ++f) {
      const int eta = lifted_.natural[at(f)], n = lifted_.natural[at(f + 1)] - eta;
      const Exprs own = graph_.variables("xi_of_" + model_.coordinates()[at(f)].name, space(f).rates());
      const VectorXe v = space(f).basis(point(f)) * vector_of(own, 0, space(f).rates());
      for (int i = 0; i < n; ++i) of_xi[eta_[at(eta + i)].id()] = is_by_basis(space(f)) ? own[at(i)] : v(i);
      xi.insert(xi.end(), own.begin(), own.end());
      q_rate.insert(q_rate.end(), v.begin(), v.end());
    }
    Exprs b = kkt_right_side();
    for (std::size_t i = 0; i < b.size(); ++i)
      if (unknowns_[i].dual && unknowns_[i].block >= 0)
        b[i] = on_sphere(substitute(Exprs{b[i]}, of_xi).front(), unknowns_[i].block);
    const auto [rates, multipliers] =
        natural_acceleration(solve(std::move(b), [this](Expr e, int f) { return on_sphere(e, f); }));
    for (int f = 0; f < factors(); ++f) {
      const int eta = lifted_.natural[at(f)];
      VectorXe rate = vector_of(rates, eta, lifted_.natural[at(f + 1)] - eta);
      if (!is_by_basis(space(f)))
        rate = space(f).rates_of_acceleration(point(f), vector_of(q_rate, lowered_.offsets[at(f)], space(f).ambient()),
                                              rate);
      xi_rate.insert(xi_rate.end(), rate.begin(), rate.end());
    }
    return Kernel("motion", {lowered_.q, xi, lowered_.u, {lowered_.t}},
                  {q_rate, substitute(xi_rate, of_xi), substitute(multipliers, of_xi)}, parameters_);
  }

  static VectorXe vector_of(const Exprs& x, int begin, int size) {
    return Eigen::Map<const VectorXe>(x.data() + begin, size);
  }

  // And the multipliers of the user's constraints.
  std::pair<Exprs, Exprs> natural_acceleration(const Exprs& solution) {
    const Exprs offset = resolve(lifted_.offset);
    Exprs rates(at(lifted_.natural.back()));
    for (int f = 0; f < factors(); ++f) {
      const int n = lifted_.natural[at(f + 1)] - lifted_.natural[at(f)];
      for (int i = 0; i < n; ++i) {
        Expr& out = rates[at(lifted_.natural[at(f)] + i)];
        if (is_by_basis(space(f)))
          out = solution[at(first_increment_[at(f)] + i)];
        else
          out = apply_row(lowered_.offsets[at(f)] + i, solution) + offset[at(lowered_.offsets[at(f)] + i)];
      }
    }
    const Exprs multipliers(solution.end() - static_cast<std::ptrdiff_t>(lifted_.constraints.size()), solution.end());
    return {rates, multipliers};
  }

  Kernel velocity() {
    const Exprs P = graph_.variables("p", static_cast<int>(lowered_.q.size()));
    return Kernel("velocity", {lowered_.q, P, {lowered_.t}}, {natural_from_increments(solve(pulled_back(P)))},
                  parameters_);
  }

  // The natural velocities and the multipliers of a momentum, at every q, on the manifold or not.
  std::pair<Exprs, Exprs> canonical_velocity(const Exprs& P) {
    SparseEntries matrix = gathered(mass());
    const SparseEntries rows = gathered(to_increments(jacobian(constraints_, lifted_.Q)));
    add_bordered(matrix, rows, increments(), true);
    add_bordered(matrix, rows, increments(), false);
    const Exprs solution = eliminate(unknowns_, resolved(std::move(matrix)), pulled_back(P), true);
    return {natural_from_increments(solution), Exprs(solution.begin() + increments(), solution.end())};
  }

  StepKernels step(const Quadrature& rule);
  Kernel step_pivots(const Quadrature& rule);

 private:
  friend class StepDerivation;

  int factors() const { return static_cast<int>(model_.coordinates().size()); }
  VectorXe point(int f) const { return vector_of(lowered_.q, lowered_.offsets[at(f)], space(f).ambient()); }
  const Manifold& space(int f) const { return model_.coordinates()[at(f)].space; }

  // eta: the ambient rate of a factor, or its quasi-velocities where it is treated by its basis.
  void natural_velocities() {
    int increment = 0;
    for (int f = 0; f < factors(); ++f) {
      const int begin = lowered_.offsets[at(f)], end = lowered_.offsets[at(f + 1)];
      first_increment_.push_back(increment);
      if (!is_by_basis(space(f))) {
        eta_.insert(eta_.end(), lowered_.v.begin() + begin, lowered_.v.begin() + end);
        increment += end - begin;
        continue;
      }
      const Exprs rates = graph_.variables("rate_of_" + model_.coordinates()[at(f)].name, space(f).rates());
      eta_.insert(eta_.end(), rates.begin(), rates.end());
      for (int i = begin; i < end; ++i) {
        Expr velocity;
        for (const auto& [z, coefficient] : lifted_.A[at(i)]) velocity += coefficient * rates[at(z - increment)];
        velocity_of_rates_[lowered_.v[at(i)].id()] = velocity;
      }
      increment += space(f).rates();
    }
    for (std::size_t k = 0; k < lifted_.point_values.size(); ++k) {
      point_[lifted_.Q[lowered_.q.size() + k].id()] = lifted_.point_values[k];
      point_[lifted_.V[lowered_.q.size() + k].id()] = lifted_.point_rates[k];
    }
  }

  // In terms of q and eta alone.
  Exprs resolve(const Exprs& expressions) const {
    return substitute(substitute(expressions, point_), velocity_of_rates_);
  }

  SparseEntries resolved(SparseEntries matrix) const {
    Exprs values;
    for (const auto& entry : matrix) values.push_back(entry.value);
    values = resolve(values);
    for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i].value = values[i];
    return matrix;
  }

  // The right side of the equations for the velocity of a momentum.
  Exprs pulled_back(const Exprs& P) const {
    Exprs covector(lifted_.Q.size());
    std::copy(P.begin(), P.end(), covector.begin());
    const Exprs at_rest = momentum_at_rest();
    for (std::size_t i = 0; i < covector.size(); ++i) covector[i] -= at_rest[i];
    Exprs b = resolve(to_increments(covector));
    b.resize(unknowns_.size());
    return b;
  }

  void differentiate() {
    const Expr kinetic = sum(lifted_.kinetic) + sum(lifted_.lagrangian), potential = sum(lifted_.potential);
    momentum_ = gradient(kinetic, lifted_.V);
    hessian_ = jacobian(momentum_, lifted_.V);
    kinetic_force_ = gradient(kinetic, lifted_.Q);
    potential_force_ = gradient(potential, lifted_.Q);
    for (Expr& force : potential_force_) force = -force;
    applied_force_ = applied_force(lifted_.forces, lifted_.rayleigh, lifted_.V);
  }

  void collect_constraints() {
    unknowns_ = lifted_.z;
    for (int f = 0; f < factors(); ++f) {
      if (is_by_basis(space(f))) continue;
      const int begin = lowered_.offsets[at(f)], n = lowered_.offsets[at(f + 1)] - begin;
      VectorXe q(n);
      for (int i = 0; i < n; ++i) q(i) = lowered_.q[at(begin + i)];
      for (const Expr c : space(f).constraints(q)) {
        constraints_.push_back(c);
        unknowns_.push_back({true, f});
      }
    }
    for (Expr c : lifted_.constraints) {
      constraints_.push_back(c);
      unknowns_.push_back({true, -1});
    }
  }

  int increments() const { return static_cast<int>(lifted_.z.size()); }

  // A^T g
  Exprs to_increments(const Exprs& g) const {
    Exprs result(lifted_.z.size());
    for (std::size_t i = 0; i < g.size(); ++i) {
      if (g[i].is_constant(0)) continue;
      for (const auto& [z, coefficient] : lifted_.A[i]) result[at(z)] += coefficient * g[i];
    }
    return result;
  }

  // J A, for a Jacobian with respect to Q (or V)
  SparseEntries to_increments(const SparseEntries& jacobian) const {
    SparseEntries result;
    for (const auto& [row, i, value] : jacobian)
      for (const auto& [z, coefficient] : lifted_.A[at(i)]) result.push_back({row, z, value * coefficient});
    return result;
  }

  Expr apply_row(int i, const Exprs& z) const {
    Expr result;
    for (const auto& [k, coefficient] : lifted_.A[at(i)]) result += coefficient * z[at(k)];
    return result;
  }

  Exprs natural_from_increments(const Exprs& z) const {
    Exprs result;
    for (int f = 0; f < factors(); ++f) {
      if (is_by_basis(space(f)))
        for (int i = 0; i < space(f).rates(); ++i) result.push_back(z[at(first_increment_[at(f)] + i)]);
      else
        for (int i = lowered_.offsets[at(f)]; i < lowered_.offsets[at(f + 1)]; ++i) result.push_back(apply_row(i, z));
    }
    return result;
  }

  SparseEntries mass() const {
    SparseEntries half = to_increments(hessian_), result;
    for (const auto& [i, z, value] : half)
      for (const auto& [row, coefficient] : lifted_.A[at(i)]) result.push_back({row, z, coefficient * value});
    return result;
  }

  // Adds up entries of equal position.
  static SparseEntries gathered(SparseEntries entries) {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return std::pair(a.row, a.col) < std::pair(b.row, b.col); });
    SparseEntries result;
    for (const Entry& entry : entries) {
      if (!result.empty() && result.back().row == entry.row && result.back().col == entry.col)
        result.back().value += entry.value;
      else
        result.push_back(entry);
    }
    return result;
  }

  SparseEntries simplified_mass() {
    SparseEntries result = gathered(mass());
    if (!has_groups()) return result;
    Exprs values;
    for (const auto& entry : result) values.push_back(entry.value);
    values = simplify_invariants(resolve(values), model_, lowered_, eta_, parameters_);
    for (std::size_t i = 0; i < result.size(); ++i) result[i].value = values[i];
    return result;
  }

  static void add_bordered(SparseEntries& matrix, const SparseEntries& rows, int offset, bool transpose) {
    for (const auto& [row, z, value] : rows)
      matrix.push_back(transpose ? Entry{z, offset + row, value} : Entry{offset + row, z, value});
  }

  SparseEntries kkt_matrix() {
    if (matrix_.empty()) {
      matrix_ = simplified_mass();
      const SparseEntries rows = gathered(to_increments(jacobian(constraints_, lifted_.Q)));
      add_bordered(matrix_, rows, increments(), true);
      add_bordered(matrix_, rows, increments(), false);
      matrix_ = resolved(std::move(matrix_));
    }
    return matrix_;
  }

  bool is_constant(const SparseEntries& matrix) const {
    std::unordered_set<std::uint32_t> constants;
    for (Expr parameter : parameters_.variables) constants.insert(parameter.id());
    Exprs entries;
    for (const auto& entry : matrix) entries.push_back(entry.value);
    const Exprs variables = dependencies(entries);
    return std::all_of(variables.begin(), variables.end(), [&](Expr e) { return constants.contains(e.id()); });
  }

  // Without |q|^2, where the constraint of the factor says what it is.
  Expr on_sphere(Expr e, int f) const {
    const VectorXe q = point(f), c = space(f).constraints(q);
    const Exprs coordinates(q.begin(), q.end());
    const auto constraint = c.size() == 1 ? radial(c(0), coordinates) : std::nullopt;
    const auto form = constraint ? radial(e, coordinates) : std::nullopt;
    return form ? form->at_zero - form->slope * (constraint->at_zero / constraint->slope) : e;
  }

  // The inverse of a constant matrix is computed before the run. For the unknowns of one body it takes no more
  // operations than an elimination, and they need not wait for one another.
  Exprs solve(Exprs b, const SimplifyPivot& simplify = {}) {
    constexpr std::size_t unknowns_of_a_body = 6;
    const SparseEntries matrix = kkt_matrix();
    if (unknowns_.size() > unknowns_of_a_body || !is_constant(matrix))
      return eliminate(unknowns_, matrix, std::move(b), true, {.simplify = simplify});
    Exprs x(b.size());
    for (std::size_t j = 0; j < b.size(); ++j) {
      Exprs unit(b.size());
      unit[j] = Expr(1.0);
      const Exprs column = eliminate(unknowns_, matrix, std::move(unit), true);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += column[i] * b[j];
    }
    return x;
  }

  Exprs state_variables() const {
    Exprs x = lifted_.Q;
    x.insert(x.end(), lifted_.V.begin(), lifted_.V.end());
    x.push_back(lowered_.t);
    return x;
  }

  Exprs state_rates() const {
    Exprs x = lifted_.V;
    x.insert(x.end(), lifted_.offset.begin(), lifted_.offset.end());
    x.push_back(Expr(1.0));
    return x;
  }

  Exprs kkt_right_side() {
    const Exprs x = state_variables(), rates = state_rates();
    const Exprs inertial = directional_derivative(momentum_, x, rates);
    Exprs gyroscopic = kinetic_force_;
    for (std::size_t i = 0; i < gyroscopic.size(); ++i) gyroscopic[i] -= inertial[i];
    Exprs b = resolve(to_increments(gyroscopic));
    if (has_groups()) b = simplify_invariants(b, model_, lowered_, eta_, parameters_);
    const Exprs other = resolve(to_increments(sums(potential_force_, applied_force_)));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] += other[i];

    const Exprs drift = directional_derivative(constraints_, x, rates);
    for (Expr c : resolve(directional_derivative(drift, x, rates))) b.push_back(-c);
    return b;
  }

  Exprs momentum_at_rest() const {
    std::unordered_map<std::uint32_t, Expr> rest;
    for (Expr v : lifted_.V) rest[v.id()] = Expr();
    return substitute(momentum_, rest);
  }

  const Model& model_;
  const LoweredModel& lowered_;
  const Parameters& parameters_;
  Graph& graph_;
  Lifted lifted_;
  Exprs eta_;
  std::vector<int> first_increment_;
  std::unordered_map<std::uint32_t, Expr> velocity_of_rates_, point_;
  Exprs momentum_, kinetic_force_, potential_force_, applied_force_;
  SparseEntries hessian_, matrix_;
  Exprs constraints_;  // of the factors, then of the user
  std::vector<Unknown> unknowns_;
};

}  // namespace hamel
