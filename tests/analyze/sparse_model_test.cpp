// Slow modes of long chains: beside the dense ones, and beside the roots x of Laguerre's polynomial, omega^2 = x g/l of
// n equal links; the first of them are near those of a rope, x = j^2/(4n + 2) with the zeros j of Bessel's function J0.
#include "hamel/analyze/sparse_model.hpp"

#include <gtest/gtest.h>

#include "hamel/analyze/spectrum.hpp"
#include "hamel/manifold/spaces.hpp"

namespace hamel::test::sparse_model_test {
namespace {

constexpr double g = 9.81, length = 2;

Model chain(int n, bool on_cart = false) {
  Model model("chain");
  const auto q = model.coordinates<S2>("q", n);
  const double l = length / n, m = 3.0 / n;
  Formula place = Formula(Eigen::Vector3d(0, 0, 0));
  if (on_cart) {
    const auto x = model.coordinate("x", Rn(2));
    place = x.x() * unit_vector(0) + x.y() * unit_vector(1);
    model.kinetic(0.5 * squared_norm(rate(x)));
  }
  for (int k = 0; k < n; ++k) {
    place = place + l * q[static_cast<std::size_t>(k)];
    model.kinetic(m / 2 * squared_norm(rate(place)));
    model.potential(m * g * place.z());
  }
  return model;
}

State at_rest(const System& system, int n, double up) {
  VectorXd q = VectorXd::Zero(system.ambient());
  for (int k = 0; k < n; ++k) q(3 * k + 2) = up;
  return {0, q, VectorXd::Zero(q.size())};
}

TEST(SparseModels, HaveTheModesOfDenseOnes) {
  for (const bool on_cart : {false, true})
    for (const double up : {-1.0, 1.0}) {
      const int n = 50, count = 20;
      const System system = derive(chain(n, on_cart));
      const State state = at_rest(system, n, up);
      const LinearModel dense = linearize(system, state);
      const ScaledModel s = scaled(dense);
      VectorXd squares = Eigen::SelfAdjointEigenSolver<MatrixXd>(s.K).eigenvalues();
      const LowestModes found = lowest_modes(sparse_linear_model(system, state), count);
      ASSERT_EQ(found.squares.size(), count);
      const double largest = squares.cwiseAbs().maxCoeff();
      for (int k = 0; k < count; ++k)
        EXPECT_NEAR(found.squares(k), squares(k), 1e-9 * std::max(std::abs(squares(k)), 1e-3 * largest))
            << on_cart << " " << up << " " << k;
    }
}

TEST(SparseModels, OfAThousandLinksAreThoseOfARope) {
  const int n = 1000;
  const System system = derive(chain(n));
  const SparseModel model = sparse_linear_model(system, at_rest(system, n, -1));
  EXPECT_EQ(model.degrees_of_freedom(), 2 * n);
  EXPECT_LT(model.M.nonZeros() + model.K.nonZeros() + model.C.nonZeros(), 60 * n);
  const LowestModes found = lowest_modes(model, 20);
  const double zeros[] = {2.404825557695773, 5.520078110286311, 8.653727912911013, 11.79153443901428,
                          14.93091770848779, 18.07106396791092, 21.21163662987926, 24.35247153074930,
                          27.49347913204025, 30.63460646843198};
  for (int k = 0; k < 20; ++k) {
    const double zero = zeros[k / 2], nu = 4 * n + 2;
    const double root = zero * zero / nu * (1 + (zero * zero - 2) / (3 * nu * nu));  // Tricomi
    EXPECT_NEAR(found.squares(k), root * g * n / length, 1e-8 * root * g * n / length) << k;
    EXPECT_NEAR(found.squares(k), g / (4 * length) * zero * zero, 1e-3 * found.squares(k)) << k;
  }
}

TEST(SparseModels, SayWhatTheyAreNotFor) {
  const Model model = chain(3);
  const System system = derive(model);
  State off = at_rest(system, 3, -1);
  off.q.head(3) = Eigen::Vector3d(0.6, 0, -0.8);
  EXPECT_THROW(sparse_linear_model(system, off), std::domain_error);
}

}  // namespace
}  // namespace hamel::test::sparse_model_test
