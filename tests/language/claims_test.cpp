// [equilibria] and [conserved]: claims of a model file, and what the equations say about them.
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
  EXPECT_LT(found[0].unrest, 1e-13);
  EXPECT_EQ(found[0].state.v.norm(), 0);
  EXPECT_EQ(found[1].name, "half way");
  EXPECT_FALSE(found[1].holds);
  EXPECT_GT(found[1].unrest, 1);
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
      EXPECT_TRUE(found.holds) << entry.path() << ", " << found.name << ": " << found.unrest;
      ++count;
    }
    EXPECT_TRUE(remarks.empty()) << entry.path() << ": " << remarks.front();
  }
  EXPECT_GE(count, 80);
}

std::string kepler(const std::string& claim) {
  return R"toml(name = "Kepler"
[parameters]
mu = 1.3
[coordinates]
x = "R3"
[energy]
kinetic = "norm2(x')/2"
potential = "-mu/norm(x)"
[conserved]
)toml" + claim;
}

TEST(Conserved, IsTheRungeLenzVectorWithItsSign) {
  const auto finding = [](const std::string& claim) {
    const ModelFile file = parse_model(kepler(claim), "model.toml");
    return examine_conserved(file, derive(file.model)).front();
  };
  const ConservedFinding right = finding("rl = \"cross(x', cross(x, x')) - mu*unit(x)\"\n");
  EXPECT_TRUE(right.holds);
  EXPECT_LT(right.rate, 1e-13);
  EXPECT_FALSE(finding("rl = \"cross(x', cross(x, x')) + mu*unit(x)\"\n").holds);
  EXPECT_FALSE(finding("rl = \"cross(x', cross(x, x')) - 1.0000001*mu*unit(x)\"\n").holds);
  EXPECT_TRUE(finding("drop = \"norm2(x')/2 - mu/norm(x) + 0*t\"\n").holds);
  EXPECT_FALSE(finding("clock = \"t\"\n").holds);
}

TEST(Conserved, IsDefinedEverywhere) {
  const ModelFile file = parse_model(kepler("root = \"sqrt(-1 - norm2(x'))\"\n"), "model.toml");
  EXPECT_EQ(test::message_of<std::domain_error>([&] { examine_conserved(file, derive(file.model)); }),
            "the rate of root in [conserved] is not finite at a random state: is it defined everywhere? Claim what is");
}

TEST(Conserved, ContainsNoInputs) {
  EXPECT_EQ(
      test::message_of<SourceError>([] {
        parse_model(
            kepler(
                "speed = \"norm(x')\"\nrl = \"u\"\n[inputs]\nu = 1\n[forces]\na = { on = \"x\", force = \"u*x\" }\n"),
            "model.toml");
      }),
      "model.toml:11:1: rl contains inputs or momenta; a conserved quantity is a function of coordinates, rates "
      "and time\n      11 | rl = \"u\"\n         | ^~");
}

TEST(ConservedLong, OfTheGalleryHolds) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HAMEL_SOURCE_DIR "/models")) {
    const ModelFile file = read_model(entry.path().string());
    for (const ConservedFinding& found : examine_conserved(file, derive(file.model))) {
      EXPECT_TRUE(found.holds) << entry.path() << ", " << found.name << ": " << found.rate;
      ++count;
    }
  }
  EXPECT_GE(count, 3);
}

}  // namespace
}  // namespace hamel
