#include "hamel/derive/equations.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/LU>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "hamel/linear/dense.hpp"
#include "hamel/manifold/embedded.hpp"
#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s1.hpp"
#include "hamel/manifold/s2.hpp"
#include "hamel/manifold/so3.hpp"
#include "hamel/mechanics/field.hpp"
#include "hamel/model/lower.hpp"
#include "mechanics/pendulums.hpp"

namespace hamel {
namespace {

using test::double_spherical_pendulum, test::pendulum_in_space;

Model pendulum_with_friction() {
  Model model = test::spherical_pendulum();
  model.dissipation(0.05 * squared_norm(rate(model.coordinate(0))));
  return model;
}

Model particle_on_torus() {
  const Embedded torus(
      3,
      [](const VectorXe& x) {
        const Expr s = x.squaredNorm() + 0.75;
        return VectorXe::Constant(1, s * s - 4 * (x(0) * x(0) + x(1) * x(1)));
      },
      "torus");
  Model model("particle on a torus");
  const auto x = model.coordinate("x", torus);
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(9.81 * x.z());
  return model;
}

Model slider_crank() {
  Model model("slider-crank");
  const auto q = model.coordinate<S1>("q");
  const auto x = model.coordinate("x", Rn(1));
  const auto u = model.input("u");
  model.kinetic(0.8 * squared_norm(rate(q)) + 0.5 * squared_norm(rate(x)));
  model.torque(q, u);
  model.constraint("rod", (x[0] - q[0]) * (x[0] - q[0]) + q[1] * q[1] - 4.0);
  return model;
}

Model by_hamiltonian() {
  Model model("pendulum by H");
  const auto q = model.coordinate<S2>("q");
  const auto mu = model.momentum(q);
  model.hamiltonian(0.5 * squared_norm(mu) / (1.0 + 0.3 * q.x()) + 9.81 * q.z());
  return model;
}

VectorXd evaluated(const Equations& set, std::span<const Expr> f, const VectorXd& values) {
  const Graph::Scope scope(*set.graph);
  const auto numbers = evaluate(f, set.variables(), std::span(values.data(), static_cast<std::size_t>(values.size())));
  return Eigen::Map<const VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

VectorXd right_sides(const Equations& set, const std::vector<Equation>& list, const VectorXd& values) {
  std::vector<Expr> f;
  for (const Equation& equation : list) f.push_back(equation.right);
  return evaluated(set, f, values);
}

VectorXd joined(std::initializer_list<VectorXd> parts) {
  Eigen::Index size = 0;
  for (const VectorXd& part : parts) size += part.size();
  VectorXd all(size);
  size = 0;
  for (const VectorXd& part : parts) {
    all.segment(size, part.size()) = part;
    size += part.size();
  }
  return all;
}

struct Case {
  explicit Case(const Model& m) : model(m), system(derive(m)), work(system) {
    Random random(17);
    if (system.constraints() > 0) {
      const double angle = 0.7;
      state.q = Eigen::Vector3d(std::cos(angle), std::sin(angle), 0);
      state.q(2) = state.q(0) + std::sqrt(4 - state.q(1) * state.q(1));
      const double arm = state.q(2) - state.q(0);
      state.v = Eigen::Vector3d(-state.q(1), state.q(0), 0);
      state.v(2) = state.v(0) - state.q(1) * state.v(1) / arm;
    } else {
      state.q = system.space().random_point(random);
      state.v = system.space().random_tangent(state.q, random);
    }
    state.t = 0.4;
    work.u.setConstant(0.6);
    system.check(state);
  }
  VectorXd values(const VectorXd& partner, const VectorXd& multipliers = {}) const {
    return joined({state.q, partner, multipliers, work.u, parameter_values(model), VectorXd::Constant(1, state.t)});
  }

  Model model;
  System system;
  Workspace work;
  State state;
};

VectorXd solved(const Equations& set, const VectorXd& values) {
  const MatrixXd M = evaluated(set, std::span(set.matrix.data(), static_cast<std::size_t>(set.matrix.size())), values)
                         .reshaped(set.matrix.rows(), set.matrix.cols());
  const VectorXd r = evaluated(set, std::span(set.right.data(), static_cast<std::size_t>(set.right.size())), values);
  EXPECT_LT((M - M.transpose()).norm(), 1e-12);
  return linear::shortest_least_squares(M, r);
}

class EquationsOf : public testing::TestWithParam<Model (*)()> {};

TEST_P(EquationsOf, VelocityFormGivesTheAcceleration) {
  Case c(GetParam()());
  const Equations set = equations(c.model, Form::velocity);
  VectorXd a(c.system.ambient());
  c.system.acceleration(c.work, c.state.t, c.state.q, c.state.v, a);
  const VectorXd x = solved(set, c.values(c.state.v));
  EXPECT_LT((x.head(a.size()) - a).norm(), 1e-11 * (1 + a.norm()));
  EXPECT_LT((x.tail(c.system.constraints()) - c.work.multipliers).norm(), 1e-10);
}

TEST_P(EquationsOf, OmegaFormGivesTheRatesOfTheQuasiVelocities) {
  Case c(GetParam()());
  const Equations set = equations(c.model, Form::omega);
  VectorXd a(c.system.ambient()), xi(c.system.rates()), xi_rate(c.system.rates());
  c.system.acceleration(c.work, c.state.t, c.state.q, c.state.v, a);
  c.system.space().rates(c.state.q, c.state.v, xi);
  c.system.space().rates_of_acceleration(c.state.q, c.state.v, a, xi_rate);
  const VectorXd x = solved(set, c.values(xi));
  EXPECT_LT((x.head(xi.size()) - xi_rate).norm(), 1e-11 * (1 + xi_rate.norm()));
}

TEST_P(EquationsOf, MomentumFormsGiveTheField) {
  for (const Form form : {Form::mu, Form::pi}) {
    Case c(GetParam()());
    const Equations set = equations(c.model, form);
    Field field(c.system, form);
    const VectorXd y = field.pack(c.work, c.state);
    VectorXd rate(field.size());
    field(c.work, c.state.t, y, rate);
    const VectorXd values = c.values(c.state.v, c.work.multipliers);
    const VectorXd momentum = right_sides(set, set.legendre, values);
    const VectorXd momentum_rate = right_sides(set, set.momentum_rates, values);
    EXPECT_LT((momentum - y.tail(field.partners())).norm(), 1e-12 * (1 + momentum.norm()));
    EXPECT_LT((momentum_rate - rate.tail(field.partners())).norm(), 1e-11 * (1 + momentum_rate.norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EquationsOf,
                         testing::Values(&pendulum_with_friction, &double_spherical_pendulum, &pendulum_in_space,
                                         &particle_on_torus, &slider_crank));

TEST(Equations, KinematicsAreTheVelocity) {
  Case c(pendulum_in_space());
  const Equations set = equations(c.model, Form::omega);
  VectorXd xi(3);
  c.system.space().rates(c.state.q, c.state.v, xi);
  EXPECT_LT((right_sides(set, set.kinematics, c.values(xi)) - c.state.v).norm(), 1e-13);
}

TEST(Equations, GivenHamiltonian) {
  for (const Form form : {Form::mu, Form::pi}) {
    Case c(by_hamiltonian());
    const Equations set = equations(c.model, form);
    Field field(c.system, form);
    const VectorXd y = field.pack(c.work, c.state);
    VectorXd rate(field.size()), mu(3);
    field(c.work, c.state.t, y, rate);
    c.system.momentum(c.work, c.state.t, c.state.q, c.state.v, mu);
    const VectorXd values = c.values(mu);
    EXPECT_LT((right_sides(set, set.kinematics, values) - rate.head(3)).norm(), 1e-11);
    EXPECT_LT((right_sides(set, set.momentum_rates, values) - rate.tail(3)).norm(), 1e-11 * (1 + rate.norm()));
    EXPECT_EQ(set.legendre.empty(), form == Form::mu);
  }
  EXPECT_THROW(equations(by_hamiltonian(), Form::omega), std::invalid_argument);
}

// No digits of a mass are lost to terms that cancel.
TEST(Equations, OfConstrainedCoordinatesHaveTheMassAlone) {
  const Equations of = equations(particle_on_torus(), Form::velocity);
  const Graph::Scope scope(*of.graph);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT_TRUE(i == j ? of.matrix(i, j).id() == of.matrix(0, 0).id() : of.matrix(i, j).is_constant(0)) << i << j;
  EXPECT_EQ(print(of).find("1 - 1"), std::string::npos);
}

TEST(Equations, PrintedCCompilesAndAgrees) {
  Case c(double_spherical_pendulum());
  const Equations set = equations(c.model, Form::omega);
  const auto folder = std::filesystem::temp_directory_path() / ("hamel-equations-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "equations.c") << print(set, Notation::c);
  const std::string command = "cc -O1 -shared -fPIC -Wall -Werror -o '" + (folder / "equations.so").string() + "' '" +
                              (folder / "equations.c").string() + "' -lm";
  ASSERT_EQ(std::system(command.c_str()), 0) << print(set, Notation::c);
  void* library = dlopen((folder / "equations.so").c_str(), RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  using Function = void (*)(const double*, const double*, const double*, const double*, const double*, double, double*,
                            double*, double*);
  const auto function = reinterpret_cast<Function>(dlsym(library, "double_spherical_pendulum"));
  ASSERT_NE(function, nullptr);

  VectorXd xi(6), velocity(6), r(6), a(6), xi_rate(6);
  MatrixXd M(6, 6);
  c.system.space().rates(c.state.q, c.state.v, xi);
  const VectorXd parameters = parameter_values(c.model);
  function(c.state.q.data(), xi.data(), nullptr, nullptr, parameters.data(), c.state.t, velocity.data(), M.data(),
           r.data());
  c.system.acceleration(c.work, c.state.t, c.state.q, c.state.v, a);
  c.system.space().rates_of_acceleration(c.state.q, c.state.v, a, xi_rate);
  EXPECT_LT((velocity - c.state.v).norm(), 1e-13);
  EXPECT_LT((linear::shortest_least_squares(M, r) - xi_rate).norm(), 1e-11 * xi_rate.norm());
  dlclose(library);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace hamel
