// Inputs, with laws and without, as hamel shows them.
#include "cli/command.hpp"

namespace hamel::test {
namespace {

class InputsCommand : public Command {
 protected:
  void SetUp() override {
    Command::SetUp();
    for (const auto& [name, input] :
         {std::pair{"free.toml", "1"},
          std::pair{"held.toml", R"({ size = 1, law = { lqr = "hover" }, sample = 0.05 })"}})
      write(name, std::string(R"toml(name = "rotor"
[coordinates]
z = "R1"
[inputs]
u = )toml") + input +
                      R"toml(
[forces]
motor = { on = "z", force = "u" }
[energy]
kinetic = "norm2(z')"
potential = "19.62*z[1]"
[equilibria]
hover = { z = [1] }
)toml");
  }
};

TEST_F(InputsCommand, ThatHoldAPointAreSaid) {
  for (const char* name : {"free.toml", "held.toml"}) {
    const Result check = hamel(std::string("check ") + name);
    EXPECT_EQ(check.code, 0) << name << check.err;
    EXPECT_NE(check.out.find("hover is held by u = 19.62"), std::string::npos) << name << check.out;
  }
  EXPECT_EQ(hamel("check free.toml --json").json()["equilibria"][0]["inputs"][0], 19.62);
}

TEST_F(InputsCommand, OfAFamilyAreOneEquilibrium) {
  const Json found = hamel("equilibria free.toml --input u=19.62 --json").json();
  ASSERT_EQ(found["equilibria"].size(), 1U) << found;
  EXPECT_EQ(found["equilibria"][0]["family"], 1);
  EXPECT_EQ(found["equilibria"][0]["inputs"][0], 19.62);
  const Result none = hamel("equilibria free.toml");
  EXPECT_NE(none.out.find("no equilibria: there is none"), std::string::npos) << none.out;
}

// z'' = (u - u0)/2, u held for h: the eigenvalues of the step are those of the regulator for samples.
TEST_F(InputsCommand, ThatAreSampledAreJudgedByTheirStep) {
  const Json linear = hamel("linearize held.toml --json").json();
  EXPECT_EQ(linear["stability"]["verdict"], "asymptotically stable");
  EXPECT_EQ(linear["sampled"]["interval"], 0.05);
  const Json control = hamel("control held.toml --sample 0.05 --json").json();
  for (const Json& z : control["regulator"]["closed_loop"]) {
    bool found = false;
    for (const Json& one : linear["sampled"]["eigenvalues"])
      found = found || std::hypot(one["re"].get<double>() - z["re"].get<double>(),
                                  one["im"].get<double>() - z["im"].get<double>()) < 1e-9;
    EXPECT_TRUE(found) << z << linear["sampled"];
  }
  const Result text = hamel("linearize held.toml");
  EXPECT_NE(text.out.find("the laws hold u - u0 = -K (x, x') for 0.05 at a time"), std::string::npos) << text.out;
  EXPECT_NE(hamel("linearize held.toml --open").out.find("0           -      -              2      2"),
            std::string::npos);
  const Json all = hamel("equilibria held.toml --json").json();
  ASSERT_EQ(all["equilibria"].size(), 1U) << all;
  EXPECT_EQ(all["equilibria"][0]["verdict"], "asymptotically stable");
  EXPECT_EQ(hamel("region held.toml --grid 5 --json").json()["home"], 25);
  const Result report = hamel("control held.toml --sample 0.05 --report control.html");
  EXPECT_EQ(report.code, 0) << report.err;
  EXPECT_NE(slurp(path("control.html")).find("\"closed\":true"), std::string::npos) << "its modes are there";
}

TEST_F(InputsCommand, FollowTheirLawsUnlessItIsTakenAway) {
  write("law.toml", slurp(path("free.toml"))
                        .replace(slurp(path("free.toml")).find("u = 1"), 5,
                                 "u = { size = 1, law = \"[19.62 - z[1] - z'[1] + 1]\" }"));
  const Result refused = hamel("equilibria law.toml --input u=19.62");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("u follows its law: --open takes the laws away"), std::string::npos) << refused.err;
  EXPECT_EQ(hamel("equilibria law.toml --open --input u=19.62 --json").json()["equilibria"][0]["family"], 1);
}

// A pendulum in a cone, pushed around and up: the gains are those in the frame that turns along.
TEST_F(InputsCommand, RegulateASteadyMotion) {
  write("cone.toml", R"toml(name = "cone"
[coordinates]
q = "S2"
[inputs]
u = 2
[forces]
push = { on = "q", force = "u.x*cross(e3, q) + u.y*cross(q, cross(e3, q))" }
[energy]
kinetic = "norm2(q')/2"
potential = "9.81*q.z"
)toml");
  const Json found = hamel("control cone.toml --rate e3=4 --at 2 --json").json();
  EXPECT_EQ(found["controllability"]["reached"], 4) << found;
  for (const Json& z : found["regulator"]["closed_loop"]) EXPECT_LT(z["re"], -0.1);
  const Result text = hamel("control cone.toml --rate e3=4");
  EXPECT_EQ(text.code, 2);
  EXPECT_NE(text.err.find("where? Use --at"), std::string::npos) << text.err;
}

// A start that becomes stiff is given up, and the others are not held up by it.
TEST_F(InputsCommand, RegionsGiveUpWhatTakesTooManySteps) {
  write("stiff.toml", R"toml(name = "stiff"
[coordinates]
x = "R2"
[field]
"x'" = "[-x[1], -x[2]*exp(12*x[1])]"
[equilibria]
home = { x = [0, 0] }
)toml");
  const std::string line = "region stiff.toml --along x.x=-1:2 --along x.y=-1:1 --grid 4 --steps 400 ";
  const Json found = hamel(line + "--json --picture region.svg").json();
  EXPECT_GT(found["given_up"], 0) << found;
  EXPECT_GT(found["home"], 0);
  EXPECT_EQ(found["home"].get<int>() + found["given_up"].get<int>() + found["away"].get<int>(), 16) << found;
  EXPECT_NE(hamel(line).out.find("given up"), std::string::npos);
  EXPECT_NE(slurp(path("region.svg")).find("given up"), std::string::npos);
}

}  // namespace
}  // namespace hamel::test
