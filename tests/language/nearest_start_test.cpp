// [start]: numbers that are off are refused with what is nearest, or taken there where the file asks for it.
#include <gtest/gtest.h>

#include <string>

#include "hamel/language/model_file.hpp"
#include "message.hpp"

namespace hamel::nearest_start_test {
namespace {

// A bead on a rod that turns about the origin, at a given distance: the constraint couples both coordinates.
std::string bead(const std::string& start) {
  return R"~([coordinates]
q = "S1"
x = "R2"
[energy]
kinetic = "norm2(q')/2 + norm2(x')/2"
[constraints]
rod = "dot(x, [-q.y, q.x]) = 0"
length = "norm2(x) = 4"
[start]
)~" + start;
}

struct Started {
  State state;
  std::vector<std::string> remarks;
};

Started started(const std::string& text) {
  const ModelFile file = parse_model(text, "model.toml");
  Started result;
  result.state = start_state(file, derive(file.model), result.remarks);
  return result;
}

std::string refusal(const std::string& text) {
  return test::message_of<SourceError>([&] { started(text); });
}

// The lines that a message offers, below its first one and above the picture.
std::string offered(const std::string& message) {
  const std::size_t begin = message.find('\n') + 1;
  return message.substr(begin, message.rfind("\n", message.rfind('\n') - 1) + 1 - begin);
}

TEST(NearestStart, OffItsManifoldIsRefusedWithTheNearestPoint) {
  EXPECT_EQ(refusal(bead("q = [3, 4]\nx = [2, 0]\n")),
            "model.toml:10:5: q must be on S1; it is off by 4, and at most 0.001 is corrected; write project = true in "
            "[start], or the nearest point:\n"
            "q = [0.6, 0.8]\n"
            "      10 | q = [3, 4]\n"
            "         |     ^~~~~~");
  EXPECT_EQ(refusal(bead("q = [1, 0]\n\"q'\" = [1, 1]\nx = [2, 0]\n")),
            "model.toml:11:8: the rate of q must be tangent to S1; it is off by 1, and at most 0.001 of its size is "
            "corrected; write project = true in [start], or the nearest rate:\n"
            "\"q'\" = [0, 1]\n"
            "      11 | \"q'\" = [1, 1]\n"
            "         |        ^~~~~~");
}

TEST(NearestStart, OffItsConstraintsIsRefusedWithWhatCanBePasted) {
  const std::string points = refusal(bead("q = [1, 0]\nx = [2.2, 0.1]\n"));
  EXPECT_TRUE(
      points.starts_with("model.toml:9:2: [start] violates the constraints: length is 0.85; it would have to "
                         "move by 0.2"))
      << points;
  const Started pasted = started(bead(offered(points)));
  EXPECT_TRUE(pasted.remarks.empty());
  EXPECT_NEAR(pasted.state.q.tail(2).norm(), 2, 1e-12);
  const std::string rates = refusal(bead("q = [1, 0]\nx = [2, 0]\nomega.q = 1\n\"x'\" = [0, 1]\n"));
  EXPECT_TRUE(
      rates.starts_with("model.toml:9:2: the rates of the start violate the constraints: they are off by 0.447"))
      << rates;
  const Started again = started(bead("q = [1, 0]\nx = [2, 0]\n" + offered(rates)));
  EXPECT_TRUE(again.remarks.empty());
  // The nearest to (1, 1) on x'.y = 2 omega.
  EXPECT_LE((again.state.v - Eigen::Vector4d(0, 0.6, 0, 1.2)).norm(), 1e-14);
}

TEST(NearestStart, IsProjectedOnRequest) {
  const auto [state, remarks] =
      started(bead("project = true\nq = [1, 0.2]\nx = [2.2, 0.1]\nomega.q = 1\n\"x'\" = [0.5, 1]\n"));
  EXPECT_NEAR(state.q.head(2).norm(), 1, 1e-15);
  EXPECT_NEAR(state.q.tail(2).norm(), 2, 1e-14);
  EXPECT_NEAR(state.q(2) * state.q(1) - state.q(3) * state.q(0), 0, 1e-14);
  EXPECT_NEAR(state.q.tail(2).dot(state.v.tail(2)), 0, 1e-14);
  ASSERT_EQ(remarks.size(), 3U);
  EXPECT_EQ(remarks[0], "q in [start] was off by 0.02 and was corrected");
  EXPECT_TRUE(remarks[1].starts_with("[start] with respect to the constraints was off by 0.2")) << remarks[1];
  EXPECT_TRUE(remarks[2].starts_with("the rates of the start with respect to the constraints was off by "))
      << remarks[2];
}

TEST(NearestStart, IsRequestedBesidesTheFile) {
  const std::string text = bead("q = [3, 4]\nx = [1.2, 1.6]\n");
  const ModelFile file = parse_model(text, "model.toml", {}, {{"project", "true"}});
  std::vector<std::string> remarks;
  const State start = start_state(file, derive(file.model), remarks);
  EXPECT_LE((start.q - Eigen::Vector4d(0.6, 0.8, 1.2, 1.6)).norm(), 1e-15);
  EXPECT_EQ(remarks, std::vector<std::string>{"q in [start] was off by 4 and was corrected"});
}

TEST(NearestStart, FarFromAnyPointIsRefusedAlsoOnRequest) {
  const std::string text = R"~([coordinates]
x = "R1"
[energy]
kinetic = "x'^2/2"
[constraints]
never = "x^2 + 1 = 0"
[start]
project = true
x = 1
)~";
  EXPECT_EQ(refusal(text),
            "model.toml:7:2: [start] violates the constraints: never is 2, and no point that satisfies them was found "
            "near it\n"
            "       7 | [start]\n"
            "         |  ^~~~~");
}

TEST(NearestStart, WhereADerivativeDoesNotExistSaysSo) {
  const std::string text = R"~([coordinates]
x = "R3"
[energy]
kinetic = "norm2(x')/2"
potential = "x.z + norm(x)"
[start]
x = [0, 0, 0]
)~";
  EXPECT_EQ(
      refusal(text),
      "model.toml:6:2: the potential energy has no finite derivative at t = 0: the term norm(x) gives none there, as "
      "norm(a) and sqrt(a) do where a is 0\n"
      "       6 | [start]\n"
      "         |  ^~~~~");
}

TEST(NearestStart, HasMatricesAndFamiliesAsTheyArePasted) {
  const std::string text = R"~([coordinates]
R = "SO3"
q = "S2[2]"
[energy]
kinetic = "norm2(omega(R)) + norm2(q'[1]) + norm2(q'[2])"
[start]
)~";
  EXPECT_EQ(offered(refusal(text + "R = [[1, 0, 0], [0, 1, 0], [0, 0, 1.5]]\nq = [[0, 0, 1], [0, 0, 1]]\n")),
            "R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n");
  EXPECT_EQ(offered(refusal(text + "R = \"I3\"\nq = [[0, 0, 1], [0, 2, 0]]\n")), "\"q[2]\" = [0, 1, 0]\n");
  EXPECT_EQ(offered(refusal(text + "R = \"I3\"\nq = [[0, 0, 1], [0, 1, 0]]\n\"q'\" = [[0, 0, 0], [1, 1, 0]]\n")),
            "\"q'[2]\" = [1, 0, 0]\n");
}

}  // namespace
}  // namespace hamel::nearest_start_test
