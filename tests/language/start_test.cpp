// Entries of [start] that are given in the place of those of the file.
#include <gtest/gtest.h>

#include "hamel/language/model_file.hpp"
#include "message.hpp"

namespace hamel {
namespace {

constexpr const char* arm = R"~([parameters]
a = 2
[coordinates]
q = "S2[2]"
T = "SE3"
x = "R1"
[energy]
kinetic = "sum(i in 1..2, norm2(q'[i])/2) + norm2(Omega(T))/2 + norm2(position(T)')/2 + x'^2/2"
[start]
t = 1
q = [[1, 0, 0], [0, 1, 0]]
"q'" = [[0, 1, 0], [1, 0, 0]]
T = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
omega.T = [1, 0, 0]
velocity.T = [0, 1, 0]
x = 3
[run]
step = 0.1
until = 4
)~";

StartValues start_with(const Overrides& start) { return parse_model(arm, "arm.toml", {}, start).start; }

TEST(StartOverrides, ReplaceWhatTheFileSays) {
  const StartValues start = start_with({{"q", "[[0, 0, 1], [1, 0, 0]]"}, {"x", "a + 1/2"}, {"t", "5"}});
  EXPECT_EQ(start.coordinates[0].point->value, Eigen::Vector3d(0, 0, 1));
  EXPECT_EQ(start.coordinates[1].point->value, Eigen::Vector3d(1, 0, 0));
  EXPECT_EQ(start.coordinates[1].rate->value, Eigen::Vector3d(1, 0, 0));  // as it was
  EXPECT_EQ(start.coordinates[3].point->value(0), 2.5);
  EXPECT_EQ(start.t, 5);  // also beyond the end of [run]
}

TEST(StartOverrides, OneOfAFamily) {
  const StartValues start = start_with({{"q[2]", "[0, 0, 1]"}, {"q'[1]", "[0, 0, 7]"}});
  EXPECT_EQ(start.coordinates[0].point->value, Eigen::Vector3d(1, 0, 0));
  EXPECT_EQ(start.coordinates[1].point->value, Eigen::Vector3d(0, 0, 1));
  EXPECT_EQ(start.coordinates[0].rate->value, Eigen::Vector3d(0, 0, 7));
  EXPECT_EQ(start.coordinates[1].rate->value, Eigen::Vector3d(1, 0, 0));
}

TEST(StartOverrides, KindsOfVelocitiesReplaceEachOther) {
  const auto turned = start_with({{"omega.q[1]", "[0, 0, 2]"}}).coordinates[0];
  EXPECT_EQ(turned.omega->value, Eigen::Vector3d(0, 0, 2));
  EXPECT_FALSE(turned.rate);
  const auto pose = start_with({{"omega.T", "[0, 0, 2]"}}).coordinates[2];
  EXPECT_EQ(pose.omega->value, Eigen::Vector3d(0, 0, 2));
  EXPECT_EQ(pose.velocity->value, Eigen::Vector3d(0, 1, 0));  // of the position: another thing
  const auto moved = start_with({{"rate.q[1]", "[0, 0, 2]"}, {"omega.q[1]", "[0, 1, 0]"}}).coordinates[0];
  EXPECT_FALSE(moved.rate);  // the last one counts
}

TEST(StartOverrides, MistakesAreShown) {
  EXPECT_EQ(test::message_of([] {
              start_with({{"p", "[0, 0, 1]"}});
            }).substr(0, 43),
            "--start:1:1: the model has no coordinate p\n");
  EXPECT_EQ(test::message_of([] {
              start_with({{"x", "[1, 2]"}});
            }).substr(0, 61),
            "--start:1:3: the point of x on R1 needs a number, got 2 numbe");
  EXPECT_EQ(test::message_of([] {
              start_with({{"speed.x", "1"}});
            }).substr(0, 41),
            "--start:1:1: [start] has no speed.x; ther");
  EXPECT_EQ(test::message_of([] { start_with({{"x", "1 +"}}); }).substr(0, 11), "--start:1:6");
}

TEST(RunSection, HalvingsHaveTheLimitOfTheIntegrators) {
  const auto with = [](const char* count) {
    return test::message_of([&] { parse_model(std::string(arm) + "halvings = " + count + "\n", "arm.toml"); });
  };
  EXPECT_EQ(with("20"), "no error");
  EXPECT_EQ(with("21").substr(0, 41), "arm.toml:20:12: halvings must be 0 to 20\n");
}

}  // namespace
}  // namespace hamel
