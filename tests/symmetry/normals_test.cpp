// Sparse normals against dense algebra.
#include "symmetry/normals.hpp"

#include <gtest/gtest.h>

#include "hamel/linear/dense.hpp"

namespace hamel::test {
namespace {

// Rods between neighbours, one between the ends, and one that follows from the first two.
struct Example {
  static constexpr Eigen::Index n = 12;
  MatrixXd R = MatrixXd::Zero(n, n + 3);
  Normals normals;

  Example() : normals(rows(), n + 3) {}

  std::vector<Normals::Row> rows() {
    Random random(5);
    std::normal_distribution<double> normal;
    const auto set = [&](Eigen::Index row, Eigen::Index column) {
      R(row, column) = std::pow(10, row % 4) * normal(random);
    };
    for (Eigen::Index i = 0; i < n - 1; ++i)
      for (Eigen::Index j = i; j < i + 3; ++j) set(i, j);
    set(n - 2, 0);
    R.row(n - 1) = R.row(0) - 0.3 * R.row(1);
    std::vector<Normals::Row> result(n);
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

}  // namespace
}  // namespace hamel::test
