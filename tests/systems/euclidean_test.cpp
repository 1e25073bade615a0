// Book 3.7: systems on R^n, against their equations and exact solutions.
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <hamel/manifold/rn.hpp>

#include "gallery/files.hpp"
#include "systems/bodies.hpp"
#include "systems/models.hpp"

namespace hamel::test::euclidean_test {
namespace {

const Vector3d e3(0, 0, 1);
constexpr double drag = 0.4, attraction = 3.2;

// x' and p' where x' = p / m.
ByHand particle(const std::function<Vector3d(const Vector3d& x, const Vector3d& v)>& force) {
  ByHand hand;
  hand.velocity = hand.omega = [=](const VectorXd& x, const VectorXd& v) -> VectorXd { return force(x, v) / m; };
  hand.mu = hand.pi = [=](const VectorXd& x, const VectorXd& p) -> Rates { return {p / m, force(x, p / m)}; };
  return hand;
}

TEST(EuclideanSystems, UniformGravity) {
  expect_by_hand(from_gallery("particle-uniform-gravity", {{"m", m}}),
                 particle([](const Vector3d&, const Vector3d&) -> Vector3d { return -m * g * e3; }));
}

// F = -C |v| v, book (3.25): as a force, and as the gradient of C |v|^3 / 3.
TEST(EuclideanSystems, Drag) {
  const Model by_force = from_gallery("particle-uniform-gravity-drag", {{"m", m}, {"c", drag}});

  Model by_dissipation("particle with dissipation");
  auto y = by_dissipation.coordinate("y", Rn(3));
  by_dissipation.kinetic(m / 2 * squared_norm(rate(y)));
  by_dissipation.potential(m * g * y.z());
  by_dissipation.dissipation(drag / 3 * pow(norm(rate(y)), 3));

  for (const Model& model : {by_force, by_dissipation}) {
    expect_by_hand(model, particle([](const Vector3d&, const Vector3d& v) -> Vector3d {
                     return -drag * v.norm() * v - m * g * e3;
                   }));
    const System system = derive(model);
    EXPECT_FALSE(system.is_conservative());
    Workspace work(system);
    const double terminal = std::sqrt(m * g / drag), t = 1.5;
    const State end = state_after(system, {0, Vector3d::Zero(), Vector3d(0, 0, -1e-3)}, t);
    // v = -V tanh(g t / V + s) from v = -V tanh(s)
    EXPECT_NEAR(end.v(2), -terminal * std::tanh(g * t / terminal + std::atanh(1e-3 / terminal)), 1e-9);
    EXPECT_NEAR(system.power(work, end.t, end.q, end.v), -drag * std::pow(end.v.norm(), 3), 1e-10);
  }
}

// x = q1 (1, -1, 0) + q2 (0, -1, 1) + e3 on the plane x1 + x2 + x3 = 1: q'' = g/3 (1, -2), book (3.30).
TEST(EuclideanSystems, InclinedPlane) {
  const Model model = from_gallery("particle-inclined-plane", {{"m", m}});
  const Matrix2d A{{2, 1}, {1, 2}};
  ByHand hand;
  hand.velocity = [](const VectorXd&, const VectorXd&) -> VectorXd { return g / 3 * Vector2d(1, -2); };
  hand.mu = [=](const VectorXd&, const VectorXd& p) -> Rates { return {A.inverse() * p / m, -m * g * Vector2d(0, 1)}; };
  expect_by_hand(model, hand);
  EXPECT_EQ(derive(model).path(), Path::constant_mass);
}

// x3 = x2^2 - x1^2, book (3.35) to (3.37), corrected.
TEST(EuclideanSystems, HyperbolicParaboloid) {
  const Model model = from_gallery("particle-hyperbolic-paraboloid", {{"m", m}});
  ByHand hand;
  hand.velocity = [](const VectorXd& y, const VectorXd& v) -> VectorXd {
    const Matrix2d M{{1 + 4 * y(0) * y(0), -4 * y(0) * y(1)}, {-4 * y(0) * y(1), 1 + 4 * y(1) * y(1)}};
    const Vector2d n(y(0), -y(1));
    return M.inverse() * (-4 * (v(0) * v(0) - v(1) * v(1)) + 2 * g) * n;
  };
  hand.pi = [](const VectorXd& y, const VectorXd& p) -> Rates {
    const double a = y(0), b = y(1), D = 1 + 4 * (a * a + b * b);
    const Matrix2d inverse = Matrix2d{{1 + 4 * b * b, 4 * a * b}, {4 * a * b, 1 + 4 * a * a}} / (m * D);
    const Vector2d turn(-4 * p(0) * b * b - 4 * p(1) * a * b - p(0), 4 * p(1) * a * a + 4 * p(0) * a * b + p(1));
    return {inverse * p, -4 * (p(0) * a - p(1) * b) / (m * D * D) * turn + m * g * Vector2d(2 * a, -2 * b)};
  };
  expect_by_hand(model, hand);
}

TEST(EuclideanSystems, Kepler) {
  const System system = derive(from_gallery("kepler-restricted-two-body", {{"m", m}, {"mu", attraction}}));
  Samples samples = random_samples(system);
  std::erase_if(samples.states, [](const State& s) { return s.q.norm() < 0.5; });
  expect_equations(system, particle([](const Vector3d& q, const Vector3d&) -> Vector3d {
                     return -m * attraction * q / std::pow(q.norm(), 3);
                   }),
                   samples);
  // Angular momentum and the Runge-Lenz vector.
  const auto constants = [](const State& s, const VectorXd& p) {
    const Vector3d q = s.q, v = s.v, h = q.cross(Vector3d(p));
    return stack({h, v.cross(h) - m * attraction * q.normalized()});
  };
  expect_conserved(system, {0, Vector3d(1, 0, 0.2), Vector3d(0.3, 1.6, 0.4)}, 5.0, constants);
}

// Book (3.42) to (3.44), corrected, with a spring and a constant angular velocity of the frame.
TEST(EuclideanSystems, UniformlyRotatingFrame) {
  constexpr double stiffness = 5.0;
  const Vector3d w(0.3, -0.4, 0.8);
  ByHand hand;
  hand.velocity = hand.omega = [=](const VectorXd& q, const VectorXd& v) -> VectorXd {
    const Vector3d x = q, x_rate = v;
    return -2 * w.cross(x_rate) - w.cross(w.cross(x)) - stiffness / m * x;
  };
  hand.mu = hand.pi = [=](const VectorXd& q, const VectorXd& momentum) -> Rates {
    const Vector3d x = q, p = momentum;
    return {p / m - w.cross(x), -w.cross(p) - stiffness * x};
  };
  const Model model = from_gallery("particle-rotating-frame", {{"m", m}, {"k", stiffness}, {"w", w}});
  expect_by_hand(model, hand);
  // Beside the Jacobi integral, what is constant in space: energy and angular momentum.
  const auto constants = [=](const State& s, const VectorXd& p) {
    const Matrix3d R = Eigen::AngleAxisd(w.norm() * s.t, w.normalized()).toRotationMatrix();
    const double energy = p.squaredNorm() / (2 * m) + stiffness / 2 * s.q.squaredNorm();
    return stack({VectorXd::Constant(1, energy), R * Vector3d(s.q).cross(Vector3d(p))});
  };
  expect_conserved(derive(model), {0, Vector3d(1, 0.4, -0.3), Vector3d(0.2, -0.5, 0.7)}, 5, constants);
}

// A spring in a frame that turns by R(t) about e3 with angle(t) = 0.8 t + 0.3 t^2: q(t) = R^T x(t), book (3.42).
TEST(EuclideanSystems, RotatingFrame) {
  constexpr double stiffness = 5.0, w0 = 0.8, w1 = 0.6;
  Model model("particle in a rotating frame");
  auto q = model.coordinate("q", Rn(3));
  const Formula t = model.time(), w = w0 + w1 * t;
  model.kinetic(m / 2 * squared_norm(rate(q) + cross(w * unit_vector(2), q)));
  model.potential(stiffness / 2 * squared_norm(q));
  const System system = derive(model);
  const Samples samples = random_samples(system);
  for (const State& s : samples.states) {
    const Vector3d W = (w0 + w1 * s.t) * e3, x = s.q, v = s.v;
    const Vector3d expected = -2 * W.cross(v) - W.cross(W.cross(x)) - w1 * e3.cross(x) - stiffness / m * x;
    EXPECT_LE(distance(acceleration(system, s), expected), 1e-11);
  }
  expect_forms_agree(system, samples);

  const Vector3d x0(1, 0.4, -0.3), v0(0.2, -0.5, 0.7);
  const double T = 2.0, angle = w0 * T + w1 * T * T / 2, f = std::sqrt(stiffness / m);
  const Vector3d in_space = x0 * std::cos(f * T) + v0 / f * std::sin(f * T);
  const State end = state_after(system, {0, x0, v0 - w0 * e3.cross(x0)}, T);
  EXPECT_LE(distance(end.q, Eigen::AngleAxisd(-angle, e3) * in_space), 1e-10);
}

}  // namespace
}  // namespace hamel::test::euclidean_test
