#include "ensemble/sampling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "hamel/ensemble/distribution.hpp"
#include "hamel/ensemble/vary.hpp"
#include "hamel/manifold/spaces.hpp"

namespace hamel {
namespace {

using Numbers = std::vector<double>;

Numbers row_of(const Vary& vary, std::uint64_t member) {
  Numbers row(vary.width());
  vary.row(member, row);
  return row;
}

// Known answers of Random123.
TEST(Philox, HasTheKnownAnswers) {
  using Words = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

// A net: of 2^k members, exactly one lies in every interval of length 2^-k, in each dimension and for any seed.
TEST(Sobol, HasOneNumberInEveryInterval) {
  for (std::uint64_t dimension = 0; dimension < most_sobol_dimensions; ++dimension) {
    std::set<long> cells;
    for (std::uint64_t k = 0; k < 1024; ++k)
      cells.insert(static_cast<long>(std::floor(1024 * sobol_number(7, k, dimension))));
    EXPECT_EQ(cells.size(), 1024U) << dimension;
  }
}

// Of the first two dimensions, one in every elementary box.
TEST(Sobol, FillsThePlane) {
  for (int a = 0; a <= 8; ++a) {
    std::set<std::pair<long, long>> cells;
    for (std::uint64_t k = 0; k < 256; ++k)
      cells.emplace(static_cast<long>(std::ldexp(sobol_number(1, k, 0), a)),
                    static_cast<long>(std::ldexp(sobol_number(1, k, 1), 8 - a)));
    EXPECT_EQ(cells.size(), 256U) << a;
  }
}

TEST(Latin, HasOneNumberInEveryInterval) {
  for (const std::uint64_t members : {1U, 2U, 7U, 100U, 1000U}) {
    std::set<long> cells;
    for (std::uint64_t k = 0; k < members; ++k)
      cells.insert(static_cast<long>(std::floor(static_cast<double>(members) * latin_number(3, k, 1, members))));
    EXPECT_EQ(cells.size(), members);
  }
  EXPECT_NE(latin_number(3, 0, 0, 1000), latin_number(4, 0, 0, 1000));
}

TEST(Normal, QuantileInvertsTheProbability) {
  for (const double p : {1e-300, 1e-20, 1e-8, 0.001, 0.02425, 0.3, 0.5, 0.7, 0.975, 1 - 1e-12}) {
    const double x = normal_quantile(p);
    EXPECT_NEAR(std::erfc(-x / std::numbers::sqrt2) / 2, p, 1e-13 * p + 1e-16) << p;
  }
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
}

TEST(Samples, HaveTheirMoments) {
  constexpr std::uint64_t n = 4096;
  for (const Sampling sampling : {Sampling::random, Sampling::sobol, Sampling::latin}) {
    const Vary vary =
        samples({{"a", normal(3, 0.5)}, {"b", uniform(-1, 5)}, {"c", lognormal(0, 0.25)}}, n, {sampling, 5});
    Eigen::Array3d sum(0, 0, 0), squares(0, 0, 0);
    for (std::uint64_t k = 0; k < n; ++k) {
      const Numbers row = row_of(vary, k);
      const Eigen::Array3d x(row[0], row[1], std::log(row[2]));
      sum += x;
      squares += x * x;
    }
    const Eigen::Array3d mean = sum / n, deviation = (squares / n - mean * mean).sqrt();
    const double tolerance = sampling == Sampling::random ? 0.05 : 0.005;
    EXPECT_NEAR(mean(0), 3, tolerance);
    EXPECT_NEAR(mean(1), 2, tolerance);
    EXPECT_NEAR(mean(2), 0, tolerance);
    EXPECT_NEAR(deviation(0), 0.5, tolerance);
    EXPECT_NEAR(deviation(1), 6 / std::sqrt(12), tolerance);
    EXPECT_NEAR(deviation(2), 0.25, tolerance);
  }
}

// The share of a cap within an angle x is (1 - cos x) / (1 - cos a) on S^2 and (x - sin x) / (a - sin a) on SO(3).
TEST(Cap, IsEvenInAreaAndVolume) {
  constexpr std::uint64_t n = 4000;
  const double a = 0.7, x = 0.45;
  const VectorXd centre = Eigen::Vector3d(1, 2, -2) / 3;
  const VectorXd attitude = Eigen::Matrix3d::Identity().reshaped();
  const Vary vary = samples({{"q", cap(S2(), centre, a)}, {"R", cap(SO3(), attitude, a)}}, n, {Sampling::sobol, 1});
  int within = 0, rotations_within = 0;
  for (std::uint64_t k = 0; k < n; ++k) {
    const Numbers row = row_of(vary, k);
    const Eigen::Map<const Eigen::Vector3d> q(row.data());
    const Eigen::Map<const Eigen::Matrix3d> R(row.data() + 3);
    EXPECT_NEAR(q.norm(), 1, 1e-15);
    EXPECT_LT((R.transpose() * R - Eigen::Matrix3d::Identity()).norm(), 1e-14);
    const double angle = std::acos(std::min(1.0, q.dot(centre))), turn = std::acos((R.trace() - 1) / 2);
    EXPECT_LT(angle, a + 1e-12);
    EXPECT_LT(turn, a + 1e-12);
    within += angle < x;
    rotations_within += turn < x;
  }
  EXPECT_NEAR(within / double{n}, (1 - std::cos(x)) / (1 - std::cos(a)), 0.01);
  EXPECT_NEAR(rotations_within / double{n}, (x - std::sin(x)) / (a - std::sin(a)), 0.01);
}

TEST(Cap, IsRefusedWhereNothingTurns) {
  EXPECT_THROW(cap(Rn(3), VectorXd::Zero(3), 0.1), std::invalid_argument);
  EXPECT_THROW(cap(SE3(), SE3().reference_point(), 0.1), std::invalid_argument);
  EXPECT_THROW(cap(S2(), VectorXd::Constant(3, 1), 0.1), std::domain_error);
  EXPECT_THROW(cap(S2(), VectorXd::Unit(3, 0), 4), std::invalid_argument);
}

TEST(Vary, ProductsHaveTheLastFastest) {
  const Vary vary = grid("a", 0, 1, 3) * grid("b", 5, 6, 2);
  ASSERT_EQ(vary.members(), 6U);
  EXPECT_EQ(row_of(vary, 0), (Numbers{0, 5}));
  EXPECT_EQ(row_of(vary, 1), (Numbers{0, 6}));
  EXPECT_EQ(row_of(vary, 3), (Numbers{0.5, 6}));
  EXPECT_EQ(row_of(vary, 5), (Numbers{1, 6}));
  EXPECT_EQ(vary.sides(), (std::vector<std::uint64_t>{3, 2}));
}

TEST(Vary, ZipsSideBySide) {
  const MatrixXd table{{7, 8}, {9, 10}};
  const Vary vary = zip(grid("a", 0, 1, 2), listed({"b", "c"}, table));
  ASSERT_EQ(vary.members(), 2U);
  EXPECT_EQ(row_of(vary, 1), (Numbers{1, 9, 10}));
  EXPECT_TRUE(vary.sides().empty());
  EXPECT_THROW(zip(grid("a", 0, 1, 2), grid("b", 0, 1, 3)), std::invalid_argument);
  EXPECT_THROW(grid("a", 0, 1, 2) * grid("a", 0, 1, 3), std::invalid_argument);
  EXPECT_THROW(grid("a", 0, 1, std::uint64_t{1} << 40) * grid("b", 0, 1, std::uint64_t{1} << 40),
               std::invalid_argument);
}

}  // namespace
}  // namespace hamel
