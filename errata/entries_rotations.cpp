// Book, chapters 6 and 7: SO(3) and SE(3).
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "evidence.hpp"

namespace hamel::errata {
namespace {

constexpr double g = 9.81;
const Vector3d e2 = Vector3d::UnitY(), e3 = Vector3d::UnitZ();
const Matrix3d I = Matrix3d::Identity();

std::string text(const Vector3d& x) { return fmt::format("[{}, {}, {}]", x(0), x(1), x(2)); }
Matrix3d turning(const Vector3d& from, const Vector3d& to) {
  return Eigen::Quaterniond::FromTwoVectors(from, to).toRotationMatrix();
}
Vector3d position(const VectorXd& q) { return q.tail<3>(); }

Evidence variation_of_rotation() {  // 6.3.1: d/dt of R exp(eps S(eta)) for a fixed R, at eps = 0.8
  const double eps = 0.8;
  const Vector3d eta = random_vector(3, 2), rate = random_vector(3, 3);
  const Matrix3d E = exponential(eps * eta);
  const VectorXd exact = derivative([&](double t) { return flat(exponential(eps * (eta + t * rate))); });
  return remainders(exact - flat(eps * E * hat(rate)), exact - flat(eps * E * hat(right_jacobian(eps * eta) * rate)));
}

const Matrix3d J_pendulum = Vector3d(0.13, 0.28, 0.17).asDiagonal();
const Vector3d rho_pendulum(0, 0, 0.3);  // from the centre of mass to the pivot; m = 1

double pendulum_potential(const Matrix3d& R) {
  const System system = derive(gallery("pendulum-3d"));
  Workspace work(system);
  return system.energy(work, 0, flat(R), VectorXd::Zero(9)).potential;
}

Evidence potential_by_integral() {  // 6.6.2.1, for a body of three masses about its centre of mass
  const Matrix3d R = random_rotation();
  Matrix3d points;
  points << random_vector(3, 1), random_vector(3, 2), random_vector(3, 3);
  const Vector3d masses(0.2, 0.3, 0.5), centre = points * masses;
  const auto integral = [&](const Vector3d& shift, double sign) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += sign * masses(i) * g * e3.dot(R * (points.col(i) - centre - shift));
    return sum;
  };
  const double U = pendulum_potential(R);
  return remainders(U - integral(Vector3d(0, 0, 0), -1), U - integral(rho_pendulum, 1));
}

Evidence hanging_attitude() {  // the lowest potential is - m g |rho_0|
  const Vector3d down = rho_pendulum.normalized();
  const double lowest = -g * rho_pendulum.norm();
  return remainders(pendulum_potential(turning(-down, e3)) - lowest, pendulum_potential(turning(down, e3)) - lowest);
}

Evidence rotation_by_minus_identity() {
  const Matrix3d hanging = Vector3d(1, -1, -1).asDiagonal();
  return remainders((-I).determinant() - 1, hanging.determinant() - 1);
}

Evidence steady_precession() {  // omega = c Gamma with Gamma no eigenvector of J: a pivot for which this is steady
  const Vector3d Gamma = random_direction();
  const double c = 1;  // slow, so that the pivot is near enough for a body of this inertia
  const Vector3d rho = -c * c / g * J_pendulum * Gamma, omega = c * Gamma;
  const Matrix3d R = turning(Gamma, e3);
  const Motion m("pendulum-3d", {{"rho", text(rho)}}, flat(R), flat(R * hat(omega)));
  return remainders(omega.cross(J_pendulum * omega), m.xi_rate);
}

const Matrix3d J_orbit = Vector3d(3, 4, 2).asDiagonal();  // orbital rate 1

Evidence jacobi_integral() {
  const Motion m("rigid-body-circular-orbit");
  const auto drift = [&](double jacobi) {
    return rate_along(m, [&](const State& s) {
      const Matrix3d R = matrix(s.q);
      const Vector3d eta = R.transpose() * e2, zeta = R.transpose() * e3, w = vee(R.transpose() * matrix(s.v)) + eta;
      return w.dot(J_orbit * w) / 2 - jacobi * w.dot(J_orbit * eta) + 1.5 * zeta.dot(J_orbit * zeta);
    });
  };
  return remainders(drift(0), drift(1));
}

Evidence orbit_rate() {  // R' = R S(omega - omega_0 R^T e2) must vanish
  const Matrix3d R = random_rotation();
  const auto rate = [&](const Vector3d& axis) { return Vector3d(R.transpose() * axis - R.transpose() * e2); };
  const Motion m("rigid-body-circular-orbit", {}, flat(I), VectorXd::Zero(9));
  return remainders(rate(e3), stack({rate(e2), m.xi_rate}));
}

Evidence orbit_axes() {  // at rest in the orbiting frame: only e3 along a principal axis, and all of them
  const Motion one("rigid-body-circular-orbit", {}, flat(exponential(0.5 * e3)), VectorXd::Zero(9));
  const Motion all("rigid-body-circular-orbit", {}, flat(exponential(M_PI / 2 * e3)), VectorXd::Zero(9));
  return remainders(one.xi_rate, all.xi_rate);
}

Evidence gravity_in_orbit() {  // the moment of dU/dR on a body of two masses
  const double radius = 3;
  const Matrix3d R_li = random_rotation(5), R = random_rotation(6), R_bl = R_li.transpose() * R;
  const Vector3d points[2] = {random_vector(3, 1) / 3, random_vector(3, 2) / 3};
  const Matrix3d U_R = gradient_by_matrix(
      [&](const Matrix3d& A) {
        double U = 0;
        for (const Vector3d& rho : points) U -= 1 / (radius * R_li * e3 + A * rho).norm();
        return U;
      },
      R);
  Matrix3d printed = Matrix3d::Zero(), corrected = Matrix3d::Zero();
  for (const Vector3d& rho : points) {
    printed += radius * R_li * e3 * rho.transpose() / std::pow((radius * e3 + R * rho).norm(), 3);
    corrected += (radius * R_li * e3 + R * rho) * rho.transpose() / std::pow((radius * e3 + R_bl * rho).norm(), 3);
  }
  return remainders(moment(R, U_R - printed), moment(R, U_R - corrected));
}

Evidence axle_equilibrium() {
  const Vector3d a(0, 0.6, 0.8), rho(0.4, 0, 0);
  const auto condition = [&](double angle) { return a.dot(rho.cross(exponential(angle * a).transpose() * e3)); };
  const double A = condition(1e-300), B = condition(M_PI / 2), angle = std::atan2(-A, B);
  const Matrix3d R = exponential(angle * a);
  const Motion m("rigid-body-planar-pendulum", {}, flat(R), VectorXd::Zero(9));
  return remainders(rho.normalized().cross(R.transpose() * e3), stack({m.a, number(condition(angle))}));
}

struct Offset : Motion {
  Offset() : Motion("rigid-body-se3-offset") {}
  double m = 2;
  Vector3d rho{0.1, -0.2, 0.3};
  Matrix3d J = Vector3d(1, 1.2, 0.9).asDiagonal(), R = matrix(q);
  Vector3d omega = xi.head<3>(), body_velocity = xi.tail<3>(), omega_rate = xi_rate.head<3>();
  Vector3d velocity = position(v), acceleration = position(a);
  Vector3d weight_moment() const { return m * g * (R.transpose() * e3).cross(rho); }
};

Evidence offset_momenta() {
  const Offset m;
  const Vector3d Pi = m.J * m.omega + m.m * m.rho.cross(m.R.transpose() * m.velocity);
  const Vector3d inertial = m.m * m.velocity - m.m * m.R * m.rho.cross(m.omega), body = m.pi.tail<3>();
  const Vector3d Pi_rate = m.pi_rate.head<3>();
  // (7.32) and (7.33): the products of the inverse matrix with (Pi, p) are (omega, x'), and (omega, v)
  const VectorXd printed = stack(
      {m.velocity - m.R * m.velocity, Pi_rate - (Pi.cross(m.omega) + inertial.cross(m.velocity) + m.weight_moment())});
  const VectorXd corrected = stack({m.velocity - m.R * m.body_velocity,
                                    Pi_rate - (Pi.cross(m.omega) + body.cross(m.body_velocity) + m.weight_moment())});
  return remainders(printed, corrected);
}

Evidence spring_equilibrium() {
  const Vector3d rho(0.1, 0.2, 0.3);
  const Matrix3d R = turning(rho, -e3);  // R rho = -|rho| e3
  const double sigma = -(1 + 2 * g / 50);
  const auto at = [&](double height) {
    return Motion("rigid-body-single-elastic-support", {}, stack({flat(R), height * e3}), VectorXd::Zero(12)).xi_rate;
  };
  return remainders(at(sigma), at(sigma + rho.norm()));
}

struct Dumbbell : Motion {
  Dumbbell() : Motion("dumbbell-satellite") {}
  Matrix3d J = Vector3d(0.012, 0.012, 0.002).asDiagonal(), R = matrix(q);
  Vector3d x = position(q), omega = xi.head<3>(), omega_rate = xi_rate.head<3>();
  Vector3d arm(int i) const { return (i == 0 ? 0.1 : -0.1) * e3; }
  Vector3d sum(const std::function<Vector3d(const Vector3d& rho, const Vector3d& place)>& term) const {
    return (term(arm(0), x + R * arm(0)) + term(arm(1), x + R * arm(1))) / 2;
  }
  Vector3d pull(int exponent) const {
    return sum([&](const Vector3d&, const Vector3d& y) { return Vector3d(y / std::pow(y.norm(), exponent)); });
  }
  Vector3d mixed_moment() const {
    return sum([&](const Vector3d& rho, const Vector3d& y) { return Vector3d(rho.cross(y) / std::pow(y.norm(), 3)); });
  }
  Vector3d body_moment() const {
    return sum([&](const Vector3d& rho, const Vector3d& y) {
      return Vector3d(rho.cross(R.transpose() * x) / std::pow(y.norm(), 3));
    });
  }
};

Evidence dumbbell_translation() {
  const Dumbbell m;
  return remainders(position(m.a) + m.pull(2), position(m.a) + m.pull(3));
}
Evidence dumbbell_rotation() {
  const Dumbbell m;
  const Vector3d common = m.J * m.omega_rate + m.omega.cross(m.J * m.omega);
  return remainders(common - m.mixed_moment(), common + m.body_moment());
}
Evidence dumbbell_momentum() {
  const Dumbbell m;
  const Vector3d Pi = m.pi.head<3>(), rate = m.pi_rate.head<3>(), free = Pi.cross(m.omega);
  return remainders(rate - free - m.mixed_moment(), rate - free + m.body_moment());
}

}  // namespace

Chapter rotations() {
  return {
      book,
      "chapter 6",
      {
          {slip, "6.3.1", R"($\dot R^\epsilon=\dot Re^{\epsilon S(\eta)}+\epsilon Re^{\epsilon S(\eta)}S(\dot\eta)$)",
           R"(to first order in $\epsilon$, which is all that is used; for every $\epsilon$ with $S(J_r(\epsilon\eta)\dot\eta)$, $J_r$ the right Jacobian of exp)",
           "", variation_of_rotation},
          {notation, "6.4.2", R"("cotangent bundle $TSO(3)$")", R"($T^*SO(3)$)", ""},
          {slip, "6.6.2.1, $U$", R"($U(R)=-\int_{\mathcal B}g\,e_3^TR\rho\,dm(\rho)$)",
           R"($U(R)=\int_{\mathcal B}g\,e_3^TR(\rho-\rho_0)\,dm(\rho)$; the value that follows is right)", "",
           potential_by_integral},
          {slip, "6.6.2.2, $\\tilde H$", R"($\tilde H(R,\Pi)=\frac12\Pi^TJ^{-1}\Pi-mgS(\rho_0)R^Te_3$)",
           R"($\tilde H(R,\Pi)=\frac12\Pi^TJ^{-1}\Pi-mg\rho_0^TR^Te_3$)", "", no_sum({1, 1}, {3, 1})},
          {result, "6.6.2.4, the two manifolds",
           R"(inverted: $R^Te_3=\frac{\rho_0}{\lVert\rho_0\rVert}$; hanging: $R^Te_3=-\frac{\rho_0}{\lVert\rho_0\rVert}$)",
           R"(the other way round, as the text says before)",
           "the stable equilibria are called inverted; evaluated: the potential of the hanging body, above its minimum",
           hanging_attitude},
          {result, "6.6.2.4, hanging equilibrium", R"($(-I_{3\times3},0)\in TSO(3)$)",
           R"($(\mathrm{diag}(1,-1,-1),0)$)", "the attitude at which is linearized is no rotation",
           example("its determinant is -1", rotation_by_minus_identity)},
          {result, "6.6.2.4, relative equilibria", R"($\omega$ is collinear with an eigenvector of $J$, and vertical)",
           R"($\omega=c\Gamma$, $\Gamma=R^Te_3$ with $c^2\Gamma\times J\Gamma=mg\rho_0\times\Gamma$)",
           "steady precessions, where both terms of the condition balance, are left out",
           example("a steady motion whose $\\omega$ is no eigenvector", steady_precession)},
          {slip, "6.6.3.1",
           R"($\frac{\partial U(R^{bi})}{\partial R^{bi}}=\int_{\mathcal B}\frac{GMr_0R^{li}e_3\rho^T}{\lVert r_0e_3+R^{bi}\rho\rVert^3}dm(\rho)$)",
           R"($\int_{\mathcal B}\frac{GM(r_0R^{li}e_3+R^{bi}\rho)\rho^T}{\lVert r_0e_3+R^{bl}\rho\rVert^3}dm(\rho)$; the moment that follows is right; evaluated: the moment of both)",
           "", gravity_in_orbit},
          {result, "6.6.3.3", R"($H=\frac12\omega^TJ\omega+U(R^{bi})$ is constant)",
           R"($\frac12\omega^TJ\omega-\omega_0\omega^TJR^{blT}e_2+\frac32\omega_0^2\zeta^TJ\zeta$ is, $\zeta=R^{blT}e_3$)",
           "the potential depends on time through the orbit, so that the energy of the rotation varies",
           jacobi_integral},
          {result, "6.6.3.4, rate", R"($\omega=\omega_0R^{blT}e_3$)", R"($\omega=\omega_0R^{blT}e_2$)",
           "a body at rest in the orbiting frame turns about the normal of the orbit, not about the vertical",
           orbit_rate},
          {result, "6.6.3.4, attitude",
           R"($R^{blT}e_3\times JR^{blT}e_3=0$, that is $R^{blT}e_3$ is an eigenvector of $J$, suffices)",
           R"($R^{blT}e_2$ must be an eigenvector too)",
           "attitudes that are turned about the vertical are called equilibria; they begin to move",
           example("$\\dot\\omega$ at rest, with one and with all axes principal", orbit_axes)},
          {result, "6.6.4.6", R"($mga^T(\rho_0\times R^Te_3)=0$ requires that $R^Te_3$ and $\rho_0$ are collinear)",
           R"(that $a$, $\rho_0$ and $R^Te_3$ are in one plane)", "for an inclined axle all equilibria are missed",
           example("an equilibrium of an inclined axle", axle_equilibrium)},
      }};
}

Chapter rigid_motions() {
  return {
      book,
      "chapter 7",
      {
          {notation, "(7.18)", R"($-mR\rho_{cm}\times\dot\omega$)", R"(brackets: $-mR(\rho_{cm}\times\dot\omega)$)",
           ""},
          {result, "7.4.3, Legendre transformation, with (7.32), (7.33)",
           R"($\begin{bmatrix}\Pi\\p\end{bmatrix}=\begin{bmatrix}J&mS(\rho_{cm})R^T\\mRS(\rho_{cm})^T&mI\end{bmatrix}\begin{bmatrix}\omega\\\dot x\end{bmatrix}$ and $\dot x=R(M_{21}^I\Pi+M_{22}^Ip)$)",
           R"($\begin{bmatrix}\Pi\\p\end{bmatrix}=\begin{bmatrix}J&mS(\rho_{cm})\\mS(\rho_{cm})^T&mI\end{bmatrix}\begin{bmatrix}\omega\\v\end{bmatrix}$, $\dot x=Rv$)",
           "momentum in space and momentum in the body are mixed: positions are turned once too often", offset_momenta},
          {notation, "7.6.1.2, 7.6.3.2", R"(refers to (7.35) to (7.38), which are for $p=mR^T\dot x$)",
           R"((8.58) to (8.61), which are for $p=m\dot x$; the equations of the example are right)", ""},
          {slip, "(7.48), (7.50), (7.54), (7.58), (7.60)",
           R"($m\ddot x+mge_3^Tx+\sum_{i=1}^n\kappa_i\{\lVert z_i-x-R\rho_i\rVert-L_i\}\frac{(x-z_i)+R\rho_i}{\lVert z_i-x-R\rho_i\rVert}=0$ and the like)",
           R"($mge_3$ for $mge_3^Tx$)", "", no_sum({3, 1}, {1, 1})},
          {result, "7.6.2.4",
           R"($\frac{R^T\rho}{\lVert R\rho\rVert}=\mp e_3$ with $x=-(L+\frac{mg}\kappa)e_3$ or $x=(L-\frac{mg}\kappa)e_3$; evaluated with $R\rho=-\lVert\rho\rVert e_3$ and the first)",
           R"($R\rho=\varepsilon\lVert\rho\rVert e_3$, $\varepsilon=\pm1$, with $x=(\sigma-\varepsilon\lVert\rho\rVert)e_3$, $\sigma=-(L+\frac{mg}\kappa)$ or $\sigma=L-\frac{mg}\kappa$)",
           "the distance from the attachment to the centre of mass is left out: the body is not at rest there",
           spring_equilibrium},
          {result, "(7.61)",
           R"($J\dot\omega+\omega\times J\omega-\frac{GMm}2\sum_{i=1}^2\frac{\rho_i\times(x+R\rho_i)}{\lVert x+R\rho_i\rVert^3}=0$)",
           R"($J\dot\omega+\omega\times J\omega+\frac{GMm}2\sum_{i=1}^2\frac{\rho_i\times R^Tx}{\lVert x+R\rho_i\rVert^3}=0$)",
           "the moment of gravity has the opposite sign and mixes two frames: the satellite is pushed away from the "
           "vertical",
           dumbbell_rotation},
          {glyph, "(7.62), (7.67)", R"($m\ddot x+\frac{GMm}2\sum_{i=1}^2\frac{x+R\rho_i}{\lVert x+R\rho_i\rVert^2}=0$)",
           R"($\lVert x+R\rho_i\rVert^3$)", "exponent, in both", dumbbell_translation},
          {result, "(7.66)",
           R"($\dot\Pi=\Pi\times J^{-1}\Pi+\frac{GMm}2\sum_{i=1}^2\frac{\rho_i\times(x+R\rho_i)}{\lVert x+R\rho_i\rVert^3}$)",
           R"($\dot\Pi=\Pi\times J^{-1}\Pi-\frac{GMm}2\sum_{i=1}^2\frac{\rho_i\times R^Tx}{\lVert x+R\rho_i\rVert^3}$)",
           "as in (7.61)", dumbbell_momentum},
      }};
}

}  // namespace hamel::errata
