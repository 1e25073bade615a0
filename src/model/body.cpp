#include "hamel/linear/dense.hpp"
#include "hamel/model/lower.hpp"
#include "hamel/model/model.hpp"
#include "model/refuse.hpp"

namespace hamel {

namespace {

void need_shape(const std::string& body, const char* what, const Formula& formula, int rows, int cols) {
  if (formula.rows() == rows && formula.cols() == cols) return;
  if (rows == 1) refuse("the {} of body {} must be a scalar, got {}", what, body, formula.quoted());
  refuse("the {} of body {} must be {}x{}, got {}", what, body, rows, cols, formula.quoted());
}

// book (7.13), with R' in place of the body angular velocity: 1/2 Omega.(J Omega) = 1/2 tr(R' J_d R'^T).
Formula rotational_energy(const Formula& R_rate, const Formula& J) {
  const Formula nonstandard_inertia = trace(J) / 2 * Formula(Eigen::Matrix3d::Identity()) - J;
  return trace(R_rate * nonstandard_inertia * transpose(R_rate)) / 2;
}

// The moments of a body are sums over its masses: J1 + J2 - J3 is twice the sum of m x3^2.
void need_principal_moments(const std::string& body, const char* where, const Eigen::Matrix3d& J, double size) {
  const double shift = J.norm();  // singular values are eigenvalues where these are positive
  const Eigen::Vector3d moments =
      linear::singular_values(J + shift * Eigen::Matrix3d::Identity()).array() - shift;  // largest first
  if (moments(0) > moments(1) + moments(2) + 1e-9 * size)
    refuse(
        "the inertia of body {} is that of no body: {}, its principal moments are {:.6g}, {:.6g} and {:.6g}, and the "
        "largest is more than the sum of the others",
        body, where, moments(2), moments(1), moments(0));
}

void need_body_numbers(const std::string& name, const RigidBody& body, const Model& model) {
  const double m = value_of(body.mass, model)(0);
  const Eigen::Matrix3d J = value_of(body.inertia, model);
  const Eigen::Vector3d c = value_of(body.center_of_mass, model);
  if (m < 0)
    refuse("the mass of body {} must not be negative, got {}{}", name, body.mass.brief(),
           body.mass.is_number() ? "" : fmt::format(" = {:.6g}", m));
  if (J.isZero(0)) return;
  need_principal_moments(name, "about the origin of its frame", J, J.norm());
  const Eigen::Matrix3d moved = m * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
  need_principal_moments(name, "about its centre of mass", J - moved, J.norm());
}

}  // namespace

void Model::need_symmetric(const std::string& name, const Formula& inertia) const {
  const Eigen::Matrix3d J = value_of(inertia, *this);
  const double asymmetry = (J - J.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > 1e-12 * J.cwiseAbs().maxCoeff())
    refuse("the inertia of body {} must be symmetric; it differs from its transpose by {:.3g}", name, asymmetry);
}

void Model::need_body(const std::string& name, const RigidBody& body) const {
  need_shape(name, "attitude", body.attitude, 3, 3);
  need_shape(name, "position", body.position, 3, 1);
  need_shape(name, "mass", body.mass, 1, 1);
  need_shape(name, "inertia", body.inertia, 3, 3);
  need_shape(name, "center of mass", body.center_of_mass, 3, 1);
  for (const Formula* part : {&body.attitude, &body.position, &body.mass, &body.inertia, &body.center_of_mass})
    need_position("body " + name, *part);
  for (const Formula* part : {&body.mass, &body.inertia, &body.center_of_mass})
    if (part->depends_on(Role::coordinate) || part->depends_on(Role::time))
      refuse("mass, inertia and center of mass of body {} must be constant, got {}", name, part->quoted());
  need_symmetric(name, body.inertia);
  need_body_numbers(name, body, *this);
}

void Model::check_bodies() const {
  for (const auto& [name, body, energy] : bodies_) {
    need_symmetric(name, body.inertia);
    need_body_numbers(name, body, *this);
  }
}

Formula Model::body(const std::string& name, const RigidBody& body) {
  need_body(name, body);
  const auto& [R, x, m, J, c] = body;
  const Formula v = rate(x), R_rate = rate(R);  // zero for what does not move
  Formula energy = 0.0;
  if (!v.is_zero()) energy = m / 2 * squared_norm(v);
  if (!v.is_zero() && !c.is_zero()) energy = energy + m * dot(v, R_rate * c);
  if (!R_rate.is_zero() && !J.is_zero()) energy = energy + rotational_energy(R_rate, J);
  if (!energy.has_rates())
    refuse("body {} has no kinetic energy: give it a mass and a moving position, or an inertia and a moving attitude",
           name);
  need_no_hamiltonian("kinetic energy", energy);
  take_name(name, "a body");
  kinetic(energy);
  bodies_.push_back({name, body, kinetic_.size() - 1});
  points_.push_back({name, x + R * c});
  return points_.back().formula.named(name);
}

}  // namespace hamel
