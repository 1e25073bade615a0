// Factors of fixed size, and products of them, never allocate while they compute.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "hamel/manifold/factors.hpp"

// Eigen calls malloc, not operator new (which calls malloc too): so malloc is what is counted, where it can be.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

namespace {
std::atomic<long> allocations{0};
}

extern "C" void* __libc_malloc(std::size_t size) noexcept;  // NOLINT(bugprone-reserved-identifier): glibc's own

extern "C" void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}

namespace hamel {
namespace {

class Allocation : public testing::TestWithParam<Manifold> {};

TEST_P(Allocation, NoneInAnyNumericalFunction) {
  const Manifold& m = GetParam();
  Random random(1);
  const VectorXd q = m.random_point(random), v = 0.1 * m.random_tangent(q, random);
  VectorXd moved(m.ambient()), w(m.ambient()), xi(m.rates()), xi_dot(m.rates());
  MatrixXd N(m.ambient(), m.dimension());
  const long before = allocations;
  m.retract(q, v, moved);
  m.inverse_retract(q, moved, w);
  m.exponential(q, v, moved);
  m.logarithm(q, moved, w);
  m.tangent_project(q, moved, w);
  m.tangent_basis(q, N);
  m.rates(q, v, xi);
  m.velocity(q, xi, w);
  m.rates_of_acceleration(q, v, w, xi_dot);
  m.covector_to_rates(q, moved, xi);
  m.project(moved, w);
  const double defect = m.defect(w);
  const long after = allocations;
  EXPECT_EQ(after - before, 0);
  EXPECT_LE(defect, 1e-13);
}

TEST(AllocationCounter, SeesAnAllocation) {
  const long before = allocations;
  const VectorXd x = VectorXd::Ones(7);
  EXPECT_GT(allocations, before) << x;
}

INSTANTIATE_TEST_SUITE_P(FixedSizes, Allocation,
                         testing::Values(Manifold(Rn{4}), Manifold(S1{}), Manifold(S2{}), Manifold(Sphere{6}),
                                         Manifold(SO3{}), Manifold(SE3{}), product({S2{}, Rn{2}, SO3{}, SE3{}})),
                         [](const auto& parameter) { return "Case" + std::to_string(parameter.index); });

}  // namespace
}  // namespace hamel

#endif
