#include "derive/derivation.hpp"
#include "derive/discrete.hpp"

namespace hamel {
namespace {

using Substitution = std::unordered_map<std::uint32_t, Expr>;

SparseEntries with_values(SparseEntries entries, const Exprs& values) {
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i].value = values[i];
  return entries;
}

// sum - term, where the sum was written as term + rest: then the rest, without cancellation.
Expr rest_of(Expr sum, Expr term) {
  const Graph& graph = Graph::current();
  const Node& node = graph.node(sum.id());
  if (node.op == Op::add && node.a == term.id()) return graph.expr(node.b);
  if (node.op == Op::add && node.b == term.id()) return graph.expr(node.a);
  return sum - term;
}

}  // namespace

// A step from (q0, v0) to q1 with unknown mean rates W:  q1 = q0 + h V(W). V = A W for the factors that are given by
// constraints, and (retract(q0, h W) - q0)/h for groups.
class StepDerivation {
 public:
  StepDerivation(Derivation& derivation, const Quadrature& rule)
      : d_(derivation),
        nq_(static_cast<int>(d_.lowered_.q.size())),
        nz_(d_.increments()),
        nc_(static_cast<int>(d_.constraints_.size())),
        q1_(d_.graph_.variables("q1", nq_)),
        P_(d_.graph_.variables("P", nz_)),
        W_(d_.graph_.variables("W", nz_)),
        lambda_(d_.graph_.variables("lambda", nc_)),
        h_(d_.graph_.variable("h")),
        inverse_h_(d_.graph_.variable("1/h")),
        clock_{d_.lowered_.t, h_, inverse_h_} {
    move_points();
    write_chord();
    sample(rule);
    constrain();
    linearise();
  }

  StepKernels kernels() {
    StepKernels result;
    result.increments = nz_;
    result.multipliers = nc_;
    add_reaches(result);
    result.start = Kernel("step_start", {d_.lowered_.q, d_.lowered_.v, clock_},
                          {substitute(d_.to_increments(d_.momentum_), d_.point_)}, d_.parameters_);
    if (is_explicit())
      add_closed_form(result);
    else
      add_newton(result);
    result.way = Kernel("step_way", {d_.lowered_.q, W_, clock_}, {ways_}, d_.parameters_);
    result.finish = Kernel("step_finish", {d_.lowered_.q, q1_, F_, W_, lambda_, d_.lowered_.u, clock_},
                           {impulse(), F_.empty() ? Exprs() : pull_at_end()}, d_.parameters_);
    if (!F_.empty()) result.pull = Kernel("step_pull", {d_.lowered_.q, clock_}, {pull_of_potential()}, d_.parameters_);
    result.velocity = Kernel("step_velocity", {d_.lowered_.q, P_, clock_}, {velocity()}, d_.parameters_);
    return result;
  }

  void add_reaches(StepKernels& kernels) const {
    Exprs slopes;
    const auto add = [&](int increment, int number, Expr slope) {
      kernels.reaches.push_back({increment, number, 1});
      slopes.push_back(slope);
    };
    for (int i = 0; i < nq_; ++i)
      for (const auto& [k, coefficient] : lifted().E[at(i)]) {
        if (k < nz_)
          add(k, i, coefficient);
        else
          for (const auto& [z, unused] : lifted().A[at(k - nz_)]) add(z, i, coefficient);
      }
    kernels.slopes = Constants(slopes, d_.parameters_);
    kernels.set_reaches();
  }

  void add_closed_form(StepKernels& result) const {
    const auto [rates, multipliers] = closed_form();
    result.closed =
        Kernel("step_closed", {d_.lowered_.q, P_, F_, d_.lowered_.u, clock_}, {rates, multipliers}, d_.parameters_);
  }

  void add_newton(StepKernels& result) const {
    result.predict = Kernel("step_predict", {d_.lowered_.q, d_.lowered_.v}, {prediction()}, d_.parameters_);
    const Exprs correction = newton_step(residual());
    result.newton = Kernel("step_newton", {d_.lowered_.q, P_, F_, W_, lambda_, d_.lowered_.u, clock_},
                           {moved(W_, correction, 0), moved(lambda_, correction, nz_)}, d_.parameters_);
    if (!linear_) return;
    const Exprs rest = newton_step(Exprs(at(nz_)));
    result.refine = Kernel("step_refine", {d_.lowered_.q, W_, lambda_, d_.lowered_.u, clock_},
                           {moved(W_, rest, 0), moved(lambda_, rest, nz_)}, d_.parameters_);
  }

  Kernel pivots() {
    Exprs pivots;
    eliminate(d_.unknowns_, matrix(), Exprs(d_.unknowns_.size()), false, {.pivots = &pivots});
    return {"step_pivots", {d_.lowered_.q, P_, W_, lambda_, d_.lowered_.u, clock_}, {pivots}, d_.parameters_};
  }

 private:
  const Lifted& lifted() const { return d_.lifted_; }

  // All coordinates at the end of the step: q1 as given, the points by variables until derivatives are taken.
  void move_points() {
    const int points = static_cast<int>(lifted().point_values.size());
    x1_ = d_.graph_.variables("x1", points);
    Q1_ = q1_;
    Q1_.insert(Q1_.end(), x1_.begin(), x1_.end());
    for (int i = 0; i < nq_; ++i) q_to_q1_[d_.lowered_.q[at(i)].id()] = q1_[at(i)];
    const Exprs end_points = substitute(lifted().point_values, q_to_q1_);
    for (int k = 0; k < points; ++k) point_at_end_[x1_[at(k)].id()] = end_points[at(k)];
    for (std::size_t i = 0; i < Q1_.size(); ++i) to_end_[lifted().Q[i].id()] = Q1_[i];
  }

  // V(W), first by variables: derivatives are taken with respect to them.
  void write_chord() {
    const std::size_t n = lifted().Q.size();
    chord_ = d_.graph_.variables("chord", static_cast<int>(n));
    ways_.resize(at(nq_));
    Exprs of_groups(at(nq_));  // their chords as functions of W
    for (int f = 0; f < d_.factors(); ++f)
      if (is_by_basis(d_.space(f))) write_chord_of_group(f, of_groups);
    const SparseEntries turning = jacobian(of_groups, W_);
    std::vector<Lifted::Row> turning_rows(at(nq_));
    slopes_.resize(n);
    for (const auto& [i, z, value] : turning) turning_rows[at(i)].emplace_back(z, value);
    for (std::size_t i = 0; i < n; ++i) {
      Expr value;
      for (const auto& [k, coefficient] : lifted().E[i]) {
        value += coefficient * (k < nz_ ? W_[at(k)] : of_groups[at(k - nz_)]);
        if (k < nz_)
          slopes_[i].emplace_back(k, coefficient);
        else
          for (const auto& [z, slope] : turning_rows[at(k - nz_)]) slopes_[i].emplace_back(z, coefficient * slope);
      }
      chord_of_W_[chord_[i].id()] = value;
      if (i < ways_.size() && ways_[i].is_constant(0)) ways_[i] = h_ * value;
    }
    for (int i = 0; i < nq_; ++i) q1_of_W_[q1_[at(i)].id()] = d_.lowered_.q[at(i)] + ways_[at(i)];
  }

  void write_chord_of_group(int f, Exprs& chords) {
    const int begin = d_.lowered_.offsets[at(f)], first = d_.first_increment_[at(f)];
    const Manifold& space = d_.space(f);
    VectorXe q(space.ambient()), turn(space.rates());
    for (int i = 0; i < space.ambient(); ++i) q(i) = d_.lowered_.q[at(begin + i)];
    for (int i = 0; i < space.rates(); ++i) turn(i) = h_ * W_[at(first + i)];
    const VectorXe end = space.retract(q, turn);
    for (int i = 0; i < space.ambient(); ++i) {
      ways_[at(begin + i)] = rest_of(end(i), q(i));
      chords[at(begin + i)] = ways_[at(begin + i)] * inverse_h_;
    }
  }

  void sample(const Quadrature& rule) {
    Exprs force = d_.applied_force_;
    if (rule == Quadrature::trapezoidal && is_worth_keeping(pull_of_potential()))
      F_ = d_.graph_.variables("F", nz_);
    else
      force = sums(d_.potential_force_, force);
    force = sums(d_.kinetic_force_, force);
    discrete_ = discretise(rule, {lifted().Q, lifted().V, Q1_, chord_, d_.lowered_.t, h_}, d_.momentum_, force);
  }

  // A^T (-dU/dQ) where a step begins. Where another one has ended there, it is known.
  Exprs pull_of_potential() const { return substitute(d_.to_increments(d_.potential_force_), d_.point_); }
  Exprs pull_at_end() const {
    Substitution end = q_to_q1_;
    end[d_.lowered_.t.id()] = d_.lowered_.t + h_;
    return substitute(pull_of_potential(), end);
  }

  // Weights and springs are computed as quickly as they are read. Inputs change between steps.
  bool is_worth_keeping(const Exprs& pull) const {
    constexpr std::size_t operations_per_increment = 6;
    std::size_t operations = 0;
    for (const std::uint32_t id : reachable(pull)) operations += arity(Graph::current().node(id).op) > 0 ? 1 : 0;
    if (operations <= operations_per_increment * at(nz_)) return false;
    const Exprs variables = dependencies(pull);
    return std::none_of(variables.begin(), variables.end(), [&](Expr e) {
      return std::find(d_.lowered_.u.begin(), d_.lowered_.u.end(), e) != d_.lowered_.u.end();
    });
  }

  void constrain() {
    const SparseEntries C = jacobian(d_.constraints_, lifted().Q);
    C0_ = Derivation::gathered(d_.to_increments(C));
    C1_ = moving(with_values(C, substitute(values_of(C), to_end_)));
    c1_ = substitute(d_.constraints_, to_end_);
  }

  // With respect to W, from derivatives with respect to the chord or to Q1/h.
  SparseEntries moving(const SparseEntries& entries) const {
    SparseEntries result;
    for (const auto& [row, i, value] : entries)
      for (const auto& [z, slope] : slopes_[at(i)]) result.push_back({row, z, value * slope});
    return Derivation::gathered(std::move(result));
  }

  void linearise() {
    Exprs impulse;
    for (Expr force : discrete_.force_begin) impulse.push_back(-0.5 * h_ * force);
    rest_ = d_.to_increments(impulse);
    for (int z = 0; z < nz_; ++z) rest_[at(z)] -= P_[at(z)];
    for (std::size_t z = 0; z < F_.size(); ++z) rest_[z] -= 0.5 * h_ * F_[z];
    for (const auto& [k, z, value] : C0_) rest_[at(z)] += value * lambda_[at(k)];
    inertial_ = d_.to_increments(discrete_.momentum);
    const Exprs residual = sums(inertial_, rest_);

    SparseEntries slopes = jacobian(residual, chord_);
    for (const auto& [row, i, value] : jacobian(residual, Q1_)) slopes.push_back({row, i, h_ * value});
    jacobian_ = moving(slopes);
    linear_ = is_constant_in_the_step(jacobian_);
    inertia_ = jacobian_;
    Derivation::add_bordered(jacobian_, C0_, nz_, true);
    Derivation::add_bordered(jacobian_, C1_, nz_, false);
  }

  // A diagonal inertia, and for every increment at most one constraint, that no other constraint shares: then each
  // multiplier is the root of a quadratic equation of its own.
  bool is_explicit() const {
    if (!linear_ || nc_ == 0 || !d_.lowered_.constraints.empty() || d_.has_groups()) return false;
    std::vector<int> constraints_of(at(nz_), 0);
    for (const auto& [k, z, value] : C0_) ++constraints_of[at(z)];
    const Exprs second = values_of(jacobian(values_of(jacobian(d_.constraints_, lifted().Q)), lifted().Q));
    return std::all_of(inertia_.begin(), inertia_.end(), [](const Entry& e) { return e.row == e.col; }) &&
           std::all_of(constraints_of.begin(), constraints_of.end(), [](int n) { return n <= 1; }) &&
           dependencies(second).empty();
  }

  // W = W_free + lambda W_pull, c(q0 + h W) = 0: the root near lambda = 0, without cancellation. The slope of
  // c/h is negative there, since constraints pull back.
  std::pair<Exprs, Exprs> closed_form() const {
    Substitution at_rest;
    for (const auto* variables : {&W_, &lambda_})
      for (Expr e : *variables) at_rest[e.id()] = Expr();
    const Exprs free_residual = substitute(residual(), at_rest);
    Exprs free(at(nz_)), pull(at(nz_)), inverse(at(nz_));
    const SparseEntries inertia = finished(inertia_), slopes = finished(C0_);
    for (const auto& [z, same, value] : inertia) inverse[at(z)] = Expr(1.0) / value;
    for (int z = 0; z < nz_; ++z) free[at(z)] = -free_residual[at(z)] * inverse[at(z)];
    std::vector<int> constraint_of(at(nz_), -1);
    for (const auto& [k, z, value] : slopes) {
      pull[at(z)] = -value * inverse[at(z)];
      constraint_of[at(z)] = k;
    }
    Exprs W(at(nz_));
    Substitution moved_W;
    for (int z = 0; z < nz_; ++z) {
      W[at(z)] = free[at(z)];
      if (constraint_of[at(z)] >= 0) W[at(z)] += lambda_[at(constraint_of[at(z)])] * pull[at(z)];
      moved_W[W_[at(z)].id()] = W[at(z)];
    }
    Exprs c = substitute(finished(c1_), moved_W);
    for (Expr& e : c) e *= inverse_h_;  // in either direction of time
    Substitution roots, none;
    Exprs multipliers;
    for (Expr e : lambda_) none[e.id()] = Expr();
    for (int k = 0; k < nc_; ++k) {
      const Exprs variable = {lambda_[at(k)]};
      const Expr slope = gradient(c[at(k)], variable).front();
      const Expr a = 0.5 * gradient(slope, variable).front();
      const Exprs at_zero = substitute(Exprs{slope, c[at(k)]}, none);
      const Expr b = at_zero[0], c0 = at_zero[1];
      multipliers.push_back(-2.0 * c0 / (b - sqrt(b * b - 4.0 * a * c0)));
      roots[lambda_[at(k)].id()] = multipliers.back();
    }
    return {substitute(W, roots), multipliers};
  }

  bool is_constant_in_the_step(const SparseEntries& matrix) const {
    std::unordered_set<std::uint32_t> moving_variables;
    for (const auto* variables : {&q1_, &W_, &lambda_, &x1_, &chord_})
      for (Expr e : *variables) moving_variables.insert(e.id());
    const Exprs variables = dependencies(values_of(matrix));
    return std::none_of(variables.begin(), variables.end(), [&](Expr e) { return moving_variables.contains(e.id()); });
  }

  // In terms of q0, v0, q1, W and the rest of the inputs.
  Exprs in_both_ends(const Exprs& expressions) const {
    return substitute(substitute(substitute(expressions, chord_of_W_), point_at_end_), d_.point_);
  }
  SparseEntries in_both_ends(const SparseEntries& matrix) const {
    return with_values(matrix, in_both_ends(values_of(matrix)));
  }
  // Without q1.
  Exprs finished(const Exprs& expressions) const {
    return substitute(substitute(substitute(substitute(expressions, chord_of_W_), point_at_end_), q1_of_W_), d_.point_);
  }
  SparseEntries finished(const SparseEntries& matrix) const { return with_values(matrix, finished(values_of(matrix))); }

  // The first rows of the equations.
  Exprs residual() const { return sums(free_of_attitudes(finished(inertial_)), finished(rest_)); }

  SparseEntries matrix() const {
    const SparseEntries matrix = finished(jacobian_);
    return with_values(matrix, free_of_attitudes(values_of(matrix)));
  }

  // With R^T R = I: rounding makes R^T R a little different from I, more so with every step, and P would feel that.
  Exprs free_of_attitudes(const Exprs& expressions) const {
    if (!d_.has_groups()) return expressions;
    Exprs variables = W_;
    variables.insert(variables.end(), lambda_.begin(), lambda_.end());
    variables.insert(variables.end(), {h_, inverse_h_});
    return simplify_invariants(expressions, d_.model_, d_.lowered_, variables, d_.parameters_);
  }

  Exprs newton_step(const Exprs& first_rows) const {
    Exprs b;
    for (Expr row : first_rows) b.push_back(-row);
    for (Expr c : finished(c1_)) b.push_back(-(c * inverse_h_));
    return eliminate(d_.unknowns_, matrix(), std::move(b), false);
  }

  static Exprs moved(Exprs unknowns, const Exprs& correction, int first) {
    for (std::size_t i = 0; i < unknowns.size(); ++i) unknowns[i] += correction[at(first) + i];
    return unknowns;
  }

  // The rates of z that belong to v0.
  Exprs prediction() const {
    Exprs guess(at(nz_));
    for (std::size_t i = 0; i < lifted().E.size(); ++i) {
      const Lifted::Row& row = lifted().E[i];
      if (row.size() == 1 && row.front().first < nz_ && row.front().second.is_constant(1))
        guess[at(row.front().first)] = lifted().V[i];
    }
    for (int f = 0; f < d_.factors(); ++f)
      if (is_by_basis(d_.space(f))) predict_group(f, guess);
    return substitute(guess, d_.point_);
  }

  // B^T B xi = B^T v
  void predict_group(int f, Exprs& guess) const {
    const Manifold& space = d_.space(f);
    const int begin = d_.lowered_.offsets[at(f)];
    const Eigen::Map<const VectorXe> q(d_.lowered_.q.data() + begin, space.ambient());
    const Eigen::Map<const VectorXe> v(d_.lowered_.v.data() + begin, space.ambient());
    const MatrixXe B = space.basis(q), gram = B.transpose() * B;
    const VectorXe right = B.transpose() * v;
    SparseEntries entries;
    for (int i = 0; i < gram.rows(); ++i)
      for (int j = 0; j < gram.cols(); ++j) entries.push_back({i, j, gram(i, j)});
    const Exprs xi = eliminate(std::vector<Unknown>(at(space.rates())), entries, {right.begin(), right.end()}, true);
    std::copy(xi.begin(), xi.end(), guess.begin() + d_.first_increment_[at(f)]);
  }

  // P1 - P0 = (A1 - A0)^T p + h/2 (A1^T f1 + A0^T f0) - C0^T lambda: a sum of small terms. What Newton's method leaves
  // of the first equation does not enter P, and changes a momentum map only by as much as the step turns it.
  Exprs impulse() const {
    const std::vector<Lifted::Row>&rows = lifted().A, rows1 = rows_at_end();
    const Exprs growth = growth_of_rows(rows, rows1);
    auto next = growth.begin();
    Exprs turning(at(nz_)), result(at(nz_));
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t k = 0; k < rows[i].size(); ++k) {
        const auto& [z, before] = rows[i][k];
        const Expr after = rows1[i][k].second;
        if (before == after) {
          result[at(z)] += before * (0.5 * h_ * (discrete_.force_end[i] + discrete_.force_begin[i]));
        } else {
          turning[at(z)] += *next++ * discrete_.momentum[i];
          result[at(z)] += 0.5 * h_ * (after * discrete_.force_end[i] + before * discrete_.force_begin[i]);
        }
      }
    for (const auto& [k, z, value] : C0_) result[at(z)] -= value * lambda_[at(k)];
    if (!F_.empty()) {
      const Exprs F1 = pull_at_end();
      for (std::size_t z = 0; z < F_.size(); ++z) result[z] += 0.5 * h_ * (F1[z] + F_[z]);
    }
    return sums(free_of_attitudes(finished(turning)), in_both_ends(result));
  }

  // The entries of A1 - A0 that are not zero. They follow from q1 - q0, without cancellation, where A is linear in q:
  // for all groups that there are.
  Exprs growth_of_rows(const std::vector<Lifted::Row>& rows, const std::vector<Lifted::Row>& rows1) const {
    Exprs before, growth;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t k = 0; k < rows[i].size(); ++k) {
        if (rows[i][k].second == rows1[i][k].second) continue;
        before.push_back(rows[i][k].second);
        growth.push_back(rows1[i][k].second - rows[i][k].second);
      }
    const SparseEntries slopes = jacobian(before, d_.lowered_.q);
    if (!d_.is_constant(slopes)) return growth;
    growth.assign(before.size(), Expr());
    for (const auto& [row, i, slope] : slopes) growth[at(row)] += slope * ways_[at(i)];
    return growth;
  }

  // The velocity that belongs to P.
  Exprs velocity() const {
    const Exprs at_rest = d_.to_increments(d_.momentum_at_rest());
    Exprs b = P_;
    for (std::size_t z = 0; z < b.size(); ++z) b[z] -= at_rest[z];
    b.resize(d_.unknowns_.size());
    // Not simplified by R^T R = I: what rounding leaves of R^T R - I would multiply the momentum in every step.
    SparseEntries matrix = Derivation::gathered(d_.mass());
    const SparseEntries C = Derivation::gathered(d_.to_increments(jacobian(d_.constraints_, lifted().Q)));
    Derivation::add_bordered(matrix, C, nz_, true);
    Derivation::add_bordered(matrix, C, nz_, false);
    const Exprs rates = eliminate(d_.unknowns_, with_values(matrix, substitute(values_of(matrix), d_.point_)),
                                  substitute(b, d_.point_), true);
    Exprs v(at(nq_));
    for (int i = 0; i < nq_; ++i)
      for (const auto& [z, coefficient] : lifted().A[at(i)]) v[at(i)] += coefficient * rates[at(z)];
    return v;
  }

  std::vector<Lifted::Row> rows_at_end() const {
    Exprs coefficients;
    for (const auto& row : lifted().A)
      for (const auto& [z, coefficient] : row) coefficients.push_back(coefficient);
    coefficients = substitute(coefficients, q_to_q1_);
    std::vector<Lifted::Row> rows = lifted().A;
    auto next = coefficients.begin();
    for (auto& row : rows)
      for (auto& [z, coefficient] : row) coefficient = *next++;
    return rows;
  }

  Derivation& d_;
  int nq_, nz_, nc_;
  Exprs q1_, P_, W_, lambda_;
  Exprs F_;  // the pull of the potential where the step begins, if it is kept from the last one
  Expr h_, inverse_h_;
  Exprs clock_, x1_, Q1_, chord_;
  Exprs ways_;  // q1 - q0 as functions of W
  DiscreteLagrangian discrete_;
  Exprs c1_;
  Exprs inertial_, rest_;  // of the first rows
  SparseEntries C0_, C1_, jacobian_, inertia_;
  std::vector<Lifted::Row> slopes_;  // of the chord, with respect to W
  Substitution q_to_q1_, point_at_end_, to_end_, chord_of_W_, q1_of_W_;
  bool linear_ = false;
};

StepKernels Derivation::step(const Quadrature& rule) { return StepDerivation(*this, rule).kernels(); }

Kernel Derivation::step_pivots(const Quadrature& rule) { return StepDerivation(*this, rule).pivots(); }

}  // namespace hamel
