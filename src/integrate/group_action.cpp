#include "integrate/group_action.hpp"

#include <cmath>
#include <vector>

#include "hamel/manifold/factors.hpp"

namespace hamel {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

// lie_text.cpp has the same operations as text.
class Translations final : public GroupAction {
 public:
  explicit Translations(int n) : n_(n) {}
  int algebra() const override { return n_; }
  void generator(In, In xi, Out A) const override { A = xi; }
  void bracket(In, In, Out result) const override { result.setZero(); }
  void move(In A, Out q) override { q += A; }

 private:
  int n_;
};

class PlaneRotations final : public GroupAction {
 public:
  int algebra() const override { return 1; }
  void generator(In, In xi, Out A) const override { A = xi; }
  void bracket(In, In, Out result) const override { result.setZero(); }
  void move(In A, Out q) override {
    const double s = A(0) * A(0), sine = A(0) * sine_factor(s), versine = s * versine_factor(s);
    const Vector2d turned = sine * quarter_turn(q) - versine * q;
    q += turned;
  }
};

double squared_length(const Vector3d& x) { return x(0) * x(0) + x(1) * x(1) + x(2) * x(2); }

// a (x cross p) + b (x cross (x cross p))
Vector3d turn(const Vector3d& x, double a, double b, const Vector3d& p) {
  const Vector3d once = cross(x, p), twice = cross(x, once);
  return a * once + b * twice;
}

// R exp(x): the rows of R turn by -x.
void turn_body(const Vector3d& x, Eigen::Ref<Matrix3d> R) {
  const double s = squared_length(x), a = sine_factor(s), b = versine_factor(s);
  for (int i = 0; i < 3; ++i) R.row(i) += turn(-x, a, b, R.row(i)).transpose();
}

class SpaceRotations final : public GroupAction {  // of S^2
 public:
  int algebra() const override { return 3; }
  void generator(In, In xi, Out A) const override { A = xi; }
  void bracket(In A, In B, Out result) const override { result = cross(A, B); }
  void move(In A, Out q) override {
    const double s = squared_length(A);
    q += turn(A, sine_factor(s), versine_factor(s), q);
  }
};

class BodyRotations final : public GroupAction {  // of SO(3)
 public:
  int algebra() const override { return 3; }
  void generator(In, In xi, Out A) const override { A = xi; }
  void bracket(In A, In B, Out result) const override { result = cross(B, A); }
  void move(In A, Out q) override { turn_body(A, rotations::matrix<double>(q)); }
};

class BodyScrews final : public GroupAction {  // of SE(3)
 public:
  int algebra() const override { return 6; }
  void generator(In, In xi, Out A) const override { A = xi; }
  // - [(a, v), (b, w)] = - (a x b, a x w - b x v)
  void bracket(In A, In B, Out result) const override {
    const Vector3d a = A.head<3>(), v = A.tail<3>(), b = B.head<3>(), w = B.tail<3>();
    result.head<3>() = cross(b, a);
    result.tail<3>() = cross(b, v) - cross(a, w);
  }
  void move(In A, Out q) override {
    auto R = rotations::matrix<double>(q);
    const Vector3d x = A.head<3>(), v = A.tail<3>();
    const double s = squared_length(x);
    const Vector3d shift = v + turn(x, versine_factor(s), cubic_factor(s), v);
    q.tail<3>() += R.col(0) * shift(0) + R.col(1) * shift(1) + R.col(2) * shift(2);
    turn_body(x, R);
  }
};

// Elements are n x n matrices, column by column; points are n x k matrices X with X' = A X, or k x n with X' = X A.
class MatrixAction : public GroupAction {
 public:
  using Side = Generators::Side;

  int algebra() const override { return static_cast<int>(n_ * n_); }
  void bracket(In A, In B, Out result) const override {
    const auto a = A.reshaped(n_, n_), b = B.reshaped(n_, n_);
    auto c = result.reshaped(n_, n_);
    c.noalias() = a.lazyProduct(b);
    c.noalias() -= b.lazyProduct(a);
    if (side_ == Side::right) result = -result;
  }
  // The series of exp on parts of A that are not longer than 1, until its terms are lost in rounding.
  void move(In A, Out q) override {
    const double size = A.norm();
    const int parts = std::max(1, static_cast<int>(std::ceil(size)));
    for (int part = 0; part < parts; ++part) {
      term_ = q;
      sum_.setZero();
      for (int k = 1; k < most_terms; ++k) {
        multiply(A, 1.0 / (parts * k));
        sum_ += term_;
        if (term_.norm() <= 1e-18 * q.norm()) break;
      }
      q += sum_;
    }
  }

 protected:
  MatrixAction(int n, int ambient, Side side)
      : n_(n), k_(ambient / n), side_(side), term_(VectorXd::Zero(ambient)), next_(term_), sum_(term_) {}
  const Eigen::Index n_, k_;

 private:
  static constexpr int most_terms = 40;

  void multiply(In A, double factor) {
    const auto a = A.reshaped(n_, n_);
    if (side_ == Side::left)
      next_.reshaped(n_, k_).noalias() = factor * a.lazyProduct(term_.reshaped(n_, k_));
    else
      next_.reshaped(k_, n_).noalias() = factor * term_.reshaped(k_, n_).lazyProduct(a);
    term_.swap(next_);
  }

  Side side_;
  VectorXd term_, next_, sum_;
};

class LinearAction final : public MatrixAction {  // A = sum xi_k E_k
 public:
  LinearAction(const Generators& generators, int ambient)
      : MatrixAction(static_cast<int>(generators.matrices.front().rows()), ambient, generators.side),
        E_(generators.matrices) {}
  void generator(In, In xi, Out A) const override {
    A.setZero();
    for (std::size_t k = 0; k < E_.size(); ++k) A += xi(static_cast<Eigen::Index>(k)) * E_[k].reshaped();
  }

 private:
  std::vector<MatrixXd> E_;
};

class SphereRotations final : public MatrixAction {  // of S^n: A = v q^T - q v^T, v = P(q) xi
 public:
  explicit SphereRotations(int ambient) : MatrixAction(ambient, ambient, Side::left) {}
  void generator(In q, In xi, Out A) const override {
    auto a = A.reshaped(n_, n_);
    for (Eigen::Index j = 0; j < n_; ++j) a.col(j) = xi * q(j) - q * xi(j);  // what xi has along q drops out
  }
};

}  // namespace

std::unique_ptr<GroupAction> group_action(const Manifold& factor) {
  if (factor.is_flat()) return std::make_unique<Translations>(factor.ambient());
  if (factor.turning() == Turning::plane) return std::make_unique<PlaneRotations>();
  if (factor.turning() == Turning::direction) return std::make_unique<SpaceRotations>();
  if (factor.is_pose()) return std::make_unique<BodyScrews>();
  if (factor.turning() == Turning::body) return std::make_unique<BodyRotations>();
  if (factor.is_unit_sphere()) return std::make_unique<SphereRotations>(factor.ambient());
  const Generators generators = factor.generators();
  if (generators.matrices.empty()) return nullptr;
  return std::make_unique<LinearAction>(generators, factor.ambient());
}

}  // namespace hamel
