// Book chapter 6: one rigid body on SO(3), against its equations (corrected where the print errs).
// Every body is described by its inertia, by a kinetic energy in which omega is typed, and in a file of the gallery.
#include <Eigen/LU>
#include <array>
#include <hamel/manifold/so3.hpp>

#include "gallery/files.hpp"
#include "hamel/mechanics/field.hpp"
#include "systems/bodies.hpp"

namespace hamel::test::rigid_body_test {
namespace {

const Vector3d e2 = Vector3d::UnitY(), e3 = Vector3d::UnitZ();
const Matrix3d I = Matrix3d::Identity();
const Matrix3d inertia{{1.1, 0.1, -0.2}, {0.1, 1.4, 0.15}, {-0.2, 0.15, 1.7}};
constexpr double m = 1.3, g = 9.81;

enum class Written { as_body, with_omega, in_a_file };
constexpr std::array all_ways = {Written::as_body, Written::with_omega, Written::in_a_file};

void add_rotation(Model& model, Written written, const Formula& R, const Matrix3d& J) {
  const Formula inertia_matrix = model.parameter("J", J);
  if (written == Written::as_body)
    model.body("body", {.attitude = R, .inertia = inertia_matrix});
  else
    model.kinetic(dot(omega(R), inertia_matrix * omega(R)) / 2);
}

// J omega' + omega x J omega = M, Pi' = Pi x J^-1 Pi + M: book (6.8), (6.13), (6.14).
ByHand turning(const Matrix3d& J, const std::function<Vector3d(const Matrix3d& R)>& moment) {
  const Matrix3d inverse = J.inverse();
  ByHand hand;
  hand.omega = [=](const VectorXd& q, const VectorXd& xi) -> VectorXd {
    const Vector3d w = xi;
    return inverse * (moment(attitude(q)) - w.cross(J * w));
  };
  hand.pi = [=](const VectorXd& q, const VectorXd& pi) -> Rates {
    const Vector3d Pi = pi, w = inverse * Pi;
    return {flat(attitude(q) * hat(w)), Pi.cross(w) + moment(attitude(q))};
  };
  return complete({Part::attitude}, hand);
}

Model free_body(Written written, const Matrix3d& J) {
  if (written == Written::in_a_file) return from_gallery("free-rigid-body-so3", {{"J", J}});
  Model model("free rigid body");
  add_rotation(model, written, model.coordinate<SO3>("R"), J);
  return model;
}

TEST(RigidBody, Free) {
  const auto no_moment = [](const Matrix3d&) -> Vector3d { return Vector3d::Zero(); };
  for (const Written written : all_ways) expect_by_hand(free_body(written, inertia), turning(inertia, no_moment));
}

TEST(RigidBody, FlatOnBothPaths) {
  const auto no_moment = [](const Matrix3d&) -> Vector3d { return Vector3d::Zero(); };
  for (const Vector3d& J : {Vector3d(1, 1, 2), Vector3d(1, 2, 3)})
    for (const Written written : all_ways)
      for (const Path path : {Path::constant_mass, Path::reduced}) {
        const System system = derive(free_body(written, J.asDiagonal()), {path});
        EXPECT_EQ(system.path(), path);
        expect_equations(system, turning(J.asDiagonal(), no_moment), random_samples(system));
      }
}

TEST(RigidBody, FreeReference) {
  const System system = derive(free_body(Written::in_a_file, Vector3d(1, 2, 3).asDiagonal()));
  const State end = state_after(system, system.state(0, flat(I), Vector3d::Ones()), 2);
  Workspace work(system);
  EXPECT_LE(distance(vee(attitude(end.q).transpose() * attitude(end.v)),
                     Vector3d(-1.19958074240, 0.74900336612, 1.07066863183)),
            1e-9);
  EXPECT_LE(distance(attitude(end.q).transpose() * e3, Vector3d(-0.08755722463, 0.86200832742, 0.49927485003)), 1e-9);
  EXPECT_NEAR(system.energy(work, 2, end.q, end.v).total, 3, 1e-10);
  EXPECT_NEAR(Field(system, Form::pi).pack(work, end).tail<3>().squaredNorm(), 14, 1e-9);
}

Model pendulum(Written written, const Matrix3d& J, double mass, const Vector3d& to_pivot) {
  if (written == Written::in_a_file) return from_gallery("pendulum-3d", {{"J", J}, {"m", mass}, {"rho", to_pivot}});
  Model model("3-D pendulum");
  const Formula R = model.coordinate<SO3>("R");
  add_rotation(model, written, R, J);
  const Formula weight = model.parameter("w", mass * g), rho = model.parameter("rho", to_pivot);
  model.potential(-weight * (R * rho).z());
  return model;
}

TEST(RigidBody, Pendulum) {
  const Vector3d rho(0.2, -0.1, 0.4);
  const auto moment = [=](const Matrix3d& R) -> Vector3d { return m * g * rho.cross(R.transpose() * e3); };  // (6.20)
  for (const Written written : all_ways) expect_by_hand(pendulum(written, inertia, m, rho), turning(inertia, moment));
}

// A top is a pendulum whose centre of mass is above its pivot; a handle in free fall is a free body.
TEST(RigidBody, TopAndHandle) {
  const Vector3d rho(0, 0, -0.3);
  const auto moment = [=](const Matrix3d& R) -> Vector3d { return m * g * rho.cross(R.transpose() * e3); };
  expect_by_hand(from_gallery("heavy-top", {{"J", inertia}, {"m", m}, {"h", 0.3}}), turning(inertia, moment));
  constexpr double bar = 0.4, stem = 0.2, a = 1.0, b = 0.6, d = stem / (bar + stem) * b / 2;
  const double Jx = bar * d * d + stem * (b * b / 12 + (b / 2 - d) * (b / 2 - d)), Jy = bar * a * a / 12;
  expect_by_hand(from_gallery("t-handle", {{"a", a}, {"b", b}}),
                 turning(Vector3d(Jx, Jy, Jx + Jy).asDiagonal(), [](const Matrix3d&) -> Vector3d {
                   return {0, 0, 0};
                 }));
}

TEST(RigidBody, PendulumReference) {
  const System system = derive(pendulum(Written::in_a_file, Vector3d(0.13, 0.28, 0.17).asDiagonal(), 1, {0, 0, 0.3}));
  const State start = system.state(0, flat(rotation_by({0.4, -0.2, 0.1})), Vector3d(0.5, -0.3, 2));
  const State end = state_after(system, start, 2);
  Workspace work(system);
  EXPECT_LE(distance(vee(attitude(end.q).transpose() * attitude(end.v)),
                     Vector3d(2.25029748890, -0.48483778341, 1.66957305875)),
            1e-9);
  EXPECT_LE(distance(attitude(end.q).transpose() * e3, Vector3d(-0.05270736984, -0.19220487896, 0.97993837442)), 1e-9);
  EXPECT_NEAR(system.energy(work, 2, end.q, end.v).total, -2.28496433313, 1e-10);
  const Vector3d Pi = Field(system, Form::pi).pack(work, end).tail<3>();
  EXPECT_NEAR((attitude(end.q) * Pi).z(), 0.28880712899, 1e-10);
}

// The attitude relative to the orbiting frame; the body turns with omega = xi + w0 R^T e2.
Model orbiting_body(double w0, const Matrix3d& J) {
  return from_gallery("rigid-body-circular-orbit", {{"w0", w0}, {"J", J}});
}

TEST(RigidBody, InCircularOrbit) {
  constexpr double w0 = 0.8;
  const Matrix3d &J = inertia, inverse = J.inverse();
  const auto moment = [=](const Matrix3d& R) -> Vector3d {  // book (6.23)
    const Vector3d zeta = R.transpose() * e3;
    return 3 * w0 * w0 * zeta.cross(J * zeta);
  };
  ByHand hand;
  hand.omega = [=](const VectorXd& q, const VectorXd& xi) -> VectorXd {
    const Vector3d normal = attitude(q).transpose() * e2, relative = xi, w = relative + w0 * normal;
    return inverse * (moment(attitude(q)) - w.cross(J * w)) - w0 * normal.cross(relative);
  };
  hand.pi = [=](const VectorXd& q, const VectorXd& pi) -> Rates {  // book (6.25), (6.26)
    const Vector3d Pi = pi, w = inverse * Pi, relative = w - w0 * attitude(q).transpose() * e2;
    return {flat(attitude(q) * hat(relative)), Pi.cross(w) + moment(attitude(q))};
  };
  expect_by_hand(orbiting_body(w0, J), complete({Part::attitude}, hand));
}

// The conserved quantity is the Jacobi integral, not T + U.
TEST(RigidBody, InCircularOrbitReference) {
  const System system = derive(orbiting_body(1, Vector3d(3, 4, 2).asDiagonal()));
  const State start = system.state(0, flat(rotation_by({0.3, 0.2, -0.1})), Vector3d(0.1, 0, -0.05));
  const State end = state_after(system, start, 2);
  const Vector3d w = vee(attitude(end.q).transpose() * attitude(end.v)) + attitude(end.q).transpose() * e2;
  EXPECT_LE(distance(w, Vector3d(-0.45525882138, 0.73767860596, -0.07305286823)), 1e-9);
  EXPECT_LE(distance(attitude(end.q).transpose() * e3, Vector3d(0.08387106634, -0.21256202560, 0.97354148833)), 1e-9);
  Workspace work(system);
  for (const State& s : {start, end}) EXPECT_NEAR(system.energy(work, s.t, s.q, s.v).total, 1.41840037341, 1e-10);
  const Energy before = system.energy(work, 0, start.q, start.v), after = system.energy(work, 2, end.q, end.v);
  EXPECT_NEAR(before.kinetic + before.potential, 5.24011953211, 1e-10);
  EXPECT_NEAR(after.kinetic + after.potential, 4.55066644243, 1e-9);
}

// The same seen from space, where gravity depends on time: e3 of the orbiting frame is at (sin w0 t, 0, cos w0 t).
TEST(RigidBody, InCircularOrbitSeenFromSpace) {
  constexpr double w0 = 0.8;
  Model model("rigid body in circular orbit");
  const Formula R = model.coordinate<SO3>("R"), J = model.parameter("J", inertia), t = model.time();
  const Formula up = Formula::vector({sin(w0 * t), 0.0, cos(w0 * t)}), zeta = transpose(R) * up;
  model.body("body", {.attitude = R, .inertia = J});
  model.potential(1.5 * w0 * w0 * dot(zeta, J * zeta));
  const System system = derive(model);
  EXPECT_FALSE(system.is_conservative());
  for (const State& s : random_samples(system).states) {
    const Matrix3d R_ = attitude(s.q);
    const Vector3d w = vee(R_.transpose() * attitude(s.v));
    const Vector3d seen = R_.transpose() * Vector3d(std::sin(w0 * s.t), 0, std::cos(w0 * s.t));
    const Vector3d by_hand = inertia.inverse() * (3 * w0 * w0 * seen.cross(inertia * seen) - w.cross(inertia * w));
    EXPECT_LE(distance(quasi_acceleration(system, s), by_hand), 1e-11);
  }
}

// A moment in the body frame, and a force in space at a point b of the body: M = b x R^T F, book problems 6.2, 6.10.
TEST(RigidBody, MomentsAndForces) {
  const Vector3d b(0.3, -0.2, 0.5);
  Model model("forced rigid body");
  const Formula R = model.coordinate<SO3>("R"), M = model.input("M", 3), F = model.input("F", 3);
  model.body("body", {.attitude = R, .inertia = model.parameter("J", inertia)});
  model.torque(R, M);
  model.force(R * Formula(b), F);
  const System system = derive(model);
  const Samples samples = random_samples(system);
  const Vector3d moment = samples.inputs.head<3>(), force = samples.inputs.tail<3>();
  expect_equations(
      system,
      turning(inertia, [=](const Matrix3d& R_) -> Vector3d { return moment + b.cross(R_.transpose() * force); }),
      samples);
  expect_power_balance(system, random_samples(system, 10));
}

// J omega' + omega x J omega = -c omega, as a dissipation function and as a torque.
TEST(RigidBody, Damped) {
  constexpr double c = 0.3;
  for (const bool by_torque : {false, true}) {
    Model model("damped rigid body");
    const Formula R = model.coordinate<SO3>("R");
    model.body("body", {.attitude = R, .inertia = model.parameter("J", inertia)});
    if (by_torque)
      model.torque(R, -c * omega(R));
    else
      model.dissipation(c / 2 * squared_norm(omega(R)));
    ByHand hand;
    hand.omega = [=](const VectorXd&, const VectorXd& xi) -> VectorXd {
      const Vector3d w = xi;
      return inertia.inverse() * (-w.cross(inertia * w) - c * w);
    };
    hand.pi = [=](const VectorXd& q, const VectorXd& pi) -> Rates {
      const Vector3d Pi = pi, w = inertia.inverse() * Pi;
      return {flat(attitude(q) * hat(w)), Pi.cross(w) - c * w};
    };
    expect_by_hand(model, complete({Part::attitude}, hand));
    const System system = derive(model);
    expect_power_balance(system, random_samples(system, 10));
  }
}

}  // namespace
}  // namespace hamel::test::rigid_body_test
