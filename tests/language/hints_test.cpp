// What beginners write, and the hint that they get: hints.txt, and those that do not fit into it.
#include <gtest/gtest.h>

#include <string>

#include "hamel/language/model_file.hpp"
#include "hamel/mechanics/system.hpp"
#include "language/mistakes.hpp"
#include "message.hpp"

namespace hamel::hints_test {
namespace {

INSTANTIATE_TEST_SUITE_P(Hints, Mistakes, testing::ValuesIn(read_mistakes("hints.txt").mistakes), name_of);

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
