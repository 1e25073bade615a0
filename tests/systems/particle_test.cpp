// Book chapter 3 and beyond: particles in R^n, with forces, in moving frames, in magnetic fields, at high speed.
#include <Eigen/LU>
#include <hamel/manifold/rn.hpp>

#include "systems/bodies.hpp"

namespace hamel::test::particle_test {
namespace {

const Vector3d e3 = Vector3d::UnitZ();
constexpr double m = 1.3, g = 9.81;

// m q'' = F(q, q'), p = m q', for potential energies.
ByHand newton(const std::function<VectorXd(const VectorXd& q)>& force) {
  ByHand hand;
  hand.velocity = hand.omega = [=](const VectorXd& q, const VectorXd&) -> VectorXd { return force(q) / m; };
  hand.mu = hand.pi = [=](const VectorXd& q, const VectorXd& p) -> Rates { return {p / m, force(q)}; };
  return hand;
}

TEST(Particle, UniformGravity) {
  Model model("falling particle");
  const Formula q = model.coordinate("q", Rn(3)), mass = model.parameter("m", m);
  model.kinetic(mass / 2 * squared_norm(rate(q)));
  model.potential(mass * g * q.z());
  expect_by_hand(model, newton([](const VectorXd&) -> VectorXd { return -m * g * e3; }));  // book (3.24)
}

TEST(Particle, Kepler) {
  constexpr double mu = 1.7;
  Model model("Kepler");
  const Formula q = model.coordinate("q", Rn(3)), mass = model.parameter("m", m);
  model.kinetic(mass / 2 * squared_norm(rate(q)));
  model.potential(-mass * mu / norm(q));
  expect_by_hand(model, newton([](const VectorXd& x) -> VectorXd {  // book (3.38), (3.40)
                   return -m * mu * x / std::pow(x.norm(), 3);
                 }));
}

TEST(Particle, DragReachesTerminalVelocity) {
  constexpr double drag = 0.4;
  Model model("falling particle with drag");
  const Formula q = model.coordinate("q", Rn(3)), mass = model.parameter("m", m);
  model.kinetic(mass / 2 * squared_norm(rate(q)));
  model.potential(mass * g * q.z());
  model.force_on(q, -drag * norm(rate(q)) * rate(q));
  const System system = derive(model);
  ByHand hand;
  hand.velocity = hand.omega = [](const VectorXd&, const VectorXd& v) -> VectorXd {  // book (3.25)
    return -drag / m * v.norm() * v - g * e3;
  };
  hand.mu = hand.pi = [](const VectorXd&, const VectorXd& p) -> Rates {  // book (3.27)
    return {p / m, -drag / (m * m) * p.norm() * p - m * g * e3};
  };
  const Samples samples = random_samples(system);
  expect_equations(system, hand, samples);
  expect_power_balance(system, samples);
  Workspace work(system);
  for (const State& s : samples.states)
    EXPECT_NEAR(system.power(work, s.t, s.q, s.v), -drag * std::pow(s.v.norm(), 3), 1e-11);
  const double terminal = std::sqrt(m * g / drag);
  for (const double t : {0.3, 1.0, 4.0, 20.0}) {
    const State end = state_after(system, {0, Vector3d::Zero(), Vector3d::Zero()}, t);
    EXPECT_NEAR(end.v(2), -terminal * std::tanh(g * t / terminal), 1e-10);
  }
}

TEST(Particle, RayleighDissipation) {
  constexpr double k = 7.0, c = 0.9;
  Model model("damped oscillator");
  const Formula q = model.coordinate("q", Rn(1));
  model.kinetic(m / 2 * rate(q) * rate(q));
  model.potential(k / 2 * q * q);
  model.dissipation(c / 2 * rate(q) * rate(q));
  const System system = derive(model);
  const Samples samples = random_samples(system);
  ByHand hand;
  hand.velocity = hand.omega = [=](const VectorXd& x, const VectorXd& v) -> VectorXd { return -(k * x + c * v) / m; };
  hand.mu = hand.pi = [=](const VectorXd& x, const VectorXd& p) -> Rates { return {p / m, -k * x - c / m * p}; };
  expect_equations(system, hand, samples);
  expect_power_balance(system, samples);
  const double decay = c / (2 * m), frequency = std::sqrt(k / m - decay * decay);
  const State end = state_after(system, {0, VectorXd::Constant(1, 0.8), VectorXd::Zero(1)}, 3);
  const double phase = frequency * 3;
  EXPECT_NEAR(end.q(0), 0.8 * std::exp(-3 * decay) * (std::cos(phase) + decay / frequency * std::sin(phase)), 1e-11);
}

// A particle on a spring in coordinates that turn with R(t) about e3: x = R q.
struct RotatingFrame {
  static constexpr double k = 2.9;
  Model model{"particle in a rotating frame"};
  Formula q = model.coordinate("q", Rn(3));

  explicit RotatingFrame(const Formula& rate_of_turn) {
    const Formula moving = rate(q) + rate_of_turn * cross(Formula(e3), q);
    model.kinetic(m / 2 * squared_norm(moving));
    model.potential(k / 2 * squared_norm(q));
  }
  static Vector3d inertial(const Vector3d& x0, const Vector3d& v0, double t) {
    const double w = std::sqrt(k / m);
    return x0 * std::cos(w * t) + v0 / w * std::sin(w * t);
  }
};

TEST(Particle, RotatingFrame) {
  constexpr double turn = 1.9;
  const RotatingFrame frame{Formula(turn)};
  const Vector3d w = turn * e3;
  const auto force = [](const VectorXd& q) -> Vector3d { return -RotatingFrame::k * q; };
  ByHand hand;
  hand.velocity = hand.omega = [=](const VectorXd& q, const VectorXd& v) -> VectorXd {  // book (3.42)
    return force(q) / m - 2 * w.cross(Vector3d(v)) - w.cross(w.cross(Vector3d(q)));
  };
  hand.mu = hand.pi = [=](const VectorXd& q, const VectorXd& p) -> Rates {  // book (3.43), (3.44), corrected
    return {p / m - w.cross(Vector3d(q)), -w.cross(Vector3d(p)) + force(q)};
  };
  expect_by_hand(frame.model, hand);

  const System system = derive(frame.model);
  const Vector3d x0(1, -0.3, 0.5), v0(0.2, 0.7, -0.4);
  const State end = state_after(system, {0, x0, v0 - w.cross(x0)}, 3);
  EXPECT_LE(distance(end.q, rotation_by(-3 * w) * RotatingFrame::inertial(x0, v0, 3)), 1e-10);
}

TEST(Particle, FrameThatTurnsUnevenly) {
  Model clock("clock");
  const Formula t = clock.time();
  const RotatingFrame frame(rate(1.9 * t + 0.6 * sin(t)));
  const System system = derive(frame.model);
  EXPECT_FALSE(system.is_conservative());
  for (const State& s : random_samples(system).states) {
    const Vector3d w = (1.9 + 0.6 * std::cos(s.t)) * e3, w_rate = -0.6 * std::sin(s.t) * e3, q = s.q, v = s.v;
    const Vector3d by_hand = -RotatingFrame::k / m * q - 2 * w.cross(v) - w.cross(w.cross(q)) - w_rate.cross(q);
    EXPECT_LE(distance(acceleration(system, s), by_hand), 1e-11);
  }
  const Vector3d x0(1, -0.3, 0.5), v0(0.2, 0.7, -0.4);
  const State end = state_after(system, {0, x0, v0 - 2.5 * e3.cross(x0)}, 3);
  const Matrix3d back = rotation_by(-(1.9 * 3 + 0.6 * std::sin(3.0)) * e3);
  EXPECT_LE(distance(end.q, back * RotatingFrame::inertial(x0, v0, 3)), 1e-10);
}

Model charged(const std::function<Formula(const Formula& x)>& potential) {
  constexpr double charge = 0.8;
  Model model("charged particle");
  const Formula x = model.coordinate("x", Rn(3));
  model.kinetic(m / 2 * squared_norm(rate(x)));
  model.lagrangian(charge * dot(rate(x), potential(x)));
  return model;
}

TEST(Particle, ChargedInAMagneticField) {
  const Vector3d B(0.7, -1.1, 1.9);
  const auto symmetric = [&](const Formula& x) { return cross(Formula(B), x) / 2; };
  const auto other_gauge = [&](const Formula& x) {  // A = B x x / 2 + grad(x y z + x^2 sin z)
    const Formula gradient =
        Formula::vector({x[1] * x[2] + 2 * x[0] * sin(x[2]), x[0] * x[2], x[0] * x[1] + x[0] * x[0] * cos(x[2])});
    return symmetric(x) + gradient;
  };
  const System system = derive(charged(symmetric)), same = derive(charged(other_gauge));
  ByHand hand;
  hand.velocity =
      hand.omega = [&](const VectorXd&, const VectorXd& v) -> VectorXd { return 0.8 / m * Vector3d(v).cross(B); };
  const Samples samples = random_samples(system);
  expect_equations(system, hand, samples);
  expect_equations(same, hand, samples);
  expect_forms_agree(same, random_samples(same, 5));

  const Vector3d x0(0.2, 0.1, -0.3), v0(1.1, 0.4, -0.6);
  const double cyclotron = 0.8 * B.norm() / m, t = 4;
  const Vector3d b = B.normalized(), along = b.dot(v0) * b, across = v0 - along;
  const Vector3d helix =
      x0 + along * t + (std::sin(cyclotron * t) * across + (1 - std::cos(cyclotron * t)) * across.cross(b)) / cyclotron;
  for (const System* gauge : {&system, &same}) EXPECT_LE(distance(state_after(*gauge, {0, x0, v0}, t).q, helix), 1e-10);
}

TEST(Particle, Relativistic) {
  constexpr double c = 3.0, k = 1.4;
  Model model("relativistic particle");
  const Formula x = model.coordinate("x", Rn(3));
  model.lagrangian(-m * c * c * sqrt(1 - squared_norm(rate(x)) / (c * c)));
  model.potential(k / 4 * pow(squared_norm(x), 2));
  const System system = derive(model);
  const auto force = [](const VectorXd& q) -> VectorXd { return -k * q.squaredNorm() * q; };
  ByHand hand;
  hand.velocity = hand.omega = [=](const VectorXd& q, const VectorXd& v) -> VectorXd {
    const double gamma = 1 / std::sqrt(1 - v.squaredNorm() / (c * c));
    return (force(q) - v * v.dot(force(q)) / (c * c)) / (gamma * m);
  };
  hand.mu = hand.pi = [=](const VectorXd& q, const VectorXd& p) -> Rates {
    return {p / std::sqrt(m * m + p.squaredNorm() / (c * c)), force(q)};
  };
  Samples samples = random_samples(system);
  for (State& s : samples.states) s.v *= 0.9 * c * std::tanh(s.v.norm()) / s.v.norm();
  expect_equations(system, hand, samples);
  Workspace work(system);
  VectorXd p(3), v(3);
  for (const State& s : samples.states) {
    const double gamma = 1 / std::sqrt(1 - s.v.squaredNorm() / (c * c));
    system.momentum(work, s.t, s.q, s.v, p);
    EXPECT_LE(distance(p, gamma * m * s.v), 1e-13);
    system.velocity(work, s.t, s.q, p, v);
    EXPECT_LE(distance(v, s.v), 1e-13);
    const double energy = gamma * m * c * c + k / 4 * std::pow(s.q.squaredNorm(), 2);
    EXPECT_NEAR(system.energy(work, s.t, s.q, s.v).total, energy, 1e-12 * energy);
  }
}

// Book section 3.7.2: x = q1 (1, -1, 0) + q2 (0, -1, 1) + e3.
TEST(Particle, InclinedPlaneInTwoCoordinates) {
  Model model("particle on an inclined plane");
  const Formula q = model.coordinate("q", Rn(2));
  const Formula x = Formula::vector({q[0], -q[0] - q[1], q[1] + 1});
  model.kinetic(m / 2 * squared_norm(rate(x)));
  model.potential(m * g * x.z());
  const Matrix2d A{{2, 1}, {1, 2}};
  ByHand hand;
  hand.velocity = hand.omega = [](const VectorXd&, const VectorXd&) -> VectorXd { return g / 3 * Vector2d(1, -2); };
  hand.mu = hand.pi = [=](const VectorXd&, const VectorXd& p) -> Rates {  // book (3.31), (3.32)
    return {A.inverse() * p / m, Vector2d(0, -m * g)};
  };
  expect_by_hand(model, hand);
}

// Book section 3.7.3: x3 = -x1^2 + x2^2.
TEST(Particle, HyperbolicParaboloidInTwoCoordinates) {
  Model model("particle on a hyperbolic paraboloid");
  const Formula q = model.coordinate("q", Rn(2)), height = q[1] * q[1] - q[0] * q[0];
  model.kinetic(m / 2 * squared_norm(rate(Formula::vector({q[0], q[1], height}))));
  model.potential(m * g * height);
  ByHand hand;
  hand.velocity = hand.omega = [](const VectorXd& x, const VectorXd& v) -> VectorXd {  // book (3.35)
    const Vector2d slope(-2 * x(0), 2 * x(1));
    const Matrix2d M = Matrix2d::Identity() + slope * slope.transpose();
    const double bend = 2 * (v(1) * v(1) - v(0) * v(0));
    return M.inverse() * (-(bend + g) * slope);
  };
  hand.mu = hand.pi = [](const VectorXd& x, const VectorXd& p) -> Rates {  // book (3.36), (3.37), corrected
    const double D = 1 + 4 * x.squaredNorm(), a = x(0), b = x(1);
    const Matrix2d inverse = Matrix2d{{1 + 4 * b * b, 4 * a * b}, {4 * a * b, 1 + 4 * a * a}} / (m * D);
    const Vector2d bracket(-4 * p(0) * b * b - 4 * p(1) * a * b - p(0), 4 * p(1) * a * a + 4 * p(0) * a * b + p(1));
    return {inverse * p, -4 * (p(0) * a - p(1) * b) / (m * D * D) * bracket + m * g * Vector2d(2 * a, -2 * b)};
  };
  expect_by_hand(model, hand);
}

}  // namespace
}  // namespace hamel::test::particle_test
