// What is said about a series of errors: the rule of kept.hpp and the standard errors of trend.hpp.
#include "hamel/record/kept.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "hamel/record/trend.hpp"
#include "integrate/count_allocations.hpp"

namespace hamel::test {
namespace {

using Series = std::function<double(double t)>;  // t from 0 to 1
constexpr double two_pi = 2 * std::numbers::pi;

// The error of a quantity whose terms are of size 1.
Followed followed(const Series& error, int count = 5000) {
  Trends trends(1);
  Followed result{.terms = 1, .size = 1};
  for (int k = 0; k < count; ++k) {
    const double t = static_cast<double>(k) / count;
    const VectorXd value = VectorXd::Constant(1, error(t));
    trends.add(t, value);
    result.max_error = std::max(result.max_error, std::abs(value(0)));
  }
  result.slope = trends.slope(0);
  result.slope_error = trends.slope_error(0);
  return result;
}

double part_drifting(const std::function<Series(int)>& make, int trials) {
  int drifting = 0;
  for (int k = 0; k < trials; ++k) drifting += followed(make(k)).kept() == Kept::drifting ? 1 : 0;
  return static_cast<double>(drifting) / trials;
}

// Whatever its phase, and whether there are three periods in the run or five hundred.
TEST(Kept, AnOscillationIsBounded) {
  for (const double periods : {3.0, 5.5, 20.3, 64.0, 500.7})
    for (int phase = 0; phase < 8; ++phase) {
      const double shift = two_pi * phase / 8;
      const Followed energy =
          followed([&](double t) { return 1e-5 * (std::sin(two_pi * periods * t + shift) - std::sin(shift)); });
      EXPECT_EQ(energy.kept(), Kept::bounded) << periods << " periods, phase " << phase;
    }
}

// In 5000 numbers the oscillation hides nothing that is as large as its amplitude.
TEST(Kept, ADriftUnderAnOscillationIsFoundWithItsRate) {
  for (const double periods : {40.3, 200.1, 1000.7}) {
    const Followed energy = followed([&](double t) { return 1e-5 * std::sin(two_pi * periods * t) - 1e-5 * t; });
    EXPECT_EQ(energy.kept(), Kept::drifting) << periods;
    EXPECT_NEAR(energy.slope, -1e-5, 1e-6) << periods;
  }
}

TEST(Kept, ALineAloneDrifts) {
  EXPECT_EQ(followed([](double t) { return 1e-6 * t; }).kept(), Kept::drifting);
  EXPECT_EQ(followed([](double t) { return 1e-6 * t; }, 5).kept(), Kept::drifting);
}

TEST(Kept, RoundingIsNotADrift) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  EXPECT_EQ(followed([&](double t) { return 100 * eps * t + eps * normal(random); }).kept(), Kept::to_rounding);
  EXPECT_EQ(followed([](double t) { return 1100 * eps * t; }).kept(), Kept::drifting);
  Followed offset = followed([&](double) { return 1e-11 * normal(random); });
  EXPECT_EQ(offset.kept(), Kept::bounded);
  offset.terms = 1e6;  // of a potential energy with a large constant
  EXPECT_EQ(offset.kept(), Kept::to_rounding);
}

// A standard error that means what it says: three of them are exceeded by chance in less than one case of a hundred.
TEST(Kept, NoiseIsBounded) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  EXPECT_LE(part_drifting([&](int) { return [&](double) { return 1e-6 * normal(random); }; }, 300), 0.02);
}

// It has no rate, though a line through it has a slope: ordinary least squares, which takes neighbours for independent,
// calls nine of ten a drift.
TEST(Kept, ARandomWalkIsNotTakenForIndependentNumbers) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  double place = 0;
  const auto walk = [&](int) {
    place = 0;
    return [&](double) { return 1e-7 * (place += normal(random)); };
  };
  EXPECT_LE(part_drifting(walk, 300), 0.55);
}

TEST(Kept, AJumpOfMoreThanAPercentIsALoss) {
  EXPECT_EQ(followed([](double t) { return t < 0.9 ? 0 : 0.02; }).kept(), Kept::lost);
  EXPECT_EQ(followed([](double t) { return t < 0.5 ? 0 : 0.005; }).kept(), Kept::drifting);
  EXPECT_EQ(followed([](double) { return 1.78; }).kept(), Kept::lost);
}

TEST(Kept, DigitsAreRelativeToWhatTheTermsChangeBy) {
  EXPECT_EQ((Followed{.max_error = 5e-11, .terms = 1, .size = 1}.digits()), 10);
  EXPECT_EQ((Followed{.max_error = 5e-11, .terms = 1, .size = 1}.kept()), Kept::bounded);
  EXPECT_EQ((Followed{.max_error = 5e-11, .terms = 1, .size = 1e-10}.kept()), Kept::lost);
  EXPECT_EQ((Followed{.max_error = 0, .terms = 0, .size = 0}.kept()), Kept::to_rounding);
  EXPECT_EQ((Followed{.max_error = 1e-3, .terms = 0, .size = 0}.kept()), Kept::lost);
}

TEST(Trends, AllocateNothingAndGoOnFromWhatTheyRemember) {
  Trends whole(2), first(2), second(2);
  const auto value = [](int k) { return Eigen::Vector2d(std::sin(0.1 * k), 1e-3 * k).eval(); };
  VectorXd now(2);
  const long before = allocations();
  for (int k = 0; k < 1000; ++k) {
    now = value(k);
    whole.add(k, now);
  }
  EXPECT_EQ(counts_allocations() ? allocations() : before, before);
  for (int k = 0; k < 333; ++k) first.add(k, value(k));
  std::vector<double> numbers;
  Memory in(numbers);
  first.remember(in);
  Memory out{std::span<const double>(numbers)};
  second.remember(out);
  for (int k = 333; k < 1000; ++k) second.add(k, value(k));
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(second.slope(k), whole.slope(k));
    EXPECT_EQ(second.slope_error(k), whole.slope_error(k));
    EXPECT_GT(whole.slope_error(k), 0);
  }
}

TEST(Trends, HaveNoErrorOfTwoNumbers) {
  Trends trends(1);
  trends.add(0, VectorXd::Zero(1));
  trends.add(1, VectorXd::Ones(1));
  EXPECT_EQ(trends.slope(0), 1);
  EXPECT_TRUE(std::isinf(trends.slope_error(0)));
}

}  // namespace
}  // namespace hamel::test
