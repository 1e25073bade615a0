#include "hamel/derive/reduced.hpp"

#include "derive/discrete.hpp"
#include "hamel/derive/formulation.hpp"

namespace hamel {

namespace {

// The first derivatives of L, and the forces.
struct FirstDerivatives {
  explicit FirstDerivatives(const LoweredModel& lowered) {
    const Expr L = sum(lowered.kinetic) + sum(lowered.lagrangian) - sum(lowered.potential);
    p = gradient(L, lowered.v);
    force = sums(gradient(L, lowered.q), applied_force(lowered.forces, lowered.rayleigh, lowered.v));
  }
  Exprs p, force;  // dL/dv and dL/dq + f
};

}  // namespace

ReducedKernels reduced_kernels(const LoweredModel& lowered, const Parameters& parameters) {
  const Exprs &q = lowered.q, &v = lowered.v, &u = lowered.u, &c = lowered.constraints;
  const Expr t = lowered.t;
  const auto [p, force] = FirstDerivatives(lowered);
  const int a = static_cast<int>(q.size()), m = static_cast<int>(c.size());
  const Exprs H = dense(jacobian(p, v), a, a);

  Exprs x = q, rates = v;
  x.push_back(t);
  rates.push_back(Expr(1.0));
  const Exprs drift = directional_derivative(p, x, rates);  // L_vq v + L_vt
  Exprs b = force;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] -= drift[i];

  const Exprs G = dense(jacobian(c, q), m, a);
  const Exprs c_rate = directional_derivative(directional_derivative(c, q, v), q, v);
  ReducedKernels result;
  result.dynamics = Kernel("dynamics", {q, v, u, {t}}, {b, H, G, c_rate}, parameters);
  result.fibre = Kernel("fibre", {q, v, {t}}, {p, H}, parameters);
  return result;
}

void ReducedKernels::set_parameters(In values) {
  for (Kernel* kernel : {&dynamics, &fibre}) kernel->set_parameters(values);
}

DiscreteKernels discrete_kernels(const Model& model, const Quadrature& rule) {
  const Sheet sheet(model);
  const LoweredModel& lowered = sheet.lowered;
  const Exprs &q = lowered.q, &u = lowered.u;
  const Expr t = lowered.t, h = Graph::current().variable("h");
  const auto [p, force] = FirstDerivatives(lowered);
  const int a = static_cast<int>(q.size());
  const Exprs q1 = Graph::current().variables("q1", a);
  Exprs chord(p.size());
  for (std::size_t i = 0; i < chord.size(); ++i) chord[i] = (q1[i] - q[i]) / h;

  const DiscreteLagrangian discrete = discretise(rule, {q, lowered.v, q1, chord, t, h}, p, force);
  Exprs minus_D1 = discrete.momentum, D2 = discrete.momentum;
  for (std::size_t i = 0; i < p.size(); ++i) {
    minus_D1[i] -= 0.5 * h * discrete.force_begin[i];
    D2[i] += 0.5 * h * discrete.force_end[i];
  }
  return {.begin = Kernel("discrete_begin", {q, q1, u, {t, h}}, {minus_D1, dense(jacobian(minus_D1, q1), a, a)},
                          sheet.parameters),
          .end = Kernel("discrete_end", {q, q1, u, {t, h}}, {D2}, sheet.parameters)};
}

void DiscreteKernels::set_parameters(In values) {
  for (Kernel* kernel : {&begin, &end}) kernel->set_parameters(values);
}

}  // namespace hamel
