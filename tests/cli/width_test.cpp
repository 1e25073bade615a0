// Nothing that people read is wider than 80 columns where there is no terminal; every model of the gallery is looked
// at.
#include <algorithm>

#include "cli/command.hpp"

namespace hamel::test {
namespace {

class Width : public Command {
 protected:
  int expect_narrow(const std::string& arguments) const {
    const Result result = hamel(arguments);
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      const auto is_seen = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
      EXPECT_LE(std::count_if(line.begin(), line.end(), is_seen), 80) << "hamel " << arguments << ": " << line;
    }
    return result.code;
  }
  std::vector<std::string> models() const {
    std::vector<std::string> ids;
    for (const Json& model : hamel("list --json").json()) ids.push_back(model["id"]);
    return ids;
  }
};

TEST_F(Width, Help) {
  expect_narrow("--help");
  for (const char* name : {"new", "list", "check", "equations", "equilibria", "linearize", "control", "region",
                           "reduce", "run", "sweep", "compare", "report", "convert", "completion"})
    expect_narrow(std::string(name) + " --help");
}

TEST_F(Width, OfAllModels) {
  expect_narrow("list");
  const std::vector<std::string> all = models();
  ASSERT_GT(all.size(), 80U);
  for (const std::string& id : all)
    for (const char* form : {"velocity", "omega", "mu", "pi"}) expect_narrow("equations " + id + " --form " + form);
  for (const std::string& id : all) expect_narrow("check " + id);
}

// To be copied.
TEST_F(Width, NamesOfModelsAreNotBroken) {
  const std::string list = "\n" + hamel("list").out;
  for (const std::string& id : models()) EXPECT_NE(list.find("\n" + id + " "), std::string::npos) << id;
}

TEST_F(Width, OfResults) {
  for (const char* arguments : {"equilibria double-spherical-pendulum", "linearize chain-pendulum-on-cart --at hanging",
                                "linearize revolute-robot-3d --at hanging", "control chain-pendulum-on-cart-regulated",
                                "run spin-chain --until 0.1", "run spacecraft-reaction-wheels --until 0.1",
                                "compare spacecraft-cmg --until 0.2 --integrators gauss8,rk4",
                                "reduce revolute-robot-3d --coordinate q0 --out r.toml"})
    EXPECT_EQ(expect_narrow(arguments), 0) << arguments;
}

TEST_F(Width, FamiliesAreOneName) {
  const Result result = hamel("check spin-chain");
  EXPECT_NE(result.out.find("(q[1..60])"), std::string::npos) << result.out;
}

TEST_F(Width, LongEquationsAreSaid) {
  EXPECT_NE(hamel("equations magnetic-dipoles").err.find("more than a page"), std::string::npos);
  EXPECT_EQ(hamel("equations spherical-pendulum").err, "");
}

}  // namespace
}  // namespace hamel::test
