// What large models may cost, in CPU time and memory: time grows with the number of links, and so does memory.
//
// Bounds are some three times what was measured on one core of a busy machine, so that a loaded one passes, and what
// grows with the square of n does not. CPU time is that of user and system, with that of the compiler, if it is called.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <hamel/language/model_file.hpp>
#include <hamel/mechanics/system.hpp>

#include "budget/cost.hpp"

namespace hamel::test {
namespace {

struct Large {
  std::string name, file;
  int n;
  double hundred_steps;  // the time they take in the model
  Cost derive, check, run;
};

void PrintTo(const Large& large, std::ostream* out) { *out << large.name; }

class Budget : public ::testing::TestWithParam<Large> {
 protected:
  void hamel(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--set", fmt::format("n={}", GetParam().n), "--json"});
    run_hamel(std::move(arguments));
  }
};

TEST_P(Budget, IsKept) {
  const Large& large = GetParam();
  expect_within(large.name + " derive", large.derive, [&] {
    derive(read_model(large.file, {{"n", std::to_string(large.n)}}).model);
  });
  expect_within(large.name + " check", large.check, [&] { hamel({"check", large.file}); });
  expect_within(large.name + " run", large.run, [&] {
    hamel({"run", large.file, "--until", fmt::format("{}", large.hundred_steps)});
  });
}

const std::string chain = HAMEL_SOURCE_DIR "/models/chain-pendulum.toml",
                  loop = HAMEL_SOURCE_DIR "/tests/budget/loop.toml", rods = HAMEL_SOURCE_DIR "/tests/budget/rods.toml",
                  molecules = HAMEL_SOURCE_DIR "/models/molecules-on-sphere.toml";

INSTANTIATE_TEST_SUITE_P(
    Models, Budget,
    ::testing::Values(Large{"chain_1000", chain, 1000, 0.01, {4, 400}, {6, 400}, {6, 400}},
                      Large{"chain_4000", chain, 4000, 0.01, {16, 1000}, {24, 1000}, {24, 1000}},
                      Large{"loop_130", loop, 130, 0.01, {1, 150}, {5, 600}, {5, 600}},
                      Large{"loop_300", loop, 300, 0.01, {3, 200}, {4, 200}, {4, 200}},
                      Large{"loop_1000", loop, 1000, 0.01, {5, 500}, {10, 500}, {10, 500}},
                      Large{"rods_200", rods, 200, 0.01, {2, 150}, {3, 150}, {3, 150}},
                      Large{"rods_1000", rods, 1000, 0.01, {6, 400}, {12, 400}, {12, 400}},
                      Large{"molecules_162", molecules, 162, 0.5, {20, 1000}, {20, 1000}, {30, 1000}}),
    [](const auto& test) { return test.param.name; });

TEST(BudgetOfGauss, IsKept) {
  expect_within("chain_1000 by gauss8", {6, 500}, [] {
    run_hamel({"run", chain, "--set", "n=1000", "--until", "0.01", "--integrator", "gauss8", "--json"});
  });
}

TEST(BudgetOfReports, IsKept) {
  const std::string page = testing::TempDir() + "/chain.html";
  expect_within("chain_2000 with a report", {20, 1000}, [&] {
    run_hamel({"run", chain, "--set", "n=2000", "--until", "0.01", "--report", page, "--overwrite", "--json"});
  });
}

}  // namespace
}  // namespace hamel::test
