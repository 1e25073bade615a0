// Parameters of model files that follow others, and those that cannot change.
#include <gtest/gtest.h>

#include "hamel/language/model_file.hpp"

namespace hamel::test::parameters_test {
namespace {

constexpr const char* text = R"toml(
[parameters]
J = "m*l^2/3"
m = 3.0
l = 2.0
n = 2
k = "repeat(m/n, n)"
axis = [0, 0, 2]
start = "pi/6"
r = 1.5

[coordinates]
q = "S2[n]"
x = "{y in R2 : dot(y, y) = r^2}"

[energy]
kinetic = "sum(i in 1..n, J/2*norm2(q'[i])) + m/2*norm2(x')"
potential = "sum(i in 1..n, k[i]*q[i].z) + x.y"

[start]
t = "m/4"
q = ["[0, sin(start), cos(start)]", [0, 0, 1]]
omega.q = ["l*e1", [0, 0, 0]]
x = [1.5, 0]
)toml";

State start_of(const ModelFile& file, const System& system) {
  std::vector<std::string> remarks;
  return start_state(file, system, remarks);
}

const MatrixXd& value_named(const Model& model, const std::string& name) {
  for (const Parameter& parameter : model.parameters())
    if (parameter.name == name) return parameter.value;
  throw std::invalid_argument(name);
}

TEST(Parameters, FollowOthersWhereverTheyStand) {
  const ModelFile file = parse_model(text, "m.toml");
  const System system = derive(file.model).with({{"m", 6.0}, {"l", 1.0}});
  EXPECT_EQ(value_named(system.model(), "J")(0), 2);
  EXPECT_EQ(value_named(system.model(), "k"), MatrixXd::Constant(2, 1, 3.0));
  const ModelFile anew = parse_model(text, "m.toml", {{"m", "6"}, {"l", "1"}});
  EXPECT_EQ(value_named(anew.model, "J")(0), 2);
}

TEST(Parameters, TheStartFollowsThem) {
  const ModelFile file = parse_model(text, "m.toml");
  const System system = derive(file.model);
  const State state = start_of(file, system.with({{"start", 0.3}, {"l", 5.0}, {"m", 8.0}}));
  EXPECT_EQ(state.t, 2);
  EXPECT_NEAR(state.q(1), std::sin(0.3), 1e-15);
  EXPECT_NEAR(state.v(2), 5 * std::sin(0.3), 1e-14);
  EXPECT_EQ(start_of(file, system).t, 0.75);
}

TEST(Parameters, ThatAreSizesIndicesOrPartsOfSetsAreRefusedByName) {
  const System system = derive(parse_model(text, "m.toml").model);
  const auto refusal = [&](const ParameterValues& values) -> std::string {
    try {
      static_cast<void>(system.with(values));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "none";
  };
  const std::string end = " was made from its value; make or read the model anew, with that value";
  EXPECT_EQ(refusal({{"n", 3.0}}).substr(0, 28), "the parameter n cannot chang");
  EXPECT_EQ(refusal({{"r", 2.0}}), "the parameter r cannot change: a set of points" + end);
  EXPECT_EQ(refusal({{"n", 2.0}, {"r", 1.5}}), "none");  // what it was
  EXPECT_EQ(refusal({{"axis", {1.0, 0.0, 0.0}}}), "none");
}

// An element is one of what the other settings make of its parameter, in whatever order they are given.
TEST(Parameters, ElementsAreSetAfterTheirParameters) {
  for (const Overrides& overrides : {Overrides{{"k[1]", "9"}, {"m", "8"}}, Overrides{{"m", "8"}, {"k[1]", "9"}}}) {
    const ModelFile file = parse_model(text, "m.toml", overrides);
    EXPECT_EQ(value_named(file.model, "m")(0), 8);
    EXPECT_EQ(value_named(file.model, "k"), Eigen::Vector2d(9, 4));
  }
  const System system = derive(parse_model(text, "m.toml").model);
  EXPECT_EQ(value_named(system.with({{"k[1]", 9.0}, {"m", 8.0}}).model(), "k"), Eigen::Vector2d(9, 4));
}

}  // namespace
}  // namespace hamel::test::parameters_test
