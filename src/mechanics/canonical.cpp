#include "hamel/mechanics/canonical.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/linear/dense.hpp"

namespace hamel {

std::vector<const Program*> Canonical::flow_programs() const {
  if (is_explicit()) return {&k_.flow.program()};
  return {&k_.fibre.program(), &k_.rate.program()};
}

std::vector<const Program*> Canonical::step_programs() const {
  if (k_.constraint.empty()) return {};
  return {&k_.constraint.program()};
}

Canonical::Workspace Canonical::workspace() const {
  Workspace w;
  std::size_t scratch = 1;
  for (const Kernel* kernel : {&k_.flow, &k_.normal_part, &k_.fibre, &k_.rate, &k_.constraint})
    if (!kernel->empty()) scratch = std::max(scratch, kernel->program().scratch_size(8));
  w.scratch = VectorXd::Zero(static_cast<Eigen::Index>(scratch));
  for (VectorXd* x : {&w.q, &w.p, &w.v, &w.rate}) *x = VectorXd::Zero(ambient_);
  w.eta = w.residual = VectorXd::Zero(k_.natural);
  w.lambda = VectorXd::Zero(k_.multipliers);
  const int n = k_.natural + k_.multipliers;
  w.correction = w.rhs = VectorXd::Zero(n);
  w.H = MatrixXd::Zero(k_.natural, k_.natural);
  w.C = MatrixXd::Zero(k_.multipliers, k_.natural);
  w.matrix = MatrixXd::Zero(n, n);
  if (n > 0) w.lu = linear::Lu(n);
  return w;
}

// [ L_ee  C^T ] [ eta increment ]   [ p.V_e - L_e ]
// [ C      0  ] [ lambda        ] = [ - C eta     ]
void Canonical::solve(Workspace& w, double t, const double* q, const double* p) const {
  constexpr int most_iterations = 50;
  double previous = std::numeric_limits<double>::infinity();
  w.eta.setZero();
  const auto evaluate_fibre = [&] {
    k_.fibre.run<4, 3>({q, p, w.eta.data(), &t}, {w.residual.data(), w.H.data(), w.C.data()}, w.scratch.data());
  };
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    evaluate_fibre();
    // A step may lead out of the domain of L, such as beyond the speed of light.
    for (int halved = 0; iteration > 0 && halved < most_iterations && !w.residual.allFinite(); ++halved) {
      w.correction *= 0.5;
      w.eta -= w.correction.head(k_.natural);
      evaluate_fibre();
    }
    w.matrix.topLeftCorner(k_.natural, k_.natural) = w.H;
    w.rhs.head(k_.natural) = -w.residual;
    if (k_.multipliers > 0) {
      w.matrix.topRightCorner(k_.natural, k_.multipliers) = w.C.transpose();
      w.matrix.bottomLeftCorner(k_.multipliers, k_.natural) = w.C;
      w.rhs.tail(k_.multipliers).noalias() = -w.C * w.eta;
    }
    if (k_.redundant) {
      const double mass = w.H.lpNorm<Eigen::Infinity>();
      w.matrix.topLeftCorner(k_.natural, k_.natural) /= mass;
      w.rhs.head(k_.natural) /= mass;
      w.correction = linear::shortest_least_squares(w.matrix, w.rhs);
      w.correction.tail(k_.multipliers) *= mass;
    } else {
      linear::factorise(w.lu, w.matrix);
      linear::solve(w.lu, w.rhs, w.correction);
    }
    w.eta += w.correction.head(k_.natural);
    w.lambda = w.correction.tail(k_.multipliers);
    const double size = w.correction.head(k_.natural).lpNorm<Eigen::Infinity>();
    const double momentum = Eigen::Map<const VectorXd>(p, ambient_).lpNorm<Eigen::Infinity>();
    const double scale = w.eta.lpNorm<Eigen::Infinity>() + momentum / w.H.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(size)) break;
    if (k_.linear || size <= 1e-15 * scale || (size >= previous && size <= 1e-10 * scale)) return;
    previous = size;
  }
  throw std::runtime_error(
      fmt::format("no velocity of {} belongs to its momentum at t = {:.9g}: Newton's method for the Legendre transform "
                  "did not converge (last correction {:.2e}); a shorter step may help",
                  name_, t, previous));
}

void Canonical::flow(int lanes, Workspace& w, const double* t, const double* q, const double* p, const double* u,
                     double* v, double* p_rate) const {
  if (is_explicit()) {
    if (lanes == 8)
      k_.flow.run_lanes<8, 4, 2>({q, p, t, u}, {v, p_rate}, w.scratch.data());
    else if (lanes == 4)
      k_.flow.run_lanes<4, 4, 2>({q, p, t, u}, {v, p_rate}, w.scratch.data());
    else
      k_.flow.run<4, 2>({q, p, t, u}, {v, p_rate}, w.scratch.data());
    if (k_.fibre.empty()) return;
  }
  const auto is_known = [&](int lane) {
    bool known = is_explicit();
    for (int i = lane; i < ambient_ * lanes; i += lanes)
      known = known && std::isfinite(v[i]) && std::isfinite(p_rate[i]);
    return known;
  };
  for (int lane = 0; lane < lanes; ++lane) {
    if (is_known(lane)) continue;
    for (int i = 0; i < ambient_; ++i) {
      w.q(i) = q[i * lanes + lane];
      w.p(i) = p[i * lanes + lane];
    }
    solve(w, t[lane], w.q.data(), w.p.data());
    k_.rate.run<6, 2>({w.q.data(), w.p.data(), w.eta.data(), w.lambda.data(), t + lane, u}, {w.v.data(), w.rate.data()},
                      w.scratch.data());
    for (int i = 0; i < ambient_; ++i) {
      v[i * lanes + lane] = w.v(i);
      p_rate[i * lanes + lane] = w.rate(i);
    }
  }
}

void Canonical::constraint(Workspace& w, In q, Out c, Eigen::Ref<MatrixXd> C) const {
  k_.constraint.run<1, 2>({q.data()}, {c.data(), C.data()}, w.scratch.data());
}

}  // namespace hamel
