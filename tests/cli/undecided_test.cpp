// What rounding leaves open is said: by check, by run, in the record, and by its report.
#include "cli/command.hpp"

namespace hamel::test {
namespace {

class UndecidedCommand : public Command {
 protected:
  void SetUp() override {
    Command::SetUp();
    // Rounding errors and the difference of the inertias are too near to each other to tell.
    write("body.toml", R"toml(
name = "Nearly symmetric body"
description = "Two of its moments of inertia differ in the last digits."
[coordinates]
R = "SO3"
[bodies]
body = { attitude = "R", mass = 1, inertia = "diag(2 + 1e-12, 2, 1)" }
[start]
R = "I3"
Omega.R = [1, 2, 3]
[run]
integrator = "variational"
step = 0.01
until = 0.1
)toml");
    // So are those of the squares of a sine and a cosine, and what is left of their sum.
    write("shaken.toml", R"toml(
name = "Hardly shaken particle"
description = "The stiffness of its spring changes in time, in the last digits."
[coordinates]
x = "R1"
[energy]
kinetic = "x'^2/2"
potential = "x^2/2*(sin(t)^2 + (1 + 1e-10)*cos(t)^2)"
[start]
x = 1
[run]
integrator = "variational"
step = 0.01
until = 0.1
)toml");
  }
};

const std::string doubt = "undecided: body angular momentum about e3 (R): ";

TEST_F(UndecidedCommand, IsSaidByCheck) {
  const Result body = hamel("check body.toml"), shaken = hamel("check shaken.toml");
  EXPECT_NE(body.out.find(doubt), std::string::npos) << body.out << body.err;
  EXPECT_NE(body.out.find("energy conserved    yes"), std::string::npos) << body.out;
  EXPECT_NE(shaken.out.find("undecided: energy: "), std::string::npos) << shaken.out << shaken.err;
  EXPECT_NE(shaken.out.find("energy conserved    undecided"), std::string::npos) << shaken.out;
  const Json json = hamel("check shaken.toml --json").json();
  EXPECT_TRUE(json["energy_conserved"].is_null());
  EXPECT_EQ(json["undecided"].size(), 1U);
}

TEST_F(UndecidedCommand, JumpsOfTheEnergyAreSaidByCheck) {
  const auto particle = [&](const std::string& potential) {
    write("jump.toml",
          ("[parameters]\nn = 2.5\n[coordinates]\nx = \"R1\"\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"" +
           potential + "\"\n")
              .c_str());
    return hamel("check jump.toml").out;
  };
  const std::string chosen = particle("x^2/2 + if(x < 1, 0, 2)"), jump = particle("x^2/2 + mod(x, 1)");
  EXPECT_NE(jump.find("energy conserved    yes, but not across a jump, as mod(x, 1) may have\n"), std::string::npos)
      << jump;
  EXPECT_EQ(hamel("check jump.toml --json").json()["energy_may_jump"].size(), 1U);
  EXPECT_NE(chosen.find("yes, but not across a jump, as if(x < 1, 0, 2) may have"), std::string::npos) << chosen;
  const std::string none = particle("floor(n)*x^2/2 + abs(x) + min(x, 1)");
  EXPECT_NE(none.find("energy conserved    yes\n"), std::string::npos) << none;
}

TEST_F(UndecidedCommand, RotationsBetweenCoordinatesAreSaidByCheck) {
  const auto notes = [&](const std::string& mass) {
    write("plane.toml", ("[coordinates]\nx = \"R1\"\ny = \"R1\"\nz = \"R1\"\n[energy]\nkinetic = \"(x'^2 + " + mass +
                         "*y'^2 + z'^2)/2\"\npotential = \"(x^2 + y^2)^2 + z\"\n")
                            .c_str());
    return hamel("check plane.toml --json").json()["remarks"];
  };
  const Json round = notes("1");
  ASSERT_EQ(round.size(), 1U) << round;
  EXPECT_NE(round[0].get<std::string>().find("write x and y as one coordinate on R2"), std::string::npos) << round;
  EXPECT_TRUE(notes("2").empty());
}

TEST_F(UndecidedCommand, IsInTheRecordAndItsReport) {
  const Result run = hamel("run body.toml --out run.h5 --report run.html");
  EXPECT_NE(run.out.find(doubt), std::string::npos) << run.out << run.err;
  const Result report = hamel("report run.h5 --out again.html");
  EXPECT_EQ(report.code, 0) << report.err;
  EXPECT_NE(report.out.find(doubt), std::string::npos) << report.out;
  for (const char* page : {"run.html", "again.html"})
    EXPECT_NE(slurp(path(page)).find("body angular momentum about e3 (R): "), std::string::npos) << page;
  EXPECT_NE(hamel("run shaken.toml").out.find("energy (undecided)"), std::string::npos);
  const Json first = hamel("run body.toml --json").json(), again = hamel("report run.h5 --json").json();
  ASSERT_EQ(first["undecided"].size(), 1U);
  EXPECT_EQ(first["undecided"], again["undecided"]);
}

}  // namespace
}  // namespace hamel::test
