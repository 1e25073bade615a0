// Lee, Leok, McClamroch: Dynamics and Control of a Chain Pendulum on a Cart, sections III to V: linear model, spectra,
// gains of the linear-quadratic regulator, and the two experiments in which it balances the chain. z points down.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <hamel/analyze/control.hpp>
#include <hamel/analyze/spectrum.hpp>
#include <hamel/integrate/integrate.hpp>
#include <hamel/integrate/method.hpp>
#include <hamel/record/sample.hpp>

#include "gallery/files.hpp"
#include "hamel/linear/dense.hpp"

namespace hamel::test::regulator_test {
namespace {

constexpr int n = 5, degrees = n + 1;
constexpr double cart = 0.5, m = 0.1, l = 0.1, g = 9.81;
const char* const id = "chain-pendulum-on-cart-controlled";
using Goal = Eigen::Matrix<double, n, 1>;
const Goal hanging = Goal::Ones(), partly_folded(-1, -1, -1, 1, 1);

// Of one vertical plane: (x, xi_1, ..., xi_n) with xi_i the horizontal part of q_i - s_i e3; the paper's (19).
struct LinearModel {
  MatrixXd mass = MatrixXd(degrees, degrees), stiffness = MatrixXd::Zero(degrees, degrees);

  explicit LinearModel(const Goal& s) {
    const auto beyond = [](int i) { return (n - i) * m; };
    mass(0, 0) = cart + beyond(0);
    for (int i = 0; i < n; ++i) {
      mass(0, i + 1) = mass(i + 1, 0) = beyond(i) * l;
      stiffness(i + 1, i + 1) = s(i) * beyond(i) * g * l;
      for (int j = 0; j < n; ++j) mass(i + 1, j + 1) = beyond(std::max(i, j)) * l * l;
    }
  }

  MatrixXd squared_rates() const { return -linear::solve_columns(mass, stiffness); }  // its eigenvalues are lambda^2
  MatrixXd A() const {
    MatrixXd result = MatrixXd::Zero(2 * degrees, 2 * degrees);
    result.topRightCorner(degrees, degrees).setIdentity();
    result.bottomLeftCorner(degrees, degrees) = squared_rates();
    return result;
  }
  VectorXd B() const {
    VectorXd result = VectorXd::Zero(2 * degrees);
    result.tail(degrees) = linear::solve(mass, VectorXd::Unit(degrees, 0));
    return result;
  }
};

// The gain B^T P of the cost z^T Q z + u^2, by the sign of Hamilton's matrix: (sign + I) [I; P] = 0.
VectorXd regulator(const MatrixXd& A, const VectorXd& B, const VectorXd& Q) {
  const Eigen::Index size = A.rows();
  MatrixXd sign(2 * size, 2 * size), previous;
  sign << A, -B * B.transpose(), -MatrixXd(Q.asDiagonal()), -A.transpose();
  do {
    previous = sign;
    sign = (sign + linear::inverse(sign)) / 2;
  } while ((sign - previous).norm() > 1e-9 * sign.norm());
  sign += MatrixXd::Identity(2 * size, 2 * size);
  const MatrixXd P = linear::shortest_least_squares(sign.rightCols(size), -sign.leftCols(size), linear::rounding);
  return P * B;
}

VectorXd weights(double of_cart, double of_links) {
  VectorXd half = VectorXd::Constant(degrees, of_links);
  half(0) = of_cart;
  VectorXd result(2 * degrees);
  result << half, half;
  return result;
}

double slowest(const LinearModel& model, const VectorXd& gain) {
  return linear::eigenvalues(model.A() - model.B() * gain.transpose()).real().maxCoeff();
}

// Rotations by s_i xi_i tilt the links: the gains of the file are of those.
std::vector<Setting> gains_of(const VectorXd& gain, const Goal& s) {
  return {{"s", s},
          {"kx", gain(0)},
          {"kq", gain.segment(1, n).cwiseProduct(s)},
          {"kv", gain(degrees)},
          {"kw", gain.tail(n).cwiseProduct(s)}};
}

// The goal with the chain turned by `tilt` in the plane of e1 and e3, all at rest.
State tilted(const Goal& s, const VectorXd& tilt) {
  State state{0, VectorXd::Zero(2 + 3 * n), VectorXd::Zero(2 + 3 * n)};
  state.q(0) = tilt(0);
  for (int i = 0; i < n; ++i) state.q.segment<3>(2 + 3 * i) << std::sin(tilt(i + 1)), 0, s(i) * std::cos(tilt(i + 1));
  return state;
}

VectorXd response(const System& system, const State& state) {
  Workspace work(system);
  VectorXd a(system.ambient()), result(degrees);
  system.acceleration(work, 0, state.q, state.v, a);
  result(0) = a(0);
  for (int i = 0; i < n; ++i) result(i + 1) = a(2 + 3 * i);
  return result;
}

TEST(Regulator, LinearModelIsThatOfTheFile) {
  const VectorXd gain = VectorXd::LinSpaced(2 * degrees, 1.5, -0.7);
  constexpr double h = 1e-4;
  for (const Goal& s : {hanging, partly_folded}) {
    const System system = derive(from_gallery(id, gains_of(gain, s)));
    const LinearModel model(s);
    const MatrixXd closed = model.A() - model.B() * gain.transpose();
    for (int k = 0; k < degrees; ++k) {
      const VectorXd tilt = h * VectorXd::Unit(degrees, k);
      const VectorXd slope = (response(system, tilted(s, tilt)) - response(system, tilted(s, -tilt))) / (2 * h);
      EXPECT_LE((slope - closed.col(k).tail(degrees)).norm(), 1e-6 * closed.norm()) << "column " << k;
    }
  }
}

// Every lambda^2 belongs to two planes; those of the inverted chain are the negatives.
TEST(Regulator, SpectraOfTheOpenLoop) {
  const Goal expected(-1261.612854, -716.4176835, -373.5990674, -158.1358456, -40.8345494);
  for (const double side : {1.0, -1.0}) {
    VectorXd found = side * linear::eigenvalues(LinearModel(side * hanging).squared_rates()).real();
    std::sort(found.begin(), found.end());
    EXPECT_LE((found.head(n) - expected).norm(), 1e-6);
    EXPECT_NEAR(found(n), 0, 1e-9) << "the cart";
  }
}

TEST(Regulator, GainsOfTheFile) {
  const LinearModel model(partly_folded);
  const VectorXd gain = regulator(model.A(), model.B(), weights(1, 8));
  const std::vector<Parameter> parameters = gallery_model(id).model.parameters();
  const auto value = [&](const std::string& name) -> VectorXd {
    const auto has_name = [&](const Parameter& parameter) { return parameter.name == name; };
    return std::find_if(parameters.begin(), parameters.end(), has_name)->value;
  };
  EXPECT_NEAR(value("kx")(0), gain(0), 1e-9);
  EXPECT_NEAR(value("kv")(0), gain(degrees), 1e-9);
  EXPECT_LE((value("kq") - gain.segment(1, n).cwiseProduct(partly_folded)).norm(), 1e-8);
  EXPECT_LE((value("kw") - gain.tail(n).cwiseProduct(partly_folded)).norm(), 1e-8);
  EXPECT_NEAR(slowest(model, gain), -0.771, 5e-4);
}

double distance_to(const Goal& s, const State& state) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (state.q.segment<3>(2 + 3 * i) - s(i) * Eigen::Vector3d::UnitZ()).norm();
  return sum;
}

// Experiment 2: from almost folded to hanging.
TEST(Regulator, UnfoldsTheChain) {
  const LinearModel model(hanging);
  const VectorXd gain = regulator(model.A(), model.B(), weights(8, 1));
  EXPECT_NEAR(gain(0), std::sqrt(8), 1e-9);
  EXPECT_NEAR(gain(1), -46.45642164956608, 1e-8);
  EXPECT_NEAR(slowest(model, gain), -1.0778260178, 1e-9);

  const System system = derive(from_gallery(id, gains_of(gain, hanging)));
  VectorXd tilt = VectorXd::Zero(degrees);
  tilt(n) = M_PI / 180;
  State start = tilted(Goal(-1, 1, -1, 1, -1), tilt);
  start.q.head<2>() << 0.2, 0.1;
  start.v(1) = -0.1;
  EXPECT_NEAR(distance_to(hanging, start), 5.9999, 1e-4);
  const Trajectory run = integrate(system, start, Rk45{.relative = 1e-10, .absolute = 1e-12}, {.t = 20, .every = 10});
  EXPECT_NEAR(distance_to(hanging, run.states[1]), 5.87e-4, 1e-6);
  EXPECT_NEAR(distance_to(hanging, run.states[2]), 1.22e-8, 1e-10);
}

// Experiment 3, as the file has it: three rods upright, two hanging from them.
TEST(Regulator, BalancesTheChainPartlyFolded) {
  const ModelFile file = gallery_model(id);
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  Sample first;
  Measurement(system, {}, {{"force", file.outputs.front().formula}})(start, first);
  EXPECT_NEAR(first.outputs.norm(), 90.75, 5e-3);
  EXPECT_NEAR(distance_to(partly_folded, start), 0.9329, 5e-5);
  const Method method = method_named(file.run.integrator, file.run.step, file.run.tolerance);
  const Trajectory run = integrate(system, start, method, {.t = 20, .every = 10});
  EXPECT_NEAR(distance_to(partly_folded, run.states[1]), 6.55e-4, 1e-6);
  EXPECT_NEAR(distance_to(partly_folded, run.states[2]), 2.45e-7, 1e-9);
}

// Goodarzi, Lee and Lee's quadrotor: with its law all but the yaw comes to rest; without it, it falls over.
TEST(Regulator, HoldsTheQuadrotorAndItsCable) {
  const ModelFile file = gallery_model("quadrotor-cable-load");
  std::vector<std::string> remarks;
  const System closed = derive(file.model), open = derive(file.model.open());
  const State hover = examine_equilibria(file, closed, remarks).front().state;
  ASSERT_TRUE(examine_equilibria(file, closed, remarks).front().holds);
  const Spectrum held = spectrum(linearize(closed, hover));
  EXPECT_EQ(held.zero().algebraic, 1) << "the yaw";
  for (const Eigenvalue& eigenvalue : held.values)
    EXPECT_TRUE(eigenvalue.value == 0.0 || eigenvalue.value.real() < -3e-3) << eigenvalue.value.imag();
  const hamel::LinearModel free = trimmed(Linearization(open), hover);
  EXPECT_NEAR(free.inputs(0), 9.81 * (1 + 4 * 0.02 + 0.3), 1e-9);
  EXPECT_TRUE(controllability(free).complete());
}

}  // namespace
}  // namespace hamel::test::regulator_test
