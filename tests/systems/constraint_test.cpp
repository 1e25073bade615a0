// Holonomic constraints: multipliers and reactions, against reduced equations and against the same surface as a
// manifold.
#include <array>
#include <hamel/manifold/embedded.hpp>
#include <hamel/manifold/rn.hpp>
#include <hamel/manifold/s2.hpp>
#include <hamel/manifold/so3.hpp>

#include "gallery/files.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/mechanics/field.hpp"
#include "systems/bodies.hpp"

namespace hamel::test::constraint_test {
namespace {

const Vector3d e3 = Vector3d::UnitZ();
constexpr double m = 1.3, g = 9.81;
constexpr std::array paths = {Path::constant_mass, Path::reduced};

struct Solution {
  VectorXd acceleration, multipliers;
};

Solution solve(const System& system, const State& s, const VectorXd& inputs = {}) {
  Workspace work(system);
  if (inputs.size() > 0) work.u = inputs;
  Solution result{VectorXd(system.ambient()), {}};
  system.acceleration(work, s.t, s.q, s.v, result.acceleration);
  result.multipliers = work.multipliers;
  return result;
}

// The torus of book section 8.4, by the distance from its centre circle and as a quartic.
Formula quartic(const Formula& x) { return pow(squared_norm(x) + 3, 2) - 16 * (x[0] * x[0] + x[1] * x[1]); }
VectorXe torus_manifold(const VectorXe& x) {
  const Expr ring = sqrt(x(0) * x(0) + x(1) * x(1)) - 2;
  return VectorXe::Constant(1, ring * ring + x(2) * x(2) - 1);
}
VectorXe quartic_manifold(const VectorXe& x) {
  const Expr ring = x.squaredNorm() + 3;
  return VectorXe::Constant(1, ring * ring - 16 * (x(0) * x(0) + x(1) * x(1)));
}

Model heavy_particle(const Manifold& space, double mass) {
  Model model("heavy particle");
  const Formula x = model.coordinate("x", space);
  model.kinetic(mass / 2 * squared_norm(rate(x)));
  model.potential(mass * g * x.z());
  return model;
}

Model constrained_particle(const std::function<Formula(const Formula&)>& surface, double mass) {
  Model model("heavy particle on a surface");
  const Formula x = model.coordinate("x", Rn(3));
  model.kinetic(mass / 2 * squared_norm(rate(x)));
  model.potential(mass * g * x.z());
  model.constraint("surface", surface(x));
  return model;
}

struct Surface {
  Vector3d gradient;
  Matrix3d hessian;
};

Surface torus_surface(const Vector3d& x) {
  const double ring = std::hypot(x.x(), x.y());
  const Vector3d out(x.x() / ring, x.y() / ring, 0);
  const Matrix3d around = (Vector3d(1, 1, 0).asDiagonal().toDenseMatrix() - out * out.transpose()) / ring;
  return {2 * (ring - 2) * out + 2 * x.z() * e3,
          2 * out * out.transpose() + 2 * (ring - 2) * around + 2 * e3 * e3.transpose()};
}

double torus_multiplier(const Vector3d& x, const Vector3d& v) {
  const auto [gradient, hessian] = torus_surface(x);
  return (v.dot(hessian * v) - g * gradient.z()) / gradient.squaredNorm();
}

Vector3d torus_acceleration(const Vector3d& x, const Vector3d& v) {
  return -g * e3 - torus_multiplier(x, v) * torus_surface(x).gradient;
}

TEST(Constraint, ParticleOnTorus) {
  const System embedded = derive(heavy_particle(Embedded(3, torus_manifold, "torus"), 1));
  const System as_quartic = derive(heavy_particle(Embedded(3, quartic_manifold, "quartic torus"), 1));
  const Samples samples = random_samples(embedded);
  std::vector<System> systems = {embedded, as_quartic};
  for (const Path path : paths) {
    systems.push_back(derive(from_gallery("holonomic-multiplier-system"), {path}));
    systems.push_back(derive(constrained_particle(quartic, 1), {path}));
  }
  for (const System& system : systems)
    for (const State& s : samples.states) {
      EXPECT_LE(distance(acceleration(system, s), torus_acceleration(s.q, s.v)), 1e-11);
      if (system.constraints() == 0) continue;
      // The quartic is the torus function times (ring + 2)^2 + z^2 - 1, which is 8 ring there.
      const bool is_quartic = &system == &systems[3] || &system == &systems[5];
      const double scale = is_quartic ? 8 * s.q.head<2>().norm() : 1;
      EXPECT_LE(distance(solve(system, s).multipliers * scale, VectorXd::Constant(1, torus_multiplier(s.q, s.v))),
                1e-11);
    }
  for (const System& system : {embedded, as_quartic}) expect_forms_agree(system, random_samples(system, 5));
}

// Book (8.16) in numbers: mu' = P' p - P dU/dx with P = I - n n^T.
TEST(Constraint, ParticleOnTorusInMomenta) {
  const System system = derive(heavy_particle(Embedded(3, torus_manifold, "torus"), m));
  ByHand hand;
  hand.mu = hand.pi = [](const VectorXd& x, const VectorXd& mu) -> Rates {
    const Vector3d v = mu / m;
    return {v, m * torus_acceleration(x, v)};
  };
  const Samples samples = random_samples(system);
  expect_equations(system, hand, samples);
  // Book (8.34), (8.35) with the classical momentum, which is tangent here, too.
  expect_equations(derive(from_gallery("holonomic-multiplier-system", {{"m", m}})), hand, samples);
}

TEST(Constraint, ParticleOnTorusReference) {
  for (const System& system : {derive(heavy_particle(Embedded(3, torus_manifold, "torus"), 1)),
                               derive(heavy_particle(Embedded(3, quartic_manifold, "quartic torus"), 1)),
                               derive(from_gallery("holonomic-multiplier-system"))}) {
    const State end = state_after(system, {0, Vector3d(3, 0, 0), Vector3d(0, 1, 0.5)}, 2);
    EXPECT_LE(distance(end.q, Vector3d(-1.83163158230, 2.35593835118, -0.17718124052)), 1e-9);
    EXPECT_LE(distance(end.v, Vector3d(-1.00329014547, -0.34740079559, 1.89710766967)), 1e-9);
    Workspace work(system);
    EXPECT_NEAR(system.energy(work, 2, end.q, end.v).total, 0.625, 1e-9);
    EXPECT_NEAR(end.q(0) * end.v(1) - end.q(1) * end.v(0), 3, 1e-9);
  }
}

TEST(Constraint, HyperbolicParaboloid) {
  const auto saddle = [](const Formula& x) { return x[1] * x[1] - x[0] * x[0] - x[2]; };
  const auto saddle_manifold = [](const VectorXe& x) {
    return VectorXe::Constant(1, x(1) * x(1) - x(0) * x(0) - x(2));
  };
  const System embedded = derive(heavy_particle(Embedded(3, saddle_manifold, "saddle"), m));
  const System constrained = derive(constrained_particle(saddle, m));
  for (const State& s : random_samples(embedded).states) {
    const Vector3d normal(-2 * s.q(0), 2 * s.q(1), -1);
    const double steepness = 1 + 4 * s.q.head<2>().squaredNorm();
    const double nu = m * (2 * s.v(0) * s.v(0) - 2 * s.v(1) * s.v(1) - g) / steepness;
    const VectorXd by_hand = -g * e3 + nu / m * normal;
    EXPECT_LE(distance(acceleration(embedded, s), by_hand), 1e-11);
    EXPECT_LE(distance(solve(constrained, s).acceleration, by_hand), 1e-11);
    EXPECT_LE(distance(solve(constrained, s).multipliers, VectorXd::Constant(1, -nu)), 1e-11);
  }
}

TEST(Constraint, InclinedPlane) {
  const System system = derive(constrained_particle([](const Formula& x) { return x[0] + x[1] + x[2] - 1; }, m));
  const State s{0, Vector3d(0.2, 0.5, 0.3), Vector3d(1, -3, 2)};
  EXPECT_NO_THROW(system.check(s));
  EXPECT_LE(distance(solve(system, s).acceleration, g / 3 * Vector3d(1, 1, -2)), 1e-14);
  EXPECT_NEAR(solve(system, s).multipliers(0), -m * g / 3, 1e-13);  // the contact force is m g / 3 (1, 1, 1)
}

// Three links from the origin to a fixed point.
namespace loop {
constexpr std::array lengths = {0.9, 1.1, 0.8}, masses = {1.2, 0.5, 0.9};
const Vector3d anchor(1.1, 0.4, -0.3);

Model model() {
  Model result("loop of three links");
  const auto q = result.coordinates<S2>("q", 3);
  Formula x = Formula(Vector3d::Zero().eval());
  for (std::size_t i = 0; i < 3; ++i) {
    x = x + lengths[i] * q[i];
    if (i < 2) result.kinetic(masses[i] / 2 * squared_norm(rate(x)));
    if (i < 2) result.potential(masses[i] * g * x.z());
  }
  result.kinetic(masses[2] / 24 * squared_norm(lengths[2] * rate(q[2])));  // spin of the last, a light rod
  result.constraint("closure", x - Formula(anchor));
  return result;
}

MatrixXd closure() {
  MatrixXd C(3, 9);
  for (int i = 0; i < 3; ++i) C.middleCols(3 * i, 3) = lengths[static_cast<std::size_t>(i)] * Matrix3d::Identity();
  return C;
}

MatrixXd jacobian(const VectorXd& q) {  // of the spheres and the closure
  MatrixXd C = MatrixXd::Zero(6, 9);
  for (int i = 0; i < 3; ++i) C.block(i, 3 * i, 1, 3) = q.segment(3 * i, 3).transpose();
  C.bottomRows(3) = closure();
  return C;
}

VectorXd defect(const VectorXd& q) {
  VectorXd c(6);
  for (int i = 0; i < 3; ++i) c(i) = (q.segment(3 * i, 3).squaredNorm() - 1) / 2;
  c.tail(3) = closure() * q - anchor;
  return c;
}

State random_state(Random& random) {
  std::normal_distribution<double> normal;
  State s{0, VectorXd(9), VectorXd(9)};
  for (double& x : s.q) x = normal(random);
  for (double& x : s.v) x = normal(random);
  for (int k = 0; k < 60; ++k) s.q -= linear::shortest_least_squares(jacobian(s.q), defect(s.q));
  s.v -= linear::shortest_least_squares(jacobian(s.q), jacobian(s.q) * s.v);
  return s;
}

MatrixXd mass() {
  MatrixXd M = MatrixXd::Zero(9, 9);
  const auto l = [](int i) { return lengths[static_cast<std::size_t>(i)]; };
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i <= k; ++i)
      for (int j = 0; j <= k; ++j)
        M.block(3 * i, 3 * j, 3, 3) += masses[static_cast<std::size_t>(k)] * l(i) * l(j) * Matrix3d::Identity();
  M.block(6, 6, 3, 3) = masses[2] * l(2) * l(2) / 12 * Matrix3d::Identity();
  return M;
}

Solution by_hand(const State& s) {
  MatrixXd A = MatrixXd::Zero(15, 15);
  A.topLeftCorner(9, 9) = mass();
  A.topRightCorner(9, 6) = jacobian(s.q).transpose();
  A.bottomLeftCorner(6, 9) = jacobian(s.q);
  VectorXd b = VectorXd::Zero(15);
  b.segment<3>(0) = -(masses[0] + masses[1]) * g * lengths[0] * e3;
  b.segment<3>(3) = -masses[1] * g * lengths[1] * e3;
  for (int i = 0; i < 3; ++i) b(9 + i) = -s.v.segment(3 * i, 3).squaredNorm();
  const VectorXd x = linear::shortest_least_squares(A, b);
  return {x.head(9), x.tail(3)};
}
}  // namespace loop

TEST(Constraint, ClosedLoop) {
  Random random(3);
  std::vector<State> states;
  for (int k = 0; k < 100; ++k) states.push_back(loop::random_state(random));
  for (const Path path : paths) {
    const System system = derive(loop::model(), {path});
    EXPECT_EQ(system.degrees_of_freedom(), 3);
    EXPECT_EQ(system.constraint_names(), (std::vector<std::string>{"closure[0]", "closure[1]", "closure[2]"}));
    for (const State& s : states) {
      ASSERT_NO_THROW(system.check(s));
      const Solution expected = loop::by_hand(s), found = solve(system, s);
      EXPECT_LE(distance(found.acceleration, expected.acceleration), 1e-11);
      EXPECT_LE(distance(found.multipliers, expected.multipliers), 1e-11);
    }
    Workspace work(system);
    const State end = state_after(system, states[0], 2);
    EXPECT_NEAR(system.energy(work, 2, end.q, end.v).total, system.energy(work, 0, states[0].q, states[0].v).total,
                1e-9);
    EXPECT_LE(loop::defect(end.q).norm(), 1e-9);
  }
}

// Book section 6.6.4 once more: R a = a as a constraint on SO(3), of which two components are independent.
const Vector3d axle = Vector3d(1, 2, 2) / 3, off_axle = Vector3d(2, 1, -2) / 8;
const Matrix3d hinged_inertia{{1.1, 0.1, -0.2}, {0.1, 1.4, 0.15}, {-0.2, 0.15, 1.7}};

Model hinged() {
  return from_gallery("rigid-body-planar-pendulum", {{"m", m}, {"J", hinged_inertia}, {"rho", off_axle}, {"a", axle}});
}

Model redundantly_hinged() {
  Model model("hinged body");
  const Formula R = model.coordinate<SO3>("R"), axis = model.parameter("a", axle);
  model.body("body", {.attitude = R, .inertia = hinged_inertia});
  model.constraint("hinge", R * axis - axis);
  return model;
}

TEST(Constraint, HingedBody) {
  const Vector3d &a = axle, &rho = off_axle;
  const Matrix3d& J = hinged_inertia;
  for (const Path path : paths) {
    const System system = derive(hinged(), {path});
    EXPECT_EQ(system.degrees_of_freedom(), 1);
    for (int k = 0; k < 100; ++k) {
      const Matrix3d R = rotation_by(0.3 * k * a);
      const State s = system.state(0, flat(R), 1.7 * std::cos(k) * a);
      ASSERT_NO_THROW(system.check(s));
      const double w_rate = m * g * a.dot(rho.cross(R.transpose() * e3)) / a.dot(J * a);  // book (6.28)
      EXPECT_LE(distance(quasi_acceleration(system, s), w_rate * a), 1e-11);
    }
  }
}

// Book (6.29), (6.30) for pi = a.Pi; and (6.31), (6.32) on the circle of R rho / |rho| = q1 a1 + q2 a2.
TEST(Constraint, HingedBodyByItsMomentumAndOnTheCircle) {
  const Vector3d &a = axle, &rho = off_axle, a1 = rho.normalized(), a2 = a.cross(a1);
  const double inertia = a.dot(hinged_inertia * a);
  const System system = derive(hinged());
  Workspace work(system);
  Field field(system, Form::pi);
  VectorXd rate(field.size());
  for (int k = 0; k < 100; ++k) {
    const Matrix3d R = rotation_by(0.3 * k * a);
    const State s = system.state(0, flat(R), 1.7 * std::cos(k) * a);
    const VectorXd y = field.pack(work, s);
    field(work, 0, y, rate);
    EXPECT_NEAR(a.dot(y.tail<3>()), inertia * 1.7 * std::cos(k), 1e-11);
    EXPECT_NEAR(a.dot(rate.tail<3>()), m * g * a.dot(rho.cross(R.transpose() * e3)), 1e-11);
    const Vector3d zeta = R * a1;
    const double turn = -m * g * rho.norm() * (a.dot(e3.cross(a1)) * zeta.dot(a1) + a.dot(e3.cross(a2)) * zeta.dot(a2));
    EXPECT_NEAR(a.dot(quasi_acceleration(system, s)), turn / inertia, 1e-11);
  }
}

TEST(Constraint, RefusesRedundantOnes) {
  const System system = derive(redundantly_hinged());
  EXPECT_EQ(
      message_of([&] { system.check(system.state(0, flat(Matrix3d::Identity()), Vector3d::Zero())); }),
      "of 3 constraints only 2 are independent at this configuration: hinge[2] follows from the others; remove it "
      "or choose another configuration");
  Model model("particle");
  const Formula x = model.coordinate("x", Rn(3));
  model.kinetic(squared_norm(rate(x)) / 2);
  model.constraint("floor", x.z());
  model.constraint("wall", x.x());
  model.constraint("corner", x.x() + 2 * x.z());
  const System boxed = derive(model);
  EXPECT_EQ(
      message_of([&] {
        boxed.check({0, Vector3d(0, 1, 0), Vector3d(0, 1, 0)});
      }),
      "of 3 constraints only 2 are independent at this configuration: corner follows from the others; remove it or "
      "choose another configuration");
}

}  // namespace
}  // namespace hamel::test::constraint_test
