#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <hamel/mechanics/parts.hpp>
#include <hamel/program/device_text.hpp>
#include <limits>
#include <random>

#include "ensemble/compare.hpp"
#include "integrate/systems.hpp"

namespace hamel::test {
namespace {

class DeviceCase : public ::testing::TestWithParam<Case> {};

// Refused are those that no single program computes.
std::vector<Case> cases_that_fit() {
  std::vector<Case> result;
  for (const Case& each : all_cases())
    if (!motion(each.make().system).empty()) result.push_back(each);
  return result;
}

TEST_P(DeviceCase, Rk4HasTheBitsOfItsStepper) {
  const Example example = GetParam().make();
  expect_bits_of_stepper(example.system, example.start, Rk4{.step = 0.01}, 20);
}

TEST_P(DeviceCase, Dop853HasTheBitsOfItsStepper) {
  const Example example = GetParam().make();
  expect_bits_of_stepper(example.system, example.start, Dop853{.step = 0.03}, 10);
}

TEST_P(DeviceCase, LieGroupMethodsHaveTheBitsOfTheirStepper) {
  const Example example = GetParam().make();
  for (const LieScheme scheme : {LieScheme::rkmk4, LieScheme::commutator_free4}) {
    const LieRk method{.step = 0.01, .scheme = scheme};
    try {
      (void)make_stepper(example.system, method);
      (void)device_step(example.system, method);
    } catch (const std::invalid_argument& error) {
      GTEST_SKIP() << error.what();
    }
    expect_bits_of_stepper(example.system, example.start, method, 20);
  }
}

TEST_P(DeviceCase, VariationalHasTheBitsOfItsStepper) {
  const Example example = GetParam().make();
  if (example.system.path() != Path::constant_mass) GTEST_SKIP() << "no single program computes a step";
  expect_bits_of_stepper(example.system, example.start, Variational{.step = 0.01}, 20);
}

TEST_P(DeviceCase, GaussMethodsHaveTheBitsOfTheirStepper) {
  const Example example = GetParam().make();
  for (const int order : {4, 6, 8}) {
    const Gauss method{.step = 0.02, .order = order};
    try {
      (void)device_step(example.system, method);
    } catch (const std::invalid_argument& error) {
      GTEST_SKIP() << error.what();
    }
    expect_bits_of_stepper(example.system, example.start, method, 10);
  }
}

// Newton's method, closed form and constraints, composed of several substeps each.
TEST(OnDevice, CompositionsHaveTheBitsOfTheirSteppers) {
  for (const Example& example : {double_pendulum(), driven_pendulum(), slider_crank(), heavy_top()})
    expect_bits_of_stepper(example.system, example.start, Variational{.step = 0.02, .order = 4}, 8);
  const Example example = double_pendulum();
  expect_bits_of_stepper(example.system, example.start,
                         Variational{.step = 0.02, .order = 6, .rule = Quadrature::midpoint}, 5);
}

void expect_refusal(const System& system, const Method& method, const std::string& why) {
  try {
    const DeviceRun run(system, method);
    FAIL() << "was not refused: " << why;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("run it on the CPU"), std::string::npos) << error.what();
  }
}

TEST(OnDevice, WhatDoesNotFitIsRefused) {
  expect_refusal(orbit_of_rotations().system, Rk4{.step = 0.01},
                 "no single program computes the rates of its quasi-velocities");
  expect_refusal(torus_of_angles().system, Variational{.step = 0.01},
                 "no single program computes a step of variational");
  expect_refusal(double_pendulum().system, Rk45{}, "the method rk45 has no step there as it is set; those that have");
  expect_refusal(double_pendulum().system, Gauss{.step = 0.01, .order = 10}, "the method gauss10 has no step there");
  expect_refusal(double_pendulum().system, Gauss{.tolerance = 1e-6}, "the method gauss8 has no step there as it is");
  expect_refusal(torus().system, Gauss{.step = 0.01}, "it has constraints that are not quadratic");
  expect_refusal(double_pendulum().system, Dop853{}, "the method dop853 has no step there as it is set");
  expect_refusal(double_pendulum().system, Rk4{.step = 0.01, .reproject = true}, "has no step there as it is set");
  expect_refusal(chain(300).system, Rk4{.step = 0.01}, "operations in one piece, and at most 8000 are put into a");
}

// Of random bits, among them those nearest to powers of two, and of zeros and infinities.
TEST(OnDevice, QuotientsByAReciprocalHaveTheBitsOfDivisions) {
  struct Run {
    long long members;
    const double *x, *y;
    double* quotient;
  };
  const std::string text = device_preamble({}) + number_macros({}) + R"(
struct Run { long long members; const double *x, *y; double* quotient; };
extern "C" __global__ void hamel_run(const Run r) {
  const long long m = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (m < r.members) r.quotient[m] = quotient(r.x[m], r.y[m], 1 / r.y[m]);
}
)";
  constexpr std::size_t count = 1'000'000;
  std::mt19937_64 random(1);
  const auto number = [&] {
    const std::uint64_t bits = random(), ends[] = {bits, bits & 15U, ~(bits & 15U), bits << 49U};
    const int exponent = static_cast<int>(random() % 200) - 100;
    const double mantissa = 1 + std::ldexp(static_cast<double>(ends[random() % 4] & ((1ULL << 52U) - 1)), -52);
    return (random() % 2 == 0 ? 1 : -1) * std::ldexp(mantissa, exponent);
  };
  std::vector<double> x(count), y(count), result(count);
  for (std::size_t k = 0; k < count; ++k) x[k] = k < 100 ? (k % 2 == 0 ? 0.0 : -0.0) : number(), y[k] = number();
  const double infinity = std::numeric_limits<double>::infinity();
  for (std::size_t k = 100; k < 300; ++k) (k < 200 ? y : x)[k] = k % 2 == 0 ? 0.0 : -0.0;
  for (std::size_t k = 300; k < 500; ++k) (k < 400 ? y : x)[k] = k % 2 == 0 ? infinity : -infinity;
  HostDevice device;
  Run run{count, x.data(), y.data(), result.data()};
  device.load(text, {})->launch("hamel_run", count, &run, 0);
  std::vector<double> expected(count);
  for (std::size_t k = 0; k < count; ++k) expected[k] = x[k] / y[k];
  EXPECT_EQ(std::memcmp(result.data(), expected.data(), count * sizeof(double)), 0);
}

INSTANTIATE_TEST_SUITE_P(Systems, DeviceCase, ::testing::ValuesIn(cases_that_fit()),
                         [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace hamel::test
