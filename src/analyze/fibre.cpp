#include "analyze/fibre.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "hamel/linear/lu.hpp"
#include "hamel/mechanics/geometry.hpp"

namespace hamel {

namespace {

struct FibreTerms {
  explicit FibreTerms(Eigen::Index n) : H_p(n), s(n), H_pq(n, n), H_pp(n, n), s_q(n, n), s_p(n, n) {}
  VectorXd H_p, s;
  MatrixXd H_pq, H_pp, s_q, s_p;
};

FibreTerms terms_at(const SteadyKernels& kernels, double t, In q, In v, const Fibre& at) {
  FibreTerms result(q.size());
  VectorXd scratch = VectorXd::Zero(static_cast<Eigen::Index>(kernels.fibre.program().scratch_size()));
  kernels.fibre.run<6, 6>({q.data(), v.data(), &t, at.p.data(), at.r.data(), at.weights.data()},
                          {result.H_p.data(), result.s.data(), result.H_pq.data(), result.H_pp.data(),
                           result.s_q.data(), result.s_p.data()},
                          scratch.data());
  return result;
}

// As large across the tangent space of a factor as H_pp is along it.
VectorXd weights_of(const Geometry& geometry, const MatrixXd& H_pp) {
  VectorXd result(geometry.factors());
  for (int f = 0; f < geometry.factors(); ++f) {
    const auto part = Eigen::seqN(geometry.offset(f), geometry.space(f).ambient());
    const double size = H_pp(part, part).norm();
    result(f) = size > 0 ? size : 1;
  }
  return result;
}

bool is_regular(const linear::Lu& lu) {
  constexpr double singular = 1e-12;
  const auto [smallest, largest] = linear::pivots(lu);
  return smallest > singular * largest;
}

MatrixXd solved(const linear::Lu& lu, const MatrixXd& right) {
  MatrixXd result(right.rows(), right.cols());
  VectorXd x(right.rows());
  for (Eigen::Index j = 0; j < right.cols(); ++j) {
    linear::solve(lu, right.col(j), x);
    result.col(j) = x;
  }
  return result;
}

}  // namespace

// dp = H_pp^-1 (dv - H_pq dq),   dr = H_pp^-1 (da - s_q dq - s_v dv - s_p dp),   s_v = H_pq
Fibre fibre_at(const System& system, const SteadyKernels& kernels, double t, In q, In v, In a) {
  Fibre result;
  if (kernels.momenta == 0) return result;
  const Eigen::Index n = q.size();
  Workspace w(system);
  result.p.resize(n);
  system.momentum(w, t, q, v, result.p);
  result.r = VectorXd::Zero(n);
  result.weights = VectorXd::Zero(kernels.weights);
  result.weights = weights_of(system.geometry(), terms_at(kernels, t, q, v, result).H_pp);
  linear::Lu lu(n);
  {
    const FibreTerms at = terms_at(kernels, t, q, v, result);
    linear::factorise(lu, at.H_pp);
    if (!is_regular(lu))
      throw std::domain_error(
          fmt::format("the Hamiltonian of {} is degenerate in its momenta here: velocities do not say what they are",
                      system.name()));
    result.r = solved(lu, a - at.s);
  }
  const FibreTerms at = terms_at(kernels, t, q, v, result);
  result.p_v = solved(lu, MatrixXd::Identity(n, n));
  result.p_q = -solved(lu, at.H_pq);
  result.r_q = -solved(lu, at.s_q + at.s_p * result.p_q);
  result.r_v = -solved(lu, at.H_pq + at.s_p * result.p_v);
  return result;
}

void need_regular_fibre(const System& system, const SteadyKernels& kernels) {
  if (kernels.momenta == 0) return;
  constexpr int tries = 8;
  Random random(3);
  for (int k = 0; k < tries; ++k) try {
      const VectorXd q = system.space().random_point(random), none = VectorXd::Zero(q.size());
      fibre_at(system, kernels, 0, q, none, none);
      return;
    } catch (const std::exception&) {
      // The next point may do.
    }
  throw std::invalid_argument(
      fmt::format("{} is given by a Hamiltonian that is degenerate in its momenta: velocities do not say what they "
                  "are, so there is "
                  "no linear model M x'' + (D + G) x' + K x = B u; give a Lagrangian, or a field",
                  system.name()));
}

}  // namespace hamel
