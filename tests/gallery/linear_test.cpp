// Linear models of the gallery by two routes: the equations of a steady motion in a basis of the tangent space, and the
// derivatives of the acceleration, restricted to it.
#include <gtest/gtest.h>

#include "gallery/files.hpp"
#include "hamel/analyze/linear_model.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/mechanics/derivatives.hpp"

namespace hamel::test::linear_test {
namespace {

constexpr int largest_linear = 60;  // ambient coordinates

std::vector<std::string> models_with_equilibria() {
  std::vector<std::string> ids;
  for (const std::string& id : gallery_ids()) {
    const ModelFile file = gallery_model(id);
    int ambient = 0;
    for (const Coordinate& coordinate : file.model.coordinates()) ambient += coordinate.space.ambient();
    if (!file.equilibria.empty() && ambient <= largest_linear) ids.push_back(id);
  }
  return ids;
}

MatrixXd columns(const Derivatives& derivatives, const LinearModel& linear) {
  MatrixXd result(derivatives.natural(), linear.basis.cols());
  for (Eigen::Index j = 0; j < result.cols(); ++j)
    result.col(j) = derivatives.coordinates(linear.at.q, linear.basis.col(j));
  return result;
}

void expect_same(const MatrixXd& a, const MatrixXd& b, double size, const std::string& what) {
  EXPECT_LE((a - b).norm(), 1e-9 * size) << what << "\n" << a << "\n\n" << b;
}

class LinearModels : public testing::TestWithParam<std::string> {};

TEST_P(LinearModels, AgreeWithDerivativesOfTheMotion) {
  const ModelFile file = gallery_model(GetParam());
  const System system = derive(file.model);
  const Linearization linearization(system);
  const Derivatives derivatives(system);
  std::vector<std::string> remarks;
  for (const EquilibriumFinding& claim : examine_equilibria(file, system, remarks)) {
    const LinearModel linear = linearization.at(claim.state);
    const auto [A, B] = linear.first_order();
    const MatrixXd W = columns(derivatives, linear), back = linear::pseudo_inverse(W);
    const Derivative motion = linear.is_field ? derivatives.field(claim.state) : derivatives.acceleration(claim.state);
    const MatrixXd by_point = back * motion.point * W;
    const Eigen::Index n = linear.size();
    expect_same(A.bottomLeftCorner(n, n), by_point, by_point.norm() + A.norm(), claim.name);
    expect_same(B.bottomRows(n), back * motion.inputs, motion.inputs.norm(), claim.name);
    if (linear.is_field) continue;
    const MatrixXd by_velocity = back * motion.velocity * W;
    expect_same(A.bottomRightCorner(n, n), by_velocity, by_velocity.norm() + A.norm(), claim.name);
    if (!linear.has_forces) {
      EXPECT_LE((linear.K - linear.K.transpose()).norm(), 1e-12 * linear.K.norm()) << claim.name;
      EXPECT_LE(linear.D.norm(), 1e-12 * (linear.D + linear.G).norm()) << claim.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Gallery, LinearModels, testing::ValuesIn(models_with_equilibria()),
                         [](const auto& chosen) { return test_name(chosen.param); });

}  // namespace
}  // namespace hamel::test::linear_test
