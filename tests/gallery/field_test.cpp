// Book 1.3.5 and 2.7: vector fields and kinematics, models without energies. The fields written by hand, closed forms,
// equilibria and their spectra, orders of the methods.
#include "hamel/mechanics/field.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <functional>
#include <hamel/integrate/integrate.hpp>
#include <hamel/integrate/stepper.hpp>
#include <hamel/manifold/factors.hpp>
#include <hamel/symmetry/noether.hpp>
#include <hamel/textbook/textbook.hpp>

#include "gallery/files.hpp"
#include "message.hpp"
#include "vectors.hpp"

namespace hamel::test::field_test {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using vectors::flat;
using vectors::hat;
using vectors::stack;

const Vector3d e1 = Vector3d::UnitX(), e3 = Vector3d::UnitZ();

Vector2d quarter_turned(const Vector2d& q) { return vectors::quarter_turn() * q; }
Matrix3d rotation_of(const VectorXd& q) { return Eigen::Map<const Matrix3d>(q.data()); }
Matrix3d turn(const Vector3d& axis, double angle) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

struct FieldByHand {
  std::string id;
  std::function<VectorXd(double t, const VectorXd& q)> rate;
  std::function<VectorXd(Random& random)> point = {};  // on the constraints, where there are any
};
void PrintTo(const FieldByHand& field, std::ostream* out) { *out << field.id; }

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

VectorXd two_circles(const VectorXd& q, double w1, double w2) {
  return stack({w1 * quarter_turned(q.head<2>()), w2 * quarter_turned(q.tail<2>())});
}

VectorXd rod_rate(const VectorXd& q) {  // R' = R S(w), x' = R v with v from book (2.31), (2.32)
  const Matrix3d R = rotation_of(q);
  const Vector3d x = q.tail<3>(), w(0.7, 0.4, 0.2), sideways = 0.5 * e3.cross(R.transpose() * x);
  const double along = -e3.dot(R.transpose() * hat(x) * R * w);
  return stack({flat(R * hat(w)), R * (sideways + along * e3)});
}

std::vector<FieldByHand> fields() {
  return {
      {"vf-s1-sine",
       [](double, const VectorXd& q) -> VectorXd {
         const double s = std::sin(q(1));
         return Matrix2d{{0, s}, {-s, 0}} * q;
       }},
      {"vf-s2-sine",
       [](double, const VectorXd& q) -> VectorXd {
         const double s2 = std::sin(q(1)), s3 = std::sin(q(2));
         return Matrix3d{{0, s2, s3}, {-s2, 0, 0}, {-s3, 0, 0}} * q;
       }},
      {"vf-so3-attitude",
       [](double, const VectorXd& q) -> VectorXd {
         const Matrix3d R = rotation_of(q);
         return flat(Matrix3d::Identity() - R * R);
       }},
      {"vf-s1-dae1", [](double, const VectorXd& x) -> VectorXd { return Vector2d(1, 0) - x * x(0); },
       [](Random& random) -> VectorXd {
         const double angle = uniform(random, -3, 3);
         return Vector2d(std::cos(angle), std::sin(angle));
       }},
      {"kin-particle-inclined-plane",  // book (2.1)
       [](double t, const VectorXd&) -> VectorXd {
         return 0.9 * std::cos(2 * t) * Vector3d(1, -1, 0) + 1.2 * std::cos(3 * t) * Vector3d(0, 1, -1);
       }},
      {"kin-particle-hyperbolic-paraboloid",  // book (2.2)
       [](double t, const VectorXd& x) -> VectorXd {
         return -0.8 * std::sin(t) * Vector3d(1, 0, -2 * x(0)) + 0.8 * std::cos(t) * Vector3d(0, 1, 2 * x(1));
       }},
      {"kin-planar-pendulum",  // book (2.3)
       [](double t, const VectorXd& q) -> VectorXd { return (M_PI / 2 * std::cos(t) + 0.1) * quarter_turned(q); }},
      {"kin-spherical-pendulum",  // book (2.4)
       [](double t, const VectorXd& q) -> VectorXd {
         return Vector3d(0.8 * std::sin(2 * t), 0.8 * std::cos(1.3 * t), 0.5).cross(Vector3d(q));
       }},
      {"kin-double-planar-pendulum", [](double, const VectorXd& q) -> VectorXd { return two_circles(q, 1, -3); }},
      {"kin-double-spherical-pendulum",  // book (2.7), (2.8)
       [](double, const VectorXd& q) -> VectorXd {
         return stack({e3.cross(Vector3d(q.head<3>())), Vector3d(0, 1.2, 1.6).cross(Vector3d(q.tail<3>()))});
       }},
      {"kin-planar-spherical-pendulum",  // book (2.9), (2.10)
       [](double t, const VectorXd& q) -> VectorXd {
         return stack({std::cos(t) * quarter_turned(q.head<2>()),
                       Vector3d(0.3 * std::cos(2 * t), 0, 2).cross(Vector3d(q.tail<3>()))});
       }},
      {"kin-particle-torus", [](double, const VectorXd& q) -> VectorXd { return two_circles(q, 2, 3); }},
      {"kin-free-rotating-rigid-body",  // book (2.16)
       [](double t, const VectorXd& q) -> VectorXd {
         return flat(rotation_of(q) * hat({std::cos(t), std::sin(t), 1.5}));
       }},
      {"kin-planar-rigid-body",  // book (2.19), (2.20)
       [](double t, const VectorXd& y) -> VectorXd {
         const Vector2d q = y.head<2>();
         return stack({1.5 * std::cos(0.75 * t) * quarter_turned(q), q + 0.1 * std::sin(t) * quarter_turned(q)});
       }},
      {"kin-free-rigid-body",  // book (2.21), (2.22)
       [](double t, const VectorXd& q) -> VectorXd {
         const Matrix3d R = rotation_of(q);
         return stack({flat(R * hat({0.5, 0.6 * std::cos(0.5 * t), 1})), R * e1});
       }},
      {"kin-slider-crank",  // book (2.25)
       [](double, const VectorXd& y) -> VectorXd {
         const Vector2d q = y.head<2>();
         const double x = y(2), w = 1.5, r = 0.5;
         return stack(
             {w * quarter_turned(q), VectorXd::Constant(1, -w * r * x * quarter_turned(q).x() / (r * q.x() - x))});
       },
       [](Random& random) -> VectorXd {  // both branches
         const double angle = uniform(random, -3, 3), side = uniform(random, -1, 1) > 0 ? 1 : -1, r = 0.5, l = 1.2;
         return Vector3d(std::cos(angle), std::sin(angle),
                         r * std::cos(angle) + side * std::sqrt(l * l - std::pow(r * std::sin(angle), 2)));
       }},
      {"kin-constrained-rod-on-sphere", [](double, const VectorXd& q) -> VectorXd { return rod_rate(q); },
       [](Random& random) -> VectorXd {
         const Vector3d axis(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1));
         const Matrix3d R = turn(axis.normalized(), uniform(random, -3, 3));
         const double angle = uniform(random, -3, 3);
         return stack({flat(R), 0.8 * R * Vector3d(std::cos(angle), std::sin(angle), 0)});
       }},
  };
}

class FieldModel : public ::testing::TestWithParam<FieldByHand> {};

TEST_P(FieldModel, IsTheFieldOfTheBook) {
  const auto& [id, rate, point] = GetParam();
  const System system = derive(gallery_model(id).model);
  ASSERT_TRUE(!system.has_energies());
  Workspace work(system);
  Random random(7);
  VectorXd v(system.ambient()), tangent(system.ambient());
  for (int sample = 0; sample < 50; ++sample) {
    const VectorXd q = point ? point(random) : system.space().random_point(random);
    const double t = uniform(random, 0, 10);
    system.field(work, t, q, v);
    EXPECT_LE((v - rate(t, q)).norm(), 1e-10 * (1 + v.norm())) << "sample " << sample;
    system.space().tangent_project(q, v, tangent);
    EXPECT_LE((v - tangent).norm(), 1e-12 * (1 + v.norm()));
    EXPECT_NO_THROW(system.check({t, q, v}));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, FieldModel, ::testing::ValuesIn(fields()),
                         [](const auto& test) { return test_name(test.param.id); });

Trajectory run(const System& system, const VectorXd& q, double until, const Method& method) {
  return integrate(system, system.state(0, q), method, {.t = until});
}

TEST(Field, FlowsOnTheCircleAsTheAnglesDo) {
  const System system = derive(gallery_model("vf-s1-dae1").model);
  for (const double angle : {0.3, 1.5, 3.0}) {  // tan(phi/2) = tan(phi_0/2) exp(-t)
    const State end = run(system, Vector2d(std::cos(angle), std::sin(angle)), 2, Rk4{.step = 0.005}).back();
    const double expected = 2 * std::atan(std::tan(angle / 2) * std::exp(-2));
    EXPECT_NEAR(std::atan2(end.q(1), end.q(0)), expected, 1e-9);
  }
}

TEST(Field, TurnsHomeByTheClosedForm) {
  const System system = derive(gallery_model("vf-so3-attitude").model);
  const Vector3d axis = Vector3d(1, 2, 2) / 3;
  for (const double angle : {0.5, 2.0, 3.1}) {  // tan(theta/2) = tan(theta_0/2) exp(-2t) about a fixed axis
    const Matrix3d end = rotation_of(run(system, flat(turn(axis, angle)), 1.5, LieRk{.step = 0.005}).back().q);
    const double expected = 2 * std::atan(std::tan(angle / 2) * std::exp(-3));
    EXPECT_LE((end - turn(axis, expected)).norm(), 1e-8) << angle;
  }
}

// The eigenvalues of the linearized flow, by central differences along retracted tangent vectors.
VectorXd spectrum(const System& system, const VectorXd& q) {
  Workspace work(system);
  const int d = system.space().dimension();
  MatrixXd N(system.ambient(), d), A(d, d);
  system.space().tangent_basis(q, N);
  VectorXd ahead(system.ambient()), behind(system.ambient()), v1(system.ambient()), v2(system.ambient());
  constexpr double h = 1e-5;
  for (int j = 0; j < d; ++j) {
    system.space().retract(q, h * N.col(j), ahead);
    system.space().retract(q, -h * N.col(j), behind);
    system.field(work, 0, ahead, v1);
    system.field(work, 0, behind, v2);
    A.col(j) = N.transpose() * (v1 - v2) / (2 * h);
  }
  VectorXd values = Eigen::EigenSolver<MatrixXd>(A).eigenvalues().real();
  std::sort(values.begin(), values.end());
  return values;
}

void expect_equilibrium(const System& system, const VectorXd& q, const VectorXd& eigenvalues) {
  EXPECT_LE(system.state(0, q).v.norm(), 1e-14) << q.transpose();
  EXPECT_LE((spectrum(system, q) - eigenvalues).norm(), 1e-8) << q.transpose();
}

TEST(Field, RestsAtTheEquilibriaOfTheBook) {
  const System circle = derive(gallery_model("vf-s1-sine").model), sphere = derive(gallery_model("vf-s2-sine").model);
  expect_equilibrium(circle, Vector2d(1, 0), VectorXd::Constant(1, -1));
  expect_equilibrium(circle, Vector2d(-1, 0), VectorXd::Constant(1, 1));
  expect_equilibrium(sphere, e1, Vector2d(-1, -1));
  expect_equilibrium(sphere, -e1, Vector2d(1, 1));

  const System attitude = derive(gallery_model("vf-so3-attitude").model);
  expect_equilibrium(attitude, flat(Matrix3d::Identity()), Vector3d(-2, -2, -2));
  for (const Vector3d& axis : {e1, e3, Vector3d(Vector3d(1, 2, 2) / 3)})  // every half turn: correction of 1.3.5.3
    expect_equilibrium(attitude, flat(2 * axis * axis.transpose() - Matrix3d::Identity()), Vector3d(0, 0, 2));
}

TEST(Field, WeightsLeaveFourAttitudesAtRest) {
  const Vector3d a(1, 2, 3.5);
  const System system = derive(from_gallery("vf-so3-attitude", {{"a", a}}));
  for (const Vector3d& signs : {Vector3d(1, 1, 1), Vector3d(1, -1, -1), Vector3d(-1, 1, -1), Vector3d(-1, -1, 1)}) {
    const Vector3d b = signs.cwiseProduct(a);
    Vector3d expected(-b(0) - b(1), -b(0) - b(2), -b(1) - b(2));
    std::sort(expected.begin(), expected.end());
    expect_equilibrium(system, flat(signs.asDiagonal().toDenseMatrix()), expected);
  }
  const Vector3d axis = Vector3d(1, 2, 2) / 3;
  EXPECT_GT(system.state(0, flat(2 * axis * axis.transpose() - Matrix3d::Identity())).v.norm(), 0.1);
}

TEST(Field, MovesOnTheTorusWithTheSpeedOfTheCorrectedFormula) {
  const ModelFile file = gallery_model("kin-particle-torus");
  const Trajectory motion = run(derive(file.model), Eigen::Vector4d(1, 0, 1, 0), 6.28, LieRk{.step = 0.01});
  constexpr double R = 2, r = 0.7, h = 1e-4;
  const auto place = [](const VectorXd& q) -> Vector3d {
    return {(R + r * q(2)) * q(0), (R + r * q(2)) * q(1), r * q(3)};
  };
  for (const State& s : motion.states) {
    const Vector3d velocity = (place(s.q + h * s.v) - place(s.q - h * s.v)) / (2 * h);
    EXPECT_NEAR(velocity.squaredNorm(), std::pow((R + r * s.q(2)) * 2, 2) + std::pow(r * 3, 2), 1e-7);
    EXPECT_NEAR(std::pow(R - place(s.q).head<2>().norm(), 2) + std::pow(place(s.q).z(), 2), r * r, 1e-12);
  }
}

// Fitted on three halvings.
double order_of(const System& system, const VectorXd& q, const std::function<Method(double step)>& method) {
  const VectorXd exact = run(system, q, 2, LieRk{.step = 2.0 / 4096}).back().q;
  const auto error = [&](int steps) { return (run(system, q, 2, method(2.0 / steps)).back().q - exact).norm(); };
  return std::log2(error(40) / error(320)) / 3;
}

TEST(Field, IsIntegratedWithTheOrderOfTheMethod) {
  for (const char* id : {"kin-free-rotating-rigid-body", "kin-spherical-pendulum", "kin-free-rigid-body"}) {
    const ModelFile file = gallery_model(id);
    const System system = derive(file.model);
    std::vector<std::string> remarks;
    const VectorXd q = start_state(file, system, remarks).q;
    EXPECT_NEAR(order_of(system, q, [](double h) { return LieRk{.step = h}; }), 4, 0.15) << id;
    EXPECT_NEAR(order_of(system, q, [](double h) { return LieRk{h, LieScheme::commutator_free4}; }), 4, 0.15) << id;
    EXPECT_NEAR(order_of(system, q, [](double h) { return Rk4{.step = h}; }), 4, 0.15) << id;
    EXPECT_NEAR(order_of(system, q, [](double h) { return Rk4{.step = h, .reproject = true}; }), 4, 0.15) << id;
    EXPECT_NEAR(order_of(system, q, [](double h) { return Rk2{.step = h}; }), 2, 0.15) << id;
    const VectorXd exact = run(system, q, 2, LieRk{.step = 2.0 / 4096}).back().q;
    EXPECT_LE((run(system, q, 2, Rk45{.relative = 1e-10}).back().q - exact).norm(), 1e-8) << id;
  }
}

TEST(Field, StaysOnItsConstraints) {
  for (const char* id : {"vf-s1-dae1", "kin-slider-crank", "kin-constrained-rod-on-sphere"}) {
    const ModelFile file = gallery_model(id);
    const System system = derive(file.model);
    std::vector<std::string> remarks;
    const State start = start_state(file, system, remarks);
    Workspace work(system);
    VectorXd c(system.constraints());
    double largest = 0;
    integrate(system, start, Rk4{.step = 0.01, .reproject = true}, {.t = 20, .keep = false}, [&](const State& state) {
      system.constraint(work, state.q, c);
      largest = std::max(largest, c.lpNorm<Eigen::Infinity>());
      return true;
    });
    EXPECT_LE(largest, 1e-14) << id;
  }
}

TEST(Field, LeavesItsMultipliersInTheWorkspace) {
  const System system = derive(gallery_model("vf-s1-dae1").model);
  Workspace work(system);
  const Vector2d x(std::cos(0.7), std::sin(0.7));
  VectorXd v(2);
  system.field(work, 0, x, v);
  EXPECT_NEAR(work.multipliers(0), x(0) / 2, 1e-15);  // minus that of x' = e1 + 2 lambda x
}

TEST(Field, RefusesWhatNeedsEnergies) {
  const System system = derive(gallery_model("vf-s2-sine").model);
  const State start = system.state(0, Vector3d(0, 0.6, 0.8));
  Workspace work(system);
  VectorXd out(3);
  EXPECT_EQ(message_of([&] { make_stepper(system, Variational{.step = 0.1}); }),
            "variational needs energies, and A field on the sphere is given by a field; use rkmk4, commutator_free4, "
            "rk2, heun, rk4, rk45, ode45 or dop853");
  EXPECT_EQ(message_of([&] { make_stepper(system, Gauss{.step = 0.1}); }),
            "gauss8 needs energies, and A field on the sphere is given by a field; use rkmk4, commutator_free4, rk2, "
            "heun, rk4, rk45, ode45 or dop853");
  const std::string why = ": it is given by a field, q' = f(t, q), not by energies";
  EXPECT_EQ(message_of([&] { system.energy(work, 0, start.q, start.v); }), "A field on the sphere has no energy" + why);
  EXPECT_EQ(message_of([&] { system.acceleration(work, 0, start.q, start.v, out); }),
            "A field on the sphere has no acceleration" + why);
  EXPECT_EQ(message_of([&] { system.momentum(work, 0, start.q, start.v, out); }),
            "A field on the sphere has no momentum" + why);
  EXPECT_TRUE(conserved_momenta(system.model()).momenta.empty());
  EXPECT_EQ(message_of([&] {
              system.check({0, start.q, VectorXd::Zero(3)});
            }).substr(0, 71),
            "the velocity of A field on the sphere is given by its field; that of th");
}

TEST(Field, RefusesARateThatIsNotTangent) {
  Model model("up");
  const Formula q = model.coordinate<S2>("q");
  model.field(q, Formula(e3));
  const std::string message = message_of<std::invalid_argument>([&] { derive(model); });
  EXPECT_NE(message.find("the rate of q in the field is not tangent to S2: its normal part is "), std::string::npos)
      << message;
  EXPECT_NE(message.find(", of 1, at a random point; take that part away, or make q a vector and S2 a constraint"),
            std::string::npos)
      << message;
}

std::string text_of(const char* id) {
  return fmt::format("{}", fmt::join(lines(textbook_equations(gallery_model(id).model, Form::omega)), "\n"));
}

TEST(Field, IsPrinted) {
  EXPECT_EQ(text_of("vf-s1-sine"), "q' = [q.y*sin(q.y), -q.x*sin(q.y)]");
  EXPECT_EQ(text_of("kin-double-spherical-pendulum"),
            "q'[1] = cross(omega[1], q[1])\nq'[2] = cross(omega[2], q[2])\nomega[1] = e3\nomega[2] = [0, 1.2, 1.6]");
  EXPECT_EQ(text_of("vf-s1-dae1"), "x' = e1 - 2*lambda*x\nnorm2(x) - 1 = 0");
  EXPECT_EQ(text_of("kin-free-rigid-body"), "R_G' = R_G*hat(Omega)\nx_G' = R_G*V\nOmega = [0.5, 0.6*cos(0.5*t), 1]");
}

}  // namespace
}  // namespace hamel::test::field_test
