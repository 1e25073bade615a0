// What must hold on every manifold, at special and at random points.
#include <gtest/gtest.h>

#include "manifold/gallery.hpp"

namespace hamel::gallery {

void PrintTo(const Member& member, std::ostream* out) { *out << member.label; }

namespace {

class Battery : public testing::TestWithParam<Member> {
 protected:
  const Manifold& m = GetParam().manifold;
  Random random{11};

  VectorXd normal_vector(int n) {
    std::normal_distribution<double> normal;
    return VectorXd::NullaryExpr(n, [&] { return normal(random); });
  }
  MatrixXd projector(const VectorXd& q) const {
    MatrixXd P(m.ambient(), m.ambient());
    for (int k = 0; k < m.ambient(); ++k) P.col(k) = tangent_project(m, q, VectorXd::Unit(m.ambient(), k));
    return P;
  }
  static double scale(const VectorXd& q) { return 1 + q.squaredNorm(); }
};

// Derivatives at 0 of a curve of vectors, by differences of the fourth order.
template <class Curve>
VectorXd first_derivative(Curve curve, double h) {
  return (8 * (curve(h) - curve(-h)) - (curve(2 * h) - curve(-2 * h))) / (12 * h);
}
template <class Curve>
VectorXd second_derivative(Curve curve, double h) {
  return (16 * (curve(h) + curve(-h)) - (curve(2 * h) + curve(-2 * h)) - 30 * curve(0)) / (12 * h * h);
}

TEST_P(Battery, PointsAreMembers) {
  for (const VectorXd& q : points(m)) {
    EXPECT_LE(m.defect(q), 1e-14 * scale(q));
    EXPECT_NO_THROW(m.check(q, "q"));
  }
}

TEST_P(Battery, TangentProjectorIsOrthogonal) {
  for (const VectorXd& q : points(m)) {
    const MatrixXd P = projector(q);
    EXPECT_LE((P * P - P).norm(), 1e-13);
    EXPECT_LE((P - P.transpose()).norm(), 1e-13);
    EXPECT_NEAR(P.trace(), m.dimension(), 1e-13);
  }
}

TEST_P(Battery, TangentBasisIsOrthonormalAndInTheRangeOfTheRates) {
  for (const VectorXd& q : points(m)) {
    MatrixXd N(m.ambient(), m.dimension());
    m.tangent_basis(q, N);
    EXPECT_LE((N.transpose() * N - MatrixXd::Identity(m.dimension(), m.dimension())).norm(), 1e-13);
    EXPECT_LE((N * N.transpose() - projector(q)).norm(), 1e-12);
    for (int k = 0; k < m.dimension(); ++k) EXPECT_LE((velocity(m, q, rates(m, q, N.col(k))) - N.col(k)).norm(), 1e-12);
  }
}

TEST_P(Battery, RatesInvertVelocity) {
  for (const VectorXd& q : points(m)) {
    const VectorXd v = m.random_tangent(q, random), xi = rates(m, q, v);
    EXPECT_LE((velocity(m, q, xi) - v).norm(), 1e-12 * scale(q));
    EXPECT_LE((rates(m, q, velocity(m, q, xi)) - xi).norm(), 1e-12 * scale(q) * (1 + xi.norm()));
    const VectorXd any = normal_vector(m.rates()), w = velocity(m, q, any);
    EXPECT_LE((tangent_project(m, q, w) - w).norm(), 1e-13 * scale(q) * (1 + w.norm()));
    EXPECT_LE(rates(m, q, w).norm(), any.norm() * (1 + 1e-9));  // the shortest of all
  }
}

TEST_P(Battery, CovectorsArePairedAlike) {
  for (const VectorXd& q : points(m)) {
    const VectorXd p = normal_vector(m.ambient()), xi = normal_vector(m.rates());
    VectorXd pi(m.rates());
    m.covector_to_rates(q, p, pi);
    EXPECT_NEAR(pi.dot(xi), p.dot(velocity(m, q, xi)), 1e-12 * scale(q) * p.norm() * xi.norm());
  }
}

TEST_P(Battery, AccelerationsSplitIntoRatesAndCurvature) {
  const double h = 2e-3;
  for (const VectorXd& q : points(m)) {
    const VectorXd v = 0.7 * unit_tangent(m, q, random), w = 0.7 * unit_tangent(m, q, random);
    const auto curve = [&](double t) { return retract(m, q, t * v + t * t * w); };
    const auto rates_at = [&](double t) {
      return rates(m, curve(t), first_derivative([&](double s) { return curve(t + s); }, h));
    };
    const VectorXd a = second_derivative(curve, h), xi_dot = first_derivative(rates_at, h);
    const double tolerance = 1e-7 * scale(q) * scale(q);
    VectorXd computed(m.rates());
    m.rates_of_acceleration(q, v, a, computed);
    EXPECT_LE((computed - xi_dot).norm(), tolerance);
    const VectorXd bend = value([&](auto& x, auto& y) { return m.curvature(x, y); }, q, v);
    EXPECT_LE((a - velocity(m, q, xi_dot) - bend).norm(), tolerance);
    EXPECT_LE((a - velocity(m, q, computed) - bend).norm(), tolerance);
  }
}

TEST_P(Battery, RetractionStaysOnTheManifold) {
  for (const VectorXd& q : points(m)) {
    for (const double length : {0.0, 1e-8, 1e-3, 0.5 * GetParam().reach, GetParam().reach}) {
      const VectorXd moved = retract(m, q, length * unit_tangent(m, q, random));
      EXPECT_LE(m.defect(moved), 2e-14 * scale(moved)) << length;
    }
  }
}

TEST_P(Battery, RetractionIsOfFirstOrder) {
  for (const VectorXd& q : points(m)) {
    const VectorXd v = unit_tangent(m, q, random);
    const auto error = [&](double s) { return (retract(m, q, s * v) - q - s * v).norm(); };
    EXPECT_LE(error(1e-8), 1e-14 * scale(q));
    EXPECT_LE(error(1e-3), 1e-5 * scale(q));
    EXPECT_LE(error(1e-4), 0.0101 * error(1e-3) * 1.1 + 1e-13);
  }
}

TEST_P(Battery, InverseRetractionInverts) {
  for (const VectorXd& q : points(m)) {
    for (const double length : {0.0, 1e-8, 1e-3, 0.5 * GetParam().reach, GetParam().reach}) {
      const VectorXd v = length * unit_tangent(m, q, random);
      EXPECT_LE((inverse_retract(m, q, retract(m, q, v)) - v).norm(), 1e-12 * (1 + length) * scale(q)) << length;
    }
  }
}

TEST_P(Battery, ResultMayBeThePointItself) {
  VectorXd q = m.random_point(random);
  const VectorXd v = 0.5 * GetParam().reach * unit_tangent(m, q, random), expected = retract(m, q, v);
  VectorXd moved = q;
  m.retract(moved, v, moved);
  EXPECT_EQ(moved, expected);
  const VectorXd x = q + 1e-3 * v, projected = project(m, x);
  q = x;
  m.project(q, q);
  EXPECT_EQ(q, projected);
}

TEST_P(Battery, LogarithmInvertsExponential) {
  if (!m.has_exponential()) {
    const VectorXd q = m.reference_point();
    EXPECT_THROW(exponential(m, q, q), std::invalid_argument);
    EXPECT_THROW(logarithm(m, q, q), std::invalid_argument);
    EXPECT_THROW(m.injectivity_radius(), std::invalid_argument);
    return;
  }
  for (const VectorXd& q : points(m)) {
    const double radius = std::min(m.injectivity_radius(), 4.0) / (1 + std::log(1 + q.norm()));
    for (const double length : {0.0, 1e-8, 1e-3, 0.5 * radius, 0.95 * radius}) {
      const VectorXd v = length * unit_tangent(m, q, random), other = exponential(m, q, v);
      EXPECT_LE(m.defect(other), 2e-14 * scale(other)) << length;
      EXPECT_LE((logarithm(m, q, other) - v).norm(), 2e-12 * scale(other) * (1 + length)) << length;
    }
  }
}

TEST_P(Battery, ExponentialInvertsUpToTheInjectivityRadius) {
  if (!m.has_exponential()) return;
  const VectorXd q = m.reference_point();
  const double radius = std::min(m.injectivity_radius(), 4.0);
  for (int k = 0; k < 20; ++k) {
    const VectorXd v = 0.999 * radius * unit_tangent(m, q, random);
    const VectorXd other = exponential(m, q, v);
    EXPECT_LE((logarithm(m, q, other) - v).norm(), 1e-10 * scale(other));
  }
}

// Where the algebra has an invariant inner product, that is; see HyperbolicPlaneMovesByItsGroup for where it has none.
TEST_P(Battery, ExponentialHasConstantSpeed) {
  if (!m.has_exponential() || m.name() == "H2") return;
  for (const VectorXd& q : points(m)) {
    const VectorXd v = unit_tangent(m, q, random);
    const auto curve = [&](double t) { return exponential(m, q, t * v); };
    const auto speed = [&](double t) {
      return rates(m, curve(t), first_derivative([&](double s) { return curve(t + s); }, 2e-3)).norm();
    };
    EXPECT_NEAR(speed(0.6), speed(0), 1e-9 * scale(q) * (1 + speed(0)));
    EXPECT_LE((first_derivative(curve, 2e-3) - v).norm(), 1e-9 * scale(q));
  }
}

TEST_P(Battery, FormulasAgreeWithNumbers) {
  ASSERT_TRUE(m.has_formulas());
  for (const VectorXd& q : points(m)) {
    const VectorXd v = normal_vector(m.ambient()), xi = normal_vector(m.rates()), tangent = velocity(m, q, xi);
    const double tolerance = 1e-12 * scale(q) * scale(q);
    const VectorXd B_xi = value([&](auto& x, auto& y) -> VectorXe { return m.basis(x) * y; }, q, xi);
    EXPECT_LE((B_xi - tangent).norm(), tolerance);
    const VectorXd w = value([&](auto& x, auto& y) { return m.tangent_project(x, y); }, q, v);
    EXPECT_LE((w - tangent_project(m, q, v)).norm(), tolerance);
    const VectorXd shortest = rates(m, q, tangent);
    const VectorXd bend = value([&](auto& x, auto& y) { return m.curvature(x, y); }, q, tangent);
    const VectorXd same = value([&](auto& x, auto& y) { return m.curvature_of_rates(x, y); }, q, shortest);
    EXPECT_LE((bend - same).norm(), tolerance * (1 + bend.norm()));
  }
}

TEST_P(Battery, RetractionFormulaAgreesWithNumbers) {
  for (const VectorXd& q : points(m)) {
    const VectorXd xi = normal_vector(m.rates());
    const auto formula = [&] { return value([&](auto& x, auto& y) { return m.retract(x, y); }, q, xi); };
    if (!m.has_retraction_formula()) {
      EXPECT_THROW(formula(), std::invalid_argument);
      continue;
    }
    const VectorXd moved = formula();
    EXPECT_LE((moved - retract(m, q, velocity(m, q, xi))).norm(), 1e-14 * scale(q) * scale(moved));
  }
}

TEST_P(Battery, ConstraintsVanishOnTheManifoldAndCutItOut) {
  if (!m.has_constraints()) return;
  for (const VectorXd& q : points(m)) {
    const VectorXd c = value([&](auto& x, auto&) { return m.constraints(x); }, q, VectorXd());
    EXPECT_EQ(c.size(), m.ambient() - m.dimension());
    EXPECT_LE(c.norm(), 1e-14 * scale(q));
  }
}

TEST_P(Battery, SymmetriesAreTangent) {
  const std::vector<AffineField> fields = m.symmetries();
  for (const AffineField& field : fields) {
    EXPECT_FALSE(field.name.empty());
    for (const VectorXd& q : points(m)) {
      const VectorXd v = field.A * q + field.b;
      EXPECT_LE((tangent_project(m, q, v) - v).norm(), 1e-12 * scale(q)) << field.name;
    }
  }
}

TEST_P(Battery, ProjectionIsIdempotentAndTheDefectSaysHowFarOff) {
  for (const VectorXd& q : points(m)) {
    EXPECT_LE((project(m, q) - q).norm(), 1e-13 * scale(q));
    if (m.dimension() == m.ambient()) continue;
    const VectorXd v = normal_vector(m.ambient());
    const VectorXd normal = (v - tangent_project(m, q, v)).normalized(), off = q + 1e-4 * normal;
    EXPECT_GE(m.defect(off), 1e-6);
    EXPECT_LE(m.defect(off), 1e-2);
    EXPECT_THROW(m.check(off, "q"), std::domain_error);
    const VectorXd back = project(m, off);
    EXPECT_LE(m.defect(back), 1e-14 * scale(q));
    EXPECT_LE((back - off).norm(), 1e-3);
    EXPECT_LE((project(m, back) - back).norm(), 1e-13 * scale(q));
  }
}

TEST_P(Battery, RefusesWrongSizesAndNumbersThatAreNotFinite) {
  VectorXd q = m.reference_point();
  q(0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(m.check(q, "q"), std::domain_error);
  EXPECT_THROW(m.check(VectorXd::Zero(m.ambient() + 1), "q"), std::invalid_argument);
  EXPECT_THROW(velocity(m, m.reference_point(), VectorXd::Zero(m.rates() + 1)), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Manifolds, Battery, testing::ValuesIn(all()),
                         [](const auto& member) { return member.param.label; });

}  // namespace
}  // namespace hamel::gallery
