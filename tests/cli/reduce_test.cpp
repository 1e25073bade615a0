// hamel reduce: a model file without its cyclic coordinate.
#include <gtest/gtest.h>

#include "cli/command.hpp"

namespace hamel::test {
namespace {

class ReduceCommand : public Command {};

TEST_F(ReduceCommand, WritesAModelThatRunsAsTheWholeDoes) {
  const Result result = hamel("reduce furuta-pendulum --out reduced.toml --check --json");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.json()["coordinate"], "q[1]");
  EXPECT_LT(result.json()["check"]["difference"].get<double>(), 1e-5) << "chaotic until t = 15";
  EXPECT_EQ(result.json()["text"], slurp(path("reduced.toml")));
  const Json run = hamel("run reduced.toml --until 1 --json").json();
  const Json whole = hamel("run furuta-pendulum --until 1 --json").json();
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(run["final"]["q_2"]["values"][i].get<double>(), whole["final"]["q[2]"]["values"][i].get<double>(), 1e-9)
        << run.dump();
}

TEST_F(ReduceCommand, PrintsTheModelAndTakesAMomentum) {
  const Result result = hamel("reduce furuta-pendulum --coordinate 'q[1]' --momentum 0.25");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("momentum = 0.25    # of q[1]"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("lagrangian = "), std::string::npos);
  write("reduced.toml", result.out);
  EXPECT_EQ(hamel("check reduced.toml").code, 0);
}

TEST_F(ReduceCommand, SaysWhatItCannotDo) {
  EXPECT_NE(hamel("reduce double-planar-pendulum").err.find("has no cyclic coordinate on R or S1"), std::string::npos);
  EXPECT_NE(hamel("reduce furuta-pendulum --coordinate 'q[2]'").err.find("there is q[1]"), std::string::npos);
  EXPECT_NE(hamel("reduce spacecraft-reaction-wheels").err.find("which? Use --coordinate"), std::string::npos);
}

}  // namespace
}  // namespace hamel::test
