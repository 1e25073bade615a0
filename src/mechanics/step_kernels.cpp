#include "mechanics/derivation.hpp"

namespace hamel {

StepKernels Derivation::step() {
  const int nq = static_cast<int>(lowered_.q.size()), nz = increments(), nc = static_cast<int>(constraints_.size());
  StepKernels kernels;
  kernels.increments = nz;
  kernels.multipliers = nc;

  const Exprs q1 = graph_.variables("q1", nq), W = graph_.variables("W", nz), lambda = graph_.variables("lambda", nc);
  const Expr h = graph_.variable("h"), inverse_h = graph_.variable("1/h");
  const Exprs clock = {lowered_.t, h, inverse_h};
  const Exprs& q0 = lowered_.q;
  const Exprs& v0 = lowered_.v;

  // All coordinates at the end of the step: q1 as given, the points by variables until derivatives are taken.
  const int points = static_cast<int>(lifted_.point_values.size());
  const Exprs X1 = graph_.variables("x1", points);
  Exprs Q1 = q1;
  Q1.insert(Q1.end(), X1.begin(), X1.end());
  std::unordered_map<std::uint32_t, Expr> q_to_q1, point_at_end;
  for (int i = 0; i < nq; ++i) q_to_q1[q0[at(i)].id()] = q1[at(i)];
  const Exprs end_points = substitute(lifted_.point_values, q_to_q1);
  for (int k = 0; k < points; ++k) point_at_end[X1[at(k)].id()] = end_points[at(k)];

  Exprs chord(lifted_.Q.size());
  for (int i = 0; i < static_cast<int>(chord.size()); ++i) chord[at(i)] = apply_row(i, W);
  std::unordered_map<std::uint32_t, Expr> q1_of_W;
  Exprs q1_values;
  for (int i = 0; i < nq; ++i) {
    q1_values.push_back(q0[at(i)] + h * chord[at(i)]);
    q1_of_W[q1[at(i)].id()] = q1_values.back();
  }
  std::unordered_map<std::uint32_t, Expr> begin, end;
  for (std::size_t i = 0; i < chord.size(); ++i) {
    begin[lifted_.V[i].id()] = end[lifted_.V[i].id()] = chord[i];
    end[lifted_.Q[i].id()] = Q1[i];
  }
  end[lowered_.t.id()] = lowered_.t + h;

  Exprs force = kinetic_force_;
  for (std::size_t i = 0; i < force.size(); ++i) force[i] += other_force_[i];
  const Exprs p_begin = substitute(momentum_, begin), p_end = substitute(momentum_, end);
  const Exprs force_begin = substitute(force, begin), force_end = substitute(force, end);
  Exprs mean(p_begin.size());  // -D1 L_d is this minus h/2 force_begin, D2 L_d this plus h/2 force_end
  for (std::size_t i = 0; i < mean.size(); ++i)
    mean[i] = p_begin[i] == p_end[i] ? p_begin[i] : 0.5 * (p_begin[i] + p_end[i]);

  const SparseEntries C0 = gathered(to_increments(jacobian(constraints_, lifted_.Q)));
  std::unordered_map<std::uint32_t, Expr> configuration_at_end;
  for (std::size_t i = 0; i < Q1.size(); ++i) configuration_at_end[lifted_.Q[i].id()] = Q1[i];
  SparseEntries C1 = C0;
  Exprs values;
  for (const Entry& entry : C0) values.push_back(entry.value);
  values = substitute(values, configuration_at_end);
  for (std::size_t i = 0; i < C1.size(); ++i) C1[i].value = values[i];
  const Exprs c1 = substitute(constraints_, configuration_at_end);

  Exprs residual(mean.size());
  for (std::size_t i = 0; i < mean.size(); ++i) residual[i] = mean[i] - 0.5 * h * force_begin[i] - momentum_[i];
  Exprs r = to_increments(residual);
  for (const auto& [k, z, value] : C0) r[at(z)] += value * lambda[at(k)];

  // The Jacobian, with Q1 moving by h A W.
  SparseEntries J = jacobian(r, W);
  for (const auto& [row, z, value] : to_increments(jacobian(r, Q1))) J.push_back({row, z, h * value});
  J = gathered(J);
  Exprs linear;
  for (const auto& entry : J) linear.push_back(entry.value);
  std::unordered_set<std::uint32_t> moving;
  for (const auto* variables : {&q1, &W, &lambda, &X1})
    for (Expr e : *variables) moving.insert(e.id());
  const Exprs variables = dependencies(linear);
  const bool is_linear =
      std::none_of(variables.begin(), variables.end(), [&](Expr e) { return moving.contains(e.id()); });

  add_bordered(J, C0, nz, true);
  add_bordered(J, C1, nz, false);
  const auto finished = [&](const Exprs& expressions) {
    return substitute(substitute(substitute(expressions, point_at_end), q1_of_W), point_);
  };
  const auto newton_step = [&](const Exprs& first_rows) {
    Exprs entries, b;
    for (const auto& entry : J) entries.push_back(entry.value);
    entries = finished(entries);
    SparseEntries matrix = J;
    for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i].value = entries[i];
    for (Expr row : finished(first_rows)) b.push_back(-row);
    for (Expr c : finished(c1)) b.push_back(-(c * inverse_h));
    return eliminate(unknowns_, matrix, std::move(b), false);
  };
  const auto moved = [&](const Exprs& correction) {
    Exprs result;
    for (int z = 0; z < nz; ++z) result.push_back(W[at(z)] + correction[at(z)]);
    return result;
  };

  const Exprs first = newton_step(r);
  Exprs lambda_next;
  for (int k = 0; k < nc; ++k) lambda_next.push_back(lambda[at(k)] + first[at(nz + k)]);
  kernels.newton =
      Kernel("step_newton", {q0, v0, W, lambda, lowered_.u, clock}, {moved(first), lambda_next}, parameters_);
  if (is_linear)
    kernels.refine = Kernel("step_refine", {q0, W, clock}, {moved(newton_step(Exprs(at(nz))))}, parameters_);

  Exprs guess(at(nz));
  for (std::size_t i = 0; i < lifted_.A.size(); ++i)
    if (lifted_.A[i].size() == 1 && lifted_.A[i].front().second.is_constant(1))
      guess[at(lifted_.A[i].front().first)] = lifted_.V[i];
  kernels.predict = Kernel("step_predict", {v0}, {substitute(guess, point_)}, parameters_);

  // The momentum at the end, and the velocity that belongs to it.
  Exprs covector(mean.size());
  const Exprs at_rest = substitute(momentum_at_rest(), end);
  for (std::size_t i = 0; i < mean.size(); ++i) covector[i] = mean[i] + 0.5 * h * force_end[i] - at_rest[i];
  Exprs b = finished(to_increments(covector));
  b.resize(unknowns_.size());
  SparseEntries matrix = gathered(mass());
  add_bordered(matrix, C1, nz, true);
  add_bordered(matrix, C1, nz, false);
  Exprs entries;
  for (const auto& entry : matrix) entries.push_back(entry.value);
  entries = finished(entries);
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i].value = entries[i];
  const Exprs rates = eliminate(unknowns_, matrix, std::move(b), true);
  Exprs v1;
  for (int i = 0; i < nq; ++i) v1.push_back(apply_row(i, rates));
  kernels.finish = Kernel("step_finish", {q0, W, lowered_.u, clock}, {q1_values, v1}, parameters_);
  return kernels;
}

}  // namespace hamel
