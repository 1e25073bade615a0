// Spaces of model files: their names, their mistakes, and starts by quasi-velocities.
#include "hamel/manifold/spaces.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hamel/language/model_file.hpp"
#include "hamel/mechanics/system.hpp"
#include "message.hpp"

namespace hamel::spaces_test {
namespace {

using Eigen::Matrix2d;

std::string with_space(const std::string& space, const std::string& start = "") {
  return "[coordinates]\ng = \"" + space + "\"\n[energy]\nkinetic = \"trace(transpose(g')*g')\"\n[start]\n" + start;
}
std::string mistake(const std::string& space, const std::string& start = "") {
  const std::string message = test::message_of<SourceError>([&] { parse_model(with_space(space, start), "m"); });
  return message.substr(0, message.find('\n'));
}

Manifold space_of(const std::string& text) { return parse_model(with_space(text), "m").model.coordinates()[0].space; }

// What a row shows can be written, and so can the name of the space that it gives.
TEST(SpaceNames, AreReadAsTheyArePrinted) {
  for (const SpaceRow& row : space_rows()) {
    const std::string name = space_of(std::string(row.example)).name();
    EXPECT_EQ(name, row.example);
    EXPECT_EQ(space_of(name).name(), name);
  }
}

TEST(SpaceNames, HaveSeveralForms) {
  for (const auto& [space, name] : {std::pair{"SO(2)", "SO2"},
                                    {"SE(2)", "SE2"},
                                    {"SE^2", "SE2"},
                                    {"SL2", "SL2"},
                                    {"SO4", "SO4"},
                                    {"Stiefel(3, 2)", "Stiefel(3, 2)"},
                                    {"Stiefel(3,1+1)", "Stiefel(3, 2)"},
                                    {"SO(1+2)", "SO3"}})
    EXPECT_EQ(space_of(space).name(), name);
  const std::string family =
      "[coordinates]\ng = \"group(hat(e1))[2]\"\n[energy]\nkinetic = \"norm2(xi(g[1])) + norm2(xi(g[2]))\"\n";
  EXPECT_EQ(parse_model(family, "m").model.coordinates()[1].space.name(), "group(hat(e1))");
}

TEST(SpaceNames, NearMissesAreHinted) {
  const std::string all = mistake("T2").substr(std::string("m:2:6: unknown space T2; the spaces are ").size());
  for (const SpaceRow& row : space_rows()) EXPECT_NE(all.find(row.forms), std::string::npos) << row.name;
  for (const auto& [written, meant] : {std::pair{"S03", "SO3"},
                                       {"so3", "SO3"},
                                       {"Se2", "SE2"},
                                       {"r3", "R3"},
                                       {"s2", "S2"},
                                       {"SOO3", "SO3"},
                                       {"stiefel(4, 2)", "Stiefel"},
                                       {"Steifel(4, 2)", "Stiefel"},
                                       {"Group(hat(e1))", "group"},
                                       {"group2", "group"},
                                       {"orbits(e1, hat(e1))", "orbit"}}) {
    const std::string text = written;
    const std::string word = text.substr(0, text.find('('));
    EXPECT_EQ(mistake(text),
              fmt::format("m:2:6: unknown space {}; did you mean {}? The spaces are {}", word, meant, all));
  }
  for (const char* other : {"T2", "Torus", "2", "SO03x"})
    EXPECT_EQ(mistake(other).find("did you mean"), std::string::npos) << other;
}

TEST(SpaceNames, MistakesAreNamed) {
  EXPECT_EQ(mistake("SO(1)"), "m:2:6: the dimension of SO must be 2 to 8, got 1");
  EXPECT_EQ(mistake("Stiefel(4)"), "m:2:6: Stiefel needs 2 numbers, as in Stiefel(4, 2); it has 1");
  EXPECT_EQ(mistake("Stiefel(2, 2)"), "m:2:6: Stiefel(2, 2) must have 1 to n - 1 vectors of R^n");
  EXPECT_EQ(mistake("group([[0, 1], [0, 0]], [[0, 0], [1, 0]])").find("m:2:6: "), 0U);  // [E, F] = H is missing
  EXPECT_EQ(mistake("SO"), "m:2:6: SO needs 1 number, as in SO3; it has 0");
  EXPECT_EQ(mistake("{x in R : x = 0}"), "m:2:6: R needs 1 number, as in R3; it has 0");
  EXPECT_EQ(
      mistake("orbit(e3)"),
      "m:2:6: orbit needs a vector and the matrices that move it, as in orbit([1, 0], [[0, -1], [1, 0]]); it has 1");
  EXPECT_EQ(mistake("{2*x : x in R3}").find("m:2:6: "), 0U);
  EXPECT_EQ(mistake("{x/norm(x) : x in S2}"), "m:2:24: a set {x in ... : ...} is a subset of some R^n");
  EXPECT_EQ(mistake("SO3", "xi.g = [1, 0, 0]"),
            "m:6:8: g is on SO3 and has no quasi-velocities xi; give its angular velocity");
  EXPECT_EQ(mistake("SL2", "xi.g = [1, 0]"), "m:6:8: the quasi-velocities of g on SL2 needs 3 numbers, got 2 numbers");
}

TEST(SpaceNames, QuasiVelocitiesStartTheMotion) {
  const ModelFile file = parse_model(with_space("SL2", "g = [[2, 0], [0, 0.5]]\nxi.g = [1, 2, 3]\n"), "m");
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State state = start_state(file, system, remarks);
  const Matrix2d X{{1, 2}, {3, -1}}, g{{2, 0}, {0, 0.5}};
  EXPECT_LE((state.v - VectorXd((g * X).reshaped())).norm(), 1e-15);
}

}  // namespace
}  // namespace hamel::spaces_test
