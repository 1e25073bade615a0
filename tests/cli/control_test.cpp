// hamel control, from outside.
#include "cli/command.hpp"

namespace hamel::test {
namespace {

constexpr const char* cart = R"toml(
name = "Two pendulums on a cart"
[parameters]
l = [0.5, 0.5]
[coordinates]
x = "R2"
q = "S2[2]"
[points]
"p[k in 1..2]" = "[x.x, x.y, 0] + l[k]*q[k]"
[inputs]
u = 2
[forces]
motor = { on = "x", force = "u" }
[energy]
kinetic = ["norm2(x')/2", "0.05*sum(k in 1..2, norm2(p'[k]))"]
potential = "0.981*sum(k in 1..2, p[k].z)"
[outputs]
place = "x"
[equilibria]
hanging = { x = [0, 0], "q[k in 1..2]" = [0, 0, -1] }
inverted = { x = [0, 0], "q[k in 1..2]" = [0, 0, 1] }
tilted = { x = [0, 0], "q[k in 1..2]" = "unit([0.1, 0, 1])" }
)toml";

constexpr const char* lift = R"toml(
name = "lift"
[coordinates]
z = "R1"
[inputs]
thrust = 1
[forces]
rotor = { on = "z", force = "thrust" }
[energy]
kinetic = "norm2(z')"
potential = "2*9.81*z[1]"
[equilibria]
hover = { z = [1] }
)toml";

TEST_F(Command, ControlOfWhatCannotBeMoved) {
  write("cart.toml", cart);
  const Result equal = hamel("control cart.toml --at inverted");
  EXPECT_EQ(equal.code, 0) << equal.err;
  EXPECT_NE(equal.out.find("controllable  8 of 12 states"), std::string::npos) << equal.out;
  EXPECT_NE(equal.out.find("\nno input moves q[1].x - q[2].x (eigenvalue 4.42945, -4.42945)\n"), std::string::npos);
  EXPECT_NE(equal.out.find("\nno output shows q[1].y - q[2].y"), std::string::npos);
  EXPECT_NE(equal.out.find("\nno regulator: not stabilizable: no input moves"), std::string::npos);
  const Json json = hamel("control cart.toml --at inverted --json").json();
  EXPECT_EQ(json["controllability"]["reached"], 8);
  EXPECT_EQ(json["controllability"]["hidden"][0]["vectors"].size(), 2U);
  EXPECT_EQ(json["regulator"].size(), 1U);
}

TEST_F(Command, ControlWithGainsPerCoordinate) {
  write("cart.toml", cart);
  const std::string arguments = "control cart.toml --at inverted --set 'l=[0.5, 0.3]' ";
  const Result text = hamel(arguments);
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("controllable  12 of 12 states"), std::string::npos);
  EXPECT_NE(text.out.find("\n(q[1]0 x q[1]).y"), std::string::npos) << text.out;
  std::istringstream lines(text.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  const Json json = hamel(arguments + "--Q x=4 --Q \"q'[2]=[1, 1, 0]\" --R u=9 --json").json();
  ASSERT_EQ(json["regulator"]["gains"].size(), 3U);
  const Json& of_cart = json["regulator"]["gains"][0];
  EXPECT_EQ(of_cart["coordinate"], "x");
  EXPECT_NEAR(of_cart["gain"][0][0], 2.0 / 3, 1e-9) << "the root of 4/9";
  for (const Json& pole : json["regulator"]["closed_loop"]) EXPECT_LT(pole["re"], 0);
  EXPECT_LT(json["regulator"]["residual"], 1e-12);
  EXPECT_EQ(json["filter"]["gain"].size(), 12U);
  for (const Json& pole : json["filter"]["spectrum"]) EXPECT_LT(pole["re"], 0);
  const Json held = hamel(arguments + "--sample 0.02 --json").json();
  EXPECT_EQ(held["regulator"]["sample"], 0.02);
}

TEST_F(Command, ControlLeavesOutWhatNothingMoves) {
  std::string turning = lift;
  turning.insert(turning.find("[inputs]"), "psi = \"R1\"\n");
  turning.replace(turning.find("\"norm2(z')\""), 11, "\"norm2(z') + norm2(psi')\"");
  turning.replace(turning.find("z = [1] }"), 9, "z = [1], psi = [0] }");
  write("lift.toml", turning);
  const Result whole = hamel("control lift.toml --at hover"), rest = hamel("control lift.toml --at hover --leave-out");
  EXPECT_NE(whole.out.find("no regulator: not stabilizable: no input moves psi"), std::string::npos) << whole.out;
  EXPECT_NE(rest.out.find("\nleft out of the regulator: psi\n"), std::string::npos) << rest.out << rest.err;
  const Json gains = hamel("control lift.toml --at hover --leave-out --json").json()["regulator"]["gains"];
  EXPECT_GT(gains[0]["gain"][0][0], 0.0);
  EXPECT_EQ(gains[1]["gain"][0][0], 0.0);
}

TEST_F(Command, ControlWeighsTheNoise) {
  write("lift.toml", std::string(lift) + "[outputs]\nheight = \"z\"\n");
  const auto filter = [&](const std::string& options) {
    return hamel("control lift.toml --at hover --json " + options).json()["filter"];
  };
  const Json usual = filter("");
  EXPECT_EQ(usual, filter("--noise \"z'=1\" --measured height=1"));
  EXPECT_NE(usual, filter("--noise \"z'=2\""));
  EXPECT_NE(usual, filter("--measured height=0.01"));
}

TEST_F(Command, ControlFindsTheInputsThatHold) {
  write("lift.toml", lift);
  const Json json = hamel("control lift.toml --json").json();
  EXPECT_EQ(json["at"], "hover");
  EXPECT_NEAR(json["inputs"][0], 19.62, 1e-12);
  EXPECT_NE(hamel("control lift.toml").out.find("held by thrust = 19.62\n"), std::string::npos);
}

TEST_F(Command, ControlByALaw) {
  std::string text = lift;
  text.replace(text.find("thrust = 1"), 10, "thrust = { size = 1, law = { lqr = \"hover\", Q = { z = 4 } } }");
  write("law.toml", text + "[start]\nz = [2]\n[run]\nintegrator = \"rk4\"\nstep = 0.01\nuntil = 30\n");
  const Json open = hamel("linearize law.toml --open --json").json(),
             closed = hamel("linearize law.toml --json").json();
  EXPECT_EQ(open["first_order"]["A"], Json::parse("[[0, 1], [0, 0]]"));
  EXPECT_EQ(closed["first_order"]["A"][1][0], -1) << "the root of 4, over the mass";
  EXPECT_EQ(open["first_order"]["B"], Json::parse("[[0], [0.5]]"));
  const std::string equations = hamel("equations law.toml").out;
  EXPECT_NE(equations.find("2*z'' = -19.62 + thrust\n"), std::string::npos) << equations;
  EXPECT_NE(equations.find("\nthrust = 19.62 - 2*(z - 1) - 3*z'\n"), std::string::npos);
  EXPECT_NE(hamel("check law.toml").out.find("inputs              thrust, by its law\n"), std::string::npos);
  const Result run = hamel("run law.toml --out run.h5 && $hamel convert run.h5 --csv run.csv");
  EXPECT_EQ(run.err, "");
  const std::string csv = slurp(path("run.csv"));
  EXPECT_NE(csv.substr(0, csv.find('\n')).find("thrust"), std::string::npos) << csv.substr(0, 200);
}

// A held input is recorded, too, from the first output on; and a run that was stopped goes on with it.
TEST_F(Command, ControlByASampledLaw) {
  std::string text = lift;
  text.replace(text.find("thrust = 1"), 10,
               "thrust = { law = \"19.62 - 3*(z[1] - 1) - 4*z'[1]\", sample = 0.1, limit = 25 }");
  write("law.toml", text + "[start]\nz = [2]\n[run]\nintegrator = \"rk4\"\nstep = 0.02\nuntil = 2\n");
  EXPECT_EQ(hamel("run law.toml --out whole.h5 && $hamel convert whole.h5 --csv whole.csv").err, "");
  EXPECT_EQ(hamel("run law.toml --until 0.96 --out parts.h5 && $hamel run law.toml --out parts.h5 --resume"
                  " && $hamel convert parts.h5 --csv parts.csv")
                .err,
            "");
  const std::string whole = slurp(path("whole.csv"));
  EXPECT_NE(whole.find(",16.62"), std::string::npos) << whole.substr(0, 300);
  EXPECT_EQ(whole, slurp(path("parts.csv")));
  EXPECT_NE(hamel("run law.toml --step 0.03").err.find("no multiple of the step 0.03"), std::string::npos);
}

TEST_F(Command, ControlRefuses) {
  write("cart.toml", cart);
  const std::pair<const char*, const char*> cases[] = {
      {"", "error: where? Use --at hanging, or --at inverted, or --at tilted\n"},
      {"--at invertd", "error: Two pendulums on a cart has no equilibrium called invertd; did you mean inverted?\n"},
      {"--at hanging --Q y=2",
       "error: there is no coordinate or rate called y that a weight could belong to; there are x, q[1], q[2], x', "
       "q'[1], q'[2]\n"},
      {"--at hanging --Q 'x=[1, 2, 3]'",
       "error: the weight of x has 3 numbers; x has 2 components: give one number, or one for each\n"},
      {"--at hanging --R u=-1",
       "error: the weight R of the inputs is not positive definite: its smallest eigenvalue is -1\n"},
      {"--at hanging --Q x=much", "error: a weight is a number or a list, name=8 or 'name=[8, 1]', got x=much\n"},
      {"--at hanging --Q x", "error: a weight is name=value, got x\n"}};
  for (const auto& [arguments, message] : cases)
    EXPECT_EQ(hamel(std::string("control cart.toml ") + arguments).err, message);
  const Result tilted = hamel("control cart.toml --at tilted");
  EXPECT_EQ(tilted.code, 1);
  EXPECT_NE(tilted.err.find("is not in equilibrium here: the force that is left is 0.0"), std::string::npos)
      << tilted.err;
  EXPECT_NE(hamel("control spherical-pendulum --at hanging").err.find("has no inputs"), std::string::npos);
}

}  // namespace
}  // namespace hamel::test
