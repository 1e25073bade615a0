#include "hamel/mechanics/reduced.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/linear/dense.hpp"
#include "hamel/mechanics/expressions.hpp"
#include "mechanics/discrete.hpp"

namespace hamel {
namespace {

constexpr double singular = 1e-14;  // of pivots in their units, and of the inertias of coordinates

double least_inertia(const MatrixXd& matrix, int coordinates) {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (Eigen::Index i = 0; i < coordinates; ++i) {
    const double size = matrix.row(i).head(coordinates).lpNorm<Eigen::Infinity>();
    largest = std::max(largest, size);
    if (size > 0) smallest = std::min(smallest, size);
  }
  return largest > 0 ? smallest / largest : 1;
}

void factorise(linear::Lu& lu, const MatrixXd& matrix, int coordinates, double t) {
  linear::factorise(lu, matrix);
  const auto [smallest, largest] = linear::pivots(lu);
  const double inertia = least_inertia(matrix, coordinates);
  if (smallest > singular * largest && inertia > singular) return;
  throw std::runtime_error(
      fmt::format("the equations of motion are singular at t = {:.6g}: smallest pivot {:.2e}, largest {:.2e}; "
                  "a direction without inertia, or redundant constraints",
                  t, smallest > singular * largest ? inertia : smallest, largest));
}

}  // namespace

Reduced::Reduced(const Model& model, const LoweredModel& lowered, const Parameters& parameters, const Quadrature& rule)
    : ambient_(static_cast<int>(lowered.q.size())), constraints_(static_cast<int>(lowered.constraints.size())) {
  if (!lowered.hamiltonian.empty()) {
    if (rule != Quadrature::trapezoidal)
      throw std::invalid_argument(fmt::format(
          "a system that is given by a Hamiltonian has the trapezoidal rule only: give a Lagrangian for the {} rule",
          rule.name));
    hamilton_ = std::make_shared<Hamilton>(model, lowered, parameters);
    return;
  }
  Graph& graph = Graph::current();
  const Exprs &q = lowered.q, &v = lowered.v, &u = lowered.u;
  const Expr t = lowered.t;
  const Expr L = sum(lowered.kinetic) + sum(lowered.lagrangian) - sum(lowered.potential);
  const Exprs p = gradient(L, v), L_q = gradient(L, q);
  const SparseEntries H = jacobian(p, v);

  const Exprs f = applied_force(lowered.forces, lowered.rayleigh, v);

  Exprs x = q, rates = v;
  x.push_back(t);
  rates.push_back(Expr(1.0));
  const Exprs drift = directional_derivative(p, x, rates);  // L_vq v + L_vt
  Exprs b(p.size());
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = L_q[i] + f[i] - drift[i];

  const Exprs& c = lowered.constraints;
  const Exprs G = dense(jacobian(c, q), constraints_, ambient_);
  const Exprs c_rate = directional_derivative(directional_derivative(c, q, v), q, v);
  dynamics_ = Kernel("dynamics", {q, v, u, {t}}, {b, dense(H, ambient_, ambient_), G, c_rate}, parameters);
  fibre_ = Kernel("fibre", {q, v, {t}}, {p, dense(H, ambient_, ambient_)}, parameters);
  constraint_ = Kernel("constraint", {q}, {c, G}, parameters);

  const Exprs q1 = graph.variables("q1", ambient_);
  const Expr h = graph.variable("h");
  Exprs force = L_q, chord(p.size());
  for (std::size_t i = 0; i < force.size(); ++i) {
    force[i] += f[i];
    chord[i] = (q1[i] - q[i]) / h;
  }
  const DiscreteLagrangian discrete = discretise(rule, {q, v, q1, chord, t, h}, p, force);
  Exprs minus_D1 = discrete.momentum, D2 = discrete.momentum;
  for (std::size_t i = 0; i < p.size(); ++i) {
    minus_D1[i] -= 0.5 * h * discrete.force_begin[i];
    D2[i] += 0.5 * h * discrete.force_end[i];
  }
  discrete_begin_ = Kernel("discrete_begin", {q, q1, u, {t, h}},
                           {minus_D1, dense(jacobian(minus_D1, q1), ambient_, ambient_)}, parameters);
  discrete_end_ = Kernel("discrete_end", {q, q1, u, {t, h}}, {D2}, parameters);
}

Reduced Reduced::of_constraints(const LoweredModel& lowered, const Parameters& parameters) {
  Reduced result;
  result.ambient_ = static_cast<int>(lowered.q.size());
  result.constraints_ = static_cast<int>(lowered.constraints.size());
  const Exprs G = dense(jacobian(lowered.constraints, lowered.q), result.constraints_, result.ambient_);
  result.constraint_ = Kernel("constraint", {lowered.q}, {lowered.constraints, G}, parameters);
  return result;
}

void Reduced::set_parameters(In values) {
  for (Kernel* kernel : {&dynamics_, &fibre_, &constraint_, &discrete_begin_, &discrete_end_})
    kernel->set_parameters(values);
  if (!by_hamiltonian()) return;
  auto hamilton = std::make_shared<Hamilton>(*hamilton_);
  hamilton->set_parameters(values);
  hamilton_ = std::move(hamilton);
}

Reduced::Workspace Reduced::workspace(const Geometry& geometry) const {
  Workspace w;
  if (by_hamiltonian()) w.hamilton = hamilton_->workspace();
  std::size_t scratch = 1;
  for (const auto& programs : {motion_programs(), step_programs()})
    for (const Program* program : programs) scratch = std::max(scratch, program->scratch_size());
  const int d = geometry.dimension(), n = d + constraints_, a = geometry.ambient();
  for (VectorXd* x : {&w.b, &w.p, &w.gamma, &w.residual}) *x = VectorXd::Zero(a);
  w.scratch = VectorXd::Zero(static_cast<Eigen::Index>(scratch));
  w.c = w.c_rate = VectorXd::Zero(constraints_);
  w.solution = w.rhs = VectorXd::Zero(n);
  w.G = MatrixXd::Zero(constraints_, a);
  if (empty()) return w;
  w.H = w.jacobian = MatrixXd::Zero(a, a);
  w.HN = MatrixXd::Zero(a, d);
  w.GN = MatrixXd::Zero(constraints_, d);
  w.matrix = MatrixXd::Zero(n, n);
  w.lu = linear::Lu(n);
  return w;
}

std::vector<const Program*> Reduced::constraint_programs() const {
  return constraint_.empty() ? std::vector<const Program*>() : std::vector{&constraint_.program()};
}

std::vector<const Program*> Reduced::motion_programs() const {
  if (by_hamiltonian()) return hamilton_->programs();
  if (empty()) return constraint_programs();
  return {&dynamics_.program(), &fibre_.program(), &constraint_.program()};
}

std::vector<const Program*> Reduced::legendre_programs() const {
  if (by_hamiltonian()) return hamilton_->programs();
  if (empty()) return constraint_programs();
  return {&fibre_.program(), &constraint_.program()};
}

std::vector<const Program*> Reduced::step_programs() const {
  if (by_hamiltonian()) return hamilton_->programs();
  if (empty()) return constraint_programs();
  return {&discrete_begin_.program(), &discrete_end_.program(), &constraint_.program()};
}

namespace {

// [ N^T H N  (G N)^T ; G N  0 ], the products by blocks of factors.
void assemble(const Geometry& geometry, const Geometry::Workspace& g, Reduced::Workspace& w, const MatrixXd& H) {
  const int d = geometry.dimension();
  const auto m = w.G.rows();
  for (int f = 0; f < geometry.factors(); ++f) {
    const MatrixXd& N = g.N[at(f)];
    w.HN.middleCols(geometry.tangent_offset(f), N.cols()).noalias() = H.middleCols(geometry.offset(f), N.rows()) * N;
    w.GN.middleCols(geometry.tangent_offset(f), N.cols()).noalias() = w.G.middleCols(geometry.offset(f), N.rows()) * N;
  }
  for (int f = 0; f < geometry.factors(); ++f) {
    const MatrixXd& N = g.N[at(f)];
    w.matrix.block(geometry.tangent_offset(f), 0, N.cols(), d).noalias() =
        N.transpose() * w.HN.middleRows(geometry.offset(f), N.rows());
  }
  if (m == 0) return;
  w.matrix.topRightCorner(d, m) = w.GN.transpose();
  w.matrix.bottomLeftCorner(m, d) = w.GN;
  w.matrix.bottomRightCorner(m, m).setZero();
}

void to_tangent(const Geometry& geometry, const Geometry::Workspace& g, In x, Out result) {
  for (int f = 0; f < geometry.factors(); ++f)
    result.segment(geometry.tangent_offset(f), g.N[at(f)].cols()).noalias() =
        g.N[at(f)].transpose() * x.segment(geometry.offset(f), g.N[at(f)].rows());
}

void from_tangent(const Geometry& geometry, const Geometry::Workspace& g, In x, Out result) {
  for (int f = 0; f < geometry.factors(); ++f)
    result.segment(geometry.offset(f), g.N[at(f)].rows()).noalias() =
        g.N[at(f)] * x.segment(geometry.tangent_offset(f), g.N[at(f)].cols());
}

}  // namespace

void Reduced::acceleration(const Geometry& geometry, Geometry::Workspace& g, Workspace& w, double t, In q, In v, In u,
                           Out a, Out multipliers) const {
  dynamics_.run<4, 4>({q.data(), v.data(), u.data(), &t}, {w.b.data(), w.H.data(), w.G.data(), w.c_rate.data()},
                      w.scratch.data());
  geometry.bases(q, g);
  geometry.curvature(q, v, g, w.gamma);
  assemble(geometry, g, w, w.H);
  w.b.noalias() -= w.H * w.gamma;
  const int d = geometry.dimension();
  to_tangent(geometry, g, w.b, w.rhs.head(d));
  w.rhs.tail(constraints_).noalias() = -w.c_rate - w.G * w.gamma;
  factorise(w.lu, w.matrix, geometry.dimension(), t);
  linear::solve(w.lu, w.rhs, w.solution);
  from_tangent(geometry, g, w.solution.head(d), a);
  a += w.gamma;
  multipliers = w.solution.tail(constraints_);
}

void Reduced::velocity(const Geometry& geometry, Geometry::Workspace& g, Workspace& w, double t, In q, In p,
                       Out v) const {
  constexpr int most_iterations = 50;
  constraint(w, q);
  geometry.bases(q, g);
  const int d = geometry.dimension();
  v.setZero();
  double previous = std::numeric_limits<double>::infinity();
  const auto evaluate = [&] { fibre_.run<3, 2>({q.data(), v.data(), &t}, {w.p.data(), w.H.data()}, w.scratch.data()); };
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    evaluate();
    // A step may lead out of the domain of L, such as beyond the speed of light.
    for (int halved = 0; iteration > 0 && halved < most_iterations && !w.p.allFinite(); ++halved) {
      w.gamma *= 0.5;
      v -= w.gamma;
      evaluate();
    }
    assemble(geometry, g, w, w.H);
    w.b = p - w.p;
    to_tangent(geometry, g, w.b, w.rhs.head(d));
    w.rhs.tail(constraints_).noalias() = -w.G * v;
    factorise(w.lu, w.matrix, geometry.dimension(), t);
    linear::solve(w.lu, w.rhs, w.solution);
    from_tangent(geometry, g, w.solution.head(d), w.gamma);
    v += w.gamma;
    const double correction = w.gamma.lpNorm<Eigen::Infinity>();
    // A momentum without a tangent part has digits of no velocity.
    const double size = v.lpNorm<Eigen::Infinity>() + p.lpNorm<Eigen::Infinity>() / w.H.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(correction)) break;
    if (correction <= 1e-15 * size || (correction >= previous && correction <= 1e-10 * size)) return;
    previous = correction;
  }
  throw std::runtime_error(
      fmt::format("no velocity belongs to this momentum at t = {:.6g}: Newton's method for the Legendre transform "
                  "did not converge (last correction {:.2e}); the momentum may lie outside its range",
                  t, previous));
}

void Reduced::constraint(Workspace& w, In q) const {
  if (constraints_ > 0) constraint_.run<1, 2>({q.data()}, {w.c.data(), w.G.data()}, w.scratch.data());
}

void Reduced::restoring_change(const Geometry& geometry, Geometry::Workspace& g, Workspace& w, double t, In q,
                               Out change) const {
  constraint(w, q);
  geometry.bases(q, g);
  w.gamma.setZero();
  fibre_.run<3, 2>({q.data(), w.gamma.data(), &t}, {w.p.data(), w.H.data()}, w.scratch.data());
  assemble(geometry, g, w, w.H);
  w.rhs.head(geometry.dimension()).setZero();
  w.rhs.tail(constraints_) = -w.c;
  factorise(w.lu, w.matrix, geometry.dimension(), t);
  linear::solve(w.lu, w.rhs, w.solution);
  from_tangent(geometry, g, w.solution.head(geometry.dimension()), change);
}

void Reduced::discrete_begin(Workspace& w, double t, double h, In q0, In q1, In u) const {
  if (by_hamiltonian()) return hamilton_->discrete_begin(w.hamilton, t, h, q0, q1, u, w.residual, w.jacobian);
  const std::array clock{t, h};
  discrete_begin_.run<4, 2>({q0.data(), q1.data(), u.data(), clock.data()}, {w.residual.data(), w.jacobian.data()},
                            w.scratch.data());
}

void Reduced::discrete_end(Workspace& w, double t, double h, In q0, In q1, In u, Out p1) const {
  if (by_hamiltonian()) return hamilton_->discrete_end(w.hamilton, t, h, q0, q1, u, p1);
  const std::array clock{t, h};
  discrete_end_.run<4, 1>({q0.data(), q1.data(), u.data(), clock.data()}, {p1.data()}, w.scratch.data());
}

MatrixXd Reduced::mass(const Geometry& geometry, double t, In q, In v) const {
  auto g = geometry.workspace();
  auto w = workspace(geometry);
  fibre_.run<3, 2>({q.data(), v.data(), &t}, {w.p.data(), w.H.data()}, w.scratch.data());
  geometry.bases(q, g);
  assemble(geometry, g, w, w.H);
  return w.matrix.topLeftCorner(geometry.dimension(), geometry.dimension());
}

}  // namespace hamel
