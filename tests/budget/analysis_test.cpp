// What questions about equilibria may cost, in CPU time and memory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <hamel/analyze/control.hpp>
#include <hamel/manifold/spaces.hpp>

#include "budget/cost.hpp"

namespace hamel::test {
namespace {

struct Question {
  std::string name;
  std::vector<std::string> arguments;
  Cost bound;
};

class AnalysisBudget : public ::testing::TestWithParam<Question> {};

TEST_P(AnalysisBudget, IsKept) {
  const Question& question = GetParam();
  expect_within(question.name, question.bound, [&] { run_hamel(question.arguments); });
}

const std::string cart = HAMEL_SOURCE_DIR "/models/chain-pendulum-on-cart.toml",
                  controlled = HAMEL_SOURCE_DIR "/models/chain-pendulum-on-cart-controlled.toml",
                  chain_pendulum = HAMEL_SOURCE_DIR "/models/chain-pendulum.toml",
                  quadrotors = HAMEL_SOURCE_DIR "/models/two-quadrotors-payload.toml";

INSTANTIATE_TEST_SUITE_P(
    Commands, AnalysisBudget,
    ::testing::Values(Question{"all_32_of_a_chain_on_a_cart", {"equilibria", cart, "--json"}, {2, 150}},
                      Question{"equilibria_of_two_quadrotors", {"equilibria", quadrotors, "--json"}, {12, 200}},
                      Question{"linearize_a_chain_on_a_cart", {"linearize", cart, "--at=---++", "--json"}, {2, 150}},
                      Question{"lowest_modes_of_1000_links",
                               {"linearize", chain_pendulum, "--at", "hanging", "--set", "n=1000"},
                               {5, 400}},
                      Question{"control_a_chain_on_a_cart", {"control", controlled, "--json"}, {2, 150}}),
    [](const auto& test) { return test.param.name; });

// Fifty masses on springs, pushed at one end: the regulator alone.
TEST(RegulatorBudget, OfAHundredStates) {
  expect_within("a regulator of 100 states", {1, 200}, [] {
    LinearModel model;
    const int n = 50;
    Model masses("masses");
    const auto x = masses.coordinate("x", Rn(n));
    masses.input("u");
    model.at = {0, VectorXd::Zero(n), VectorXd::Zero(n), std::make_shared<const Model>(masses)};
    model.basis = model.M = MatrixXd::Identity(n, n);
    model.D = model.G = MatrixXd::Zero(n, n);
    model.K = 2 * MatrixXd::Identity(n, n);
    model.K.diagonal(1).setConstant(-1);
    model.K.diagonal(-1).setConstant(-1);
    model.B = MatrixXd::Zero(n, 1);
    model.B(0, 0) = 1;
    model.inputs = VectorXd::Zero(1);
    if (lqr(model).residual > 1e-10) std::abort();
  });
}

}  // namespace
}  // namespace hamel::test
