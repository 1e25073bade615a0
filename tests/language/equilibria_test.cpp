// [equilibria]: claims of a model file, and what the equations say about them.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "hamel/language/model_file.hpp"
#include "message.hpp"

namespace hamel {
namespace {

std::string slider_crank(const std::string& equilibria) {
  return R"~(name = "Slider-crank"
[parameters]
r = 0.5
l = 1.2
[coordinates]
q = "S1"
x = "R1"
[energy]
kinetic = "norm2(q')/2 + x'^2/2"
potential = "9.81*q.y"
[constraints]
rod = "norm2(r*q - [x, 0]) = l^2"
[start]
q = [1, 0]
x = 1.7
[equilibria]
)~" + equilibria;
}

std::vector<EquilibriumFinding> findings(const std::string& text, std::vector<std::string>& remarks) {
  const ModelFile file = parse_model(text, "model.toml");
  return examine_equilibria(file, derive(file.model), remarks);
}

TEST(Equilibria, HoldWhereNothingAccelerates) {
  std::vector<std::string> remarks;
  const auto found = findings(slider_crank("up = { q = [0, 1], x = \"sqrt(l^2 - r^2)\" }\n"
                                           "\"half way\" = { q = [0.6, 0.8], x = \"0.3 + sqrt(1.28)\" }\n"),
                              remarks);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "up");
  EXPECT_TRUE(found[0].holds);
  EXPECT_LT(found[0].acceleration, 1e-13);
  EXPECT_EQ(found[0].state.v.norm(), 0);
  EXPECT_EQ(found[1].name, "half way");
  EXPECT_FALSE(found[1].holds);
  EXPECT_GT(found[1].acceleration, 1);
  EXPECT_TRUE(remarks.empty());
}

TEST(Equilibria, AreMovedOntoTheManifoldLikeAStart) {
  std::vector<std::string> remarks;
  const auto found = findings(slider_crank("up = { q = [0, 0.9999], x = \"sqrt(l^2 - r^2)\" }\n"), remarks);
  EXPECT_TRUE(found[0].holds);
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0], "q in the equilibrium up was off by 0.0001 and was corrected");
}

TEST(Equilibria, ThatSayTooMuchOrTooLittleAreRefused) {
  std::vector<std::string> remarks;
  const auto message = [&](const std::string& equilibria) {
    return test::message_of<SourceError>([&] { findings(slider_crank(equilibria), remarks); });
  };
  EXPECT_EQ(message("up = { q = [0, 1] }\n"),
            "model.toml:17:1: the equilibrium up does not say where x is: add x = ...\n"
            "      17 | up = { q = [0, 1] }\n"
            "         | ^~");
  EXPECT_EQ(message("up = { q = [0, 1], omega.q = 1, x = 1 }\n"),
            "model.toml:17:20: an equilibrium is at rest: give points of coordinates, and no rates\n"
            "      17 | up = { q = [0, 1], omega.q = 1, x = 1 }\n"
            "         |                    ^~~~~");
  EXPECT_EQ(message("up = 1\n"),
            "model.toml:17:6: up must be a table, such as { q = [0, 0, 1] }\n"
            "      17 | up = 1\n"
            "         |      ^");
}

// With a crank that is longer than its rod, it never points up.
TEST(Equilibria, OfOtherParametersMayNotExist) {
  const std::string text = slider_crank("up = { q = [0, 1], x = \"sqrt(l^2 - r^2)\" }\n");
  EXPECT_EQ(parse_model(text, "model.toml", {{"r", "1"}}).equilibria.size(), 1U);
  EXPECT_TRUE(parse_model(text, "model.toml", {{"r", "2"}}).equilibria.empty());
}

TEST(EquilibriaLong, OfTheGalleryHold) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HAMEL_SOURCE_DIR "/models")) {
    const ModelFile file = read_model(entry.path().string());
    if (file.equilibria.empty()) continue;
    std::vector<std::string> remarks;
    for (const EquilibriumFinding& found : examine_equilibria(file, derive(file.model), remarks)) {
      EXPECT_TRUE(found.holds) << entry.path() << ", " << found.name << ": " << found.acceleration;
      ++count;
    }
    EXPECT_TRUE(remarks.empty()) << entry.path() << ": " << remarks.front();
  }
  EXPECT_GE(count, 80);
}

}  // namespace
}  // namespace hamel
