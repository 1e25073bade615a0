// Spaces of model files, and the equations of motion of chapter 8 of the book on them, written down by hand.
#include "hamel/manifold/spaces.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "hamel/language/model_file.hpp"
#include "hamel/mechanics/field.hpp"
#include "hamel/mechanics/system.hpp"
#include "message.hpp"

namespace hamel::spaces_test {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr int draws = 10;

struct Loaded {
  explicit Loaded(const std::string& id)
      : file(read_model(std::string(HAMEL_SOURCE_DIR) + "/models/" + id + ".toml")), system(derive(file.model)) {}

  VectorXd acceleration(const State& s) const {
    Workspace w(system);
    VectorXd a(system.ambient());
    system.acceleration(w, s.t, s.q, s.v, a);
    return a;
  }
  State random_state() {
    State s{0, system.space().random_point(random), {}};
    s.v = system.space().random_tangent(s.q, random);
    return s;
  }
  // xi' of the accelerations.
  VectorXd rates_of_acceleration(const State& s) const {
    VectorXd result(system.space().rates());
    system.space().rates_of_acceleration(s.q, s.v, acceleration(s), result);
    return result;
  }
  // pi' of Hamilton's equations.
  VectorXd momentum_rate(const State& s) {
    Field field(system, Form::pi);
    Workspace w(system);
    const VectorXd y = field.pack(w, s);
    VectorXd rate(field.size());
    field(w, s.t, y, rate);
    return rate.tail(system.space().rates());
  }

  ModelFile file;
  System system;
  Random random{3};
};

double magnitude(const VectorXd& x) { return 1 + x.norm(); }

// A left-invariant kinetic energy xi.(I xi)/2 on a group, with a force f of the potential, (8.45):
//   d/dt (I xi) = ad*_xi (I xi) + f;   and (8.52) is the same equation for mu = I xi.
void expect_euler_poincare(const std::string& id, const MatrixXd& inertia,
                           const std::function<VectorXd(const VectorXd& xi, const VectorXd& mu)>& coadjoint,
                           const std::function<VectorXd(const VectorXd& q)>& force) {
  Loaded model(id);
  for (int k = 0; k < draws; ++k) {
    State s = model.random_state();
    const VectorXd xi = Vector3d::NullaryExpr([&] { return std::normal_distribution<double>()(model.random); });
    model.system.space().velocity(s.q, xi, s.v);
    const VectorXd mu = inertia * xi, mu_rate = coadjoint(xi, mu) + force(s.q);
    const double rounding = 1e-12 * magnitude(mu_rate) * s.q.squaredNorm();  // of g^-1 g'
    EXPECT_LE((inertia * model.rates_of_acceleration(s) - mu_rate).norm(), rounding);
    EXPECT_LE((model.momentum_rate(s) - mu_rate).norm(), rounding);
  }
}

// ad_(omega, v)(eta, chi) = (0, omega S chi - eta S v)
TEST(ChapterEight, PlanarBodyOnSE2) {
  const double m = 1.2, J = 0.3, c = 0.4, g0 = 9.81;
  const Matrix3d inertia{{J + m * c * c, 0, m * c}, {0, m, 0}, {m * c, 0, m}};
  const Matrix2d S{{0, -1}, {1, 0}};
  const auto coadjoint = [&](const VectorXd& xi, const VectorXd& mu) -> VectorXd {
    const Vector2d v = xi.tail(2), p = mu.tail(2), turned = -xi(0) * (S * p);
    return Vector3d(-p.dot(S * v), turned(0), turned(1));
  };
  const auto force = [&](const VectorXd& q) -> VectorXd {
    const Matrix2d R = q.reshaped(3, 3).topLeftCorner(2, 2);
    const Vector2d f = -m * g0 * R.transpose() * Vector2d::UnitY();
    return Vector3d(c * f(1), f(0), f(1));
  };
  expect_euler_poincare("planar-body-se2", inertia, coadjoint, force);
}

// Of the basis H, E, F: [H, E] = 2 E, [H, F] = -2 F, [E, F] = H.
TEST(ChapterEight, FreeBodyOnSL2) {
  const Matrix3d inertia = Vector3d(1, 2, 3).asDiagonal();
  const auto coadjoint = [](const VectorXd& xi, const VectorXd& mu) -> VectorXd {
    const double h = xi(0), e = xi(1), f = xi(2);
    return Vector3d(2 * f * mu(2) - 2 * e * mu(1), 2 * h * mu(1) - f * mu(0), e * mu(0) - 2 * h * mu(2));
  };
  expect_euler_poincare("free-body-sl2", inertia, coadjoint,
                        [](const VectorXd&) -> VectorXd { return Vector3d::Zero(); });
}

// (8.6): Q'' = -A Q - Q (Q'^T Q' - Q^T A Q), m = 1; the multiplier of Q^T Q = I is symmetric.
TEST(ChapterEight, OscillatorOnAStiefelManifold) {
  Loaded model("stiefel-oscillator");
  const MatrixXd A = Eigen::Vector4d(1, 2, 4, 7).asDiagonal();
  for (int k = 0; k < draws; ++k) {
    const State s = model.random_state();
    const MatrixXd Q = s.q.reshaped(4, 2), V = s.v.reshaped(4, 2);
    const MatrixXd expected = -A * Q - Q * (V.transpose() * V - Q.transpose() * A * Q);
    EXPECT_LE((model.acceleration(s) - expected.reshaped()).norm(), 1e-11 * magnitude(expected.reshaped()));
  }
}

// A particle under gravity on F = 0: q'' = -g e3 - lambda grad F, lambda from (F)'' = 0.
VectorXd on_surface(const Vector3d& v, const Vector3d& gradient, const Matrix3d& hessian) {
  const Vector3d fall(0, 0, -9.81);
  return fall - gradient * (v.dot(hessian * v) + gradient.dot(fall)) / gradient.squaredNorm();
}

TEST(ChapterEight, ParticleOnAHomogeneousSpace) {
  Loaded model("particle-on-hyperboloid");
  EXPECT_EQ(model.system.space().dimension(), 2);
  const Matrix3d G = Vector3d(-2, -2, 2).asDiagonal();
  for (int k = 0; k < draws; ++k) {
    const State s = model.random_state();
    const VectorXd expected = on_surface(s.v, G * s.q, G);
    EXPECT_LE((model.acceleration(s) - expected).norm(), 1e-9 * magnitude(expected) * magnitude(s.q));
  }
}

TEST(ChapterEight, ParticleOnAProjectedManifold) {
  Loaded model("particle-on-projected-torus");
  EXPECT_EQ(model.system.space().dimension(), 2);
  for (int k = 0; k < draws; ++k) {  // F = (rho - a)^2 + z^2 - b^2
    const State s = model.random_state();
    const double a = 1, x = s.q(0), y = s.q(1), rho = std::hypot(x, y), w = 2 * (1 - a / rho),
                 u = 2 * a / std::pow(rho, 3);
    const Vector3d gradient(w * x, w * y, 2 * s.q(2));
    const Matrix3d hessian{{w + u * x * x, u * x * y, 0}, {u * x * y, w + u * y * y, 0}, {0, 0, 2}};
    const VectorXd expected = on_surface(s.v, gradient, hessian);
    EXPECT_LE((model.acceleration(s) - expected).norm(), 1e-9 * magnitude(expected));
  }
}

std::string with_space(const std::string& space, const std::string& start = "") {
  return "[coordinates]\ng = \"" + space + "\"\n[energy]\nkinetic = \"trace(transpose(g')*g')\"\n[start]\n" + start;
}
std::string mistake(const std::string& space, const std::string& start = "") {
  const std::string message = test::message_of<SourceError>([&] { parse_model(with_space(space, start), "m"); });
  return message.substr(0, message.find('\n'));
}

TEST(SpaceNames, AreOneTable) {
  for (const SpaceRow& row : space_rows()) {
    const std::string text = "[coordinates]\nq = \"" + std::string(row.form) + "\"\n[energy]\npotential = 1\n";
    const std::string message = test::message_of<SourceError>([&] { parse_model(text, "m"); });
    EXPECT_EQ(message.find("unknown space"), std::string::npos) << row.form << ": " << message;
    EXPECT_NE(message.find("q"), std::string::npos) << row.form << ": " << message;
  }
  for (const auto& [space, name] : {std::pair{"SO(2)", "SO2"},
                                    {"SE(2)", "SE2"},
                                    {"SE^2", "SE2"},
                                    {"SL2", "SL2"},
                                    {"SO4", "SO4"},
                                    {"Stiefel(3, 2)", "Stiefel(3, 2)"},
                                    {"SO(1+2)", "SO3"}})
    EXPECT_EQ(parse_model(with_space(space), "m").model.coordinates()[0].space.name(), name);
}

TEST(SpaceNames, HaveTheDimensionsOfTheirGroups) {
  for (int n = 2; n <= 5; ++n) {
    EXPECT_EQ(SO(n).dimension(), n * (n - 1) / 2);
    EXPECT_EQ(SE(n).dimension(), n * (n + 1) / 2);
    EXPECT_EQ(SL(n).dimension(), n * n - 1);
  }
  EXPECT_EQ(Manifold(Stiefel(5, 2)).dimension(), 7);
  Random random(4);
  const Manifold group = SO(3), body = SO3();  // the general construction gives the class
  const VectorXd q = body.random_point(random), xi = Vector3d(0.3, -0.8, 0.5);
  VectorXd by_group(9), by_class(9);
  group.velocity(q, xi, by_group);
  body.velocity(q, xi, by_class);
  EXPECT_LE((by_group - by_class).norm(), 1e-15);
}

TEST(SpaceNames, MistakesAreNamed) {
  EXPECT_EQ(mistake("SO(1)"), "m:2:6: the dimension of SO must be 2 to 8, got 1");
  EXPECT_EQ(mistake("Stiefel(4)"), "m:2:6: Stiefel needs 2 numbers, as in Stiefel(4, 2); it has 1");
  EXPECT_EQ(mistake("Stiefel(2, 2)"), "m:2:6: Stiefel(2, 2) must have 1 to n - 1 vectors of R^n");
  EXPECT_EQ(mistake("group([[0, 1], [0, 0]], [[0, 0], [1, 0]])").find("m:2:6: "), 0U);  // [E, F] = H is missing
  EXPECT_EQ(mistake("orbit(e3)"),
            "m:2:6: an orbit needs a vector and the matrices that move it, as in orbit(e1, A, B)");
  EXPECT_EQ(mistake("{2*x : x in R3}").find("m:2:6: "), 0U);
  EXPECT_EQ(mistake("{x/norm(x) : x in S2}"), "m:2:26: a set {x in ... : ...} is a subset of some R^n");
  EXPECT_EQ(mistake("SO3", "xi.g = [1, 0, 0]"),
            "m:6:8: g is on SO3 and has no quasi-velocities xi; give its angular velocity");
  EXPECT_EQ(mistake("SL2", "xi.g = [1, 0]"), "m:6:8: the quasi-velocities of g on SL2 needs 3 numbers, got 2 numbers");
}

TEST(SpaceNames, QuasiVelocitiesStartTheMotion) {
  const ModelFile file = parse_model(with_space("SL2", "g = [[2, 0], [0, 0.5]]\nxi.g = [1, 2, 3]\n"), "m");
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State state = start_state(file, system, remarks);
  const Matrix2d X{{1, 2}, {3, -1}}, g{{2, 0}, {0, 0.5}};
  EXPECT_LE((state.v - VectorXd((g * X).reshaped())).norm(), 1e-15);
}

}  // namespace
}  // namespace hamel::spaces_test
