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

// Units of length, mass and time as parameters; numbers with units are products of them.
const Overrides unit_systems[] = {
    {},
    {{"L", "1e24"}, {"M", "1e-24"}, {"T", "1e-24"}},
    {{"L", "1e-24"}, {"M", "1e24"}, {"T", "1e24"}},
    {{"L", "1e-24"}, {"M", "1e-24"}},
    {{"T", "1e24"}, {"M", "1e30"}},
};

// A weight on a spring that has a length, beside a neighbour a million times as heavy and as stiff.
std::string springs(const std::string& claims) {
  return R"toml([parameters]
L = 1
M = 1
T = 1
m = "0.3*M"
k = "70*M/T^2"
g = "9.81*L/T^2"
[coordinates]
x = "R3"
y = "R1"
[energy]
kinetic = "m/2*norm2(x') + 1e6*m/2*y'^2"
potential = "k/2*(norm(x) - L)^2 + m*g*x.z + 1e6*k/2*(y - 3*L)^2 - 1e6*m*g*y"
[start]
x = "[0.1*L, 0.2*L, -L]"
"x'" = "[L/T, 0, 0]"
y = "L"
)toml" + claims;
}

TEST(Equilibria, HoldOrNotInAnyUnits) {
  const std::string claims = R"toml([equilibria]
hanging = { x = "[0, 0, -L - m*g/k]", y = "3*L + m*g/k" }
standing = { x = "[0, 0, L - m*g/k]", y = "3*L + m*g/k" }
low = { x = "[0, 0, -L - 1.000001*m*g/k]", y = "3*L + m*g/k" }
aside = { x = "[0.000001*L, 0, -L - m*g/k]", y = "3*L + m*g/k" }
off = { x = "[0, 0, -L - m*g/k]", y = "3*L + 1.000001*m*g/k" }
)toml";
  for (const Overrides& units : unit_systems) {
    const ModelFile file = parse_model(springs(claims), "model.toml", units);
    std::vector<std::string> remarks;
    const auto found = examine_equilibria(file, derive(file.model), remarks);
    ASSERT_EQ(found.size(), 5U);
    for (const EquilibriumFinding& finding : found)
      EXPECT_EQ(finding.holds, finding.name == "hanging" || finding.name == "standing")
          << finding.name << " " << finding.imbalance << " in units of " << (units.empty() ? "1" : units[0].second);
  }
}

TEST(Conserved, HoldsOrNotInAnyUnits) {
  const std::string claims = R"toml([conserved]
energy = "m/2*norm2(x') + 1e6*m/2*y'^2 + k/2*(norm(x) - L)^2 + m*g*x.z + 1e6*k/2*(y - 3*L)^2 - 1e6*m*g*y"
spin = "m*(x.x*x'.y - x.y*x'.x)"
neighbour = "m/2*y'^2 + k/2*(y - 3*L)^2 - m*g*y"
drifting = "m*x'.x"
shifted = "m*(x.x*x'.y - x.y*x'.x) + 1e-7*m*L*x'.y"
without_weight = "m/2*norm2(x') + k/2*(norm(x) - L)^2"
weaker = "m/2*norm2(x') + 0.9999999*k/2*(norm(x) - L)^2 + m*g*x.z"
)toml";
  for (const Overrides& units : unit_systems) {
    const ModelFile file = parse_model(springs(claims), "model.toml", units);
    const auto found = examine_conserved(file, derive(file.model));
    ASSERT_EQ(found.size(), 7U);
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_EQ(found[k].holds, k < 3) << found[k].name << " " << found[k].rate << " in units of "
                                       << (units.empty() ? "1" : units[0].second);
  }
}

// What something else does is no excuse: y is pushed a trillion times as hard.
TEST(Conserved, IsNotExcusedByOtherCoordinates) {
  const ModelFile file = parse_model(R"toml([coordinates]
x = "R1"
y = "R1"
[energy]
kinetic = "x'^2/2 + y'^2/2"
potential = "x - 1e12*y"
[conserved]
speed = "x'"
)toml",
                                     "model.toml");
  const ConservedFinding found = examine_conserved(file, derive(file.model)).front();
  EXPECT_FALSE(found.holds);
  EXPECT_DOUBLE_EQ(found.rate, 1);
}

TEST(Equilibria, AreNotExcusedByOtherCoordinates) {
  std::vector<std::string> remarks;
  const auto found = findings(R"toml([coordinates]
x = "R1"
y = "R1"
[energy]
kinetic = "x'^2/2 + y'^2/2"
potential = "(x - 1)^2 + 1e15*(y - 1)^2 - 2e15*y"
[start]
x = 2
y = 3
[equilibria]
claimed = { x = 1.001, y = 2 }
)toml",
                              remarks);
  EXPECT_FALSE(found.front().holds);
}

}  // namespace
}  // namespace hamel
