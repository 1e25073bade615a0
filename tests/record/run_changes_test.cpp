#include <gtest/gtest.h>

#include <hamel/record/file_run.hpp>

namespace hamel {
namespace {

// A step in a model file says nothing about a method that chooses its own.
TEST(RunChanges, LeaveTheStepOfTheFileToItsOwnMethod) {
  const RunSection file{.integrator = "variational", .step = 0.01, .until = {.t = 1}};
  EXPECT_EQ(changed(file, {.integrator = "dop853"}).step, 0);
  EXPECT_EQ(changed(file, {.integrator = "dop853", .step = 0.1}).step, 0.1);
  EXPECT_EQ(changed(file, {.integrator = "rk4"}).step, 0.01);
  const RunSection fixed{.integrator = "dop853", .step = 0.01, .until = {.t = 1}};
  EXPECT_EQ(changed(fixed, {}).step, 0.01);
  EXPECT_EQ(changed(fixed, {.integrator = "dop853"}).step, 0.01);
  EXPECT_EQ(changed(fixed, {.tolerance = 1e-6}).tolerance, 1e-6);
}

}  // namespace
}  // namespace hamel
