// What beginners write, and the hint that they get: the whole message, to the letter.
#include <gtest/gtest.h>

#include <string>

#include "hamel/language/model_file.hpp"
#include "hamel/mechanics/system.hpp"
#include "message.hpp"

namespace hamel::hints_test {
namespace {

struct Written {
  const char* name;
  const char* energy;  // a line of [energy]
  const char* message;
};

// clang-format off
const Written written[] = {
    {"Unquoted", R"~(kinetic = m/2*norm2(x'))~",
     R"~(model.toml:10:11: this is not TOML: Error while parsing value: could not determine value type; an expression is written in quotes: "m/2*norm2(x')"
      10 | kinetic = m/2*norm2(x')
         |           ^)~"},
    {"UnquotedSum", R"~(kinetic = 1 + 2)~",
     R"~(model.toml:10:13: this is not TOML: Error while parsing key-value pair: expected a comment or whitespace, saw '+'; an expression is written in quotes: "1 + 2"
      10 | kinetic = 1 + 2
         |             ^)~"},
    {"UnquotedInAList", R"~(kinetic = [m/2*norm2(x'), 0])~",
     R"~(model.toml:10:12: this is not TOML: Error while parsing value: could not determine value type; expressions are written in quotes, also those of a list
      10 | kinetic = [m/2*norm2(x'), 0]
         |            ^)~"},
    {"Stars", R"~(kinetic = "m/2*x.x'**2")~",
     R"~(model.toml:10:20: a power is written with ^, as in a^2
      10 | kinetic = "m/2*x.x'**2"
         |                    ^~)~"},
    {"TransposeByPower", R"~(kinetic = "trace(R'^T*R')")~",
     R"~(model.toml:10:18: a transpose is written transpose(R')
      10 | kinetic = "trace(R'^T*R')"
         |                  ^~~~)~"},
    {"Trace", R"~(kinetic = "tr(transpose(R')*R')")~",
     R"~(model.toml:10:12: unknown function tr; write trace(A)
      10 | kinetic = "tr(transpose(R')*R')"
         |            ^~~~~~~~~~~~~~~~~~~~)~"},
    {"Sign", R"~(kinetic = "sgn(m)*norm2(x')")~",
     R"~(model.toml:10:12: unknown function sgn; write sign(x)
      10 | kinetic = "sgn(m)*norm2(x')"
         |            ^~~~~~)~"},
    {"RateByName", R"~(kinetic = "m/2*norm2(xdot)")~",
     R"~(model.toml:10:22: unknown name xdot; the rate of x is written x'
      10 | kinetic = "m/2*norm2(xdot)"
         |                      ^~~~)~"},
    {"RateByUnderscore", R"~(kinetic = "m/2*norm2(x_dot)")~",
     R"~(model.toml:10:22: unknown name x_dot; the rate of x is written x'
      10 | kinetic = "m/2*norm2(x_dot)"
         |                      ^~~~~)~"},
    {"RateByLetter", R"~(kinetic = "m/2*norm2(dx)")~",
     R"~(model.toml:10:22: unknown name dx; the rate of x is written x'
      10 | kinetic = "m/2*norm2(dx)"
         |                      ^~)~"},
    {"AxisOnTheCircle", R"~(potential = "m*dot(e1, q)")~",
     R"~(model.toml:10:16: dot needs two vectors of equal length, got e1 (3x1) and q (2x1); e1 has three components: the component of q along it is q.x
      10 | potential = "m*dot(e1, q)"
         |                ^~~~~~~~~~)~"},
    {"AxisOnTheCircleBehind", R"~(potential = "m*dot(2*q, e2)")~",
     R"~(model.toml:10:16: dot needs two vectors of equal length, got 2*q (2x1) and e2 (3x1); e2 has three components: the component of 2*q along it is (2*q).y
      10 | potential = "m*dot(2*q, e2)"
         |                ^~~~~~~~~~~~)~"},
    {"TwoEqualSigns", "kinetic = \"norm2(x')\"\n[constraints]\nrod = \"norm2(x) == 1\"",
     R"~(model.toml:12:8: an equation is written with one =, as in a = b
      12 | rod = "norm2(x) == 1"
         |        ^~~~~~~~~~~~~)~"},
    {"EnergyKey", R"~(kinetik = "norm2(x')")~",
     R"~(model.toml:10:1: unknown key kinetik in [energy]; did you mean kinetic?
      10 | kinetik = "norm2(x')"
         | ^~~~~~~)~"},
    {"StartKey", "kinetic = \"norm2(x') + norm2(q') + norm2(omega(R))\"\n[start]\nomgea.R = [0, 0, 1]",
     R"~(model.toml:12:1: unknown key omgea in [start]; did you mean omega?
      12 | omgea.R = [0, 0, 1]
         | ^~~~~)~"},
    {"ViewKey", "kinetic = \"norm2(x') + norm2(q') + norm2(omega(R))\"\n[view]\ntrials = []",
     R"~(model.toml:12:1: unknown key trials in [view]; did you mean trails?
      12 | trials = []
         | ^~~~~~)~"},
};
// clang-format on

std::string model_with(const std::string& energy) {
  return "[parameters]\nm = 2\n[coordinates]\nx = \"R3\"\nq = \"S1\"\nR = \"SO3\"\n\n\n[energy]\n" + energy + "\n";
}

class Hints : public testing::TestWithParam<Written> {};

TEST_P(Hints, AreGiven) {
  EXPECT_EQ(test::message_of<SourceError>([] { parse_model(model_with(GetParam().energy), "model.toml"); }),
            GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Language, Hints, testing::ValuesIn(written),
                         [](const auto& example) { return std::string(example.param.name); });

TEST(Hints, OfKeysAboveTheirSection) {
  EXPECT_EQ(test::message_of<SourceError>([] { parse_model("kinetic = \"x'^2\"\n", "model.toml"); }),
            "model.toml:1:1: kinetic belongs into the section [energy]\n"
            "       1 | kinetic = \"x'^2\"\n"
            "         | ^~~~~~~");
  EXPECT_EQ(test::message_of<SourceError>([] { parse_model("step = 0.1\n", "model.toml"); }),
            "model.toml:1:1: step belongs into the section [run]\n"
            "       1 | step = 0.1\n"
            "         | ^~~~");
}

std::vector<std::string> remarks_of(const std::string& energy, const std::string& start = "") {
  const ModelFile file = parse_model(
      "[parameters]\nm = 2\nn = 2\ng = 9.81\nJ = [1, 2, 4]\n[coordinates]\nx = \"R3\"\nR = \"SO3\"\n[energy]\n" +
          energy + "\n[start]\nx = [1, 2, 3]\nR = \"I3\"\n" + start,
      "model.toml");
  std::vector<std::string> remarks = file.remarks;
  start_state(file, derive(file.model), remarks);
  return remarks;
}

using Texts = std::vector<std::string>;
const std::string kinetic = "kinetic = \"m/2*norm2(x') + norm2(omega(R))\"\n";

TEST(Remarks, AreMadeAboutTermsThatAreZero) {
  EXPECT_EQ(remarks_of(kinetic + "potential = \"m*g*e3.x\""),
            Texts({"model.toml:11:14: the term m*g*e3.x of potential is zero, since e3.x is"}));
  EXPECT_EQ(remarks_of(kinetic + "potential = \"m*g*x.z - m*dot(e1, e2)*x.x + 0\""),
            Texts({"model.toml:11:24: the term m*dot(e1, e2)*x.x of potential is zero, since dot(e1, e2) is"}));
  EXPECT_EQ(remarks_of(kinetic + "potential = \"sum(i in 1..n, m*g*e3.y*x[i])\""),
            Texts({"model.toml:11:29: the term m*g*e3.y*x[i] of potential is zero, since e3.y is"}));
}

TEST(Remarks, AreNotMadeAboutTermsThatAreZeroForSomeIndices) {
  EXPECT_EQ(remarks_of(kinetic + "potential = \"sum(i in 1..n, m*g*(i - 1)*x[i]) + 0*g\""), Texts{});
  EXPECT_EQ(remarks_of(kinetic + "potential = 0"), Texts{});
  EXPECT_EQ(remarks_of(kinetic + "potential = \"sum(i in 1..n, if(i < 3, 0, x[i]))\""), Texts{});
}

TEST(Remarks, AreMadeAboutMassesAndInertias) {
  EXPECT_EQ(remarks_of("kinetic = \"m/2*norm2(omega(R)) - m/2*norm2(x')\""),
            Texts({"the kinetic energy is negative when x alone moves: is a mass or an inertia negative?"}));
  EXPECT_EQ(
      remarks_of("kinetic = \"m/2*norm2(x') + dot(omega(R), diag(J)*omega(R))/2\""),
      Texts({"the inertia of R is that of no body: of its principal moments 1, 2 and 4 the largest is more than the "
             "sum of the others"}));
  EXPECT_EQ(
      remarks_of("kinetic = \"m/2*norm2(x') + dot(omega(R), diag(1, 2, 3)*omega(R))/2\"", "omega.R = [1, 2, 3]\n"),
      Texts{});
}

}  // namespace
}  // namespace hamel::hints_test
