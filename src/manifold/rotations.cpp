#include <Eigen/Geometry>

#include "hamel/manifold/any_manifold.hpp"
#include "hamel/manifold/se3.hpp"
#include "hamel/manifold/so3.hpp"
#include "hamel/manifold/symmetry.hpp"

namespace hamel {
namespace rotations {

Eigen::Matrix3d random(Random& random) {
  std::normal_distribution<double> normal;
  for (;;) {
    Eigen::Quaterniond quaternion;
    quaternion.coeffs() = Eigen::Vector4d::NullaryExpr([&] { return normal(random); });
    if (quaternion.norm() > 1e-3) return quaternion.normalized().toRotationMatrix();
  }
}

}  // namespace rotations

namespace {

// R -> L R and R -> R L on the nine numbers of R.
void add_left(MatrixXd& A, const Eigen::Matrix3d& L) {
  for (int j = 0; j < 3; ++j) A.block<3, 3>(3 * j, 3 * j) += L;
}
void add_right(MatrixXd& A, const Eigen::Matrix3d& L) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) A(3 * j + i, 3 * k + i) += L(k, j);
}

AffineField zero_field(std::string name, int ambient) {
  return {std::move(name), MatrixXd::Zero(ambient, ambient), VectorXd::Zero(ambient)};
}

Eigen::Matrix3d generator(int k) { return hat(Eigen::Vector3d::Unit(k)); }

}  // namespace

std::vector<AffineField> SO3::symmetries() const {
  std::vector<AffineField> fields;
  for (int k = 0; k < 3; ++k)
    add_left(fields.emplace_back(zero_field(fmt::format("left rotation about e{}", k + 1), 9)).A, generator(k));
  for (int k = 0; k < 3; ++k)
    add_right(fields.emplace_back(zero_field(fmt::format("right rotation about e{}", k + 1), 9)).A, generator(k));
  return fields;
}

std::vector<AffineField> SE3::symmetries() const {
  std::vector<AffineField> fields;
  const auto add = [&](const char* what, int k) -> AffineField& {
    return fields.emplace_back(zero_field(fmt::format("{} e{}", what, k + 1), 12));
  };
  for (int k = 0; k < 3; ++k) {
    MatrixXd& A = add("left rotation about", k).A;
    add_left(A, generator(k));
    A.bottomRightCorner<3, 3>() = generator(k);
  }
  for (int k = 0; k < 3; ++k) add("left translation along", k).b(9 + k) = 1;
  for (int k = 0; k < 3; ++k) add_right(add("right rotation about", k).A, generator(k));
  for (int k = 0; k < 3; ++k) add("right translation along", k).A.block<3, 3>(9, 3 * k).setIdentity();  // x' = R e_k
  for (int k = 0; k < 3; ++k) add_left(add("left rotation of the attitude about", k).A, generator(k));
  return fields;
}

VectorXd SE3::random_point(Random& random) const {
  std::normal_distribution<double> normal;
  VectorXd q(12);
  q << rotations::random(random).reshaped(), normal(random), normal(random), normal(random);
  return q;
}

VectorXd SE3::reference_point() const { return Eigen::Matrix<double, 3, 4>::Identity().reshaped(); }

VectorXd SO3::random_point(Random& random) const { return rotations::random(random).reshaped(); }
VectorXd SO3::reference_point() const { return Eigen::Matrix3d::Identity().reshaped(); }

template Manifold::Manifold(SO3);
template Manifold::Manifold(SE3);

}  // namespace hamel
