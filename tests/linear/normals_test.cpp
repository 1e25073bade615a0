// Sparse normals against dense algebra.
#include "hamel/linear/normals.hpp"

#include <gtest/gtest.h>

#include "hamel/linear/dense.hpp"
#include "hamel/linear/sparse_rows.hpp"
#include "hamel/manifold/manifold.hpp"

namespace hamel::test {
namespace {

// Rods between neighbours, one between the ends, and one that follows from the first two.
struct Example {
  static constexpr Eigen::Index n = 12;
  MatrixXd R = MatrixXd::Zero(n, n + 3);
  linear::Normals normals;

  Example() : normals(rows(), n + 3) {}

  std::vector<linear::Normals::Row> rows() {
    Random random(5);
    std::normal_distribution<double> normal;
    const auto set = [&](Eigen::Index row, Eigen::Index column) {
      R(row, column) = std::pow(10, row % 4) * normal(random);
    };
    for (Eigen::Index i = 0; i < n - 1; ++i)
      for (Eigen::Index j = i; j < i + 3; ++j) set(i, j);
    set(n - 2, 0);
    R.row(n - 1) = R.row(0) - 0.3 * R.row(1);
    std::vector<linear::Normals::Row> result(n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < R.cols(); ++j)
        if (R(i, j) != 0) result[static_cast<std::size_t>(i)].emplace_back(j, R(i, j));
    return result;
  }
};

TEST(Normals, AreRemovedFromDirections) {
  const Example example;
  Random random(7);
  std::normal_distribution<double> normal;
  VectorXd y = VectorXd::NullaryExpr(example.R.cols(), [&] { return normal(random); });
  const MatrixXd free = linear::null_space(example.R, 1e-10);
  ASSERT_EQ(free.cols(), 4);
  const VectorXd expected = free * (free.transpose() * y);
  example.normals.remove_from(y);
  EXPECT_LE((y - expected).norm(), 1e-13);
}

TEST(Normals, GiveTheShortestChange) {
  const Example example;
  VectorXd wanted = example.R * VectorXd::LinSpaced(example.R.cols(), -1, 2);
  const VectorXd expected = linear::shortest_least_squares(example.R, wanted);
  EXPECT_LE((example.normals.shortest(wanted) - expected).norm(), 1e-10 * expected.norm());
}

TEST(Normals, TellHowIndependentTheyAre) {
  EXPECT_EQ(Example().normals.least_share(), 0);
  const double angle = 1e-3;
  const linear::Normals close({{{0, 2.0}}, {{0, 5 * std::cos(angle)}, {1, 5 * std::sin(angle)}}}, 2);
  EXPECT_NEAR(close.least_share(), std::sin(angle), 1e-12);
  EXPECT_NEAR((close.lengths() - Eigen::Vector2d(2, 5)).norm(), 0, 1e-15);
}

TEST(SparseRows, AreTheirDenseMatrix) {
  linear::SparseRows A(4, 3, {{0, 0}, {0, 2}, {2, 1}});  // two rows have no entries
  A.values << 1, -2, 3;
  MatrixXd expected(4, 3);
  expected << 1, 0, -2, 0, 0, 0, 0, 3, 0, 0, 0, 0;
  EXPECT_EQ(A.dense(), expected);
  const Eigen::Vector3d x(1, 2, 4);
  EXPECT_EQ(A.times(x), expected * x);
  const Eigen::Vector4d y(1, 5, 2, 7);
  VectorXd from = VectorXd::Constant(3, 10);
  A.subtract_transposed(y, from);
  EXPECT_EQ(from, VectorXd::Constant(3, 10) - expected.transpose() * y);
  EXPECT_EQ(A.row_norm(0), std::sqrt(5.0));
  A.values(2) = NAN;
  EXPECT_TRUE(A.is_finite(0));
  EXPECT_FALSE(A.is_finite(2));
}

}  // namespace
}  // namespace hamel::test
