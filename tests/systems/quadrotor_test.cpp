// Book section 9.12: two quadrotors carry a rigid payload on rigid cables; thrusts and moments are inputs.
#include <Eigen/LU>
#include <array>
#include <hamel/manifold/rn.hpp>
#include <hamel/manifold/s2.hpp>
#include <hamel/manifold/so3.hpp>

#include "gallery/files.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/mechanics/field.hpp"
#include "systems/bodies.hpp"

namespace hamel::test::quadrotor_test {
namespace {

const Vector3d e3 = Vector3d::UnitZ();
const Matrix3d I = Matrix3d::Identity();
constexpr double g = 9.81, m0 = 1.5;
constexpr std::array m = {0.8, 1.1}, L = {1.2, 0.7};
const Matrix3d J0{{1.1, 0.1, -0.2}, {0.1, 1.4, 0.15}, {-0.2, 0.15, 1.7}};
const std::array<Matrix3d, 2> J = {Vector3d(0.2, 0.3, 0.4).asDiagonal(), Vector3d(0.35, 0.25, 0.3).asDiagonal()};
const std::array<Vector3d, 2> rho = {Vector3d(0.5, 0.1, 0.2), Vector3d(-0.4, 0.2, 0.1)};
constexpr std::array<std::size_t, 2> each = {0, 1};

Model payload_on_quadrotors(const std::array<Vector3d, 2>& hooks = rho) {
  Model model("two quadrotors with payload");
  const Formula x0 = model.coordinate("x0", Rn(3)), R0 = model.coordinate<SO3>("R0");
  const auto q = model.coordinates<S2>("q", 2), R = model.coordinates<SO3>("R", 2);
  const Formula thrust = model.input("thrust", 2), moment = model.input("moment", 6);
  model.body("payload", {.attitude = R0, .position = x0, .mass = m0, .inertia = J0});
  model.potential(m0 * g * x0.z());
  for (const std::size_t i : each) {
    const int k = static_cast<int>(i);
    const Formula x = x0 + R0 * Formula(hooks[i]) - L[i] * q[i];
    model.body(i == 0 ? "first" : "second", {.attitude = R[i], .position = x, .mass = m[i], .inertia = J[i]});
    model.potential(m[i] * g * x.z());
    model.force(x, thrust[k] * (R[i] * Formula(e3)));
    model.torque(R[i], Formula::vector({moment[3 * k], moment[3 * k + 1], moment[3 * k + 2]}));
  }
  return model;
}

// Where things are: (x0, R0, q1, q2, R1, R2), and (x0', Omega0, omega1, omega2, Omega1, Omega2).
Matrix3d payload_attitude(const VectorXd& q) { return attitude(q, 3); }
Vector3d cable(const VectorXd& q, std::size_t i) { return q.segment<3>(12 + 3 * static_cast<int>(i)); }
Vector3d thrust_force(const VectorXd& q, const VectorXd& u, std::size_t i) {
  return u(static_cast<int>(i)) * attitude(q, 18 + 9 * static_cast<int>(i)) * e3;
}

Matrix3d total_inertia() {
  Matrix3d result = J0;
  for (const std::size_t i : each) result += m[i] * hat(rho[i]).transpose() * hat(rho[i]);
  return result;
}

VectorXd by_hand(const VectorXd& q, const VectorXd& xi, const VectorXd& u) {  // book (9.78) to (9.81)
  const Matrix3d R0 = payload_attitude(q);
  const Vector3d w0 = xi.segment<3>(3);
  MatrixXd A = MatrixXd::Zero(12, 12);
  VectorXd b = VectorXd::Zero(12), result(18);
  A.block<3, 3>(0, 0) = (m0 + m[0] + m[1]) * I;
  A.block<3, 3>(3, 3) = total_inertia();
  b.segment<3>(0) = -(m0 + m[0] + m[1]) * g * e3;
  b.segment<3>(3) = -w0.cross(total_inertia() * w0);
  for (const std::size_t i : each) {
    const int k = 6 + 3 * static_cast<int>(i);
    const Vector3d qi = cable(q, i), w = xi.segment<3>(k), f = thrust_force(q, u, i);
    const Vector3d swing = L[i] * w.squaredNorm() * qi, whirl = R0 * hat(w0) * hat(w0) * rho[i];
    A.block<3, 3>(0, 3) -= m[i] * R0 * hat(rho[i]);
    A.block<3, 3>(0, k) = m[i] * L[i] * hat(qi);
    A.block<3, 3>(3, 0) += m[i] * hat(rho[i]) * R0.transpose();
    A.block<3, 3>(3, k) = m[i] * L[i] * hat(rho[i]) * R0.transpose() * hat(qi);
    A.block<3, 3>(k, 0) = -m[i] * hat(qi);
    A.block<3, 3>(k, 3) = m[i] * hat(qi) * R0 * hat(rho[i]);
    A.block<3, 3>(k, k) = m[i] * L[i] * I;
    b.segment<3>(0) += f - m[i] * (whirl + swing);
    b.segment<3>(3) += rho[i].cross(R0.transpose() * (f - m[i] * (swing + g * e3)));
    b.segment<3>(k) = m[i] * qi.cross(whirl + g * e3) - qi.cross(f);
    const Vector3d W = xi.segment<3>(k + 6), M = u.segment<3>(2 + 3 * static_cast<int>(i));
    result.segment<3>(k + 6) = J[i].inverse() * (M - W.cross(J[i] * W));
  }
  result.head<12>() = linear::solve(A, b);
  return result;
}

VectorXd momenta(const VectorXd& q, const VectorXd& xi) {
  const Matrix3d R0 = payload_attitude(q);
  const Vector3d v0 = xi.head<3>(), w0 = xi.segment<3>(3);
  VectorXd result(18);
  result.segment<3>(0) = (m0 + m[0] + m[1]) * v0;
  result.segment<3>(3) = total_inertia() * w0;
  for (const std::size_t i : each) {
    const int k = 6 + 3 * static_cast<int>(i);
    const Vector3d qi = cable(q, i), w = xi.segment<3>(k), q_rate = w.cross(qi), hub = R0 * w0.cross(rho[i]);
    result.segment<3>(0) += m[i] * (hub - L[i] * q_rate);
    result.segment<3>(3) += m[i] * rho[i].cross(R0.transpose() * (v0 - L[i] * q_rate));
    result.segment<3>(k) = m[i] * L[i] * (L[i] * w - qi.cross(v0 + hub));
    result.segment<3>(k + 6) = J[i] * xi.segment<3>(k + 6);
  }
  return result;
}

const std::vector<Part> parts = {Part::space,     Part::attitude, Part::direction,
                                 Part::direction, Part::attitude, Part::attitude};

TEST(Quadrotors, EquationsOfMotion) {
  const Model model = payload_on_quadrotors();
  const System system = derive(model);
  EXPECT_EQ(system.path(), Path::constant_mass) << system.path_reason();
  const Samples samples = random_samples(system);
  ByHand hand;
  hand.omega = [&](const VectorXd& q, const VectorXd& xi) { return by_hand(q, xi, samples.inputs); };
  expect_equations(system, complete(parts, hand), samples);
  const Samples few = random_samples(system, 5);
  expect_forms_agree(system, few);
  expect_paths_agree(model, few);
}

// The law of the file: each quadrotor wants the force that would hold it at its goal, gives what of it is along its
// axis, and turns its axis towards it.
struct Law {
  std::array<Vector3d, 2> goal = {Vector3d(0.8, 0.1, 1.3), Vector3d(-0.7, 0.2, 0.9)};
  double kx = 5, kv = 3, kR = 1.4, kW = 0.3;

  VectorXd inputs(const VectorXd& q, const VectorXd& xi) const {
    const Matrix3d R0 = payload_attitude(q);
    const Vector3d w0 = xi.segment<3>(3);
    VectorXd u(8);
    for (const std::size_t i : each) {
      const int k = static_cast<int>(i);
      const Matrix3d R = attitude(q, 18 + 9 * k);
      const Vector3d omega = xi.segment<3>(6 + 3 * k), W = xi.segment<3>(12 + 3 * k);
      const Vector3d x = q.head<3>() + R0 * rho[i] - L[i] * cable(q, i);
      const Vector3d v = xi.head<3>() + R0 * w0.cross(rho[i]) - L[i] * omega.cross(cable(q, i));
      const Vector3d wish = (m[i] + m0 / 2) * g * e3 - kx * (x - goal[i]) - kv * v;
      u(k) = wish.dot(R * e3);
      u.segment<3>(2 + 3 * k) = kR * e3.cross(R.transpose() * wish.normalized()) - kW * W;
    }
    return u;
  }
};

MatrixXd rows(const std::array<Vector3d, 2>& vectors) {
  MatrixXd result(2, 3);
  result << vectors[0].transpose(), vectors[1].transpose();
  return result;
}

Model file_with(const Law& law, const std::array<Vector3d, 2>& hooks = rho) {
  return from_gallery("two-quadrotors-payload", {{"m0", m0},
                                                 {"J0", J0},
                                                 {"m", Vector2d(m[0], m[1])},
                                                 {"J1", J[0]},
                                                 {"J2", J[1]},
                                                 {"l", Vector2d(L[0], L[1])},
                                                 {"rho", rows(hooks)},
                                                 {"goal", rows(law.goal)},
                                                 {"k", Matrix2d{{law.kx, law.kv}, {law.kR, law.kW}}}});
}

TEST(Quadrotors, FileOfTheGallery) {
  const Law law;
  ByHand hand;
  hand.omega = [&](const VectorXd& q, const VectorXd& xi) { return by_hand(q, xi, law.inputs(q, xi)); };
  const System system = derive(file_with(law));
  expect_equations(system, complete(parts, hand), random_samples(system));
  expect_power_balance(system, random_samples(system, 5));
}

// Book (9.82), (9.83), corrected: payload alone, with the parts of the thrusts along the cables.
TEST(Quadrotors, ReducedEquationsOfThePayload) {
  const Law law;
  const System system = derive(file_with(law));
  for (const State& s : random_samples(system, 50).states) {
    VectorXd xi(18);
    system.space().rates(s.q, s.v, xi);
    const VectorXd u = law.inputs(s.q, xi);
    const Matrix3d R0 = payload_attitude(s.q);
    const Vector3d w0 = xi.segment<3>(3);
    MatrixXd A = MatrixXd::Zero(6, 6);
    VectorXd b = VectorXd::Zero(6);
    A.topLeftCorner<3, 3>() = m0 * I;
    A.bottomRightCorner<3, 3>() = J0;
    b.head<3>() = -m0 * g * e3;
    b.tail<3>() = -w0.cross(J0 * w0);
    for (const std::size_t i : each) {
      const Vector3d q = cable(s.q, i), w = xi.segment<3>(6 + 3 * static_cast<int>(i));
      const Matrix3d Q = q * q.transpose(), S = hat(rho[i]) * R0.transpose();
      const Vector3d whirl = R0 * hat(w0) * hat(w0) * rho[i];
      const Vector3d pull = Q * thrust_force(s.q, u, i) - m[i] * (Q * g * e3 + L[i] * w.squaredNorm() * q + Q * whirl);
      A.topLeftCorner<3, 3>() += m[i] * Q;
      A.topRightCorner<3, 3>() -= m[i] * Q * R0 * hat(rho[i]);
      A.bottomLeftCorner<3, 3>() += m[i] * S * Q;
      A.bottomRightCorner<3, 3>() -= m[i] * S * Q * R0 * hat(rho[i]);
      b.head<3>() += pull;
      b.tail<3>() += S * pull;
    }
    EXPECT_LE(distance(quasi_acceleration(system, s).head<6>(), linear::solve(A, b)), 1e-11);
  }
}

// Above the hooks of a payload that is carried evenly, cables vertical.
TEST(Quadrotors, LawHovers) {
  Law law;
  const std::array<Vector3d, 2> hooks = {rho[0], -rho[0]};
  for (const std::size_t i : each) law.goal[i] = hooks[i] + L[i] * e3;
  const System system = derive(file_with(law, hooks));
  VectorXd q = system.space().reference_point();
  for (const std::size_t i : each) q.segment<3>(12 + 3 * static_cast<int>(i)) = -e3;
  EXPECT_LE(acceleration(system, {0, q, VectorXd::Zero(q.size())}).norm(), 1e-12);
  q.head<3>() += 0.1 * e3;
  EXPECT_GE(acceleration(system, {0, q, VectorXd::Zero(q.size())}).norm(), 0.1);
}

TEST(Quadrotors, Momenta) {
  const System system = derive(payload_on_quadrotors());
  Workspace work(system);
  Field rates(system, Form::omega), momentum(system, Form::pi);
  for (const State& s : random_samples(system).states)
    EXPECT_LE(distance(momentum.pack(work, s).tail(18), momenta(s.q, rates.pack(work, s).tail(18))), 1e-12);
}

TEST(Quadrotors, EnergyFollowsThePowerOfThrustsAndMoments) {
  const System system = derive(payload_on_quadrotors());
  const Samples samples = random_samples(system, 20);
  expect_power_balance(system, samples);
  Workspace work(system);
  work.u = samples.inputs;
  Field rates(system, Form::omega);
  for (const State& s : samples.states) {
    const VectorXd xi = rates.pack(work, s).tail(18);
    double power = 0;
    for (const std::size_t i : each) {
      const int k = static_cast<int>(i);
      const Vector3d hub = payload_attitude(s.q) * Vector3d(xi.segment<3>(3)).cross(rho[i]);
      const Vector3d velocity = xi.head<3>() + hub - L[i] * s.v.segment<3>(12 + 3 * k);
      power += thrust_force(s.q, work.u, i).dot(velocity) + work.u.segment<3>(2 + 3 * k).dot(xi.segment<3>(12 + 3 * k));
    }
    EXPECT_NEAR(system.power(work, s.t, s.q, s.v), power, 1e-12 * std::max(1.0, std::abs(power)));
  }
}

TEST(Quadrotors, HoverIsAnEquilibrium) {
  const System system = derive(payload_on_quadrotors({rho[0], -rho[0]}));
  Workspace work(system);
  VectorXd q = system.space().reference_point(), a(system.ambient());
  for (const std::size_t i : each) {
    q.segment<3>(12 + 3 * static_cast<int>(i)) = -e3;
    work.u(static_cast<int>(i)) = (m[i] + m0 / 2) * g;
  }
  system.acceleration(work, 0, q, VectorXd::Zero(q.size()), a);
  EXPECT_LE(a.norm(), 1e-12);
}

}  // namespace
}  // namespace hamel::test::quadrotor_test
