#include "language/inertia.hpp"

#include <fmt/format.h>

#include <cmath>

#include "hamel/linear/dense.hpp"
#include "hamel/mechanics/geometry.hpp"

namespace hamel {

namespace {

class KineticProbe {
 public:
  KineticProbe(const System& system, const State& state)
      : system_(system), state_(state), w_(system), at_rest_(kinetic(VectorXd::Zero(state.q.size()))) {}

  // Twice the part of T that is quadratic in the rates, for rates of one factor; 0 where that is rounding.
  double twice_quadratic(int k, const VectorXd& rates) {
    VectorXd v = VectorXd::Zero(state_.q.size());
    v.segment(system_.geometry().offset(k), rates.size()) = rates;
    const double forth = kinetic(v), back = kinetic(-v), value = forth + back - 2 * at_rest_;
    return std::abs(value) > 1e-12 * (std::abs(forth) + std::abs(back) + std::abs(at_rest_)) ? value : 0;
  }

  VectorXd point(int k) const {
    const Geometry& geometry = system_.geometry();
    return state_.q.segment(geometry.offset(k), geometry.offset(k + 1) - geometry.offset(k));
  }

  // 1/2 Omega.(J Omega)
  Eigen::Matrix3d inertia(int k) {
    const Manifold& space = system_.geometry().space(k);
    const VectorXd q = point(k);
    const auto twice = [&](const Eigen::Vector3d& Omega) {
      VectorXd xi = VectorXd::Zero(space.rates()), rates(q.size());
      xi.head(3) = Omega;
      space.velocity(q, xi, rates);
      return twice_quadratic(k, rates);
    };
    const Eigen::Matrix3d e = Eigen::Matrix3d::Identity();
    Eigen::Matrix3d J;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) J(i, j) = (twice(e.col(i) + e.col(j)) - twice(e.col(i) - e.col(j))) / 4;
    return J;
  }

 private:
  double kinetic(const VectorXd& v) { return system_.energy(w_, state_.t, state_.q, v).kinetic; }

  const System& system_;
  const State& state_;
  Workspace w_;
  double at_rest_;
};

bool is_of_no_body(const Eigen::Matrix3d& J, Eigen::Vector3d& moments) {
  const double shift = J.norm();  // singular values are eigenvalues where these are positive
  moments = linear::singular_values(J + shift * Eigen::Matrix3d::Identity()).array() - shift;
  return moments(0) > moments(1) + moments(2) + 1e-9 * shift;
}

}  // namespace

void remark_inertia(const System& system, const State& state, std::vector<std::string>& remarks) {
  constexpr int most_directions = 300;  // of a long chain; its links are alike
  if (!system.has_energies() || system.has_hamiltonian() || !system.model().lagrangian_terms().empty()) return;
  KineticProbe probe(system, state);
  const Geometry& geometry = system.geometry();
  for (int k = 0; k < geometry.factors() && geometry.tangent_offset(k) < most_directions; ++k) {
    const auto& [name, space] = system.model().coordinates()[static_cast<std::size_t>(k)];
    MatrixXd basis(space.ambient(), space.dimension());
    space.tangent_basis(probe.point(k), basis);
    for (Eigen::Index i = 0; i < basis.cols(); ++i)
      if (probe.twice_quadratic(k, basis.col(i)) < 0) {
        remarks.push_back(
            fmt::format("the kinetic energy is negative when {} alone moves: is a mass or an inertia negative?", name));
        return;
      }
    Eigen::Vector3d moments;
    if (space.turning() == Turning::body && is_of_no_body(probe.inertia(k), moments))
      remarks.push_back(fmt::format(
          "the inertia of {} is that of no body: of its principal moments {:.6g}, {:.6g} and {:.6g} the largest "
          "is more than the sum of the others",
          name, moments(2), moments(1), moments(0)));
  }
}

}  // namespace hamel
