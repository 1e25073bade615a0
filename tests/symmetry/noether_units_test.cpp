// Conserved momenta are the same in all units.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "hamel/manifold/embedded.hpp"
#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s2.hpp"
#include "hamel/manifold/se3.hpp"
#include "hamel/manifold/so3.hpp"
#include "symmetry/momenta.hpp"

namespace hamel::test {
namespace {

Model three_bodies(double G, const std::array<double, 3>& masses) {
  Model model("three bodies");
  const auto x = model.coordinates("x", Rn(3), 3);
  std::vector<Formula> m;
  for (std::size_t i = 0; i < 3; ++i) {
    m.push_back(model.parameter("m" + std::to_string(i), masses[i]));
    model.kinetic(m[i] / 2 * squared_norm(rate(x[i])));
    for (std::size_t j = 0; j < i; ++j) model.potential(-(G * m[i] * m[j]) / norm(x[i] - x[j]));
  }
  return model;
}

TEST(NoetherInAllUnits, EarthMoonAndSatellite) {
  const NoetherReport si = conserved_momenta(three_bodies(6.674e-11, {6e24, 7e22, 1e3}));
  const NoetherReport ones = conserved_momenta(three_bodies(1, {1, 2, 3}));
  EXPECT_EQ(si.momenta.size(), 9u);
  EXPECT_EQ(names(si), names(ones));
  EXPECT_TRUE(si.undecided.empty());
  EXPECT_EQ(si.functional_rank, ones.functional_rank);
  EXPECT_TRUE(si.energy_conserved && all_exact(si));
}

// With the weights of all masses, however small.
TEST(NoetherInAllUnits, AngularMomentumAboutTheCentreOfEarthMoonAndSatellite) {
  const Model model = three_bodies(6.674e-11, {6e24, 7e22, 1e3});
  const NoetherReport report = conserved_momenta(model);
  ASSERT_EQ(report.momenta.size(), 9u);
  const System system = derive(model);
  Workspace w(system);
  State state{0, VectorXd::Zero(9), VectorXd::Zero(9)};
  state.q << 0, 0, 0, 4e8, 0, 1e6, 4.2e7, 0, 0;
  state.v << 0, -12, 1, 0, 1e3, 0, 0, 3e3, 0;
  const Eigen::Vector3d masses(6e24, 7e22, 1e3);
  const Eigen::Matrix3d x = state.q.reshaped(3, 3), v = state.v.reshaped(3, 3);
  const Eigen::Vector3d X = x * masses / masses.sum(), V = v * masses / masses.sum();
  Eigen::Vector3d spin(0, 0, 0);
  for (int i = 0; i < 3; ++i) spin += masses(i) * Eigen::Vector3d(x.col(i) - X).cross(Eigen::Vector3d(v.col(i) - V));
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(report.momenta[6 + k].value(system, w, state), spin(static_cast<Eigen::Index>(k)), 1e-12 * spin.norm());
}

TEST(NoetherInAllUnits, MassesFarApart) {
  for (const double ratio : {1e5, 1e8, 1e10, 1e12, 1e14, 1e16, 1e18})
    for (const double G : {1e-12, 1.0, 1e12}) {
      const NoetherReport report = conserved_momenta(three_bodies(G, {ratio, 1, 1 / ratio}));
      EXPECT_EQ(report.momenta.size(), 9u) << ratio << " " << G;
      EXPECT_TRUE(report.undecided.empty()) << ratio << " " << G << ": " << report.undecided.front();
    }
}

struct Units {
  double mass = 1, length = 1, time = 1;
  double speed() const { return length / time; }
  double force() const { return mass * length / (time * time); }
  double energy() const { return force() * length; }
};

std::vector<Units> all_units() {
  std::vector<Units> units;
  for (const double unit : {1e-24, 1e-12, 1e-6, 1e6, 1e12, 1e24}) units.push_back({.mass = unit});
  for (const double unit : {1e-12, 1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9, 1e12, 1e24}) {
    units.push_back({.length = unit});
    units.push_back({.time = unit});
    units.push_back({.mass = unit, .length = 1 / unit});
    units.push_back({.length = unit, .time = 1 / unit});
  }
  units.push_back({.mass = 1e-26, .length = 1e-10, .time = 1e-15});  // molecules in SI
  units.push_back({.mass = 1.7e-26, .length = 1e-7, .time = 1});     // and in nanometres and femtoseconds
  units.push_back({.mass = 6e24, .length = 4e8, .time = 2.4e6});     // Earth and Moon in SI
  units.push_back({.mass = 1e-30, .length = 3e-14, .time = 7e-18});
  return units;
}

Model chain_with_spring(const Units& u) {
  Model model("chain on a cart, with a spring");
  const auto x = model.coordinate("x", Rn(2));
  const auto q = model.coordinates<S2>("q", 2);
  const Vec3 x0 = Formula::vector({x[0], x[1], 0.0}), x1 = x0 + 0.7 * u.length * q[0], x2 = x1 + 0.4 * u.length * q[1];
  model.kinetic(1.5 * u.mass * squared_norm(rate(x0)) + 0.5 * u.mass * squared_norm(rate(x1)));
  model.kinetic(0.3 * u.mass * squared_norm(rate(x2)));
  model.potential(9.81 * u.force() * (x1.z() + 0.6 * x2.z()));
  const Scalar stretch = norm(x2 - x0) - 0.3 * u.length;
  model.potential(2.0 * u.force() / u.length * stretch * stretch);
  return model;
}

Model charges(const Units& u) {
  Model model("two charges in a magnetic field, with a soft core");
  const auto x = model.coordinates("x", Rn(3), 2);
  for (const auto& y : x) {
    model.kinetic(0.65 * u.mass * squared_norm(rate(y)));
    model.lagrangian(-1.7 * u.mass / u.time * y[1] * rate(y)[0]);
  }
  model.potential(-1.3 * u.energy() * u.length / sqrt(squared_norm(x[0] - x[1]) + 0.01 * u.length * u.length));
  return model;
}

Model smeared_charges(const Units& u) {
  Model model("two charges, one of them smeared");
  const auto x = model.coordinates("x", Rn(3), 2);
  for (const auto& y : x) model.kinetic(0.65 * u.mass * squared_norm(rate(y)));
  const Scalar distance = hypot(norm(x[0] - x[1]), Formula(0.1 * u.length));
  model.potential(-1.3 * u.energy() * u.length / distance * erf(2.0 / u.length * distance));
  return model;
}

Model top(const Units& u) {
  Model model("heavy top");
  const auto R = model.coordinate<SO3>("R");
  const double moment = u.mass * u.length * u.length;
  model.body("body", {.attitude = R, .mass = u.mass, .inertia = diagonal(2 * moment, 2 * moment, moment)});
  model.potential(9.81 * u.energy() * (R * Formula(Eigen::Vector3d(0, 0, 0.4))).z());
  return model;
}

Model thrown_body(const Units& u) {
  Model model("thrown body");
  const auto g = model.coordinate<SE3>("g");
  const double moment = u.mass * u.length * u.length;
  const Formula offset(Eigen::Vector3d(0.1 * u.length, -0.2 * u.length, 0.3 * u.length));
  model.body("body", {.attitude = rotation(g),
                      .position = position(g),
                      .mass = 2.0 * u.mass,
                      .inertia = diagonal(moment, 2 * moment, 2.5 * moment),
                      .center_of_mass = offset});
  model.potential(2.0 * 9.81 * u.force() * (position(g) + rotation(g) * offset).z());
  return model;
}

Model trough(const Units& u) {
  Model model("particle in a turning trough");
  const auto x = model.coordinate("x", Rn(2));
  const auto angle = 2.0 / u.time * model.time();
  model.kinetic(0.5 * u.mass * squared_norm(rate(x)));
  const Scalar across = x[0] * cos(angle) + x[1] * sin(angle);
  model.potential(4.0 * u.force() / u.length * across * across);
  return model;
}

Model rod(const Units& u) {
  Model model("two particles on a rod");
  const auto x = model.coordinates("x", Rn(3), 2);
  model.kinetic(0.5 * u.mass * squared_norm(rate(x[0])) + 0.7 * u.mass * squared_norm(rate(x[1])));
  model.potential(9.81 * u.force() * (x[0].z() + 1.4 * x[1].z()));
  model.constraint("rod", squared_norm(x[0] - x[1]) - 1.44 * u.length * u.length);
  return model;
}

Model pushed(const Units& u) {
  Model model("pushed and damped pair");
  const auto x = model.coordinates("x", Rn(3), 2);
  model.kinetic(0.5 * u.mass * squared_norm(rate(x[0])) + 0.7 * u.mass * squared_norm(rate(x[1])));
  model.potential(-u.energy() * u.length / norm(x[0] - x[1]));
  model.force(x[0], Formula::vector({u.force() * 1e12, 0.0, 0.0}));
  model.force(x[1], Formula::vector({0.0, -1e-3 * u.mass / u.time * rate(x[1])[1], 0.0}));
  return model;
}

using InUnits = Model (*)(const Units&);

std::vector<std::string> without_energies(const NoetherReport& report) {  // their factors are times
  std::vector<std::string> result = names(report);
  for (std::string& name : result) name = name.substr(0, name.find(" - "));
  return result;
}

void expect_same(InUnits model, const std::vector<Units>& all) {
  const NoetherReport ones = conserved_momenta(model({}));
  EXPECT_FALSE(ones.momenta.empty());
  EXPECT_TRUE(ones.undecided.empty());
  for (const Units& units : all) {
    const NoetherReport other = conserved_momenta(model(units));
    const std::string which = fmt::format("{} {} {}", units.mass, units.length, units.time);
    EXPECT_EQ(without_energies(other), without_energies(ones)) << which;
    EXPECT_EQ(other.energy_conserved, ones.energy_conserved) << which;
    EXPECT_EQ(all_exact(other), all_exact(ones)) << which;
    EXPECT_EQ(other.functional_rank, ones.functional_rank) << which;
    EXPECT_TRUE(other.undecided.empty()) << which << " " << other.undecided.front();
  }
}

TEST(NoetherInAllUnits, AreTheSame) {
  for (const InUnits model : {chain_with_spring, charges, smeared_charges, top, thrown_body, trough, rod, pushed})
    expect_same(model, all_units());
}

// The size of a surface is in its constraint, not in a coordinate.
TEST(NoetherInAllUnits, SurfacesOfAnySize) {
  for (const double radius : {1e-3, 1.0, 1e3, 1e6, 1e9}) {
    Model model("particle on a sphere, and one that is tied to it");
    const auto sphere = [radius](const VectorXe& x) {
      return VectorXe(VectorXe::Constant(1, x.squaredNorm() / radius - radius));
    };
    const auto x = model.coordinate("x", Embedded(3, sphere, "sphere"));
    const auto y = model.coordinate("y", Rn(3));
    model.kinetic(1.5 * squared_norm(rate(x)) + 0.7 * squared_norm(rate(y)));
    model.potential(2.0 * squared_norm(x - y));
    const NoetherReport report = conserved_momenta(model);
    std::set<std::string> found;
    for (const std::string& name : names(report)) found.insert(name);
    EXPECT_EQ(found, (std::set<std::string>{"angular momentum about e1 (x, y)", "angular momentum about e2 (x, y)",
                                            "angular momentum about e3 (x, y)"}))
        << radius;
    EXPECT_TRUE(report.undecided.empty()) << radius;
  }
}

// A force of 10^12 along one axis and a small one along another: what is left is along the third.
TEST(NoetherInAllUnits, LargeForcesHideNoSmallOnes) {
  const NoetherReport report = conserved_momenta(pushed({}));
  EXPECT_EQ(names(report), std::vector<std::string>{"momentum along e3 (x[0], x[1])"});
  EXPECT_FALSE(report.energy_conserved);
}

TEST(NoetherInAllUnits, EnormousAndTinyEnergies) {
  for (const double mass : {1e-160, 1e-100, 1e100, 1e160}) {
    const NoetherReport report = conserved_momenta(rod({.mass = mass})), ones = conserved_momenta(rod({}));
    EXPECT_EQ(names(report), names(ones)) << mass;
    EXPECT_TRUE(report.undecided.empty());
  }
}

// Between what rounding does and what is surely seen, nothing is claimed and the doubt is said.
TEST(NoetherInAllUnits, NearlySymmetricIsUndecided) {
  for (const double difference : {0.0, 1e-15, 1e-12, 1e-6}) {
    Model model("nearly symmetric body");
    const auto R = model.coordinate<SO3>("R");
    model.body("body", {.attitude = R, .mass = 1.0, .inertia = diagonal(2 + difference, 2, 1)});
    const NoetherReport report = conserved_momenta(model);
    EXPECT_EQ(report.momenta.size(), difference < 1e-14 ? 4u : 3u) << difference;
    ASSERT_EQ(report.undecided.size(), difference == 1e-12 ? 1u : 0u) << difference;
    if (difference == 1e-12) {
      EXPECT_TRUE(report.undecided[0].starts_with("body angular momentum about e3 (R): ")) << report.undecided[0];
    }
  }
}

// The large energies are invariant together, term by term they are not; the small one breaks that.
TEST(NoetherInAllUnits, SmallTermsHiddenByLargeOnesAreUndecided) {
  Model model("particle whose mass depends on the direction");
  const auto x = model.coordinate("x", Rn(2));
  model.kinetic(0.5e20 * rate(x)[0] * rate(x)[0]);
  model.kinetic(0.5e20 * rate(x)[1] * rate(x)[1]);
  model.kinetic(0.5 * rate(x)[1] * rate(x)[1]);
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(names(report), (std::vector<std::string>{"momentum along e1 (x)", "momentum along e2 (x)"}));
  ASSERT_EQ(report.undecided.size(), 1u);
  EXPECT_NE(report.undecided[0].find("hide"), std::string::npos) << report.undecided[0];
}

}  // namespace
}  // namespace hamel::test
