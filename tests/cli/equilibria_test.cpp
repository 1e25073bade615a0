// hamel equilibria and hamel linearize.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/command.hpp"

namespace hamel::test {
namespace {

class EquilibriaCommand : public Command {};

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST_F(EquilibriaCommand, PrintsATableOfEightyColumns) {
  for (const char* model : {"chain-pendulum-on-cart", "revolute-robot-3d", "elastically-supported-rigid-body"}) {
    const Result result = hamel(std::string("equilibria ") + model);
    ASSERT_EQ(result.code, 0) << result.err;
    const std::string table = result.out.substr(0, result.out.find("\n\n"));
    EXPECT_LE(longest_line(table), 80u) << table;
  }
  const Result result = hamel("equilibria chain-pendulum-on-cart");
  EXPECT_NE(result.out.find("hanging  "), std::string::npos);
  EXPECT_NE(result.out.find("---++"), std::string::npos);
  EXPECT_NE(result.out.find("stable mod. symmetry"), std::string::npos);
  EXPECT_NE(result.out.find("32 equilibria: enumerated"), std::string::npos);
}

TEST_F(EquilibriaCommand, SearchesAsOftenAsItIsTold) {
  const auto starts_of = [&](const std::string& options) {
    const std::string remark = hamel("equilibria furuta-pendulum --json " + options).json()["remark"];
    return std::stoi(remark.substr(std::string("found from ").size()));
  };
  EXPECT_GT(starts_of(""), 100);
  EXPECT_LT(starts_of("--starts 12"), 100);
  EXPECT_EQ(hamel("equilibria furuta-pendulum --starts 0").code, 2);
}

TEST_F(EquilibriaCommand, PrintsNothingWiderThanEightyColumns) {
  for (const char* command :
       {"equilibria particle-uniform-gravity-drag", "equilibria rigid-body-circular-orbit --reasons",
        "equilibria chain-pendulum-on-cart --reasons", "equilibria kin-spherical-pendulum",
        "linearize 3d-pendulum-on-cart --at hanging", "linearize s2-general --at 'anywhere'",
        "linearize quadrotor-cable-load --at hover", "control chain-pendulum-on-cart-controlled",
        "control quadrotor-cable-load --at hover"}) {
    const Result result = hamel(command);
    EXPECT_GT(result.out.size(), 0u) << command << result.err;
    EXPECT_LE(longest_line(result.out), 80u) << command << "\n" << result.out;
  }
}

TEST_F(EquilibriaCommand, SaysThatThereAreNone) {
  const Result result = hamel("equilibria particle-uniform-gravity");
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("no equilibria: there is none: the momentum of a translation along e3 of x"),
            std::string::npos)
      << result.out;
}

TEST_F(EquilibriaCommand, FindsTheSpeedOfAFallWithDrag) {
  const Result found = hamel("equilibria particle-uniform-gravity-drag");
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_NE(found.out.find("1 moves at -6.81677 along the translation along e3 of x"), std::string::npos) << found.out;
  EXPECT_NE(found.out.find("1 steady motion, in which what brakes balances what drives"), std::string::npos);
  const Result linear = hamel("linearize particle-uniform-gravity-drag --at 1");
  EXPECT_EQ(linear.code, 0) << linear.err;
  EXPECT_NE(linear.out.find("asymptotically stable modulo its family"), std::string::npos) << linear.out;
  EXPECT_EQ(hamel("region particle-uniform-gravity-drag --at 1").code, 2);
}

// sqrt(g/(4 L)) 2.4048 and so on, of a rope, and no matrix of 2,000 rows.
TEST_F(EquilibriaCommand, LinearizesAThousandLinks) {
  const Result result = hamel("linearize chain-pendulum --set n=1000 --at hanging");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("+-0.37651264i  0.376513  2"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("the lowest 20 modes of 2000"), std::string::npos);
  EXPECT_NE(result.out.find("stable: the energy is a strict minimum"), std::string::npos);
  std::ofstream(path("damped.toml")) << R"toml(name = "Damped pendulums"
[coordinates]
q = "S2[200]"
[energy]
kinetic = "sum(k in 1..200, norm2(q'[k])/2)"
potential = "sum(k in 1..200, q[k].z)"
[dissipation]
friction = "sum(k in 1..200, norm2(q'[k])/2)"
[equilibria]
hanging = { "q[k in 1..200]" = [0, 0, -1] }
)toml";
  const Result forced = hamel("linearize damped.toml --at hanging");
  EXPECT_EQ(forced.code, 1);
  EXPECT_NE(forced.err.find("has no sparse linear model: forces, inputs or time act on it"), std::string::npos)
      << forced.err;
}

// Books argue by the signs of its coefficients; where a point depends on parameters, they are numbers.
TEST_F(EquilibriaCommand, PrintsCharacteristicPolynomials) {
  const Result pendulum = hamel("linearize planar-pendulum --at hanging");
  EXPECT_NE(pendulum.out.find("characteristic polynomial\ns^2: m*l^2\ns^0: m*l*g\n"), std::string::npos)
      << pendulum.out;
  const Json crank =
      hamel("linearize planar-slider-crank --at 'crank down' --json").json()["characteristic_polynomial"];
  EXPECT_NEAR(crank["values"][0].get<double>(), 3.616628264005 * 3.616628264005, 1e-9);
  const Result twice = hamel("linearize double-spherical-pendulum --at hanging");
  EXPECT_NE(twice.out.find("s^8: "), std::string::npos) << twice.out;
  EXPECT_LE(longest_line(twice.out), 80u);
}

// Before anything is derived, of which 162 molecules have more than enough.
TEST_F(EquilibriaCommand, RefusesWhatIsTooLarge) {
  const Result result = hamel("equilibria molecules-on-sphere");
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("324 degrees of freedom; its equilibria are looked for up to 100"), std::string::npos)
      << result.err;
}

TEST_F(EquilibriaCommand, GivesJson) {
  const Json all = hamel("equilibria spherical-pendulum --json").json();
  ASSERT_EQ(all["equilibria"].size(), 2u);
  const Json& hanging = all["equilibria"][0];
  EXPECT_EQ(hanging["name"], "hanging");
  EXPECT_EQ(hanging["verdict"], "stable");
  EXPECT_EQ(hanging["point"]["q"], (Json{0.0, 0.0, -1.0}));
  EXPECT_EQ(hanging["stiffness"], (Json{2, 0, 0}));
  EXPECT_NEAR(hanging["eigenvalues"][1]["im"].get<double>(), std::sqrt(9.81 / 0.9), 1e-12);
  EXPECT_EQ(hanging["eigenvalues"][1]["algebraic"], 2);
  EXPECT_TRUE(all["complete"].get<bool>());
}

TEST_F(EquilibriaCommand, LinearizesAtNamesAndSigns) {
  const Json linear = hamel("linearize furuta-pendulum --at hanging --json").json();
  EXPECT_EQ(linear["M"].size(), 2u);
  EXPECT_EQ(linear["basis"].size(), 4u);
  EXPECT_EQ(linear["first_order"]["A"].size(), 4u);
  EXPECT_EQ(linear["stability"]["verdict"], "stable modulo symmetry");
  EXPECT_EQ(linear["stability"]["zero_modes"], Json{"rotation of q[1]"});

  const Result signs = hamel("linearize chain-pendulum-on-cart --at=---++");
  ASSERT_EQ(signs.code, 0) << signs.err;
  EXPECT_NE(signs.out.find("unstable: 4 eigenvalues"), std::string::npos) << signs.out;
  EXPECT_LE(longest_line(signs.out), 80u);

  const Result body = hamel("linearize pendulum-3d --at hanging");
  EXPECT_NE(body.out.find("x2: Omega_R.y"), std::string::npos) << body.out;
}

TEST_F(EquilibriaCommand, FindsSteadyMotions) {
  const Json circle = hamel("equilibria kepler-restricted-two-body --momentum e3=1.2 --json").json();
  ASSERT_EQ(circle["equilibria"].size(), 1u);
  EXPECT_NEAR(circle["equilibria"][0]["rate"].get<double>(), 1 / (1.2 * 1.2 * 1.2), 1e-9);
  EXPECT_EQ(circle["equilibria"][0]["verdict"], "stable modulo symmetry");
  const Result linear = hamel("linearize kepler-restricted-two-body --momentum e3=1 --at 1");
  EXPECT_NE(linear.out.find("zero: rotation about e3 of x"), std::string::npos) << linear.out << linear.err;
  const Result ambiguous = hamel("equilibria heavy-top --rate e3=100");
  EXPECT_EQ(ambiguous.code, 2);
  EXPECT_NE(ambiguous.err.find("e3 is more than one symmetry; there are left rotation"), std::string::npos)
      << ambiguous.err;
  EXPECT_EQ(hamel("equilibria heavy-top --rate left=fast").code, 2);
}

// A constant torque holds a pendulum at the angle where m g l sin = u, twice.
TEST_F(EquilibriaCommand, TakesConstantInputs) {
  std::ofstream(path("held.toml")) << R"(name = "Held pendulum"
[coordinates]
q = "S1"
[inputs]
u = 1
[energy]
kinetic = "norm2(q')/2"
potential = "9.81*q.y"
[forces]
torque = { on = "q", torque = "u" }
)";
  const Result result = hamel("equilibria held.toml --input u=4.905 --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const Json all = result.json();
  ASSERT_EQ(all["equilibria"].size(), 2u);
  for (const Json& one : all["equilibria"]) EXPECT_NEAR(std::abs(one["point"]["q"][0].get<double>()), 0.5, 1e-12);
  EXPECT_EQ(hamel("equilibria held.toml --input u=10 --json").json()["equilibria"].size(), 0u);
  EXPECT_EQ(hamel("equilibria held.toml --input v=10").code, 2);
  EXPECT_EQ(hamel("equilibria held.toml --input 'u=[1, 2]'").code, 2);
}

// Long steps along a circle leave the places that have a nearest point on the torus.
TEST_F(EquilibriaCommand, FindsTheCirclesOfATorus) {
  write("torus.toml", R"(name = "Torus"
[coordinates]
x = "{x in R3 : (sqrt(x.x^2+x.y^2)-2)^2 + x.z^2 = 0.64}"
[energy]
kinetic = "norm2(x')/2"
potential = "9.81*x.z"
[start]
x = [2.8, 0, 0]
)");
  const Result result = hamel("equilibria torus.toml --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const Json found = result.json()["equilibria"];
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0]["verdict"], "stable modulo symmetry");
  EXPECT_EQ(found[1]["verdict"], "unstable");
}

// Each orbit once, with one verdict, and none far out on the axis, where nothing balances the pull.
TEST_F(EquilibriaCommand, ListsOrbitsOfADumbbellOnce) {
  write("dumbbell.toml", R"toml(name = "Dumbbell"
[coordinates]
R = "SO3"
x = "R3"
[points]
a = "x+0.02*R*e1"
b = "x-0.02*R*e1"
[energy]
kinetic = "(norm2(a')+norm2(b'))/2+2e-5*norm2(Omega(R))"
potential = "-1/norm(a)-1/norm(b)"
[start]
R = "I3"
x = [0, 1, 0]
)toml");
  const Result result = hamel("equilibria dumbbell.toml --rate 'left rotation about e3=1' --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const Json found = result.json()["equilibria"];
  EXPECT_LE(found.size(), 12U);
  for (const Json& one : found) {
    EXPECT_LT(std::abs(one["point"]["x"][2].get<double>()), 1e-6) << one;
    for (const Json& other : found) {
      const double energy = one["energy"].get<double>();
      const bool alike = std::abs(energy) < 2 && std::abs(energy - other["energy"].get<double>()) < 1e-8;
      EXPECT_TRUE(!alike || one["verdict"] == other["verdict"]) << one << other;
    }
  }
}

TEST_F(EquilibriaCommand, SaysWhatIsNoPlace) {
  const Result unknown = hamel("linearize pendulum-3d --at hangin");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("no equilibrium called hangin; did you mean hanging?"), std::string::npos) << unknown.err;
  const Result off = hamel("linearize spherical-pendulum --at start --start 'q=[0.06, 0, -0.998198377077422]'");
  EXPECT_EQ(off.code, 1);
  EXPECT_NE(off.err.find("not in equilibrium here"), std::string::npos) << off.err;
  EXPECT_NE(off.err.find("there is one at a distance of 0.06, [0, 0, -1]"), std::string::npos) << off.err;
  const Result nowhere = hamel("linearize spherical-pendulum");
  EXPECT_EQ(nowhere.code, 2);
}

}  // namespace
}  // namespace hamel::test
