#include "record/examples.hpp"

#include <gtest/gtest.h>

#include "hamel/manifold/factors.hpp"

// HDF5 leaks what it has of an object whose description is damaged.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }

namespace hamel::test {

Recorded double_pendulum_with_outputs() {
  Model model("double spherical pendulum", 1);
  const Formula m = model.parameter("m", {1.3, 0.7}), g = model.parameter("g", 9.81);
  const Formula K = model.parameter("K", MatrixXd{{1, 2, 3}, {4, 5, 6}});
  const auto q = model.coordinates<S2>("q", 2);
  const Formula x1 = 0.9 * q[0], x2 = x1 + 1.4 * q[1];
  model.kinetic(m[0] / 2 * squared_norm(rate(x1)) + m[1] / 2 * squared_norm(rate(x2)));
  model.potential(g * (m[0] * x1.z() + m[1] * x2.z()));
  VectorXd point(6), omega(6);
  point << 2. / 3, 1. / 3, 2. / 3, 2. / 7, 3. / 7, 6. / 7;
  omega << 0.9, 0, -0.9, 1.5, -1, 0;
  System system = derive(model);
  State start = system.state(0, point, omega);
  return {
      std::move(system),
      std::move(start),
      {{"height", x2.z()}, {"tip velocity", rate(x2)}, {"K q", K * Formula::columns({q[0], q[1]})}},
      {.model_text = "name = \"double spherical pendulum\"\n# \xCE\xA9\n", .units = {{"time", "s"}, {"height", "m"}}}};
}

void expect_same(const Rows& a, const Rows& b) {
  EXPECT_EQ(a.size(), b.size());
  EXPECT_TRUE(a.time == b.time);
  EXPECT_TRUE(a.q == b.q);
  EXPECT_TRUE(a.v == b.v);
  EXPECT_TRUE(a.kinetic == b.kinetic);
  EXPECT_TRUE(a.potential == b.potential);
  EXPECT_TRUE(a.total == b.total);
  EXPECT_TRUE(a.manifold_error == b.manifold_error);
  EXPECT_TRUE(a.constraint_error == b.constraint_error);
  EXPECT_TRUE(a.momenta == b.momenta);
  EXPECT_TRUE(a.outputs == b.outputs);
}

namespace {

void expect_same_errors(const Followed& a, const Followed& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.initial, b.initial);
  EXPECT_EQ(a.mean_error, b.mean_error);
  EXPECT_EQ(a.max_error, b.max_error);
  EXPECT_EQ(a.slope, b.slope);
  EXPECT_EQ(a.slope_error, b.slope_error);
  EXPECT_EQ(a.terms, b.terms);
  EXPECT_EQ(a.size, b.size);
}

}  // namespace

void expect_same(const RunSummary& a, const RunSummary& b) {
  EXPECT_EQ(a.model, b.model);
  EXPECT_EQ(a.integrator, b.integrator);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.outputs, b.outputs);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.finished, b.finished);
  EXPECT_EQ(a.energy.exists, b.energy.exists);
  EXPECT_EQ(a.energy.conserved, b.energy.conserved);
  EXPECT_EQ(a.constraints.exist, b.constraints.exist);
  expect_same_errors(a.energy, b.energy);
  expect_same_errors(a.manifold, b.manifold);
  expect_same_errors(a.constraints, b.constraints);
  EXPECT_TRUE(a.final.q == b.final.q && a.final.v == b.final.v && a.final.t == b.final.t);
  ASSERT_EQ(a.momenta.size(), b.momenta.size());
  for (std::size_t k = 0; k < a.momenta.size(); ++k) expect_same_errors(a.momenta[k], b.momenta[k]);
  ASSERT_EQ(a.conserved.size(), b.conserved.size());
  for (std::size_t k = 0; k < a.conserved.size(); ++k) expect_same_errors(a.conserved[k], b.conserved[k]);
}

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace hamel::test
