// hamel region: from where a regulated pole comes home.
#include <gtest/gtest.h>

#include <map>

#include "cli/command.hpp"

namespace hamel::test {
namespace {

class RegionCommand : public Command {
 protected:
  void SetUp() override {
    Command::SetUp();
    write("pole.toml", R"toml(name = "A pole on a cart"
[coordinates]
x = "R1"
q = "S1"
[energy]
kinetic = ["norm2(x')/2", "0.05*norm2([x'[1] + 0.5*q'.x, 0.5*q'.y])"]
potential = "0.4905*q.y"
[inputs]
u = { size = 1, law = { lqr = "upright", Q = { q = 8 }, R = 0.5 }, limit = 20 }
[forces]
motor = { on = "x", force = "u" }
[equilibria]
upright = { x = [0], q = [0, 1] }
hanging = { x = [0], q = [0, -1] }
[start]
x = [0.1]
q = "[sin(0.2), cos(0.2)]"
)toml");
  }
};

// The model looks the same from behind, and so does its region; near the equilibrium all come home, hanging ones do
// not.
TEST_F(RegionCommand, CountsAndDraws) {
  const Result result =
      hamel("region pole.toml --at upright --grid 9 --json --picture region.svg --report region.html");
  ASSERT_EQ(result.code, 0) << result.err;
  const Json region = result.json();
  ASSERT_EQ(region["starts"].size(), 81u);
  EXPECT_EQ(region["axes"][0]["name"], "q.x");
  EXPECT_EQ(region["axes"][1]["name"], "q.x'");
  for (std::size_t k = 0; k < 81; ++k)
    EXPECT_EQ(region["starts"][k]["fate"], region["starts"][80 - k]["fate"]) << region["starts"][k]["at"];
  EXPECT_EQ(region["starts"][40]["fate"], "home");
  EXPECT_EQ(region["starts"][40]["time"], 0.0);
  EXPECT_EQ(region["starts"][36]["fate"], "away");
  EXPECT_EQ(region["home"].get<int>() + region["away"].get<int>(), 81);
  EXPECT_GT(region["home"], 10);
  const std::string picture = slurp(path("region.svg"));
  EXPECT_EQ(picture.rfind("<svg", 0), 0u);
  EXPECT_EQ(picture.find("nan"), std::string::npos);
  EXPECT_EQ(picture.find("x=\"-"), std::string::npos) << "outside of the page";
  for (const char* cell :
       {"x=\"78.00\" y=\"62.00\" width=\"32.80\" height=\"26.55\"", "width=\"65.30\" height=\"52.80\""})
    EXPECT_NE(picture.find(cell), std::string::npos) << "half cells at the borders, whole ones between: " << cell;
  EXPECT_NE(slurp(path("region.html")).find("Region of attraction"), std::string::npos);
}

TEST_F(RegionCommand, DrawsSamplesThatCanBeRepeated) {
  const std::string command =
      "region pole.toml --at upright --sample 12 --along q.x=-1:1 --along \"x'=-1:1\" --along x=-1:1 ";
  const Json first = hamel(command + "--seed 3 --json").json(), again = hamel(command + "--seed 3 --json").json();
  EXPECT_EQ(first, again);
  EXPECT_EQ(first["starts"][0]["at"].size(), 3u);
  EXPECT_NE(first["starts"][0], hamel(command + "--seed 4 --json").json()["starts"][0]);
  EXPECT_EQ(hamel(command + "--grid 5").code, 2);
}

TEST_F(RegionCommand, TakesWhatCountsAsHome) {
  const std::string command = "region pole.toml --at upright --grid 5 --json ";
  const Json usual = hamel(command).json(), wide = hamel(command + "--ball 0.5").json(),
             long_stay = hamel(command + "--stay 10").json();
  EXPECT_LT(usual["ball"], 0.3);
  EXPECT_EQ(wide["ball"], 0.5);
  EXPECT_LT(usual["stay"], 3.0);
  EXPECT_EQ(long_stay["stay"], 10.0);
  ASSERT_EQ(usual["starts"][8]["fate"], "home");
  EXPECT_LT(wide["starts"][8]["time"], usual["starts"][8]["time"]);
  EXPECT_NE(hamel("region pole.toml --at upright --grid 5 --ball 0.5").out.find("a ball of 0.5 around"),
            std::string::npos);
  EXPECT_EQ(hamel(command + "--ball 0").code, 2);
}

TEST_F(RegionCommand, EndsWhenTheTimeForItIsOver) {
  const Result result = hamel("region pole.toml --at upright --grid 5 --seconds 1e-6");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find(": time was over (--seconds)"), std::string::npos) << result.out;
}

TEST_F(RegionCommand, SaysWhatItCannotDo) {
  const std::map<std::string, std::string> mistakes = {
      {"--at hanging", "no region is attracted by this equilibrium"},
      {"--at upright --along y=-1:1", "y is no direction"},
      {"--at upright --along q.y=-1:1", "q.y cannot change at this equilibrium"},
      {"--at upright --picture region.png", "--picture writes SVG: name it region.png.svg"},
      {"--at upright --along q.x=1", "an axis is NAME=LOW:HIGH"},
      {"--at upright --along q.x=1:-1", "q.x goes from 1 to -1"},
      {"--at upright --along x=0:1 --along q.x=0:1 --along \"x'=0:1\"", "a grid has two axes"}};
  for (const auto& [options, message] : mistakes) {
    const Result result = hamel("region pole.toml " + options);
    EXPECT_NE(result.code, 0) << options;
    EXPECT_NE(result.err.find(message), std::string::npos) << options << "\n" << result.err;
  }
}

}  // namespace
}  // namespace hamel::test
