// Systems given by a Hamiltonian H(q, mu), against the same systems given by energies and against equations by hand.
#include <Eigen/LU>
#include <hamel/manifold/rn.hpp>
#include <hamel/manifold/s1.hpp>
#include <hamel/manifold/s2.hpp>
#include <hamel/manifold/so3.hpp>

#include "hamel/mechanics/field.hpp"
#include "systems/bodies.hpp"

namespace hamel::test::hamiltonian_test {
namespace {

const Vector3d e3 = Vector3d::UnitZ();
constexpr double m = 1.3, l = 0.9, g = 9.81;

// A magnetic term, so that mu is not parallel to q'; a driving force and friction on demand.
enum class Forced { no, yes };

void add_forces(Model& model, const Formula& q, Forced forced) {
  if (forced == Forced::no) return;
  const Formula drive = model.input("drive", 3);
  model.force_on(q, drive + 0.4 * cross(Formula(e3), q) * dot(q, rate(q) + Formula(e3)));
  model.dissipation(0.3 / 2 * squared_norm(rate(q)) * (1 + q.x() * q.x()));
}

Model pendulum(Forced forced) {
  Model model("spherical pendulum");
  const Formula q = model.coordinate<S2>("q");
  model.kinetic(m * l * l / 2 * squared_norm(rate(q)));
  model.lagrangian(0.6 * dot(rate(q), cross(Formula(e3), q)));
  model.potential(m * g * l * q.z() * (1 + 0.2 * sin(model.time())));
  add_forces(model, q, forced);
  return model;
}

Formula pendulum_energy(const Model& model, const Formula& q, const Formula& mu) {
  const Formula bare = mu - 0.6 * cross(Formula(e3), q);
  return squared_norm(bare) / (2 * m * l * l) + m * g * l * q.z() * (1 + 0.2 * sin(model.time()));
}

// With terms that vanish on the cotangent bundle, where |q| = 1 and q.mu = 0.
Model pendulum_by_hamiltonian(Forced forced, double nothing) {
  Model model("spherical pendulum");
  const Formula q = model.coordinate<S2>("q"), mu = model.momentum(q);
  model.hamiltonian(pendulum_energy(model, q, mu));
  if (nothing != 0) {
    model.hamiltonian(nothing * dot(q, mu) * (1 + mu.x() + q.y() * q.z()));
    model.hamiltonian(nothing * (squared_norm(q) - 1) * (0.7 * mu.z() + sin(q.x()) + squared_norm(mu)));
  }
  add_forces(model, q, forced);
  return model;
}

TEST(Hamiltonian, SphericalPendulum) {
  for (const Forced forced : {Forced::no, Forced::yes})
    for (const double nothing : {0.0, 0.8}) {
      const System lagrangian = derive(pendulum(forced)), system = derive(pendulum_by_hamiltonian(forced, nothing));
      EXPECT_TRUE(system.has_hamiltonian());
      expect_same_flow(lagrangian, system, random_samples(lagrangian));
      expect_forms_agree(system, random_samples(system, 5));
    }
}

TEST(Hamiltonian, PowerOfForces) {
  Model model("forced pendulum");
  const Formula q = model.coordinate<S2>("q"), mu = model.momentum(q);
  model.hamiltonian(squared_norm(mu) / (2 * m * l * l) + m * g * l * q.z());
  add_forces(model, q, Forced::yes);
  const System system = derive(model);
  expect_power_balance(system, random_samples(system, 20));
}

constexpr double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.4;
constexpr double m11 = (m1 + m2) * l1 * l1, m12 = m2 * l1 * l2, m22 = m2 * l2 * l2;

Model double_pendulum() {
  Model model("double spherical pendulum");
  const auto q = model.coordinates<S2>("q", 2);
  const Formula x1 = l1 * q[0], x2 = x1 + l2 * q[1];
  model.kinetic(m1 / 2 * squared_norm(rate(x1)) + m2 / 2 * squared_norm(rate(x2)));
  model.potential(m1 * g * x1.z() + m2 * g * x2.z());
  return model;
}

// H = mu^T K mu / 2 with the inverse K of the symmetric matrix [m11 I, m12 P1 P2; m12 P2 P1, m22 I], by its Schur
// complement (m11 - b) I + b a a^T on the tangent space, b = m12^2 / m22, a = P1 q2. Only this inverse will do: that of
// the unsymmetric matrix of book (5.23) has the same values on the cotangent bundle, and a wrong gradient there.
Model double_pendulum_by_hamiltonian(double nothing) {
  Model model("double spherical pendulum");
  const auto q = model.coordinates<S2>("q", 2);
  const Formula mu1 = model.momentum(q[0]), mu2 = model.momentum(q[1]);
  const Formula a = q[1] - dot(q[0], q[1]) * q[0], r = mu1 - m12 / m22 * (mu2 - dot(q[0], mu2) * q[0]);
  constexpr double b = m12 * m12 / m22, c = m11 - b;
  const Formula along = dot(a, r), kinetic = squared_norm(r) / c - b * along * along / (c * (c + b * squared_norm(a)));
  model.hamiltonian(squared_norm(mu2) / (2 * m22) + kinetic / 2 + (m1 + m2) * g * l1 * q[0].z() +
                    m2 * g * l2 * q[1].z());
  model.hamiltonian(nothing * dot(q[0], mu1) * (q[1].x() + mu2.y()) + nothing * (squared_norm(q[1]) - 1) * mu1.z());
  return model;
}

TEST(Hamiltonian, DoubleSphericalPendulum) {
  const System lagrangian = derive(double_pendulum());
  for (const double nothing : {0.0, 0.8})
    expect_same_flow(lagrangian, derive(double_pendulum_by_hamiltonian(nothing)), random_samples(lagrangian));
}

TEST(Hamiltonian, ParticleOnTorus) {
  constexpr double R = 2, r = 0.6;
  Model model("particle on a torus");
  const auto q = model.coordinates<S1>("q", 2);
  const Formula mu1 = model.momentum(q[0]), mu2 = model.momentum(q[1]), rho = R + r * q[1].x();
  model.hamiltonian(squared_norm(mu1) / (2 * m * rho * rho) + squared_norm(mu2) / (2 * m * r * r) +
                    m * g * r * q[1].y());
  const Vector2d E1(1, 0), E2(0, 1);
  const auto radius = [](const VectorXd& x) { return R + r * x(2); };
  ByHand hand;
  hand.omega = [&](const VectorXd& x, const VectorXd& w) -> VectorXd {  // book (4.71), (4.72)
    const double d = radius(x), s = x(3);
    return Vector2d(2 * r * s * w(0) * w(1) / d, -(d * s * w(0) * w(0) + g * x(2)) / r);
  };
  hand.mu = [&](const VectorXd& x, const VectorXd& mu) -> Rates {  // book (4.73) to (4.76)
    const double d = radius(x);
    const Vector2d a = mu.head<2>(), b = mu.tail<2>(), q2 = x.tail<2>();
    const Vector2d down = projector(q2) * (r * a.squaredNorm() / (m * d * d * d) * E1 - m * g * r * E2);
    return {stack({a / (m * d * d), b / (m * r * r)}),
            stack({-a.squaredNorm() / (m * d * d) * x.head<2>(), down - b.squaredNorm() / (m * r * r) * q2})};
  };
  hand.pi = [&](const VectorXd& x, const VectorXd& pi) -> Rates {  // book (4.77) to (4.80)
    const double d = radius(x);
    const Matrix2d S = quarter_turn();
    return {stack({pi(0) / (m * d * d) * S * x.head<2>(), pi(1) / (m * r * r) * S * x.tail<2>()}),
            Vector2d(0, -r * pi(0) * pi(0) / (m * d * d * d) * x(3) - m * g * r * x(2))};
  };
  const System system = derive(model);
  expect_equations(system, hand, random_samples(system));
  expect_forms_agree(system, random_samples(system, 5));
}

const Matrix3d J{{1.1, 0.1, -0.2}, {0.1, 1.4, 0.15}, {-0.2, 0.15, 1.7}};
const Vector3d rho(0.2, -0.1, 0.4);

Model top() {
  Model model("3-D pendulum");
  const Formula R = model.coordinate<SO3>("R");
  model.body("body", {.attitude = R, .inertia = J});
  model.potential(-m * g * (R * Formula(rho)).z());
  model.torque(R, model.input("moment", 3));
  return model;
}

Model top_by_hamiltonian(double nothing) {
  Model model("3-D pendulum");
  const Formula R = model.coordinate<SO3>("R"), mu = model.momentum(R);
  const Formula Pi = 2 * vee(transpose(R) * mu);
  model.hamiltonian(dot(Pi, Formula(J.inverse().eval()) * Pi) / 2 - m * g * (R * Formula(rho)).z());
  model.hamiltonian(nothing * trace(transpose(R) * mu) * (1 + Pi.x()));
  model.hamiltonian(nothing * (trace(transpose(R) * R) - 3) * (0.7 + mu(0, 1)));
  model.torque(R, model.input("moment", 3));
  return model;
}

TEST(Hamiltonian, AttitudeWithMatrixMomentum) {
  const System lagrangian = derive(top());
  for (const double nothing : {0.0, 0.8}) {
    const System system = derive(top_by_hamiltonian(nothing));
    expect_same_flow(lagrangian, system, random_samples(lagrangian));
    expect_power_balance(system, random_samples(system, 10));
  }
}

// H = sqrt(m^2 c^4 + c^2 p^2): the momentum of a velocity near c.
TEST(Hamiltonian, Relativistic) {
  constexpr double c = 3;
  Model model("relativistic particle");
  const Formula x = model.coordinate("x", Rn(3)), p = model.momentum(x);
  model.hamiltonian(c * sqrt(m * m * c * c + squared_norm(p)) + squared_norm(x));
  const System system = derive(model);
  Workspace work(system);
  VectorXd momentum(3);
  for (const double speed : {0.1, 0.9, 0.999}) {
    const Vector3d v = speed * c * Vector3d(2, -1, 2) / 3;
    system.momentum(work, 0, Vector3d(1, 2, 3), v, momentum);
    EXPECT_LE(distance(momentum, m * v / std::sqrt(1 - speed * speed)), 1e-12);
    const Vector3d force = -2 * Vector3d(1, 2, 3);
    const Vector3d by_hand = (force - v * v.dot(force) / (c * c)) * std::sqrt(1 - speed * speed) / m;
    EXPECT_LE(distance(acceleration(system, {0, Vector3d(1, 2, 3), v}), by_hand), 1e-12);
  }
}

// H linear in mu: a flow without a Lagrangian, q' = e3 x q.
TEST(Hamiltonian, DegenerateInMomentum) {
  Model model("turning sphere");
  const Formula q = model.coordinate<S2>("q"), mu = model.momentum(q);
  model.hamiltonian(dot(mu, cross(Formula(e3), q)));
  const System system = derive(model);
  Field field(system, Form::mu);
  Workspace work(system);
  VectorXd y(6), rate(6);
  y << 0.6, 0, 0.8, 0.4, 1.5, -0.3;
  field(work, 0, y, rate);
  EXPECT_LE(distance(rate, stack({e3.cross(Vector3d(y.head<3>())), e3.cross(Vector3d(y.tail<3>()))})), 1e-14);
  EXPECT_EQ(
      message_of([&] {
        acceleration(system, {0, y.head(3), y.tail(3)});
      }),
      "no momentum belongs to this velocity at t = 0: the Hamiltonian is degenerate in mu, or the velocity is out "
      "of range");
}

TEST(Hamiltonian, RefusesConstraints) {
  Model model("constrained");
  const Formula x = model.coordinate("x", Rn(3));
  model.hamiltonian(squared_norm(model.momentum(x)) / 2);
  model.constraint("plane", x.z());
  EXPECT_EQ(message_of([&] { derive(model); }),
            "holonomic constraints with a Hamiltonian are not supported: give a Lagrangian, or the constraint as an "
            "embedded manifold");
}

}  // namespace
}  // namespace hamel::test::hamiltonian_test
