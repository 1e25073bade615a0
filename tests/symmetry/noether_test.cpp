// Conserved momenta of particles, pendulums and tops.
#include <gtest/gtest.h>

#include "hamel/manifold/embedded.hpp"
#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s2.hpp"
#include "hamel/manifold/so3.hpp"
#include "symmetry/momenta.hpp"

namespace hamel::test {
namespace {

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

}  // namespace
}  // namespace hamel::test
