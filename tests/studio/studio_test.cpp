// What a page asks of hamel, asked from C++: the answers are those of the library.
#include "hamel/studio/studio.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hamel/integrate/integrate.hpp"
#include "hamel/language/model_file.hpp"

namespace hamel::test {
namespace {

using Json = nlohmann::json;

constexpr const char* pendulum = R"toml(name = "Pendulum"
[parameters]
m = 1.0
l = 0.5
[coordinates]
q = "S2"
[points]
x = "l*q"
[energy]
kinetic = "m/2*norm2(x')"
potential = "-m*9.81*x.z"
[start]
q = [1, 0, 0]
omega.q = [0, 0, 1]
[run]
integrator = "variational"
step = 0.01
until = 1
)toml";

class Asked : public testing::Test {
 protected:
  Json ask(const std::string& what, Json request = Json::object()) {
    request["do"] = what;
    return Json::parse(studio_.answer(request.dump()));
  }
  std::string refusal(const Json& answer) const { return answer.at("refused").at("message"); }

  Studio studio_;
};

TEST_F(Asked, ARunInSlicesEndsWhereTheLibraryEnds) {
  EXPECT_EQ(ask("read", {{"text", pendulum}}).at("name"), "Pendulum");
  ask("begin", {{"run", 1}});
  while (ask("advance", {{"run", 1}, {"milliseconds", 0}}).at("goes_on")) {
  }
  const ModelFile file = parse_model(pendulum, "model.toml");
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const Trajectory run =
      integrate(system, start_state(file, system, remarks), Variational{.step = 0.01}, Until{.t = 1});
  const Json last = ask("final", {{"run", 1}});
  EXPECT_EQ(last.at("t"), 1.0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(last.at("q")[static_cast<std::size_t>(i)], run.back().q(i));
}

TEST_F(Asked, AMistakeIsRefusedAtItsPlace) {
  std::string text = pendulum;
  text.replace(text.find("norm2"), 5, "nrom2");
  const Json why = ask("read", {{"text", text}}).at("refused");
  EXPECT_EQ(why.at("line"), 10);
  EXPECT_EQ(text.substr(why.at("begin"), 5), "nrom2");
}

TEST_F(Asked, WhatIsNoQuestionIsRefused) {
  EXPECT_EQ(refusal(ask("dance")), "nothing is called dance");
  EXPECT_EQ(refusal(ask("begin", {{"run", 1}})), "no model has been read");
  EXPECT_EQ(refusal(ask("advance", {{"run", 7}})), "there is no such run");
  for (const char* text : {"", "{", "[]", "null", "{\"do\": 3}", "\xff"})
    EXPECT_TRUE(Json::parse(studio_.answer(text)).contains("refused")) << text;
}

}  // namespace
}  // namespace hamel::test
