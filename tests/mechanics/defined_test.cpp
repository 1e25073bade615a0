// States where an energy has no value or no derivative are refused, with the term that has none.
#include <gtest/gtest.h>

#include "hamel/manifold/factors.hpp"
#include "hamel/mechanics/system.hpp"
#include "message.hpp"

namespace hamel::defined_test {
namespace {

struct Particle {
  Model model{"particle"};
  Formula m = model.parameter("m", 2.0), k = model.parameter("k", 3.0);
  Formula x = model.coordinate("x", Rn(3));

  std::string refusal(const Eigen::Vector3d& q, const Eigen::Vector3d& v) const {
    return test::message_of<std::domain_error>([&] { derive(model).check({0.5, q, v}); });
  }
};

const Eigen::Vector3d origin(0, 0, 0), e1(1, 0, 0);

TEST(Defined, EnergiesHaveValues) {
  Particle p;
  p.model.kinetic(p.m / 2 * squared_norm(rate(p.x)));
  p.model.potential(p.k * p.x.z() + log(p.x.x()));
  EXPECT_EQ(p.refusal(origin, origin),
            "the potential energy has no finite value at t = 0.5: the term log(x.x) gives none there");
  EXPECT_EQ(p.refusal(-e1, origin),
            "the potential energy has no finite value at t = 0.5: the term log(x.x) gives none there");
  EXPECT_EQ(p.refusal(e1, origin), "no error");
}

TEST(Defined, EnergiesHaveDerivatives) {
  Particle p;
  p.model.kinetic(p.m / 2 * squared_norm(rate(p.x)) + p.k * norm(rate(p.x)));
  EXPECT_EQ(p.refusal(origin, origin),
            "the kinetic energy has no finite derivative at t = 0.5: the term k*norm(x') gives none there, as norm(a) "
            "and sqrt(a) do where a is 0");
  EXPECT_EQ(p.refusal(origin, e1), "no error");
}

TEST(Defined, EnergiesHaveSecondDerivatives) {
  Particle p;
  p.model.kinetic(p.m / 2 * squared_norm(rate(p.x)) + p.k * pow(squared_norm(rate(p.x)), 1.25));
  EXPECT_EQ(p.refusal(origin, origin),
            "the kinetic energy has no finite second derivative at t = 0.5: the term k*norm2(x')^1.25 gives none "
            "there, as norm(a) and sqrt(a) do where a is 0");
}

TEST(Defined, ForcesAndConstraintsAreToo) {
  Particle p;
  p.model.kinetic(p.m / 2 * squared_norm(rate(p.x)));
  p.model.force(p.x, p.x / norm(p.x));
  EXPECT_EQ(p.refusal(origin, origin), "the force at x has no finite value at t = 0.5: x/norm(x)");
  Particle q;
  q.model.kinetic(q.m / 2 * squared_norm(rate(q.x)));
  q.model.constraint("rod", norm(q.x - e1));
  EXPECT_EQ(q.refusal(e1, origin),
            "the constraint rod has no finite derivative at t = 0.5: the term norm(x - e1) gives none there, as "
            "norm(a) and sqrt(a) do where a is 0");
}

TEST(Defined, HamiltoniansAreToo) {
  Particle p;
  p.model.hamiltonian(squared_norm(p.model.momentum(p.x)) / (2 * p.m) + p.k * norm(p.x));
  EXPECT_EQ(p.refusal(origin, origin),
            "the Hamiltonian has no finite derivative at t = 0.5: the term k*norm(x) gives none there, as norm(a) and "
            "sqrt(a) do where a is 0");
}

// The motion of m/2 norm(x')^2 is that of m/2 norm2(x'), also from rest: decided on the formula.
TEST(Defined, EvenPowersOfNormsAndSizes) {
  Particle p;
  p.model.kinetic(p.m / 2 * pow(norm(rate(p.x)), 2));
  p.model.potential(p.k / 4 * pow(norm(p.x), 4) + p.k * pow(abs(p.x.y()), 2) + 5 * p.x.z());
  const System system = derive(p.model);
  Workspace w(system);
  VectorXd a(3);
  system.check({0, origin, origin});
  system.acceleration(w, 0, origin, origin, a);
  EXPECT_LE((a - Eigen::Vector3d(0, 0, -2.5)).norm(), 1e-15);
  system.acceleration(w, 0, Eigen::Vector3d(1, 2, 0), origin, a);  // -k (|x|^2 x + 2 y e2)/m
  EXPECT_LE((a - Eigen::Vector3d(-7.5, -21, -2.5)).norm(), 1e-14);
}

// |x|^p with p > 2 is smooth enough at 0, whichever way it is written; with p < 2 its second derivative is infinite.
TEST(Defined, OtherPowersOfNormsAndSizes) {
  Particle p;
  const Formula v = rate(p.x);
  p.model.kinetic(p.m / 4 * norm(v) * norm(v) + norm(v) * (p.m / 4 * norm(v)) + p.k * pow(norm(v), 2.5));
  p.model.potential(p.k / 3 * pow(norm(p.x), 3) + p.k / 5 * pow(abs(p.x.y()), 5) + 5 * p.x.z());
  p.model.dissipation(p.k / 3 * pow(norm(v), 3));
  const System system = derive(p.model);
  Workspace w(system);
  VectorXd a(3);
  system.check({0, origin, origin});
  system.acceleration(w, 0, origin, origin, a);
  EXPECT_LE((a - Eigen::Vector3d(0, 0, -2.5)).norm(), 1e-15);
  system.acceleration(w, 0, Eigen::Vector3d(0, 2, 0), origin, a);  // -k (|x| x + y^4 e2)/m
  EXPECT_LE((a - Eigen::Vector3d(0, -30, -2.5)).norm(), 1e-14);
  Particle steep;
  steep.model.kinetic(steep.m / 2 * squared_norm(rate(steep.x)) + steep.k * pow(norm(rate(steep.x)), 1.5));
  EXPECT_NE(steep.refusal(origin, origin), "no error");
}

TEST(Defined, TablesHaveEnds) {
  Particle p;
  p.model.kinetic(p.m / 2 * squared_norm(rate(p.x)));
  p.model.potential(interp(table("spring", Eigen::MatrixXd{{-1, 1}, {0, 0}, {2, 4}}), p.x.x()));
  EXPECT_EQ(p.refusal(origin, origin), "no error");
  EXPECT_EQ(p.refusal(-2 * e1, origin),
            "the potential energy has no finite value at t = 0.5: the term interp(spring, x.x) gives none there; the "
            "table spring goes from -1 to 2");
}

}  // namespace
}  // namespace hamel::defined_test
