#include "hamel/mechanics/hamilton.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/linear/dense.hpp"
#include "hamel/model/index.hpp"

namespace hamel {

std::vector<const Program*> Hamilton::programs() const {
  return {&kernels_.flow.program(), &kernels_.fibre.program(), &kernels_.split_fibre.program(),
          &kernels_.split_second.program()};
}

Hamilton::Workspace Hamilton::workspace() const {
  Workspace w;
  std::size_t scratch = 1;
  for (const Program* program : programs()) scratch = std::max(scratch, program->scratch_size());
  scratch = std::max(scratch, kernels_.power.program().scratch_size());
  w.scratch = VectorXd::Zero(static_cast<Eigen::Index>(scratch));
  for (VectorXd* x : {&w.mu, &w.v, &w.rate, &w.a, &w.gradient, &w.q_force, &w.force}) *x = VectorXd::Zero(ambient_);
  for (MatrixXd* x : {&w.fibre, &w.mixed, &w.matrix}) *x = MatrixXd::Zero(ambient_, ambient_);
  w.lu = linear::Lu(ambient_);
  w.geometry = geometry_->workspace();
  return w;
}

void Hamilton::flow(Workspace& w, double t, In q, In mu, In u, Out v, Out mu_rate, Out a) const {
  kernels_.flow.run<4, 3>({q.data(), mu.data(), u.data(), &t}, {v.data(), mu_rate.data(), a.data()}, w.scratch.data());
}

double Hamilton::value(Workspace& w, double t, In q, In mu) const {
  double H = 0;
  kernels_.fibre.run<3, 3>({q.data(), mu.data(), &t}, {w.gradient.data(), w.fibre.data(), &H}, w.scratch.data());
  return H;
}

double Hamilton::power(Workspace& w, double t, In q, In v, In u) const {
  double power = 0;
  kernels_.power.run<4, 1>({q.data(), v.data(), u.data(), &t}, {&power}, w.scratch.data());
  return power;
}

void Hamilton::momentum(Workspace& w, double t, In q, In v, Out mu) const {
  constexpr int most_iterations = 50;
  const Geometry& geometry = *geometry_;
  geometry.bases(q, w.geometry);
  MatrixXd N = MatrixXd::Zero(ambient_, geometry.dimension());
  for (int f = 0; f < geometry.factors(); ++f)
    N.block(geometry.offset(f), geometry.tangent_offset(f), geometry.space(f).ambient(),
            geometry.space(f).dimension()) = w.geometry.N[at(f)];
  mu.setZero();
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    value(w, t, q, mu);
    const VectorXd left = N.transpose() * (v - w.gradient);
    const double rounding = 1e-15 * (v.lpNorm<Eigen::Infinity>() + w.gradient.lpNorm<Eigen::Infinity>());
    const VectorXd correction = N * linear::shortest_least_squares(N.transpose() * w.fibre * N, left);
    mu += correction;
    const double size = correction.lpNorm<Eigen::Infinity>(), scale = mu.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(size)) break;
    if (size <= 1e-15 * scale || (size >= previous && size <= 1e-10 * scale) ||
        left.lpNorm<Eigen::Infinity>() <= rounding) {
      value(w, t, q, mu);
      const double rest = (N.transpose() * (v - w.gradient)).lpNorm<Eigen::Infinity>();
      if (rest <= rounding + 1e-8 * (v.lpNorm<Eigen::Infinity>() + w.fibre.lpNorm<Eigen::Infinity>() * scale)) return;
      break;
    }
    previous = size;
  }
  throw std::runtime_error(
      fmt::format("no momentum belongs to this velocity at t = {:.6g}: the Hamiltonian is degenerate in mu, "
                  "or the velocity is out of range",
                  t));
}

void Hamilton::split_fibre(Workspace& w, double t, In q, In mu) const {
  kernels_.split_fibre.run<3, 2>({q.data(), mu.data(), &t}, {w.gradient.data(), w.fibre.data()}, w.scratch.data());
}

bool Hamilton::is_regular(Workspace& w, double t, In q, In mu) const {
  split_fibre(w, t, q, mu);
  linear::factorise(w.lu, w.fibre);
  const auto [smallest, largest] = linear::pivots(w.lu);
  return smallest > 1e-12 * largest;
}

void Hamilton::invert(Workspace& w, double t, In q, In v, Out mu) const {
  constexpr int most_iterations = 50;
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    split_fibre(w, t, q, mu);
    linear::factorise(w.lu, w.fibre);
    w.gradient = v - w.gradient;
    linear::solve(w.lu, w.gradient, w.rate);
    mu += w.rate;
    const double correction = w.rate.lpNorm<Eigen::Infinity>(), scale = mu.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(correction)) break;
    if (correction <= 1e-15 * scale || (correction >= previous && correction <= 1e-10 * scale)) return;
    previous = correction;
  }
  throw std::runtime_error(fmt::format(
      "the Legendre transform of this Hamiltonian cannot be inverted at t = {:.6g} (last correction {:.2e}): its fibre "
      "Hessian is singular; use an integrator that needs no Lagrangian, such as rk4",
      t, previous));
}

// L(q, v) = mu.v - K with v = K_mu: L_v = mu, L_q = -K_q, L_vv = K_mumu^-1, L_vq = -K_mumu^-1 K_muq.
void Hamilton::discrete_begin(Workspace& w, double t, double h, In q0, In q1, In u, Out residual,
                              Eigen::Ref<MatrixXd> jacobian) const {
  const double t1 = t + h;
  w.v = (q1 - q0) / h;
  invert(w, t, q0, w.v, w.mu);
  kernels_.split_second.run<5, 4>({q0.data(), w.mu.data(), w.v.data(), u.data(), &t},
                                  {w.q_force.data(), w.mixed.data(), w.fibre.data(), w.force.data()}, w.scratch.data());
  residual = 0.5 * w.mu + 0.5 * h * (w.q_force - w.force);
  linear::invert(w.lu, w.fibre, w.matrix);
  // The force's own dependence on the velocity is left out of the Jacobian: it is of higher order in h.
  jacobian = (0.5 / h) * w.matrix + 0.5 * w.mixed * w.matrix;
  invert(w, t1, q1, w.v, w.mu);
  kernels_.split_second.run<5, 4>({q1.data(), w.mu.data(), w.v.data(), u.data(), &t1},
                                  {w.q_force.data(), w.mixed.data(), w.fibre.data(), w.force.data()}, w.scratch.data());
  residual += 0.5 * w.mu;
  linear::invert(w.lu, w.fibre, w.matrix);
  jacobian += (0.5 / h) * w.matrix - 0.5 * w.matrix * w.mixed.transpose();
}

void Hamilton::discrete_end(Workspace& w, double t, double h, In q0, In q1, In u, Out p1) const {
  const double t1 = t + h;
  w.v = (q1 - q0) / h;
  invert(w, t, q0, w.v, w.mu);
  p1 = 0.5 * w.mu;
  invert(w, t1, q1, w.v, w.mu);
  kernels_.split_second.run<5, 4>({q1.data(), w.mu.data(), w.v.data(), u.data(), &t1},
                                  {w.q_force.data(), w.mixed.data(), w.fibre.data(), w.force.data()}, w.scratch.data());
  p1 += 0.5 * w.mu + 0.5 * h * (w.force - w.q_force);
}

}  // namespace hamel
