// Each stepper has its own programs compiled, and no others.
#include <gtest/gtest.h>

#include <algorithm>

#include "hamel/mechanics/canonical.hpp"
#include "hamel/mechanics/parts.hpp"
#include "integrate/systems.hpp"

namespace hamel::test::native_test {
namespace {

constexpr double long_enough = 1e9;  // for a compiler to pay

bool are_native(const std::vector<const Program*>& programs, int lanes = 1) {
  return std::all_of(programs.begin(), programs.end(),
                     [=](const Program* program) { return program->operations() == 0 || program->is_native(lanes); });
}
bool is_any_native(const std::vector<const Program*>& programs) {
  return std::any_of(programs.begin(), programs.end(), [](const Program* program) { return program->is_native(); });
}

// False where there is no compiler.
bool prepare(const Example& example, const Method& method) {
  const auto stepper = make_stepper(example.system, method);
  stepper->start(example.start);
  stepper->prepare(long_enough);
  return are_native(example.system.dynamics().energy_programs());
}

TEST(Native, StepsOfTheMidpointRule) {
  const Example example = double_pendulum();
  if (!prepare(example, Variational{.step = 0.01, .rule = Quadrature::midpoint})) GTEST_SKIP() << "no compiler";
  EXPECT_TRUE(are_native(step(example.system, Quadrature::midpoint).programs()));
  EXPECT_FALSE(is_any_native(step(example.system, Quadrature::trapezoidal).programs()));
  EXPECT_FALSE(is_any_native(example.system.dynamics().motion_programs()));
}

TEST(Native, ReducedStepsOfTheMidpointRule) {
  const Example example = lagrangian_pendulum(Path::reduced);
  if (!prepare(example, Variational{.step = 0.01, .rule = Quadrature::midpoint})) GTEST_SKIP() << "no compiler";
  EXPECT_TRUE(are_native(discrete_map(example.system, Quadrature::midpoint).programs()));
  EXPECT_TRUE(are_native(example.system.dynamics().legendre_programs()));
  EXPECT_FALSE(are_native(discrete_map(example.system, Quadrature::trapezoidal).programs()));
}

TEST(Native, FlowsOfGaussMethods) {
  for (const Example& example : {double_pendulum(), lagrangian_pendulum(Path::reduced)}) {
    if (!prepare(example, Gauss{.step = 0.01})) GTEST_SKIP() << "no compiler";
    const Canonical& flow = canonical(example.system);
    EXPECT_TRUE(are_native(flow.flow_programs()));
    EXPECT_TRUE(are_native(flow.flow_programs(), flow.is_explicit() ? 4 : 1));
    EXPECT_FALSE(is_any_native(example.system.dynamics().motion_programs()));
  }
}

TEST(Native, AccelerationsOfRungeKuttaMethods) {
  const Example example = lagrangian_pendulum();
  if (!prepare(example, Rk4{0.01})) GTEST_SKIP() << "no compiler";
  EXPECT_TRUE(motion(example.system).program().is_native());
  EXPECT_FALSE(is_any_native(example.system.dynamics().motion_programs())) << "the field is one program";
  EXPECT_FALSE(is_any_native(step(example.system, Quadrature::trapezoidal).programs()));
}

TEST(Native, AccelerationsOfOtherForms) {
  const Example example = lagrangian_pendulum();
  if (!prepare(example, Rk4{.step = 0.01, .form = Form::velocity})) GTEST_SKIP() << "no compiler";
  EXPECT_TRUE(are_native(example.system.dynamics().motion_programs()));
}

}  // namespace
}  // namespace hamel::test::native_test
