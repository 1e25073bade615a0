// A run with inputs that nobody sets, and one that sets them.
#include <gtest/gtest.h>

#include "hamel/hamel.hpp"
#include "hamel/record/recorded_run.hpp"

namespace hamel::test::free_inputs_run_test {
namespace {

TEST(FreeInputsOfARun, ConserveNothingWhereTheyAreSet) {
  Model model("pushed");
  const Formula x = model.coordinate("x", Rn(2)), u = model.input("u");
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(0.5 * x.x() * x.x());
  model.force_on(x, Formula::vector({u, u}));
  const System system = derive(model);
  const State start{0, Eigen::Vector2d(1, 0), Eigen::Vector2d(0, 0.5)};
  RunSettings settings{.until = {.t = 1, .every = 0.1}};
  const RunSummary free = recorded_run(system, start, Variational{.step = 0.01}, settings);
  EXPECT_TRUE(free.energy.conserved);
  EXPECT_EQ(free.momenta.size(), 1U);
  settings.control = {[](double, const State&, VectorXd& now) { now(0) = 1; }, 0.1};
  const RunSummary pushed = recorded_run(system, start, Variational{.step = 0.01}, settings);
  EXPECT_FALSE(pushed.energy.conserved);
  EXPECT_TRUE(pushed.momenta.empty());
}

}  // namespace
}  // namespace hamel::test::free_inputs_run_test
