// What holds on particular factors: agreement of different descriptions of one manifold, limits, messages.
#include "hamel/manifold/factors.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numbers>

#include "manifold/gallery.hpp"
#include "message.hpp"

namespace hamel::gallery {
namespace {

constexpr double pi = std::numbers::pi;

using test::message_of;

template <class Function>
void expect_error(Function function, const std::string& part) {
  const std::string text = message_of(function);
  EXPECT_NE(text.find(part), std::string::npos) << "the message was: " << text;
}

// (R, x) as the 4 x 4 matrix [R x; 0 1].
VectorXd homogeneous_matrix(const VectorXd& q, double corner) {
  MatrixXd g = MatrixXd::Zero(4, 4);
  g.topRows(3) = q.reshaped(3, 4);
  g(3, 3) = corner;
  return g.reshaped();
}

TEST(Rotations, AgreeWithTheGroupGivenByItsAlgebra) {
  const Manifold &so3 = named("SO3"), &group = named("GroupSO3");
  Random random(3);
  for (int k = 0; k < 10; ++k) {
    const VectorXd q = so3.random_point(random), v = so3.random_tangent(q, random);
    const VectorXd a = so3.random_tangent(q, random);
    EXPECT_LE((rates(so3, q, v) - rates(group, q, v)).norm(), 1e-14);
    const VectorXd turned = exponential(so3, q, v);
    EXPECT_LE((turned - exponential(group, q, v)).norm(), 1e-14);
    EXPECT_LE((logarithm(so3, q, turned) - logarithm(group, q, turned)).norm(), 1e-13);
    EXPECT_LE((tangent_project(so3, q, turned) - tangent_project(group, q, turned)).norm(), 1e-14);
    const VectorXd off = q + 1e-2 * turned;
    EXPECT_LE((project(so3, off) - project(group, off)).norm(), 1e-13);
    Eigen::Vector3d one, two;
    so3.rates_of_acceleration(q, v, a, one);
    group.rates_of_acceleration(q, v, a, two);
    EXPECT_LE((one - two).norm(), 1e-13);
  }
  EXPECT_NEAR(group.injectivity_radius(), so3.injectivity_radius(), 1e-4);
}

TEST(RigidDisplacements, AgreeWithTheGroupGivenByItsAlgebra) {
  const Manifold &se3 = named("SE3"), &group = named("GroupSE3");
  Random random(3);
  for (int k = 0; k < 10; ++k) {
    const VectorXd q = se3.random_point(random), v = se3.random_tangent(q, random);
    const VectorXd g = homogeneous_matrix(q, 1), w = homogeneous_matrix(v, 0);
    EXPECT_LE((rates(se3, q, v) - rates(group, g, w)).norm(), 1e-13);
    const VectorXd moved = exponential(se3, q, v);
    EXPECT_LE((homogeneous_matrix(moved, 1) - exponential(group, g, w)).norm(), 1e-13);
    EXPECT_LE((homogeneous_matrix(logarithm(se3, q, moved), 0) - w).norm(), 1e-12);
    VectorXd one(6), two(6);
    se3.rates_of_acceleration(q, v, 2 * v, one);
    group.rates_of_acceleration(g, w, 2 * w, two);
    EXPECT_LE((one - two).norm(), 1e-13);
  }
  EXPECT_NEAR(group.injectivity_radius(), se3.injectivity_radius(), 1e-4);
  EXPECT_EQ(se3.symmetries().size(), group.symmetries().size() + 3);  // and the attitude turns alone
}

TEST(Spheres, FiveDescriptionsAgree) {
  const Manifold& s2 = named("S2");
  Random random(5);
  for (const char* label : {"Sphere2", "EmbeddedSphere", "ProjectedSphere", "OrbitS2"}) {
    const Manifold& other = named(label);
    EXPECT_EQ(other.dimension(), 2);
    EXPECT_EQ(other.symmetries().size(), 3U) << label;
    for (int k = 0; k < 5; ++k) {
      const VectorXd q = s2.random_point(random), v = s2.random_tangent(q, random), any = VectorXd::Random(3);
      EXPECT_LE(other.defect(q), 1e-15);
      EXPECT_LE((tangent_project(s2, q, any) - tangent_project(other, q, any)).norm(), 1e-14);
      const VectorXd near = q + 1e-2 * any;
      EXPECT_LE((project(s2, near) - project(other, near)).norm(), 1e-14) << label;
      const auto bend = [&](const Manifold& m) {
        return value([&](auto& x, auto& y) { return m.curvature(x, y); }, q, v);
      };
      EXPECT_LE((bend(s2) - bend(other)).norm(), 1e-13) << label;
      if (other.has_exponential()) {
        EXPECT_LE((exponential(s2, q, v) - exponential(other, q, v)).norm(), 1e-14) << label;
      }
    }
  }
  EXPECT_LE((rates(s2, Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX()) - Eigen::Vector3d::UnitY()).norm(), 0);
}

TEST(Spheres, ReachAllButTheAntipode) {
  for (const char* label : {"S1", "S2", "Sphere5"}) {
    const Manifold& m = named(label);
    Random random(9);
    const VectorXd q = m.random_point(random), direction = unit_tangent(m, q, random);
    for (const double left : {1e-1, 1e-3, 1e-6}) {
      const VectorXd v = (pi - left) * direction, far = exponential(m, q, v);
      EXPECT_LE((logarithm(m, q, far) - v).norm(), 1e-14 / left) << label;
      EXPECT_NEAR(logarithm(m, q, far).norm(), pi - left, 1e-14);
      const VectorXd w = inverse_retract(m, q, far);
      EXPECT_LE((retract(m, q, w) - far).norm(), 1e-14) << label;
    }
    EXPECT_THROW(logarithm(m, q, -q), std::domain_error);
    EXPECT_THROW(inverse_retract(m, q, -q), std::domain_error);
    EXPECT_LT(logarithm(m, q, exponential(m, q, 1.001 * pi * direction)).norm(), pi);  // past the injectivity radius
    EXPECT_THROW(project(m, 0 * q), std::domain_error);
  }
}

TEST(Spheres, AnErrorOfTheNormDoesNotGrow) {
  const Manifold& m = named("S2");
  Random random(2);
  VectorXd q = m.random_point(random);
  for (int step = 0; step < 100000; ++step) m.retract(q, 0.1 * Eigen::Vector3d(q(1), -q(0), 0), q);
  EXPECT_LE(m.defect(q), 1e-13);
}

TEST(Rotations, DoNotDriftOverManySteps) {
  const Manifold& m = named("SO3");
  VectorXd q = m.reference_point(), v(9);
  for (int step = 0; step < 100000; ++step) {
    m.velocity(q, Eigen::Vector3d(0.01, 0.02, -0.03), v);
    m.retract(q, v, q);
  }
  EXPECT_LE(m.defect(q), 1e-12);
}

TEST(Rotations, ReachNearlyAHalfTurn) {
  for (const char* label : {"SO3", "SE3"}) {
    const Manifold& m = named(label);
    Random random(9);
    const VectorXd q = m.random_point(random);
    VectorXd xi = VectorXd::Zero(m.rates());
    xi.head(3) = Eigen::Vector3d(1, -2, 2) / 3;
    for (const double left : {1e-1, 1e-3, 1e-6}) {
      const VectorXd v = velocity(m, q, (pi - left) * xi), far = exponential(m, q, v);
      EXPECT_LE((logarithm(m, q, far) - v).norm(), 1e-13) << label << " " << left;
      EXPECT_LE((retract(m, q, inverse_retract(m, q, far)) - far).norm(), 1e-12) << label << " " << left;
    }
    const VectorXd past = exponential(m, q, velocity(m, q, 1.001 * pi * xi));
    EXPECT_LT(rates(m, q, logarithm(m, q, past)).head(3).norm(), pi);
  }
}

TEST(Rotations, ReflectionsAreRefused) {
  const Manifold& m = named("SO3");
  const VectorXd reflection = Eigen::Vector3d(1, 1, -1).asDiagonal().toDenseMatrix().reshaped();
  EXPECT_NEAR(m.defect(reflection), 2, 1e-15);
  EXPECT_THROW(project(m, reflection), std::domain_error);  // no single nearest rotation
  const VectorXd bent = Eigen::Vector3d(1.1, 0.9, -0.1).asDiagonal().toDenseMatrix().reshaped();
  EXPECT_LE((project(m, bent) - m.reference_point()).norm(), 1e-15);
}

TEST(Groups, MembershipHoldsWhereThereIsNoLogarithm) {
  const VectorXd half_turn = Eigen::Vector3d(-1, -1, 1).asDiagonal().toDenseMatrix().reshaped();
  EXPECT_LE(named("GroupSO3").defect(half_turn), 1e-13);
  const VectorXd squeeze = Eigen::Vector2d(-2, -0.5).asDiagonal().toDenseMatrix().reshaped();
  EXPECT_LE(named("GroupSL2").defect(squeeze), 1e-13);
  EXPECT_THROW(logarithm(named("GroupSL2"), named("GroupSL2").reference_point(), squeeze), std::domain_error);
}

TEST(Groups, MembershipIsRefusedToOtherMatrices) {
  const VectorXd reflection = Eigen::Vector3d(1, 1, -1).asDiagonal().toDenseMatrix().reshaped();
  EXPECT_GE(named("GroupSO3").defect(reflection), 1);
  EXPECT_NEAR(named("GroupSO3").defect(1.1 * named("SO3").reference_point()), 0.1 * std::sqrt(3.0), 1e-12);
  EXPECT_GE(named("Heisenberg").defect(2 * named("Heisenberg").reference_point()), 1);
  EXPECT_GE(named("GroupSL2").defect(VectorXd::Zero(4)), 0.5);
}

TEST(Groups, InjectivityRadii) {
  EXPECT_NEAR(named("GroupSO2").injectivity_radius(), std::sqrt(2.0) * pi, 1e-9);
  EXPECT_NEAR(named("GroupSE2").injectivity_radius(), std::sqrt(2.0) * pi, 1e-4);
  EXPECT_NEAR(named("GroupSL2").injectivity_radius(), std::sqrt(2.0) * pi, 1e-4);
  EXPECT_EQ(named("Heisenberg").injectivity_radius(), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(named("OrbitS2").injectivity_radius(), pi, 1e-6);
  EXPECT_NEAR(named("OrbitS1").injectivity_radius(), pi, 1e-9);
  EXPECT_NEAR(product({S2{}, Rn{2}, SO3{}}).injectivity_radius(), pi, 1e-15);
}

TEST(Groups, BadAlgebrasAreRefused) {
  std::vector<MatrixXd> open = so3();
  open.pop_back();
  expect_error([&] { LieGroup(open, "half of SO(3)"); }, "[E1, E2] leaves their span by 1.4e+00");
  std::vector<MatrixXd> redundant = so3();
  redundant.push_back(redundant[0] + redundant[1]);
  expect_error([&] { LieGroup(redundant, "SO(3) and more"); }, "span only 3 dimensions");
  EXPECT_THROW(LieGroup({}, "nothing"), std::invalid_argument);
  EXPECT_THROW(LieGroup({MatrixXd::Zero(2, 3)}, "not square"), std::invalid_argument);
}

TEST(Orbits, HyperbolicPlaneMovesByItsGroup) {
  const Manifold& m = named("OrbitHyperboloid");
  EXPECT_EQ(m.dimension(), 2);
  EXPECT_EQ(m.rates(), 3);
  Random random(1);
  const VectorXd q = m.random_point(random), v = unit_tangent(m, q, random), xi = rates(m, q, v);
  EXPECT_NEAR(q(2) * q(2) - q(0) * q(0) - q(1) * q(1), 1, 1e-13 * q.squaredNorm());
  const double t = 0.7, h = 1e-4;
  const VectorXd rate = (exponential(m, q, (t + h) * v) - exponential(m, q, (t - h) * v)) / (2 * h);
  EXPECT_LE((rate - velocity(m, exponential(m, q, t * v), xi)).norm(), 1e-7 * q.squaredNorm());
}

TEST(Orbits, BadOnesAreRefused) {
  const VectorXd origin = VectorXd::Zero(3);
  EXPECT_THROW(Homogeneous(so3(), origin, "a point"), std::invalid_argument);
  EXPECT_THROW(Homogeneous(so3(), VectorXd::Zero(2), "too small"), std::invalid_argument);
  EXPECT_GE(named("OrbitS2").defect(VectorXd::Constant(3, 2.0)), 2);
}

TEST(EmbeddedManifolds, DependentConstraintsAreRefused) {
  const auto twice = [](const VectorXe& x) {
    VectorXe c(2);
    c << x.squaredNorm() - 1, 2 * x.squaredNorm() - 2;
    return c;
  };
  expect_error([&] { Embedded(3, twice, "twice"); }, "rank 1, so dimension 2 and not 1");
  const auto nowhere = [](const VectorXe& x) -> VectorXe { return VectorXe::Constant(1, x.squaredNorm() + 1); };
  expect_error([&] { Embedded(3, nowhere, "nowhere"); }, "no point of nowhere was found");
  const auto all = [](const VectorXe& x) { return x; };
  expect_error([&] { Embedded(3, all, "a point"); }, "nothing can move");
}

TEST(EmbeddedManifolds, TooLongStepsAreRefused) {
  const Manifold& m = named("EmbeddedSphere");
  const VectorXd q = m.reference_point();
  Random random(4);
  expect_error([&] { retract(m, q, 1.5 * unit_tangent(m, q, random)); }, "take a shorter v");
}

TEST(EmbeddedManifolds, FormulasEndWithTheCodimension) {
  const auto c = [](const VectorXe& x) -> VectorXe { return x.head(4) + VectorXe(x.head(4).cwiseProduct(x.tail(4))); };
  const Manifold m = Embedded(5, c, "of codimension 4");
  EXPECT_EQ(m.dimension(), 1);
  EXPECT_FALSE(m.has_formulas());
  EXPECT_TRUE(m.has_constraints());
  const VectorXd q = m.reference_point();
  EXPECT_THROW(value([&](auto& x, auto& y) { return m.tangent_project(x, y); }, q, q), std::invalid_argument);
}

TEST(ProjectedManifolds, WhatIsNoProjectionIsRefused) {
  const auto half = [](const VectorXe& x) -> VectorXe { return x * Expr(0.5); };
  expect_error([&] { Projected(3, 2, half, "half"); }, "is not a projection");
  const auto flat = [](const VectorXe& x) -> VectorXe {
    VectorXe y = x;
    y(2) = 0;
    return y;
  };
  expect_error([&] { Projected(3, 1, flat, "plane"); }, "has rank 2");
}

TEST(Symmetries, HaveNamesAndNumbers) {
  EXPECT_EQ(named("S1").symmetries().front().name, "rotation");
  const std::vector<AffineField> turns = named("S2").symmetries();
  for (const AffineField& turn : turns) {  // x -> e_k cross x
    const Eigen::Vector3d axis = Eigen::Vector3d::Unit(turn.name.back() - '1');
    EXPECT_EQ(turn.A, hat(axis)) << turn.name;
  }
  EXPECT_EQ(named("Sphere5").symmetries().size(), 15U);
  EXPECT_EQ(Manifold(Rn{3}).symmetries().size(), 12U);
  EXPECT_EQ(named("R5").symmetries().size(), 15U);
  EXPECT_EQ(named("SO3").symmetries().size(), 6U);
  EXPECT_EQ(named("SE3").symmetries().size(), 15U);
  EXPECT_EQ(named("GroupSO2").symmetries().size(), 1U);  // left and right are the same
  EXPECT_EQ(named("Torus").symmetries().size(), 1U);
  EXPECT_EQ(named("Torus").symmetries().front().name, "(-x2, x1, 0)");
  EXPECT_EQ(named("Ellipsoid").symmetries().size(), 3U);
  EXPECT_EQ(named("Product").symmetries().size(), 3U + 6U + 6U);
}

TEST(Products, AreFlatAndNamed) {
  EXPECT_EQ(named("Product").name(), "S2 x R2 x SO3");
  EXPECT_EQ(named("NestedProduct").factors().size(), 5U);
  EXPECT_EQ(product({product({S2{}, S2{}, S2{}}), S2{}, Rn{1}}).name(), "S2^4 x R1");
  EXPECT_EQ(product({S2{}}).name(), "S2");
  EXPECT_EQ(named("S2").factors().size(), 1U);
  EXPECT_THROW(product({}), std::invalid_argument);
}

TEST(Products, OfTenThousandFactorsAreCheap) {
  const auto start = std::chrono::steady_clock::now();
  const Manifold m = product(std::vector<Manifold>(10000, Manifold(S2{})));
  Random random(1);
  const VectorXd q = m.random_point(random), v = m.random_tangent(q, random);
  const VectorXd moved = retract(m, q, v);
  EXPECT_LE((inverse_retract(m, q, moved) - v).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NO_THROW(m.check(moved, "q"));
  expect_error([&] { m.symmetries(); }, "factors()");
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(passed.count(), 2.0);  // about 0.02 on an idle machine
}

TEST(Checks, SayWhatIsWrong) {
  const Eigen::Vector3d long_q(0, 0, 1.00015);
  EXPECT_EQ(message_of([&] { named("S2").check(long_q, "q"); }),
            "q is not on S2: | |q|^2 - 1 | = 3.0e-04 (tolerance 1e-09); project it first or correct the numbers");
  EXPECT_NO_THROW(named("S2").check(long_q, "q", 1e-3));
  VectorXd q = named("Product").reference_point();
  q(5) = 2;
  expect_error([&] { named("Product").check(q, "start"); }, "start (factor 3 of 3, entries 6 to 14) is not on SO3");
  q(5) = std::numeric_limits<double>::infinity();
  expect_error([&] { named("Product").check(q, "start"); }, "entry 6 of 14 is inf");
  expect_error([&] { named("S2").check(VectorXd::Zero(2), "q"); }, "2 numbers, but 3");
  EXPECT_THROW(Rn(0), std::invalid_argument);
  EXPECT_THROW(Sphere(0), std::invalid_argument);
}

TEST(Scalars, LongDoubleGivesMoreDigits) {
  using V = Eigen::Matrix<long double, 9, 1>;
  const SO3 so3;
  V q = Matrix3<long double>::Identity().reshaped(), v, moved, back;
  const Vector3<long double> Omega(0.3L, -0.4L, 0.5L);
  so3.velocity<long double>(q, Omega, v);
  so3.retract<long double>(q, v, moved);
  EXPECT_LE(so3.defect<long double>(moved), 1e-18L);
  so3.inverse_retract<long double>(q, moved, back);
  EXPECT_LE((back - v).norm(), 2e-18L);
  const Vector3<long double> north(0, 0, 1), tangent(0.1L, 0.2L, 0);
  Vector3<long double> reached;
  S2{}.exponential<long double>(north, tangent, reached);
  EXPECT_LE(S2{}.defect<long double>(reached), 1e-18L);
}

}  // namespace
}  // namespace hamel::gallery
