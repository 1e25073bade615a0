// Grasping, and what is taken away: asked as a page asks.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hamel/studio/studio.hpp"

namespace hamel::take_test {
namespace {

using Json = nlohmann::json;

std::string planar_pendulum(const std::string& energies) {
  return "name = \"Pendulum\"\n[parameters]\nm = 1.0\nl = 0.5\n[coordinates]\nq = \"S1\"\n" + energies +
         "[start]\nq = [1, 0]\n[run]\nstep = 0.01\nuntil = 1\n";
}

const char* with_energies =
    "[points]\nx = \"l*q\"\n[energy]\nkinetic = \"m/2*norm2(x')\"\npotential = \"-m*9.81*x.y\"\n";

class Taken : public testing::Test {
 protected:
  Json ask(const std::string& what, Json request = Json::object()) {
    request["do"] = what;
    Json answer = Json::parse(studio_.answer(request.dump()));
    EXPECT_FALSE(answer.contains("refused")) << answer;
    return answer;
  }
  void run() {
    ask("begin", {{"run", 1}});
    while (ask("advance", {{"run", 1}, {"milliseconds", 5}}).at("goes_on")) {
    }
  }
  static const Json& named(const Json& list, const std::string& name) {
    for (const Json& each : list)
      if (each.at("name") == name) return each;
    throw std::out_of_range("nothing is called " + name);
  }

  Studio studio_;
};

TEST_F(Taken, ABobThatWasPulledIsWhereTheMotionStarts) {
  ask("read", {{"text", planar_pendulum(with_energies)}});
  const Json at = ask("grasp", {{"start", Json::object()}}).at("grips")[0].at("at");
  const Json pull = {{"grip", 0}, {"to", {-at[0].get<double>(), at[1], at[2]}}};
  const Json pulled = ask("grasp", {{"start", Json::object()}, {"pull", pull}});
  const Json push = {{"grip", 0}, {"velocity", true}, {"to", {0, 0, 2.0}}};
  const Json pushed = ask("grasp", {{"start", pulled.at("start")}, {"pull", push}});
  EXPECT_NEAR(pushed.at("grips")[0].at("velocity")[2].get<double>(), 2, 1e-12);
  ask("with", {{"parameters", Json::object()}, {"start", pushed.at("start")}});
  ask("begin", {{"run", 1}});
  const Json first = ask("final", {{"run", 1}});
  EXPECT_NEAR(first.at("q")[0].get<double>(), -1, 1e-7);
  EXPECT_NEAR(std::hypot(first.at("q")[0].get<double>(), first.at("q")[1].get<double>()), 1, 1e-15);
  EXPECT_NEAR(std::abs(first.at("v")[1].get<double>()), 4, 1e-6) << "2 m/s at the end of 0.5 m";
}

TEST_F(Taken, OtherParametersStayWithAnotherStart) {
  ask("read", {{"text", planar_pendulum(with_energies)}});
  ask("with", {{"parameters", {{"l", 2.0}}}});
  const Json grips = ask("grasp", {{"start", Json::object()}}).at("grips");
  EXPECT_NEAR(std::abs(grips[0].at("at")[0].get<double>()), 2, 1e-12);
  ask("with", {{"parameters", {{"l", 2.0}}}, {"start", {{"q", "[0, 1]"}}}});
  ask("begin", {{"run", 1}});
  EXPECT_EQ(ask("final", {{"run", 1}}).at("q")[1], 1.0);
  ask("with", {{"parameters", Json::object()}});
  ask("begin", {{"run", 1}});
  EXPECT_EQ(ask("final", {{"run", 1}}).at("q")[0], 1.0) << "and back";
}

TEST_F(Taken, EveryNumberOfARunHasAName) {
  ask("read", {{"text", planar_pendulum(with_energies)}});
  run();
  const Json columns = ask("columns", {{"run", 1}});
  for (const char* name : {"t", "q.x", "q.y", "q'.x", "q'.y", "angle of q", "omega.q", "kinetic energy", "energy"}) {
    const std::string packed = named(columns, name).at("values").at("f64");
    EXPECT_EQ(packed.size(), (101 * 8 + 2) / 3 * 4) << name;
  }
}

TEST_F(Taken, AReportHasTheEquationsAndTheCodeIsC) {
  ask("read", {{"text", planar_pendulum(with_energies)}});
  run();
  EXPECT_EQ(ask("page", {{"run", 1}}).at("equations").size(), 0u);
  EXPECT_EQ(ask("report", {{"run", 1}}).at("equations").size(), 2u);
  EXPECT_NE(ask("code", {{"form", "omega"}}).at("c").get<std::string>().find("void hamel_Pendulum(double t"),
            std::string::npos);
}

TEST_F(Taken, AMethodThatIsNotForAModelSaysWhy) {
  ask("read", {{"text", planar_pendulum(with_energies)}});
  const Json all = ask("examine").at("methods");
  for (const Json& method : all) EXPECT_FALSE(method.contains("refused")) << method;
  ask("read", {{"text", planar_pendulum("[field]\n\"q'\" = \"[-q.y, q.x]\"\n")}});
  const Json methods = ask("examine").at("methods");
  EXPECT_NE(named(methods, "variational").at("refused").get<std::string>().find("energies"), std::string::npos)
      << named(methods, "variational");
  EXPECT_FALSE(named(methods, "rk4").contains("refused"));
}

}  // namespace
}  // namespace hamel::take_test
