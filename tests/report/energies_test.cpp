#include "hamel/report/energies.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hamel/language/model_file.hpp"

namespace hamel {
namespace {

constexpr auto head = R"toml(
name = "A wheel on an arm"
[parameters]
m = 1.5
J = [[0.9, 0.1, 0], [0.1, 1.1, 0], [0, 0, 1.3]]
c = [0.1, 0.2, -0.1]
[coordinates]
R = "SO3"
q = "S1"
)toml";
constexpr auto start = R"toml(
[start]
R = "turn([1, 2, 3], 0.7)"
Omega.R = [0.3, -0.5, 0.8]
q = [0.6, 0.8]
omega.q = 1.7
)toml";

System system_of(const std::string& rest) { return derive(parse_model(head + rest + start, "wheel").model); }

// T is written with the angular velocity of the wheel by its name. Read again, with what it says the name means, it is
// the energy of the body: the same accelerations.
TEST(Energies, OfABodyWithSeveralTurns) {
  const std::string body = R"toml(
[bodies]
wheel = { attitude = "R*turn(e3, atan2(q.y, q.x))", position = "R*[1, 0, 0.5]", mass = "m", inertia = "J", center = "c" }
)toml";
  const ModelFile file = parse_model(head + body + start, "wheel");
  std::string definitions = "[definitions]\n", kinetic;
  for (const NamedFormula& one : energies_of(file.model)) {
    const std::size_t sign = one.text.find(" = ");
    const std::string name = one.text.substr(0, sign), meaning = one.text.substr(sign + 3);
    if (name == "T")
      kinetic = meaning;
    else
      definitions += fmt::format("{} = \"{}\"\n", name, meaning);
  }
  EXPECT_NE(kinetic.find("dot(Omega_wheel, J*Omega_wheel)/2"), std::string::npos) << kinetic;
  EXPECT_EQ(definitions.find("Omega_wheel = \"vee(transpose(R_wheel)*R_wheel')\""),
            std::string("[definitions]\n").size())
      << definitions;
  const System expected = derive(file.model);
  const System read = system_of(definitions + fmt::format("[energy]\nkinetic = \"{}\"\n", kinetic));
  std::vector<std::string> remarks;
  const State state = start_state(file, expected, remarks);
  EXPECT_LT((acceleration(read, state) - acceleration(expected, state)).norm(), 1e-12);
}

}  // namespace
}  // namespace hamel
