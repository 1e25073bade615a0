// What breaks conservation, and what the conserved momentum is then: forces, constraints, time, magnetic fields.
#include <gtest/gtest.h>

#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s2.hpp"
#include "symmetry/momenta.hpp"

namespace hamel::test {
namespace {

TEST(NoetherWithForces, ForcesThatWorkAlongASymmetryBreakIt) {
  Model model("driven particle");
  const auto x = model.coordinate("x", Rn(3));
  const auto u = model.input("u");
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.force_on(x, u * Formula::vector({1.0, 0.0, 0.0}));
  EXPECT_EQ(conserved_momenta(model).momenta.size(), 6U);  // as in a run, where u is zero
  EXPECT_TRUE(conserved_momenta(model).energy_conserved);
  const NoetherReport report = conserved_momenta(model, InputsAre::anything);
  EXPECT_EQ(names(report), (std::vector<std::string>{"momentum along e2 (x)", "momentum along e3 (x)",
                                                     "angular momentum about e1 (x)"}));
  EXPECT_FALSE(report.energy_conserved);
}

TEST(NoetherWithForces, DissipationBreaksConservation) {
  Model model("damped spherical pendulum");
  const auto q = model.coordinate<S2>("q");
  model.kinetic(0.5 * squared_norm(rate(q)));
  model.potential(9.81 * q.z());
  model.dissipation(0.1 * squared_norm(rate(q)));
  const NoetherReport report = conserved_momenta(model);
  EXPECT_TRUE(report.momenta.empty());
  EXPECT_FALSE(report.energy_conserved);
}

TEST(NoetherWithForces, ConstraintsMustBeInvariant) {
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

TEST(NoetherWithForces, TimeBreaksEnergyButNotAHelicalCombination) {
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

TEST(NoetherWithForces, GivenHamiltonian) {
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

TEST(NoetherWithForces, GivenHamiltonianWithFriction) {
  Model model("sliding pendulum by H");
  const auto q = model.coordinate<S2>("q");
  const auto x = model.coordinate("x", Rn(2));
  model.hamiltonian(0.5 * squared_norm(model.momentum(q)) + 9.81 * q.z() + 0.5 * squared_norm(model.momentum(x)));
  model.dissipation(0.1 * squared_norm(rate(x)));
  model.force_on(x, -0.3 * norm(rate(x)) * rate(x));
  EXPECT_EQ(names(conserved_momenta(model)), std::vector<std::string>{"angular momentum about e3 (q)"});
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

TEST(NoetherWithForces, UniformMagneticFieldInAnyGauge) {
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

TEST(NoetherWithForces, GaugeTermsAreReadable) {
  EXPECT_EQ(conserved_momenta(magnetic("Landau")).momenta[1].formula, "1.7*x.x + p_x.y");
}

}  // namespace
}  // namespace hamel::test
