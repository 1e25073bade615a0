// Laws of inputs: an input stays one, and in motion its law takes its place.
#include <gtest/gtest.h>

#include <cmath>
#include <hamel/analyze/control.hpp>
#include <hamel/integrate/integrate.hpp>
#include <hamel/language/model_file.hpp>

#include "message.hpp"

namespace hamel::test::laws_test {
namespace {

using Eigen::Vector3d;

// A pole on a cart; `inputs` is the section of that name.
std::string pole(const std::string& inputs) {
  return R"toml(
[parameters]
l = 0.5
[coordinates]
x = "R1"
q = "S1"
[definitions]
pull = "-3*x[1] - 2*x'[1]"
[energy]
kinetic = ["norm2(x')/2", "0.05*norm2([x'[1] + l*q'.x, l*q'.y])"]
potential = "0.981*l*q.y"
[inputs]
)toml" + inputs +
         R"toml(
[forces]
motor = { on = "x", force = "u" }
[start]
x = [0.1]
q = "[sin(0.1), cos(0.1)]"
[equilibria]
upright = { x = [0], q = [0, 1] }
[run]
integrator = "rk4"
step = 0.01
until = 1
)toml";
}

ModelFile read(const std::string& inputs) { return parse_model(pole(inputs), "pole.toml"); }

State state_at(const Vector3d& q, const Vector3d& v) { return {0.3, q, v}; }
const State somewhere = state_at({0.2, 0.6, 0.8}, {0.7, 0.4, -0.3});

TEST(Laws, TakeThePlaceOfAnInputInMotionOnly) {
  const ModelFile file = read("u = { law = \"pull + sin(t)\" }");
  ASSERT_EQ(file.model.inputs().size(), 1U);
  EXPECT_EQ(file.model.inputs()[0].law->to_string(), "-3*x - 2*x' + sin(t)");
  const System closed = derive(file.model), open = derive(file.model.open());
  EXPECT_EQ(closed.inputs(), 0);
  EXPECT_EQ(open.inputs(), 1);
  const double u = -3 * 0.2 - 2 * 0.7 + std::sin(0.3);
  EXPECT_LE((acceleration(closed, somewhere) - acceleration(open, somewhere, VectorXd::Constant(1, u))).norm(), 1e-14);
  EXPECT_GT((acceleration(closed, somewhere) - acceleration(open, somewhere)).norm(), 0.1);
}

TEST(Laws, WithALimit) {
  const System limited = derive(read("u = { law = \"pull\", limit = 0.5 }").model), open = derive(read("u = 1").model);
  EXPECT_LE((acceleration(limited, somewhere) - acceleration(open, somewhere, VectorXd::Constant(1, -0.5))).norm(),
            1e-14);
  const State slow = state_at({-0.1, 0.6, 0.8}, Vector3d::Zero());
  EXPECT_LE((acceleration(limited, slow) - acceleration(open, slow, VectorXd::Constant(1, 0.3))).norm(), 1e-14);
}

// The linear model with the law is that without it, and the regulator's feedback.
TEST(Laws, OfARegulator) {
  const ModelFile file = read("u = { size = 1, law = { lqr = \"upright\", Q = { q = 8, \"x'\" = 2 }, R = 0.5 } }");
  const State upright = {0, Vector3d(0, 0, 1), Vector3d::Zero()};
  const LinearModel without = linearize(derive(file.model.open()), upright),
                    with = linearize(derive(file.model), upright);
  const Regulator regulator = lqr(without, {.states = {{"q", 8.0}, {"x'", 2.0}}, .inputs = {{"u", 0.5}}});
  const auto [A, B] = without.first_order();
  EXPECT_LE((with.first_order().A - (A - B * regulator.gain)).norm(), 1e-10 * A.norm());
  EXPECT_EQ(with.B.cols(), 0);

  std::vector<std::string> remarks;
  const System system = derive(file.model);
  const Trajectory run = integrate(system, start_state(file, system, remarks), Rk4{0.01}, {.t = 20});
  EXPECT_LE((run.back().q - upright.q).norm(), 1e-3) << "it balances the pole";
}

TEST(Laws, AreHeldBetweenSamples) {
  const ModelFile file = read("u = { size = 1, law = { lqr = \"upright\" }, sample = 0.05 }");
  const System system = derive(file.model);
  EXPECT_EQ(system.inputs(), 1) << "held, not followed";
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  EXPECT_LE((integrate(system, start, Rk4{0.01}, {.t = 20}).back().q - Vector3d(0, 0, 1)).norm(), 1e-3);
  // A step of an unstable pole that is held still is the flow with a constant input.
  Workspace work(system);
  const State first = integrate(system, start, Rk45{.relative = 1e-12, .absolute = 1e-14}, {.t = 0.05}).back();
  const double u = [&] {
    const LinearModel linear = linearize(derive(file.model.open()), {0, Vector3d(0, 0, 1), Vector3d::Zero()});
    const Regulator held = lqr(linear, {}, {.sample = 0.05});
    return -held.gains[0].point(0) * 0.1 + held.gains[1].point(0) * std::sin(0.1);
  }();
  const auto constant = [&](double, const State&, VectorXd& input) { input(0) = u; };
  const State same = integrate(derive(file.model.open()), start, Rk45{.relative = 1e-12, .absolute = 1e-14},
                               {.t = 0.05}, {}, {constant, 1})
                         .back();
  EXPECT_LE((first.q - same.q).norm() + (first.v - same.v).norm(), 1e-10);
  EXPECT_EQ(message_of<std::invalid_argument>([&] { integrate(system, start, Rk4{0.03}, {.t = 1}); }),
            "the law of pole.toml is sampled every 0.05, which is no multiple of the step 0.03: take 0.025");
}

TEST(Laws, Mistakes) {
  const std::pair<const char*, const char*> cases[] = {
      {"u = { law = { lqr = \"upright\" } }", "input u needs a size, such as size = 1"},
      {"u = { size = 1, law = { Q = { x = 1 } } }",
       "a law is an expression, or { lqr = \"NAME\" } for an equilibrium NAME"},
      {"u = { size = 1, law = { lqr = \"uprigt\" } }", "[equilibria] has no uprigt; did you mean upright?"},
      {"u = { size = 1, law = { lqr = \"upright\", R = -1 } }",
       "the weight R of the inputs is not positive definite: its smallest eigenvalue is -1"},
      {"u = { size = 1, law = { lqr = \"upright\", Q = { y = 1 } } }",
       "there is no coordinate or rate called y that a weight could belong to; there are x, q, x', q'"},
      {"u = { size = 1, law = { lqr = \"upright\", Q = 3 } }", "weights have names: Q = { x = 8, \"x'\" = 1 }"},
      {"u = { size = 1, law = { lqr = \"upright\", S = 3 } }", "unknown key S in the law of u; there are lqr, Q, R"},
      {"u = { size = 2, law = \"pull\" }", "the input u has 2 components, and its law is -3*x - 2*x' (scalar)"},
      {"u = { size = 1, sample = 0.1 }", "a sample needs a law"},
      {"u = { law = \"pull\", sample = -1 }", "sample must be a positive number, got -1"},
      {"u = { law = \"pull\", limit = [1, 2] }",
       "the limit is a number, or one for each of 1 components, got [1, 2] (2x1)"},
      {"u = { law = \"u\" }", "u is defined in terms of itself"},
      {"w = 1\nu = { size = 1, law = { lqr = \"upright\" } }",
       "w is not regulated: beside a regulator, every other input needs a law of its own, without sample"}};
  for (const auto& [inputs, message] : cases) {
    try {
      read(inputs);
      ADD_FAILURE() << inputs << " is read";
    } catch (const SourceError& error) {
      EXPECT_EQ(error.message(), message) << inputs;
      EXPECT_GE(error.place().line(), 13);
    }
  }
}

}  // namespace
}  // namespace hamel::test::laws_test
