#include "hamel/mechanics/ambient_derivatives.hpp"

#include "hamel/mechanics/geometry.hpp"

namespace hamel {

namespace {

// At one state: eta and eta' where q' = E eta, and how E changes.
class AmbientPlace {
 public:
  AmbientPlace(const System& system, const Derivatives& natural, const State& state, const VectorXd& acceleration)
      : geometry_(system.geometry()), natural_(natural), state_(state), work_(geometry_.workspace()) {
    eta_ = natural.coordinates(state.q, state.v);
    eta_rate_ = natural.coordinates(state.q, acceleration - turned(state.v, eta_));
  }

  VectorXd projected(const VectorXd& direction) const {
    VectorXd result(direction.size());
    geometry_.space().tangent_project(state_.q, direction, result);
    return result;
  }
  // P'v along dq: how a velocity turns with its point.
  VectorXd carried(const VectorXd& dq) {
    VectorXd result(dq.size());
    geometry_.projected_rate(state_.q, dq, state_.v, work_, result);
    return result;
  }
  VectorXd point_coordinates(const VectorXd& dq) const { return natural_.coordinates(state_.q, dq); }
  VectorXd rate_coordinates(const VectorXd& dq, const VectorXd& dv) {
    return natural_.coordinates(state_.q, dv - turned(dq, eta_));
  }
  // d(E eta' + E'[q'] eta)
  VectorXd lifted(const VectorXd& dq, const VectorXd& dv, const VectorXd& deta, const VectorXd& deta_rate) {
    return framed(deta_rate) + turned(dq, eta_rate_) + turned(dv, eta_) + turned(state_.v, deta);
  }
  VectorXd framed(const VectorXd& xi) {
    geometry_.evaluate(state_.q, state_.v, work_);
    return applied(work_.frame, xi, true);
  }

 private:
  // E'[along] xi: nothing where natural coordinates are ambient.
  VectorXd turned(const VectorXd& along, const VectorXd& xi) {
    geometry_.evaluate(state_.q, along, work_);
    return applied(work_.frame_rate, xi, false);
  }
  VectorXd applied(const std::vector<MatrixXd>& frames, const VectorXd& xi, bool identity) const {
    VectorXd result = VectorXd::Zero(geometry_.ambient());
    Eigen::Index next = 0;
    for (int f = 0; f < geometry_.factors(); ++f) {
      const bool by_basis = geometry_.is_given_by_basis(f);
      const int size = by_basis ? geometry_.space(f).rates() : geometry_.space(f).ambient();
      auto part = result.segment(geometry_.offset(f), geometry_.space(f).ambient());
      if (by_basis)
        part = frames[static_cast<std::size_t>(f)] * xi.segment(next, size);
      else if (identity)
        part = xi.segment(next, size);
      next += size;
    }
    return result;
  }

  const Geometry& geometry_;
  const Derivatives& natural_;
  const State& state_;
  Geometry::Workspace work_;
  VectorXd eta_, eta_rate_;
};

}  // namespace

AmbientDerivatives::AmbientDerivatives(const System& system) : system_(system), natural_(system) {}
AmbientDerivatives::AmbientDerivatives(System system, Derivatives natural)
    : system_(std::move(system)), natural_(std::move(natural)) {}
AmbientDerivatives AmbientDerivatives::with(const System& system) const { return {system, natural_.with(system)}; }

Derivative AmbientDerivatives::acceleration(const State& state, In u) const {
  const Derivative natural = natural_.acceleration(state, u);
  AmbientPlace place(system_, natural_, state, hamel::acceleration(system_, state, u));
  const int n = system_.ambient();
  const VectorXd rest = VectorXd::Zero(n);
  Derivative result{MatrixXd(n, n), MatrixXd(n, n), MatrixXd(n, natural.inputs.cols()),
                    MatrixXd(n, natural.parameters.cols())};
  for (int k = 0; k < n; ++k) {
    const VectorXd along = place.projected(VectorXd::Unit(n, k)), dv = place.carried(along);
    const VectorXd y = place.rate_coordinates(along, dv);
    result.point.col(k) =
        place.lifted(along, dv, y, natural.point * place.point_coordinates(along) + natural.velocity * y);
    const VectorXd faster = place.rate_coordinates(rest, along);
    result.velocity.col(k) = place.lifted(rest, along, faster, natural.velocity * faster);
  }
  for (Eigen::Index k = 0; k < natural.inputs.cols(); ++k) result.inputs.col(k) = place.framed(natural.inputs.col(k));
  for (Eigen::Index k = 0; k < natural.parameters.cols(); ++k)
    result.parameters.col(k) = place.framed(natural.parameters.col(k));
  return result;
}

}  // namespace hamel
