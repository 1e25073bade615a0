// Model files against the same models in C++, and every example of the documentation.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "hamel/hamel.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/language/model_file.hpp"

namespace hamel::model_files_test {
namespace {

struct Example {
  std::string name, text;
};

std::string slurp(const std::string& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// The blocks ```toml ... ``` of a page.
std::vector<Example> examples_of(const std::string& page) {
  const std::string text = slurp(std::string(HAMEL_SOURCE_DIR) + "/docs/" + page), begin = "```toml\n", end = "```";
  std::vector<Example> examples;
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    const std::size_t from = at + begin.size();
    examples.push_back({page + std::to_string(examples.size()), text.substr(from, text.find(end, from) - from)});
  }
  return examples;
}

State start_of(const ModelFile& file, const System& system) {
  std::vector<std::string> remarks;
  return start_state(file, system, remarks);
}

std::vector<Example> all_examples() {
  std::vector<Example> all = examples_of("model-files.md");
  for (Example& example : examples_of("tutorial.md")) all.push_back(std::move(example));
  return all;
}

TEST(Documentation, HasExamples) { EXPECT_GE(all_examples().size(), 18U); }

TEST(Documentation, ExamplesRun) {
  for (const Example& example : all_examples()) {
    SCOPED_TRACE(example.text);
    const ModelFile file = parse_model(example.text, example.name);
    const System system = derive(file.model);
    const State start = start_of(file, system);
    const RunSection& run = file.run;
    const double step = run.step == 0 && run.tolerance == 0 ? 0.01 : run.step;
    const Method method = method_named(run.integrator, step, run.tolerance);
    const Trajectory motion = integrate(system, start, method, {.t = start.t + 0.05});
    EXPECT_TRUE(motion.back().q.allFinite());
    EXPECT_DOUBLE_EQ(motion.back().t, start.t + 0.05);
  }
}

// The same acceleration and energy at the start.
void expect_same(const ModelFile& file, const Model& by_hand) {
  const System system = derive(file.model), expected = derive(by_hand);
  const State start = start_of(file, system);
  Workspace w(system), expected_w(expected);
  VectorXd a(system.ambient()), expected_a(expected.ambient());
  ASSERT_EQ(a.size(), expected_a.size());
  system.acceleration(w, start.t, start.q, start.v, a);
  expected.acceleration(expected_w, start.t, start.q, start.v, expected_a);
  EXPECT_LT((a - expected_a).norm(), 1e-12 * (1 + expected_a.norm()));
  const double energy = system.energy(w, start.t, start.q, start.v).total;
  EXPECT_NEAR(energy, expected.energy(expected_w, start.t, start.q, start.v).total, 1e-12 * (1 + std::abs(energy)));
}

TEST(ModelFiles, DoublePendulumIsTheModelOfTheReadme) {
  const ModelFile file = read_model(HAMEL_SOURCE_DIR "/models/double-spherical-pendulum.toml");
  Model model("double spherical pendulum");
  const auto m = model.parameter("m", {1.0, 1.0}), l = model.parameter("l", {9.81, 9.81});
  const auto g = model.parameter("g", 9.81);
  const auto q = model.coordinates<S2>("q", 2);
  const Vec3 x1 = l[0] * q[0], x2 = x1 + l[1] * q[1];
  model.kinetic(m[0] / 2 * squared_norm(rate(x1)));
  model.kinetic(m[1] / 2 * squared_norm(rate(x2)));
  model.potential(-m[0] * g * x1.z());
  model.potential(-m[1] * g * x2.z());
  expect_same(file, model);
}

TEST(ModelFiles, ChainOnCartByRecursionIsAModelByLoop) {
  const ModelFile file =
      read_model(HAMEL_SOURCE_DIR "/models/chain-pendulum-on-cart.toml", {{"n", "4"}, {"m", "repeat(0.3, n)"}});
  Model model("chain");
  const Formula x = model.coordinate("x", Rn(2));
  const std::vector<Formula> q = model.coordinates<S2>("q", 4);
  model.kinetic(0.25 * squared_norm(rate(x)));
  Vec3 joint = Formula::vector({x.x(), x.y(), 0.0});
  for (const Formula& direction : q) {
    joint = joint + 0.2 * direction;
    model.kinetic(0.15 * squared_norm(rate(joint)));
    model.potential(0.3 * 9.81 * joint.z());
  }
  expect_same(file, model);
}

TEST(ModelFiles, BodiesForcesAndDissipation) {
  const ModelFile file = parse_model(R"toml(
[parameters]
J = [[2, 0, 0], [0, 3, 0], [0, 0, 4]]
[coordinates]
R = "SO3"
x = "R3"
[bodies]
b = { attitude = "R", position = "x", mass = 2, inertia = "J", center = "[0.1, 0.2, 0.3]" }
[energy]
potential = "2*9.81*b.z"
[inputs]
u = { law = "[t, 1, -1]" }
[forces]
motor = { on = "R", torque = "u" }
drag = { at = "b", force = "-0.3*b'" }
push = { on = "x", force = "[0, 1, x.x]" }
[dissipation]
d = "0.2*norm2(Omega(R))/2"
[start]
t = 0.5
R = "turn([1, 2, 3], 0.7)"
Omega.R = [0.3, -0.2, 0.9]
x = [1, 2, 3]
"x'" = [0.1, 0.2, -0.3]
)toml",
                                     "bodies.toml");
  Model model("by hand");
  const Formula R = model.coordinate<SO3>("R"), x = model.coordinate("x", Rn(3));
  const Eigen::Matrix3d J = Eigen::Vector3d(2, 3, 4).asDiagonal();
  const Formula c = model.body("b", {R, x, 2.0, J, Eigen::Vector3d(0.1, 0.2, 0.3)});
  model.potential(2 * 9.81 * c.z());
  model.torque(R, Formula::vector({model.time(), 1.0, -1.0}));
  model.force(c, -0.3 * rate(c));
  model.force_on(x, Formula::vector({0.0, 1.0, x.x()}));
  model.dissipation(0.2 * squared_norm(omega(R)) / 2);
  expect_same(file, model);
}

// Each expression as an energy of a particle, at x = (1, 2, 3) and t = 0.
TEST(ModelFiles, ExpressionsHaveTheirValues) {
  const std::pair<const char*, double> values[] = {
      {"-2^2", -4},
      {"2^3^2", 512},
      {"2^-1", 0.5},
      {"-x.x^2", -1},
      {"6/2*3", 9},
      {"1 - 2 - 3", -4},
      {"2*(3 + 4)", 14},
      {"1e3 + .5", 1000.5},
      {"x[2] + x.z", 5},
      {"dot(x, [1, 1, 1])", 6},
      {"cross(x, e1).y", 3},
      {"norm2(x)", 14},
      {"norm([3, 4])", 5},
      {"(A*x).x", 14},
      {"transpose(A)[3, 1]", 3},
      {"A[1, 3]", 3},
      {"A[2].z", 6},
      {"half[1] + repeat(3, 1)[1]", 3.5},
      {"dot(A[3], x)", 7 + 16 + 30},
      {"trace(A)", 1 + 5 + 10},
      {"det(A)", 1 * (50 - 48) - 2 * (40 - 42) + 3 * (32 - 35)},
      {"(hat(e3)*x).y", 1},
      {"vee(hat(x)).z", 3},
      {"diag(1, 2, 3)[2, 2] + diag(x)[3, 3] + I3[1, 1] + I2[1, 2]", 6},
      {"columns(x, x)[2, 1]", 2},
      {"(turn(e3, pi/2)*e1).y", 1},
      {"unit([0, 0, 7]).z", 1},
      {"norm2(repeat(2, 3)) + repeat(x.z, 2)[2]", 15},
      {"pose(turn(e3, pi/2), x)[2, 1] + pose(I3, x)[3, 4]", 4},
      {"sum(i in 1..3, x[i]*i)", 14},
      {"sum(i < j in 1..3, x[i]*x[j])", 11},
      {"sum((i, j) in pairs, x[i]*x[j])", 2 + 6},
      {"sum(i in [1, 3], x[i])", 4},
      {"sum(i in 1..2, j in i..3, 1)", 5},
      {"sum(i in 1..0, x[i])", 0},
      {"if(x.x < 2, 10, 20)", 10},
      {"if(x.x >= 2, 10, 20)", 20},
      {"if(x.z > 2, 10, 20)", 10},
      {"sum(i in 1..3, if(i == 2, 0, x[i]))", 4},
      {"sum(i in 1..3, if(i != 2, 0, x[i]))", 2},
      {"sum(i in 1..3, if(i == 4*half, 0, x[i]))", 4},
      {"min(x.x, x.y) + max(x.x, x.y) + abs(-2)", 5},
      {"atan2(1, 1)*4/pi + atan(0)", 1},
      {"sqrt(4) + exp(0) + log(1) + sin(0) + cos(0) + tan(0) + asin(0) + acos(1) + sinh(0) + cosh(0) + tanh(0)", 5},
      {"twice(3) + twice(x.x)", 8},
      {"tower[3]", 4},
      {"half", 0.5},
      {"t", 0},
  };
  for (const auto& [expression, value] : values) {
    SCOPED_TRACE(expression);
    const std::string before = R"toml(
[parameters]
A = [[1, 2, 3], [4, 5, 6], [7, 8, 10]]
pairs = [[1, 2], [2, 3]]
half = "1/2"
[definitions]
"twice(a)" = "2*a"
"tower[0]" = "half"
"tower[k in 1..3]" = "2*tower[k-1]"
[coordinates]
x = "R3"
[start]
x = [1, 2, 3]
[energy]
kinetic = "norm2(x')/2"
potential = )toml";
    const ModelFile file = parse_model(before + "\"" + expression + "\"\n", "expression.toml");
    const System system = derive(file.model);
    const State start = start_of(file, system);
    Workspace w(system);
    EXPECT_NEAR(system.energy(w, 0, start.q, start.v).potential, value, 1e-13 * (1 + std::abs(value)));
  }
}

TEST(ModelFiles, OverridesReplaceParametersAndWhatFollowsFromThem) {
  const std::string text = R"(
[parameters]
m = [1, 2]
k = "m[1]*10"
[coordinates]
x = "R1"
[energy]
kinetic = "x'^2/2"
potential = "k*x + m[2]"
)";
  const auto parameter = [&](const Overrides& overrides, std::size_t k) {
    return parse_model(text, "m.toml", overrides).model.parameters()[k].value;
  };
  EXPECT_EQ(parameter({}, 1)(0), 10);
  EXPECT_EQ(parameter({{"m", "[3, 4]"}}, 1)(0), 30);
  EXPECT_EQ(parameter({{"m[1]", "7"}}, 1)(0), 70);
  EXPECT_EQ(parameter({{"m[1]", "7"}}, 0)(1), 2);
  EXPECT_EQ(parameter({{"k", "2*pi"}}, 1)(0), 2 * M_PI);
  EXPECT_THROW(parameter({{"q", "1"}}, 0), SourceError);
  EXPECT_THROW(parameter({{"m[3]", "1"}}, 0), SourceError);
  EXPECT_THROW(parameter({{"m", "1 +"}}, 0), SourceError);
}

TEST(ModelFiles, RatesOfAFamilyMayBeGivenInOneLine) {
  const ModelFile file = parse_model(R"toml(
[coordinates]
x = "R2[3]"
[energy]
kinetic = "sum(k in 1..3, norm2(x'[k])/2)"
[start]
"x[k in 1..3]" = "[k, 0]"
"x'[k in 1..3]" = "[0, 10*k]"
)toml",
                                     "rates.toml");
  const State start = start_of(file, derive(file.model));
  EXPECT_EQ(start.v, (VectorXd(6) << 0, 10, 0, 20, 0, 30).finished());
}

TEST(ModelFiles, StartsAreCorrectedAndItIsSaid) {
  const ModelFile file = parse_model(R"(
[coordinates]
q = "S1[3]"
[points]
a = "q[1]"
b = "a + 1.5*q[2]"
[energy]
kinetic = "norm2(a')/2 + norm2(b')/2"
[constraints]
closed = "b + q[3] = [2, 0]"
[start]
q = [[0.6, 0.8], [0.9914, 0.1305], [-0.0872, -0.9958]]
)",
                                     "loop.toml");
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  EXPECT_GE(remarks.size(), 2U);
  EXPECT_NO_THROW(system.check(start, 1e-13));
}

// Whatever stands in a string, the caret is under the right character.
TEST(ModelFiles, PlacesSurviveEscapesAndSeveralLines) {
  const auto place_of = [](const std::string& energy) {
    const std::string text = "[coordinates]\nx = \"R1\"\n[energy]\nkinetic = \"x'^2\"\npotential = " + energy + "\n";
    try {
      parse_model(text, "m.toml");
    } catch (const SourceError& error) {
      return std::pair{error.place().line(), error.place().column()};
    }
    return std::pair<std::size_t, std::size_t>{0, 0};
  };
  EXPECT_EQ(place_of(R"("x + oops")"), (std::pair<std::size_t, std::size_t>{5, 18}));
  EXPECT_EQ(place_of(R"("x\t+\u0020oops")"), (std::pair<std::size_t, std::size_t>{5, 24}));
  EXPECT_EQ(place_of("\"\"\"\nx +\n  oops\n\"\"\""), (std::pair<std::size_t, std::size_t>{7, 3}));
  EXPECT_EQ(place_of("\"\"\"x + \\\n     oops\"\"\""), (std::pair<std::size_t, std::size_t>{6, 6}));
}

}  // namespace
}  // namespace hamel::model_files_test
