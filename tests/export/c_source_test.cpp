// The exported C compiles without a warning and computes the field.
#include "export/compiled.hpp"
#include "hamel/derive/equations.hpp"
#include "hamel/graph/functions.hpp"
#include "hamel/manifold/homogeneous.hpp"
#include "hamel/manifold/projected.hpp"
#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/spaces.hpp"
#include "hamel/manifold/stiefel.hpp"
#include "textbook/examples.hpp"

namespace hamel::test {
namespace {

TEST(CSource, ComputesTheField) {
  if (!has_compiler()) GTEST_SKIP() << "there is no cc";
  for (const auto example : {planar_pendulum, pendulum_on_cart, charged_particle, posed_body})
    for (const Form form : {Form::velocity, Form::omega, Form::mu, Form::pi})
      expect_same_field(example(), form, random_state(example()));
}

TEST(CSource, ComputesTheFieldOfAHamiltonian) {
  if (!has_compiler()) GTEST_SKIP() << "there is no cc";
  for (const Form form : {Form::mu, Form::pi})
    expect_same_field(by_hamiltonian(), form, random_state(by_hamiltonian()));
}

TEST(CSource, ComputesTheFieldUnderAConstraint) {
  if (!has_compiler()) GTEST_SKIP() << "there is no cc";
  const double angle = 0.7, x = std::cos(angle), y = std::sin(angle), arm = std::sqrt(4 - y * y);
  const State state{0.4, Eigen::Vector3d(x, y, x + arm), Eigen::Vector3d(-y, x, -y - y * x / arm)};
  for (const Form form : {Form::velocity, Form::omega, Form::mu, Form::pi})
    expect_same_field(slider_crank(), form, state);
}

// Spaces without a formula c(q) = 0, some with more quasi-velocities than dimensions.
std::vector<Manifold> groups_orbits_and_images() {
  const Eigen::Matrix3d turn{{0, -1, 0}, {1, 0, 0}, {0, 0, 0}}, boost{{0, 0, 1}, {0, 0, 0}, {1, 0, 0}},
      other_boost{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}};
  const auto onto_parabola = [](const VectorXe& x) -> VectorXe {  // along the third axis: not to the nearest point
    return VectorXe{{x(0), x(1), 0.5 * (x(0) * x(0) + x(1) * x(1))}};
  };
  return {SE(2), SL(2), SO(4), Homogeneous({turn, boost, other_boost}, Eigen::Vector3d::UnitZ(), "hyperboloid"),
          Projected(3, 2, onto_parabola, "paraboloid")};
}

Formula squares(const Formula& x) { return trace(transpose(x) * x); }

// With a wind, so that momenta are not linear in the velocities.
Model particle_on(const Manifold& space) {
  Model model("particle on " + space.name(), 1);
  const Formula m = model.parameter("m", 1.3), q = model.coordinate("q", space);
  const Formula x = model.coordinate("x", Rn(1));
  const Formula height = q.cols() == 1 ? q[0] + 0.3 * q[2] : q(0, 0) + 0.4 * q(1, 0);
  const Formula rising = rate(height);
  model.kinetic(0.5 * m * squares(rate(q)) + 0.5 * squared_norm(rate(x)) + 0.2 * rising * rate(x)[0]);
  model.lagrangian(0.7 * x[0] * rising - 2 * height * height);
  model.dissipation(0.1 * squares(rate(q)));
  return model;
}

TEST(CSource, ComputesTheFieldOnGroupsOrbitsAndImages) {
  if (!has_compiler()) GTEST_SKIP() << "there is no cc";
  for (const Manifold& space : groups_orbits_and_images()) {
    const Model model = particle_on(space);
    for (const Form form : forms(model)) expect_same_field(model, form, random_state(model));
  }
}

TEST(CSource, ComputesTheMomentaOfAHamiltonianOnAGroup) {
  if (!has_compiler()) GTEST_SKIP() << "there is no cc";
  for (const Manifold& space : groups_orbits_and_images()) {
    Model model("Hamiltonian on " + space.name());
    const Formula q = model.coordinate("q", space);
    model.hamiltonian(0.5 * squares(model.momentum(q)));
    for (const Form form : forms(model)) expect_same_field(model, form, random_state(model));
  }
}

TEST(CSource, HasTheFormsThatAModelHas) {
  Model model("frames");
  model.kinetic(0.5 * squares(rate(model.coordinate("Q", Stiefel(6, 3)))));
  EXPECT_EQ(forms(model), std::vector{Form::velocity});
  EXPECT_NO_THROW(c_source(model, Form::velocity));
  for (const Form form : {Form::omega, Form::mu, Form::pi}) {
    try {
      c_source(model, form);
      FAIL();
    } catch (const std::invalid_argument& error) {
      EXPECT_STREQ(error.what(),
                   "the equations of frames have the form velocity alone: Stiefel(6, 3) has no formula for its tangent "
                   "basis");
    }
  }
}

// Every function of the language, those that the C library does not have among them.
TEST(CSource, ComputesEveryFunction) {
  if (!has_compiler()) GTEST_SKIP() << "there is no cc";
  Model model("functions");
  const Formula x = model.coordinate("x", Rn(2));
  const Formula curve = table("curve", Eigen::MatrixXd{{-1, 2}, {0.2, 1}, {0.5, -1}, {1.5, 3}});
  model.kinetic(0.5 * squared_norm(rate(x)));
  for (const FunctionRow& row : functions()) {
    const Formula first = row.op == Op::interp ? curve : x[0];
    model.potential(row.arity == 1 ? call(row.name, {first}) : call(row.name, {first, x[1]}));
    model.force_on(x, Formula::vector({row.arity == 1 ? call(row.name, {first}) : call(row.name, {first, x[1]}), 0.0}));
  }
  for (const Form form : {Form::velocity, Form::mu})
    expect_same_field(model, form, {0.0, Eigen::Vector2d(0.3, 0.7), Eigen::Vector2d(1, -1)});
}

TEST(CSource, SaysWhatItsArraysAre) {
  const std::string source = c_source(spherical_pendulum(), Form::omega);
  EXPECT_NE(source.find("parameters: m, l, g"), std::string::npos) << source;
  EXPECT_NE(source.find("const double hamel_spherical_pendulum_parameters[3] = {1.3, 0.9, 9.81};"), std::string::npos);
  EXPECT_NE(source.find("void hamel_spherical_pendulum(double t, const double *y, const double *u, "
                        "const double *parameters, double *rate)"),
            std::string::npos);
}

TEST(CSource, RefusesMomentaThatItCannotSolveFor) {
  Model model("relativistic particle");
  const auto q = model.coordinate("x", Rn(3));
  model.lagrangian(-sqrt(1 - squared_norm(rate(q)) / 9));
  try {
    c_source(model, Form::mu);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("not quadratic in the velocities"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace hamel::test
