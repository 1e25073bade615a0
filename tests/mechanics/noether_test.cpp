#include "hamel/mechanics/noether.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hamel/manifold/embedded.hpp"
#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s1.hpp"
#include "hamel/manifold/s2.hpp"
#include "hamel/manifold/se3.hpp"
#include "hamel/manifold/so3.hpp"

namespace hamel {
namespace {

MatrixXd diagonal(double a, double b, double c) { return Eigen::Vector3d(a, b, c).asDiagonal(); }

std::vector<std::string> names(const NoetherReport& report) {
  std::vector<std::string> result;
  for (const auto& momentum : report.momenta) result.push_back(momentum.name);
  return result;
}

bool all_exact(const NoetherReport& report) {
  return std::all_of(report.momenta.begin(), report.momenta.end(),
                     [](const auto& m) { return m.exact_for_variational; });
}

void rk4_step(const System& system, Workspace& w, State& state, double h) {
  const VectorXd q = state.q, v = state.v;
  VectorXd a1(q.size()), a2 = a1, a3 = a1, a4 = a1;
  system.acceleration(w, state.t, q, v, a1);
  const VectorXd v2 = v + h / 2 * a1;
  system.acceleration(w, state.t + h / 2, q + h / 2 * v, v2, a2);
  const VectorXd v3 = v + h / 2 * a2;
  system.acceleration(w, state.t + h / 2, q + h / 2 * v2, v3, a3);
  const VectorXd v4 = v + h * a3;
  system.acceleration(w, state.t + h, q + h * v3, v4, a4);
  state.q = q + h / 6 * (v + 2 * v2 + 2 * v3 + v4);
  state.v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  state.t += h;
}

// The largest change of each momentum along an accurate motion, relative to the size of momenta there.
double largest_change(const Model& model, const NoetherReport& report, State state) {
  const System system = derive(model);
  Workspace w(system);
  VectorXd start(static_cast<Eigen::Index>(report.momenta.size())), now = start, p(system.ambient());
  const auto values = [&](VectorXd& out) {
    for (Eigen::Index i = 0; i < out.size(); ++i)
      out(i) = report.momenta[static_cast<std::size_t>(i)].value(system, w, state);
  };
  values(start);
  system.momentum(w, state.t, state.q, state.v, p);
  const double scale = 1 + p.norm();
  double change = 0;
  for (int step = 0; step < 400; ++step) {
    rk4_step(system, w, state, 0.001);
    values(now);
    change = std::max(change, (now - start).lpNorm<Eigen::Infinity>() / scale);
  }
  return change;
}

State random_state(const Model& model) {
  Random random(3);
  const System system = derive(model);
  State state{0.1, system.space().random_point(random), {}};
  state.v = system.space().random_tangent(state.q, random);
  return state;
}

void expect_conserved(const Model& model, const NoetherReport& report) {
  EXPECT_LT(largest_change(model, report, random_state(model)), 1e-9);
  EXPECT_TRUE(report.undecided.empty()) << report.undecided.front();
  EXPECT_GT(report.gap, 1e4);
}

Model chain(int n) {
  Model model("chain");
  const auto q = model.coordinates<S2>("q", n);
  Vec3 x = 0.5 * q[0];
  for (int i = 0; i < n; ++i) {
    if (i > 0) x = x + (0.5 + 0.1 * i) * q[static_cast<std::size_t>(i)];
    model.kinetic((1 + 0.3 * i) / 2 * squared_norm(rate(x)));
    model.potential((1 + 0.3 * i) * 9.81 * x.z());
  }
  return model;
}

TEST(Noether, DoubleSphericalPendulum) {
  const Model model = chain(2);
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(names(report), std::vector<std::string>{"angular momentum about e3 (q[0], q[1])"});
  EXPECT_EQ(report.momenta[0].generator, "rotation about e3 of q[0] + rotation about e3 of q[1]");
  EXPECT_EQ(report.momenta[0].formula, "q[0].x*p_q[0].y - q[0].y*p_q[0].x + q[1].x*p_q[1].y - q[1].y*p_q[1].x");
  EXPECT_TRUE(report.energy_conserved);
  EXPECT_TRUE(all_exact(report));
  EXPECT_EQ(report.functional_rank, 1);
  expect_conserved(model, report);
}

TEST(Noether, ChainOfTen) { EXPECT_EQ(conserved_momenta(chain(10)).momenta.size(), 1u); }

Model free_body(const MatrixXd& inertia) {
  Model model("free body");
  const auto R = model.coordinate<SO3>("R");
  model.body("body", {.attitude = R, .mass = 1.0, .inertia = inertia});
  return model;
}

TEST(Noether, FreeBody) {
  const Model generic = free_body(diagonal(1, 2, 2.5)), symmetric = free_body(diagonal(2, 2, 1));
  const NoetherReport three = conserved_momenta(generic), four = conserved_momenta(symmetric);
  EXPECT_EQ(names(three), (std::vector<std::string>{"angular momentum about e1 (R)", "angular momentum about e2 (R)",
                                                    "angular momentum about e3 (R)"}));
  EXPECT_EQ(four.momenta.size(), 4u);
  EXPECT_EQ(four.momenta.back().name, "body angular momentum about e3 (R)");
  EXPECT_EQ(four.functional_rank, 4);
  EXPECT_TRUE(all_exact(four));
  expect_conserved(generic, three);
  expect_conserved(symmetric, four);
}

Model heavy_top(bool by_entries) {
  Model model("heavy symmetric top");
  const auto R = model.coordinate<SO3>("R");
  const Eigen::Vector3d centre(0, 0, 0.4);
  if (by_entries) {
    const Formula W = transpose(R) * rate(R);
    model.kinetic(0.5 * (2.0 * W(2, 1) * W(2, 1) + 2.0 * W(0, 2) * W(0, 2) + W(1, 0) * W(1, 0)));
  } else {
    model.body("body", {.attitude = R, .mass = 1.0, .inertia = diagonal(2, 2, 1)});
  }
  model.potential(9.81 * (R * Formula(centre)).z());
  return model;
}

TEST(Noether, HeavySymmetricTop) {
  const Model model = heavy_top(false);
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(names(report),
            (std::vector<std::string>{"angular momentum about e3 (R)", "body angular momentum about e3 (R)"}));
  EXPECT_EQ(report.functional_rank, 2);
  EXPECT_TRUE(all_exact(report));
  expect_conserved(model, report);
}

TEST(Noether, FormulaOfTheKineticEnergyDecidesWhatIsExact) {
  const NoetherReport report = conserved_momenta(heavy_top(true));
  ASSERT_EQ(report.momenta.size(), 2u);
  EXPECT_TRUE(report.momenta[0].exact_for_variational);
  EXPECT_FALSE(report.momenta[1].exact_for_variational);
}

TEST(Noether, ChainOnACart) {
  Model model("chain of two on a cart");
  const auto x = model.coordinate("x", Rn(2));
  const auto q = model.coordinates<S2>("q", 2);
  const Vec3 x0 = Formula::vector({x[0], x[1], 0.0}), x1 = x0 + 0.7 * q[0], x2 = x1 + 0.4 * q[1];
  model.kinetic(1.5 * squared_norm(rate(x0)) + 0.5 * squared_norm(rate(x1)) + 0.3 * squared_norm(rate(x2)));
  model.potential(9.81 * x1.z() + 0.6 * 9.81 * x2.z());
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(names(report),
            (std::vector<std::string>{"momentum along e1 (x)", "momentum along e2 (x)",
                                      "angular momentum about e3 (x, q[0], q[1])",
                                      "angular momentum about e3 through the centre of mass (x, q[0], q[1])"}));
  EXPECT_EQ(report.functional_rank, 4);
  EXPECT_TRUE(all_exact(report));
  expect_conserved(model, report);
}

TEST(Noether, Kepler) {
  Model model("Kepler");
  const auto x = model.coordinate("x", Rn(3));
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(-3.0 / norm(x));
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(report.momenta.size(), 3u);
  EXPECT_TRUE(report.energy_conserved);
  EXPECT_EQ(report.functional_rank, 3);
  expect_conserved(model, report);
}

Model two_bodies(double mass, double coupling) {
  Model model("two bodies");
  const auto x = model.coordinate("x", Rn(3)), y = model.coordinate("y", Rn(3));
  model.kinetic(mass / 2 * squared_norm(rate(x)) + 0.5 * squared_norm(rate(y)));
  model.potential(-coupling / norm(x - y));
  return model;
}

TEST(Noether, TwoBodies) {
  const Model model = two_bodies(2.0, 1.0);
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(names(report).front(), "momentum along e1 (x, y)");
  EXPECT_EQ(names(report).back(), "angular momentum about e3 through the centre of mass (x, y)");
  EXPECT_EQ(report.momenta.size(), 9u);
  EXPECT_EQ(report.functional_rank, 8);  // the centre of mass moves at right angles to its angular momentum
  expect_conserved(model, report);
}

// The rounding of the heavy kinetic energy is as large as the coupling.
TEST(Noether, ScalesFarApart) {
  EXPECT_EQ(conserved_momenta(two_bodies(1e8, 1e-4)).momenta.size(), 9u);
  EXPECT_EQ(conserved_momenta(two_bodies(1e8, 0.0)).momenta.size(), 15u);
}

// A small potential breaks a symmetry of large kinetic energies that only their sum has.
TEST(Noether, SmallTermsCount) {
  for (const double push : {0.0, 1e-4}) {
    Model model("double spherical pendulum, pushed");
    const auto q = model.coordinates<S2>("q", 2);
    model.kinetic(0.5e8 * squared_norm(rate(q[0] + q[1])) + 0.3e8 * squared_norm(rate(q[0])));
    model.potential(push * q[0].x());
    EXPECT_EQ(conserved_momenta(model).momenta.size(), push == 0 ? 3u : 1u);
  }
}

Model magnetic(const std::string& gauge) {
  Model model("particle in a uniform magnetic field");
  const auto x = model.coordinate("x", Rn(3));
  model.kinetic(0.65 * squared_norm(rate(x)));
  if (gauge == "symmetric") model.lagrangian(0.85 * (x[0] * rate(x)[1] - x[1] * rate(x)[0]));
  if (gauge == "Landau") model.lagrangian(-1.7 * x[1] * rate(x)[0]);
  if (gauge == "twisted") model.lagrangian(1.7 * x[0] * rate(x)[1] + x[2] * rate(x)[0] + x[0] * rate(x)[2]);
  return model;
}

TEST(Noether, UniformMagneticFieldInAnyGauge) {
  for (const std::string gauge : {"symmetric", "Landau", "twisted"}) {
    const Model model = magnetic(gauge);
    const NoetherReport report = conserved_momenta(model);
    EXPECT_EQ(names(report), (std::vector<std::string>{"momentum along e1 (x)", "momentum along e2 (x)",
                                                       "momentum along e3 (x)", "angular momentum about e3 (x)"}))
        << gauge;
    EXPECT_EQ(report.functional_rank, 4);
    EXPECT_TRUE(all_exact(report));
    expect_conserved(model, report);
  }
}

TEST(Noether, GaugeTermsAreReadable) {
  EXPECT_EQ(conserved_momenta(magnetic("Landau")).momenta[1].formula, "1.7*x.x + p_x.y");
}

TEST(Noether, Torus) {
  const Embedded torus(
      3,
      [](const VectorXe& x) {
        const Expr s = x.squaredNorm() + 0.75;  // (|x|^2 + R^2 - r^2)^2 = 4 R^2 (x1^2 + x2^2), R = 1, r = 1/2
        return VectorXe::Constant(1, s * s - 4 * (x(0) * x(0) + x(1) * x(1)));
      },
      "torus");
  Model model("particle on a torus");
  const auto q = model.coordinate("q", torus);
  model.kinetic(0.5 * squared_norm(rate(q)));
  model.potential(9.81 * q.z());
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(names(report), std::vector<std::string>{"angular momentum about e3 (q)"});
  expect_conserved(model, report);
}

Model body_in_space(const Eigen::Vector3d& centre, double gravity) {
  Model model("body in space");
  const auto g = model.coordinate<SE3>("g");
  const Formula offset(centre);
  model.body("body", {.attitude = rotation(g),
                      .position = position(g),
                      .mass = 2.0,
                      .inertia = diagonal(1, 2, 2.5),
                      .center_of_mass = offset});
  model.potential(2.0 * gravity * (position(g) + rotation(g) * offset).z());
  return model;
}

TEST(Noether, FreeBodyInSpace) {
  const Model model = body_in_space({0, 0, 0}, 0);
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(report.momenta.size(), 9u);
  EXPECT_EQ(report.functional_rank, 8);
  EXPECT_EQ(names(report).front(), "angular momentum about e1 (g)");
  EXPECT_EQ(names(report).back(), "angular momentum about e3 through the centre of mass (g)");
  expect_conserved(model, report);
}

// Gravity has no moment about the centre of mass, wherever in the body the origin is.
TEST(Noether, BodyInGravityKeepsTheAngularMomentumAboutItsCentre) {
  for (const Eigen::Vector3d& centre : {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(0.1, -0.2, 0.3)}) {
    const Model model = body_in_space(centre, 9.81);
    const NoetherReport report = conserved_momenta(model);
    EXPECT_EQ(names(report), (std::vector<std::string>{"angular momentum about e3 (g)", "momentum along e1 (g)",
                                                       "momentum along e2 (g)",
                                                       "angular momentum about e1 through the centre of mass (g)",
                                                       "angular momentum about e2 through the centre of mass (g)",
                                                       "angular momentum about e3 through the centre of mass (g)"}));
    EXPECT_TRUE(all_exact(report));
    expect_conserved(model, report);
  }
}

TEST(Noether, AngularMomentumAboutTheCentreIsThatOfTheBody) {
  const Model model = body_in_space({0.1, -0.2, 0.3}, 9.81);
  const NoetherReport report = conserved_momenta(model);
  const System system = derive(model);
  Workspace w(system);
  const State state = random_state(model);
  const Eigen::Matrix3d R = state.q.head(9).reshaped(3, 3), W = R.transpose() * state.v.head(9).reshaped(3, 3);
  const Eigen::Vector3d Omega(W(2, 1), W(0, 2), W(1, 0)), rho(0.1, -0.2, 0.3);
  const Eigen::Matrix3d J = diagonal(1, 2, 2.5);
  const Eigen::Vector3d spin = R * (J * Omega - 2.0 * rho.cross(Omega.cross(rho)));  // Steiner
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(report.momenta[3 + static_cast<std::size_t>(k)].value(system, w, state), spin(k), 1e-13);
}

Model free_chain(double gravity) {
  Model model("free chain");
  Vec3 x = model.coordinate("x", Rn(3));
  model.kinetic(0.2 * squared_norm(rate(x)));
  model.potential(0.4 * gravity * x.z());
  for (const auto& q : model.coordinates<S2>("q", 3)) {
    x = x + 0.7 * q;
    model.kinetic(0.3 * squared_norm(rate(x)));
    model.potential(0.6 * gravity * x.z());
  }
  return model;
}

TEST(Noether, FreeChain) {
  const std::string about = " through the centre of mass (x, q[0], q[1], q[2])";
  const Model falling = free_chain(9.81), drifting = free_chain(0);
  const NoetherReport report = conserved_momenta(falling);
  EXPECT_EQ(names(report), (std::vector<std::string>{
                               "momentum along e1 (x)", "momentum along e2 (x)",
                               "angular momentum about e3 (x, q[0], q[1], q[2])", "angular momentum about e1" + about,
                               "angular momentum about e2" + about, "angular momentum about e3" + about}));
  EXPECT_EQ(
      report.momenta[3].generator,
      "rotation about e1 of x + rotation about e1 of q[0] + rotation about e1 of q[1] + rotation about e1 of q[2] "
      "- rotation about e1 of the centre of mass");
  EXPECT_TRUE(all_exact(report));
  expect_conserved(falling, report);
  EXPECT_EQ(conserved_momenta(drifting).momenta.size(), 9u);
  expect_conserved(drifting, conserved_momenta(drifting));
}

// Where the mass depends on the place there is no such centre, but the attitude is still free.
TEST(Noether, AttitudeAlone) {
  Model model("body whose mass depends on its place");
  const auto g = model.coordinate<SE3>("g");
  const Formula x = position(g);
  model.body("body", {.attitude = rotation(g), .mass = 1.0, .inertia = diagonal(1, 2, 2.5)});
  model.kinetic((1.0 + squared_norm(x)) / 2 * squared_norm(rate(x)));
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(report.momenta.size(), 6u);
  EXPECT_EQ(names(report).back(), "angular momentum of the attitude about e3 (g)");
  expect_conserved(model, report);
}

// A force on one end turns the chain, and moves its centre of mass.
TEST(Noether, ForceOnAnEndBreaksTheRotationAboutTheCentre) {
  Model model("pulled pair");
  const auto x = model.coordinate("x", Rn(3)), y = model.coordinate("y", Rn(3));
  model.kinetic(squared_norm(rate(x)) + 0.5 * squared_norm(rate(y)));
  model.potential(2.0 * x.z() - 1.0 / norm(x - y));
  EXPECT_EQ(names(conserved_momenta(model)),
            (std::vector<std::string>{"momentum along e1 (x, y)", "momentum along e2 (x, y)",
                                      "angular momentum about e3 (x, y)",
                                      "angular momentum about e3 through the centre of mass (x, y)"}));
}

TEST(Noether, ParticleInGravity) {
  Model model("particle in gravity");
  const auto x = model.coordinate("x", Rn(3));
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(9.81 * x.z());
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(names(report), (std::vector<std::string>{"momentum along e1 (x)", "momentum along e2 (x)",
                                                     "angular momentum about e3 (x)"}));
  expect_conserved(model, report);
}

TEST(Noether, TermsMayCompensateEachOther) {
  Model model("oscillator");
  const auto x = model.coordinate("x", Rn(2));
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(3.0 * x[0] * x[0]);
  model.potential(3.0 * x[1] * x[1]);
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(names(report), std::vector<std::string>{"angular momentum (x)"});
  expect_conserved(model, report);
}

TEST(Noether, ForcesThatWorkAlongASymmetryBreakIt) {
  Model model("driven particle");
  const auto x = model.coordinate("x", Rn(3));
  const auto u = model.input("u");
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.force_on(x, u * Formula::vector({1.0, 0.0, 0.0}));
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(names(report), (std::vector<std::string>{"momentum along e2 (x)", "momentum along e3 (x)",
                                                     "angular momentum about e1 (x)"}));
  EXPECT_FALSE(report.energy_conserved);
}

TEST(Noether, DissipationBreaksConservation) {
  Model model("damped spherical pendulum");
  const auto q = model.coordinate<S2>("q");
  model.kinetic(0.5 * squared_norm(rate(q)));
  model.potential(9.81 * q.z());
  model.dissipation(0.1 * squared_norm(rate(q)));
  const NoetherReport report = conserved_momenta(model);
  EXPECT_TRUE(report.momenta.empty());
  EXPECT_FALSE(report.energy_conserved);
}

TEST(Noether, ConstraintsMustBeInvariant) {
  Model model("particle on an ellipsoid of revolution");
  const auto x = model.coordinate("x", Rn(3));
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.constraint("ellipsoid", x[0] * x[0] + x[1] * x[1] + 2.0 * x[2] * x[2] - 1.0);
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(names(report), std::vector<std::string>{"angular momentum about e3 (x)"});
  EXPECT_TRUE(report.energy_conserved);
  const State start{0, Eigen::Vector3d(0.6, 0.8, 0), Eigen::Vector3d(-0.8, 0.6, 1)};
  EXPECT_LT(largest_change(model, report, start), 1e-9);
}

TEST(Noether, TimeBreaksEnergyButNotAHelicalCombination) {
  Model model("particle in a turning trough");
  const auto x = model.coordinate("x", Rn(2));
  const auto t = model.time();
  model.kinetic(0.5 * squared_norm(rate(x)));
  const Scalar across = x[0] * cos(2.0 * t) + x[1] * sin(2.0 * t);
  model.potential(4.0 * across * across);
  const NoetherReport report = conserved_momenta(model);
  EXPECT_FALSE(report.energy_conserved);
  EXPECT_EQ(names(report), std::vector<std::string>{"angular momentum (x) - 0.5 energy"});
  EXPECT_FALSE(report.momenta[0].exact_for_variational);
  expect_conserved(model, report);
}

TEST(Noether, GivenHamiltonian) {
  Model model("spherical pendulum by H");
  const auto q = model.coordinate<S2>("q");
  const auto mu = model.momentum(q);
  model.hamiltonian(0.5 * squared_norm(mu) + 9.81 * q.z());
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(names(report), std::vector<std::string>{"angular momentum about e3 (q)"});
  EXPECT_TRUE(report.energy_conserved);
  EXPECT_TRUE(all_exact(report));
  expect_conserved(model, report);
}

}  // namespace
}  // namespace hamel
