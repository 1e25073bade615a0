#include "hamel/mechanics/reduced.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/linear/dense.hpp"
#include "hamel/model/index.hpp"

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

Reduced::Workspace Reduced::workspace() const {
  Workspace w;
  const int d = geometry_->dimension(), m = constraints_.size(), n = d + m, a = geometry_->ambient();
  const std::size_t scratch =
      std::max(kernels_.dynamics.program().scratch_size(), kernels_.fibre.program().scratch_size());
  w.scratch = VectorXd::Zero(static_cast<Eigen::Index>(scratch));
  for (VectorXd* x : {&w.b, &w.p, &w.gamma}) *x = VectorXd::Zero(a);
  w.c_rate = VectorXd::Zero(m);
  w.solution = w.rhs = VectorXd::Zero(n);
  w.H = MatrixXd::Zero(a, a);
  w.HN = MatrixXd::Zero(a, d);
  w.G = MatrixXd::Zero(m, a);
  w.GN = MatrixXd::Zero(m, d);
  w.matrix = MatrixXd::Zero(n, n);
  w.lu = linear::Lu(n);
  w.geometry = geometry_->workspace();
  w.constraint = constraints_.workspace();
  return w;
}

void Reduced::set_parameters(In values) {
  kernels_.set_parameters(values);
  constraints_.set_parameters(values);
}

std::vector<const Program*> Reduced::legendre_programs() const {
  std::vector<const Program*> all{&kernels_.fibre.program()};
  for (const Program* program : constraints_.programs()) all.push_back(program);
  return all;
}

std::vector<const Program*> Reduced::programs() const {
  std::vector<const Program*> all = legendre_programs();
  all.push_back(&kernels_.dynamics.program());
  return all;
}

// [ N^T H N  (G N)^T ; G N  0 ], the products by blocks of factors.
void Reduced::assemble(Workspace& w) const {
  const int d = geometry_->dimension();
  const auto m = w.G.rows();
  for (int f = 0; f < geometry_->factors(); ++f) {
    const MatrixXd& N = w.geometry.N[at(f)];
    const int begin = geometry_->offset(f), col = geometry_->tangent_offset(f);
    w.HN.middleCols(col, N.cols()).noalias() = w.H.middleCols(begin, N.rows()) * N;
    w.GN.middleCols(col, N.cols()).noalias() = w.G.middleCols(begin, N.rows()) * N;
  }
  for (int f = 0; f < geometry_->factors(); ++f) {
    const MatrixXd& N = w.geometry.N[at(f)];
    w.matrix.block(geometry_->tangent_offset(f), 0, N.cols(), d).noalias() =
        N.transpose() * w.HN.middleRows(geometry_->offset(f), N.rows());
  }
  if (m == 0) return;
  w.matrix.topRightCorner(d, m) = w.GN.transpose();
  w.matrix.bottomLeftCorner(m, d) = w.GN;
  w.matrix.bottomRightCorner(m, m).setZero();
}

void Reduced::to_tangent(const Workspace& w, In x, Out result) const {
  for (int f = 0; f < geometry_->factors(); ++f) {
    const MatrixXd& N = w.geometry.N[at(f)];
    result.segment(geometry_->tangent_offset(f), N.cols()).noalias() =
        N.transpose() * x.segment(geometry_->offset(f), N.rows());
  }
}

void Reduced::from_tangent(const Workspace& w, In x, Out result) const {
  for (int f = 0; f < geometry_->factors(); ++f) {
    const MatrixXd& N = w.geometry.N[at(f)];
    result.segment(geometry_->offset(f), N.rows()).noalias() = N * x.segment(geometry_->tangent_offset(f), N.cols());
  }
}

void Reduced::acceleration(Workspace& w, double t, In q, In v, In u, Out a, Out multipliers) const {
  kernels_.dynamics.run<4, 4>({q.data(), v.data(), u.data(), &t}, {w.b.data(), w.H.data(), w.G.data(), w.c_rate.data()},
                              w.scratch.data());
  geometry_->bases(q, w.geometry);
  geometry_->curvature(q, v, w.geometry, w.gamma);
  assemble(w);
  w.b.noalias() -= w.H * w.gamma;
  const int d = geometry_->dimension();
  to_tangent(w, w.b, w.rhs.head(d));
  w.rhs.tail(constraints_.size()).noalias() = -w.c_rate - w.G * w.gamma;
  factorise(w.lu, w.matrix, geometry_->dimension(), t);
  linear::solve(w.lu, w.rhs, w.solution);
  from_tangent(w, w.solution.head(d), a);
  a += w.gamma;
  multipliers = w.solution.tail(constraints_.size());
}

void Reduced::velocity(Workspace& w, double t, In q, In p, Out v) const {
  constexpr int most_iterations = 50;
  constraints_.evaluate(w.constraint, q);
  w.constraint.G.put_into(w.G);
  geometry_->bases(q, w.geometry);
  const int d = geometry_->dimension();
  v.setZero();
  double previous = std::numeric_limits<double>::infinity();
  const auto evaluate = [&] {
    kernels_.fibre.run<3, 2>({q.data(), v.data(), &t}, {w.p.data(), w.H.data()}, w.scratch.data());
  };
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    evaluate();
    // A step may lead out of the domain of L, such as beyond the speed of light.
    for (int halved = 0; iteration > 0 && halved < most_iterations && !w.p.allFinite(); ++halved) {
      w.gamma *= 0.5;
      v -= w.gamma;
      evaluate();
    }
    assemble(w);
    w.b = p - w.p;
    to_tangent(w, w.b, w.rhs.head(d));
    w.rhs.tail(constraints_.size()).noalias() = -w.G * v;
    factorise(w.lu, w.matrix, geometry_->dimension(), t);
    linear::solve(w.lu, w.rhs, w.solution);
    from_tangent(w, w.solution.head(d), w.gamma);
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

void Reduced::restoring_change(Workspace& w, double t, In q, Out change) const {
  constraints_.evaluate(w.constraint, q);
  w.constraint.G.put_into(w.G);
  geometry_->bases(q, w.geometry);
  w.gamma.setZero();
  kernels_.fibre.run<3, 2>({q.data(), w.gamma.data(), &t}, {w.p.data(), w.H.data()}, w.scratch.data());
  assemble(w);
  w.rhs.head(geometry_->dimension()).setZero();
  w.rhs.tail(constraints_.size()) = -w.constraint.c;
  factorise(w.lu, w.matrix, geometry_->dimension(), t);
  linear::solve(w.lu, w.rhs, w.solution);
  from_tangent(w, w.solution.head(geometry_->dimension()), change);
}

MatrixXd Reduced::mass(double t, In q, In v) const {
  Workspace w = workspace();
  kernels_.fibre.run<3, 2>({q.data(), v.data(), &t}, {w.p.data(), w.H.data()}, w.scratch.data());
  geometry_->bases(q, w.geometry);
  assemble(w);
  return w.matrix.topLeftCorner(geometry_->dimension(), geometry_->dimension());
}

}  // namespace hamel
