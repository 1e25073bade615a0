// What every variational integrator promises, over all kinds of systems: order, symmetry, symplecticity, manifold.
#include "hamel/integrate/variational.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "integrate/systems.hpp"

namespace hamel::test {
namespace {

struct Case {
  const char* name;
  std::function<Example()> make;
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

const std::vector<Case> conservative = {
    {"DoublePendulum", [] { return double_pendulum(); }},
    {"DoublePendulumReduced", [] { return double_pendulum(Path::reduced); }},
    {"CoupledPlanar", [] { return coupled_planar(); }},
    {"CoupledPlanarReduced", [] { return coupled_planar(Path::reduced); }},
    {"RotatingSphere", [] { return rotating_sphere(); }},
    {"RotatingSphereReduced", [] { return rotating_sphere(Path::reduced); }},
    {"Relativistic", [] { return relativistic(); }},
    {"HeavyTop", [] { return heavy_top(); }},
    {"BodyPendulum", [] { return body_pendulum(); }},
    {"FlatBody",
     [] {
       return free_body({1, 2, 3});
     }},
    {"FloatingBody", [] { return floating_body(); }},
    {"Torus", [] { return torus(); }},
    {"TorusOfAngles", [] { return torus_of_angles(); }},
    {"GroupSE2", [] { return group_se2(); }},
    {"OrbitOfRotations", [] { return orbit_of_rotations(); }},
    {"Hamiltonian", [] { return hamiltonian_pendulum(); }},
};

std::vector<Case> all() {
  std::vector<Case> cases = conservative;
  cases.push_back({"SliderCrank", [] { return slider_crank(); }});
  cases.push_back({"SliderCrankReduced", [] { return slider_crank(Path::reduced); }});
  cases.push_back({"Damped", [] { return damped_pendulum(); }});
  cases.push_back({"DampedReduced", [] { return damped_pendulum(Path::reduced); }});
  cases.push_back({"Driven", [] { return driven_pendulum(); }});
  cases.push_back({"DrivenReduced", [] { return driven_pendulum(Path::reduced); }});
  return cases;
}

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }

class VariationalOnAll : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Systems, VariationalOnAll, testing::ValuesIn(all()), name_of);

TEST_P(VariationalOnAll, IsOfOrderTwo) {
  const Example example = GetParam().make();
  const double duration = 0.8;
  const State exact = reference(example, duration);
  std::vector<double> errors;
  for (int steps : {40, 80, 160})
    errors.push_back(distance(advance(example, example.start, duration / steps, steps), exact));
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.1) << errors[0] << " " << errors[1];
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.1) << errors[1] << " " << errors[2];
}

TEST_P(VariationalOnAll, IsSymmetric) {
  const Example example = GetParam().make();
  const State there = advance(example, example.start, 0.02, 20);
  EXPECT_LT(distance(advance(example, there, -0.02, 20), example.start), 1e-12);
}

TEST_P(VariationalOnAll, KeepsTheManifold) {
  const Example example = GetParam().make();
  const System& system = example.system;
  const auto stepper = make_stepper(system, Variational{0.02});
  stepper->start(example.start);
  Workspace work(system);
  State state;
  VectorXd tangent(system.ambient()), c(system.constraints());
  for (int k = 0; k < 300; ++k) {
    stepper->step(INFINITY);
    stepper->current(state);
    const double size = state.q.cwiseAbs().maxCoeff();
    ASSERT_LT(system.space().defect(state.q), 1e-14 * std::max(1.0, std::pow(size, 4))) << "step " << k;
    system.space().tangent_project(state.q, state.v, tangent);
    ASSERT_LT((state.v - tangent).norm(), 2e-14 * std::max(1.0, state.v.norm())) << "step " << k;
  }
}

class Symplectic : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Systems, Symplectic, testing::ValuesIn(conservative), name_of);

// A patch of the tangent bundle around a state: q by retraction, the velocity projected.
State patch(const System& system, const State& centre, const MatrixXd& N, const VectorXd& x) {
  const auto d = N.cols();
  State state = centre;
  system.space().retract(centre.q, N * x.head(d), state.q);
  system.space().tangent_project(state.q, centre.v + N * x.tail(d), state.v);
  return state;
}

VectorXd canonical(const System& system, const State& state) {
  VectorXd z(2 * system.ambient());
  z << state.q, momentum(system, state);
  return z;
}

// The two-form dq ^ dp on the patch, after a map of states: differences of fourth order.
MatrixXd two_form(const Example& example, const std::function<State(const State&)>& map) {
  const System& system = example.system;
  const int a = system.ambient(), d = system.space().dimension();
  MatrixXd N(a, d);
  system.space().tangent_basis(example.start.q, N);
  const double e = 2e-3;
  MatrixXd Z(2 * a, 2 * d);
  for (int j = 0; j < 2 * d; ++j) {
    const auto at = [&](double s) {
      return canonical(system, map(patch(system, example.start, N, s * VectorXd::Unit(2 * d, j))));
    };
    Z.col(j) = (8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e);
  }
  const MatrixXd half = Z.topRows(a).transpose() * Z.bottomRows(a);
  return half - half.transpose();
}

TEST_P(Symplectic, TwoFormIsKept) {
  const Example example = GetParam().make();
  const MatrixXd before = two_form(example, [](const State& s) { return s; });
  const MatrixXd after = two_form(example, [&](const State& s) { return advance(example, s, 0.05, 4); });
  EXPECT_GT(before.cwiseAbs().maxCoeff(), 0.1);
  EXPECT_LT((after - before).cwiseAbs().maxCoeff(), 1e-8);
}

// The test itself must be able to fail: a map that is not symplectic.
TEST(SymplecticTest, SeesWhatIsNotSymplectic) {
  const Example example = double_pendulum();
  const MatrixXd before = two_form(example, [](const State& s) { return s; });
  const MatrixXd after = two_form(example, [&](const State& s) {
    const auto stepper = make_stepper(example.system, Rk4{0.05});
    stepper->start(s);
    State end;
    for (int k = 0; k < 4; ++k) stepper->step(INFINITY);
    stepper->current(end);
    return end;
  });
  EXPECT_GT((after - before).cwiseAbs().maxCoeff(), 1e-6);
}

struct Pair {
  const char* name;
  std::function<Example(Path)> make;
};
std::ostream& operator<<(std::ostream& out, const Pair& p) { return out << p.name; }

class BothSteppers : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(Systems, BothSteppers,
                         testing::Values(Pair{"DoublePendulum", [](Path p) { return double_pendulum(p); }},
                                         Pair{"Chain", [](Path p) { return chain(5, p); }},
                                         Pair{"CoupledPlanar", [](Path p) { return coupled_planar(p); }},
                                         Pair{"RotatingSphere", [](Path p) { return rotating_sphere(p); }},
                                         Pair{"SliderCrank", [](Path p) { return slider_crank(p); }},
                                         Pair{"Damped", [](Path p) { return damped_pendulum(p); }},
                                         Pair{"Driven", [](Path p) { return driven_pendulum(p); }}),
                         [](const auto& pair) { return std::string(pair.param.name); });

TEST_P(BothSteppers, AgreeOnEveryStep) {
  const Example fast = GetParam().make(Path::constant_mass), slow = GetParam().make(Path::reduced);
  State state = fast.start;
  for (int k = 0; k < 50; ++k) {
    const State one = advance(fast, state, 0.01, 1), other = advance(slow, state, 0.01, 1);
    ASSERT_LT((one.q - other.q).lpNorm<Eigen::Infinity>(), 1e-14) << "step " << k;
    ASSERT_LT((one.v - other.v).lpNorm<Eigen::Infinity>(), 1e-13 * std::max(1.0, state.v.norm())) << "step " << k;
    state = one;
  }
}

// The quarter turn per step, where the discrete Legendre transform folds: sin(angle) = h omega.
TEST(StepLimit, IsTheFold) {
  const Example example = free_body({1, 1, 1});
  const auto turned = [&](double h_omega) {
    State start = example.system.state(0, example.start.q, Eigen::Vector3d(0, 0, h_omega));
    return advance(example, start, 1.0, 1);
  };
  const State end = turned(0.95);
  const Eigen::Matrix3d R0 = example.start.q.reshaped(3, 3), R1 = end.q.reshaped(3, 3);
  EXPECT_NEAR(std::acos(((R0.transpose() * R1).trace() - 1) / 2), std::asin(0.95), 1e-12);
  EXPECT_THROW(turned(1.05), std::runtime_error);
  EXPECT_THROW(turned(2.5), std::runtime_error);
}

TEST(StepLimit, OfASphere) {
  const Example example = rotating_sphere();
  State start = example.start;
  start.v *= 2.5 / start.v.norm();
  EXPECT_THROW(advance(example, start, 1.0, 1), std::runtime_error);
}

}  // namespace
}  // namespace hamel::test
