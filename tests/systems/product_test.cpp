// Book section 8.3: particles x_i coupled through T = sum m_ij x_i'.x_j' / 2, each on a sphere or in a plane.
#include <Eigen/LU>
#include <hamel/manifold/embedded.hpp>
#include <hamel/manifold/s1.hpp>
#include <hamel/manifold/s2.hpp>

#include "gallery/files.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/mechanics/field.hpp"
#include "systems/bodies.hpp"

namespace hamel::test::product_test {
namespace {

constexpr int count = 3;
const Matrix3d coupling{{3.0, 0.8, -0.5}, {0.8, 1.7, 0.4}, {-0.5, 0.4, 2.2}};

Model coupled(const std::vector<Manifold>& spaces) {
  Model model("coupled particles");
  std::vector<Formula> x;
  for (int i = 0; i < count; ++i)
    x.push_back(model.coordinate("x[" + std::to_string(i) + "]", spaces[static_cast<std::size_t>(i)]));
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      model.kinetic(coupling(i, j) / 2 *
                    dot(rate(x[static_cast<std::size_t>(i)]), rate(x[static_cast<std::size_t>(j)])));
  model.potential(1.9 * dot(x[0], x[1]) + 0.7 * squared_norm(x[1] - 2 * x[2]) + 9.81 * x[0][1]);
  return model;
}

VectorXd potential_gradient(const VectorXd& x) {
  const Eigen::Index n = x.size() / count;
  const VectorXd x0 = x.head(n), x1 = x.segment(n, n), x2 = x.tail(n), apart = 1.4 * (x1 - 2 * x2);
  return stack({1.9 * x1 + 9.81 * VectorXd::Unit(n, 1), 1.9 * x0 + apart, -2 * apart});
}

// From x' to mu: m_ii I on the diagonal, m_ij P_i off it.
MatrixXd projected_mass(const std::vector<MatrixXd>& P) {
  const Eigen::Index n = P[0].rows();
  MatrixXd K(count * n, count * n);
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      K.block(i * n, j * n, n, n) = i == j ? MatrixXd(coupling(i, i) * MatrixXd::Identity(n, n))
                                           : MatrixXd(coupling(i, j) * P[static_cast<std::size_t>(i)]);
  return K;
}

VectorXd projected(const std::vector<MatrixXd>& P, const VectorXd& y) {
  std::vector<VectorXd> parts;
  for (int i = 0; i < count; ++i)
    parts.push_back(P[static_cast<std::size_t>(i)] * y.segment(i * P[0].rows(), P[0].rows()));
  return stack(parts);
}

std::vector<MatrixXd> sphere_projectors(const VectorXd& x) {
  std::vector<MatrixXd> P;
  const Eigen::Index n = x.size() / count;
  for (int i = 0; i < count; ++i) P.push_back(projector(x.segment(i * n, n)));
  return P;
}

using Gradient = std::function<VectorXd(const VectorXd& x)>;

ByHand on_spheres(const Gradient& U_x = potential_gradient) {
  ByHand hand;
  hand.velocity = [=](const VectorXd& x, const VectorXd& v) -> VectorXd {  // book (8.25), (8.28)
    const auto P = sphere_projectors(x);
    const Eigen::Index n = x.size() / count;
    VectorXd right = -projected(P, U_x(x));
    for (int i = 0; i < count; ++i)
      right.segment(i * n, n) -= coupling(i, i) * v.segment(i * n, n).squaredNorm() * x.segment(i * n, n);
    return linear::solve(projected_mass(P), right);
  };
  hand.mu = [=](const VectorXd& x, const VectorXd& mu) -> Rates {  // book (8.26), (8.27), (8.29), (8.30), corrected
    const auto P = sphere_projectors(x);
    const Eigen::Index n = x.size() / count;
    const VectorXd v = linear::solve(projected_mass(P), mu);
    VectorXd mu_rate = -projected(P, U_x(x));
    for (int i = 0; i < count; ++i) {
      VectorXd others = VectorXd::Zero(n);
      for (int j = 0; j < count; ++j)
        if (j != i) others += coupling(i, j) * v.segment(j * n, n);
      const VectorXd xi = x.segment(i * n, n), vi = v.segment(i * n, n);
      mu_rate.segment(i * n, n) -= mu.segment(i * n, n).dot(vi) * xi + xi.dot(others) * vi;
    }
    return {v, mu_rate};
  };
  return hand;
}

TEST(ProductOfSpheres, Circles) { expect_by_hand(coupled({S1{}, S1{}, S1{}}), on_spheres()); }

TEST(ProductOfSpheres, Spheres) { expect_by_hand(coupled({S2{}, S2{}, S2{}}), on_spheres()); }

// U = sum G_i (x_i, up) + kappa sum (1 - x_i.x_j)
TEST(ProductOfSpheres, FilesOfTheGallery) {
  const Vector3d G(1.5, 0.7, 2.1);
  constexpr double kappa = 0.9;
  const auto U_x = [=](const VectorXd& x) {
    const Eigen::Index n = x.size() / count;
    VectorXd result(x.size());
    for (int i = 0; i < count; ++i) {
      result.segment(i * n, n) = G(i) * VectorXd::Unit(n, n - 1);
      for (int j = 0; j < count; ++j)
        if (j != i) result.segment(i * n, n) -= kappa * x.segment(j * n, n);
    }
    return result;
  };
  for (const char* id : {"coupled-s1-n", "coupled-s2-n"})
    expect_by_hand(from_gallery(id, {{"m", coupling}, {"G", G}, {"kappa", kappa}}), on_spheres(U_x));
}

// The printed equation (8.30) would give mu1' = (-0.95, 0, -29.43), mu2' = (0, -0.33, -9.81).
TEST(ProductOfSpheres, Reference) {
  const Matrix2d double_pendulum{{3, 1}, {1, 1}};
  const System system = derive(
      from_gallery("coupled-s2-n", {{"n", 2}, {"m", double_pendulum}, {"G", 9.81 * Vector2d(3, 1)}, {"kappa", 0.0}}));
  VectorXd q(6), v(6), rate_(12), mu(6), mu_rate(6);
  q << 1, 0, 0, 0, 1, 0;
  v << 0, 0.5, 0.2, -0.3, 0, 0.4;
  mu << 0, 1.5, 1, -0.3, 0, 0.6;
  mu_rate << -0.95, 0.15, -29.37, 0.15, -0.33, -10.01;
  Workspace work(system);
  Field field(system, Form::mu);
  const VectorXd y = field.pack(work, {0, q, v});
  field(work, 0, y, rate_);
  EXPECT_LE(distance(y.tail(6), mu), 1e-14);
  EXPECT_LE(distance(rate_.tail(6), mu_rate), 1e-14);

  const State end = state_after(system, {0, q, v}, 1);
  q << -0.36927991769, -0.18966040551, -0.90975890926, -0.95466769879, -0.27578517275, -0.11203625918;
  v << -0.64012942031, -3.77004274377, 1.04578780768, -1.45534203607, 3.59349483242, 3.55541538363;
  EXPECT_LE(distance(end.q, q), 1e-9);
  EXPECT_LE(distance(end.v, v), 1e-9);
  EXPECT_NEAR(system.energy(work, 1, end.q, end.v).total, 0.64, 1e-9);
  const VectorXd pi = Field(system, Form::pi).pack(work, end).tail(6);
  EXPECT_NEAR(pi(2) + pi(5), 1.8, 1e-9);
}

// Planes and lines A_i x = b_i.
TEST(ProductOfLinearManifolds, AffineSubspaces) {
  const std::vector<MatrixXd> A = {MatrixXd{{1, 2, -1}}, MatrixXd{{0, 1, 1}, {2, 0, 1}}, MatrixXd{{3, -1, 1}}};
  std::vector<Manifold> spaces;
  std::vector<MatrixXd> P;
  for (const MatrixXd& rows : A) {
    const VectorXd b = VectorXd::LinSpaced(rows.rows(), 0.5, 1.5);
    const auto plane = [rows, b](const VectorXe& x) -> VectorXe { return rows.cast<Expr>() * x - b.cast<Expr>(); };
    spaces.push_back(Embedded(3, plane, "affine subspace"));
    P.push_back(MatrixXd::Identity(3, 3) - rows.transpose() * linear::inverse(rows * rows.transpose()) * rows);
  }
  ByHand hand;
  hand.velocity = [=](const VectorXd& x, const VectorXd&) -> VectorXd {  // book (8.22)
    return linear::solve(projected_mass(P), -projected(P, potential_gradient(x)));
  };
  hand.mu = [=](const VectorXd& x, const VectorXd& mu) -> Rates {  // book (8.23), (8.24)
    return {linear::solve(projected_mass(P), mu), -projected(P, potential_gradient(x))};
  };
  expect_by_hand(coupled(spaces), hand);
}

}  // namespace
}  // namespace hamel::test::product_test
