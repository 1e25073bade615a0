// Book sections 9.10 and 9.11: spacecraft with reaction wheels and with a control moment gyroscope, against their
// equations, corrected.
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <array>

#include "gallery/files.hpp"
#include "hamel/integrate/integrate.hpp"
#include "hamel/linear/dense.hpp"
#include "systems/bodies.hpp"

namespace hamel::test::spacecraft_test {
namespace {

const Vector3d e1 = Vector3d::UnitX(), e2 = Vector3d::UnitY();
const Matrix3d I = Matrix3d::Identity();

// The rotation about e1 that takes e2 to (0, q).
Matrix3d spin(const Vector2d& q) {
  const Vector3d a(0, q.x(), q.y());
  Matrix3d result;
  result << e1, a, e1.cross(a);
  return result;
}

VectorXd scalar(double x) { return VectorXd::Constant(1, x); }

// A linear map as a matrix, column by column.
MatrixXd matrix_of(int n, const std::function<VectorXd(const VectorXd&)>& map) {
  MatrixXd result(n, n);
  for (int j = 0; j < n; ++j) result.col(j) = map(VectorXd::Unit(n, j));
  return result;
}

// Base and three wheels; xi = (Omega, v, omega), the velocity v of the base in its own frame.
struct Wheels {
  double base = 10;
  Vector3d masses{0.5, 0.7, 0.4};
  Matrix3d Jb{{1.0, 0.1, 0}, {0.1, 1.4, -0.2}, {0, -0.2, 1.8}}, Jw{{0.2, 0.02, 0.01}, {0.02, 0.3, 0}, {0.01, 0, 0.25}};
  Vector3d offset{0.05, 0.1, -0.08};
  Matrix3d hubs{{0.4, 0.1, 0}, {-0.1, 0.5, 0.2}, {0.1, 0, 0.6}};  // by rows
  std::array<Matrix3d, 3> axes = {I, Matrix3d{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
                                  Matrix3d{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};

  Model model() const {
    const Eigen::Vector4d m(base, masses(0), masses(1), masses(2));
    return from_gallery("spacecraft-reaction-wheels",
                        {{"m", m}, {"Jb", Jb}, {"Jw", Jw}, {"offset", offset}, {"rho", hubs}});
  }
  Vector3d hub(int i) const { return hubs.row(i); }
  Vector3d moment(int i) const { return masses(i) * offset; }
  Matrix3d Q(const VectorXd& q, int i) const {
    return axes[static_cast<std::size_t>(i)] * spin(q.segment<2>(12 + 2 * i));
  }

  Vector3d first_moment(const VectorXd& q) const {
    Vector3d sum(0, 0, 0);
    for (int i = 0; i < 3; ++i) sum += masses(i) * hub(i) + Q(q, i) * moment(i);
    return sum;
  }
  Vector3d momentum_of_wheels(const VectorXd& q, const VectorXd& xi) const {
    Vector3d sum(0, 0, 0);
    for (int i = 0; i < 3; ++i) sum += Q(q, i) * e1.cross(moment(i)) * xi(6 + i);
    return sum;
  }
  Matrix3d inertia(const VectorXd& q) const {
    Matrix3d sum = Jb;
    for (int i = 0; i < 3; ++i) {
      const Matrix3d r = hat(hub(i)), s = hat(Q(q, i) * moment(i));
      sum += masses(i) * r.transpose() * r + r.transpose() * s + s.transpose() * r + Q(q, i) * Jw * Q(q, i).transpose();
    }
    return sum;
  }
  Vector3d coupling(const VectorXd& q, int i) const {
    return (hat(hub(i)).transpose() * Q(q, i) * hat(moment(i)) + Q(q, i) * Jw) * e1;
  }

  VectorXd momenta(const VectorXd& q, const VectorXd& xi) const {
    const Vector3d Omega = xi.head<3>(), v = xi.segment<3>(3), K = first_moment(q);
    VectorXd result(9);
    result.segment<3>(3) = (base + masses.sum()) * v + Omega.cross(K) + momentum_of_wheels(q, xi);
    result.head<3>() = K.cross(v) + inertia(q) * Omega;
    for (int i = 0; i < 3; ++i) {
      result.head<3>() += coupling(q, i) * xi(6 + i);
      result(6 + i) = v.dot(Q(q, i) * e1.cross(moment(i))) + Jw(0, 0) * xi(6 + i) + Omega.dot(coupling(q, i));
    }
    return result;
  }

  // Book (9.63) to (9.65).
  double wheel_rate(const VectorXd& q, const VectorXd& xi, int i) const {
    const Vector3d Omega = xi.head<3>(), v = xi.segment<3>(3), turned = e1.cross(moment(i));
    const Matrix3d Qi = Q(q, i), r = hat(hub(i)), s = hat(Qi * turned), S = hat(e1);
    const Matrix3d J_rate = r.transpose() * s + s.transpose() * r + Qi * (S * Jw - Jw * S) * Qi.transpose();
    return v.dot(Omega.cross(Qi * turned) + Qi * e1.cross(turned) * xi(6 + i)) + Omega.dot(J_rate * Omega) / 2 +
           Omega.dot((r.transpose() * Qi * S * hat(moment(i)) + Qi * S * Jw) * e1) * xi(6 + i);
  }

  Rates hamilton(const VectorXd& q, const VectorXd& pi) const {
    const MatrixXd A = matrix_of(9, [&](const VectorXd& xi) { return momenta(q, xi); });
    const VectorXd xi = linear::solve(A, pi);
    const Vector3d Omega = xi.head<3>(), v = xi.segment<3>(3), Pi = pi.head<3>(), p = pi.segment<3>(3);
    const Matrix3d R = attitude(q);
    const Vector3d turn = Pi.cross(Omega) - v.cross(Omega.cross(first_moment(q)) + momentum_of_wheels(q, xi));
    std::vector<VectorXd> q_rate = {pose(R * hat(Omega), R * v)}, rate = {turn, p.cross(Omega)};
    for (int i = 0; i < 3; ++i) {
      q_rate.emplace_back(xi(6 + i) * quarter_turn() * q.segment<2>(12 + 2 * i));
      rate.push_back(scalar(wheel_rate(q, xi, i)));
    }
    return {stack(q_rate), stack(rate)};
  }
};

TEST(Spacecraft, ReactionWheelsOutOfBalance) {
  const Wheels wheels;
  ByHand hand;
  hand.pi = [&](const VectorXd& q, const VectorXd& pi) { return wheels.hamilton(q, pi); };
  const System system = derive(wheels.model().held());
  const Samples samples = random_samples(system, 50);
  expect_equations(system, hand, samples);
  expect_forms_agree(system, random_samples(system, 5));
}

// Book (9.63) to (9.65) with a force on the base in space, a moment on it in its frame, and torques of the motors.
TEST(Spacecraft, ReactionWheelsWithForces) {
  const Wheels wheels;
  const System system = derive(wheels.model());
  ASSERT_EQ(system.inputs(), 9);
  const Samples samples = random_samples(system, 50);
  const Vector3d force = samples.inputs.head<3>(), moment = samples.inputs.segment<3>(3),
                 torque = samples.inputs.tail<3>();
  ASSERT_GT(std::min({force.norm(), moment.norm(), torque.norm()}), 0.1);
  ByHand hand;
  hand.pi = [&](const VectorXd& q, const VectorXd& pi) {
    Rates rates = wheels.hamilton(q, pi);
    rates.partner += stack({moment, attitude(q).transpose() * force, torque});
    return rates;
  };
  expect_equations(system, hand, samples);
}

// Motors bring the spacecraft home and hold it against a disturbance, at the cost of one wheel.
TEST(Spacecraft, ReactionWheelsBringItHome) {
  Model model = gallery_model("spacecraft-reaction-wheels").model;
  const Formula G = model.coordinate(0), t = model.time();
  model.law(model.input_symbol(0), 0.001 * Formula::vector({sin(t), cos(t), sin(2.0 * t)}));
  model.law(model.input_symbol(1), Formula::vector({0.004, 0.0, 0.0}));
  model.law(model.input_symbol(2), 0.8 * vee(rotation(G)) + 2.0 * omega(G));
  const System system = derive(model);
  const Matrix3d R = Eigen::AngleAxisd(1.2, Vector3d(1, 2, 1).normalized()).toRotationMatrix();
  const VectorXd q = stack({pose(R, Vector3d(0, 0, 0)), Vector2d(1, 0), Vector2d(1, 0), Vector2d(1, 0)});
  VectorXd v = VectorXd::Zero(18);
  v.head<12>() = pose(R * hat(Vector3d(0.02, -0.03, 0.01)), Vector3d(0, 0, 0));
  const Trajectory run = integrate(system, {0, q, v}, Gauss{.step = 0.05}, Until{.t = 40, .every = 20});
  const auto wheel = [&](const State& state, int i) {
    return state.v.segment<2>(12 + 2 * i).dot(quarter_turn() * state.q.segment<2>(12 + 2 * i));
  };
  const State &middle = run.states[1], &end = run.states[2];
  EXPECT_GT((attitude(run.states[0].q) - I).norm(), 1);
  EXPECT_LT((attitude(end.q) - I).norm(), 0.01);
  EXPECT_NEAR((wheel(end, 0) - wheel(middle, 0)) / 20, 0.004 / 0.02, 0.002);  // M_1 / alpha
}

// The centres of the wheels are on their axes, and that of the whole in the origin of the base.
Wheels balanced_wheels() {
  Wheels wheels;
  wheels.offset.setZero();
  wheels.hubs.row(2) =
      -(wheels.masses(0) * wheels.hubs.row(0) + wheels.masses(1) * wheels.hubs.row(1)) / wheels.masses(2);
  return wheels;
}

// Book (9.59), (9.60), corrected: the wheels have no axis of symmetry.
TEST(Spacecraft, BalancedReactionWheels) {
  const Wheels wheels = balanced_wheels();
  ByHand hand;
  hand.omega = [&](const VectorXd& q, const VectorXd& xi) -> VectorXd {
    const Vector3d Omega = xi.head<3>(), v = xi.segment<3>(3);
    const Matrix3d &J = wheels.Jw, S = hat(e1), total = wheels.inertia(q);
    MatrixXd A = MatrixXd::Zero(6, 6);
    A.topLeftCorner<3, 3>() = total;
    VectorXd b = VectorXd::Zero(6);
    b.head<3>() = -Omega.cross(total * Omega);
    for (int i = 0; i < 3; ++i) {
      const Matrix3d Q = wheels.Q(q, i), changing = Q * (S * J - J * S) * Q.transpose();
      const Vector3d spin_momentum = Q * J * e1;
      const double w = xi(6 + i);
      A.block<3, 1>(0, 3 + i) = spin_momentum;
      A.block<1, 3>(3 + i, 0) = spin_momentum.transpose();
      A(3 + i, 3 + i) = J(0, 0);
      b.head<3>() -= changing * Omega * w + Q * S * J * e1 * w * w + Omega.cross(spin_momentum * w);
      b(3 + i) = Omega.dot(changing * Omega) / 2;
    }
    const VectorXd rates = linear::solve(A, b);
    return stack({rates.head<3>(), -Omega.cross(v), rates.tail<3>()});
  };
  const System system = derive(wheels.model().held());
  expect_equations(system, hand, random_samples(system, 50));
}

// Book (9.61), (9.62), corrected: axisymmetric wheels about the centre of mass of the whole.
TEST(Spacecraft, AxisymmetricReactionWheels) {
  constexpr double alpha = 0.2, beta = 0.12;
  Wheels wheels = balanced_wheels();
  wheels.Jw = Vector3d(alpha, beta, beta).asDiagonal();
  Matrix3d J = wheels.Jb, s;
  for (int i = 0; i < 3; ++i) {
    s.col(i) = wheels.axes[static_cast<std::size_t>(i)] * e1;
    J += wheels.masses(i) * hat(wheels.hub(i)).transpose() * hat(wheels.hub(i)) + beta * I +
         (alpha - beta) * s.col(i) * s.col(i).transpose();
  }
  MatrixXd A(6, 6);
  A << J, alpha * s, alpha * s.transpose(), alpha * I;
  ByHand hand;
  hand.omega = [=](const VectorXd&, const VectorXd& xi) -> VectorXd {
    const Vector3d Omega = xi.head<3>(), v = xi.segment<3>(3), spins = xi.tail<3>();
    const VectorXd rates = linear::solve(A, stack({-Omega.cross(J * Omega + alpha * s * spins), Vector3d(0, 0, 0)}));
    return stack({rates.head<3>(), -Omega.cross(v), rates.tail<3>()});
  };
  const System system = derive(wheels.model().held());
  expect_equations(system, hand, random_samples(system, 50));
}

// xi = (Omega, omega_g, omega_r).
struct Gyroscope {
  Matrix3d Jb{{1.0, 0.1, 0}, {0.1, 1.2, -0.1}, {0, -0.1, 0.8}}, Jg{{0.3, 0.02, 0}, {0.02, 0.2, 0.01}, {0, 0.01, 0.25}};
  Matrix3d Jr = Vector3d(0.1, 0.2, 0.1).asDiagonal();
  double m = 1.5;
  Vector3d rho{0.1, 0.2, 0.3};

  MatrixXd mass(const Vector2d& g) const {
    const Matrix3d Rg = spin(g), Jgr = Jg + Jr;
    MatrixXd M(5, 5);
    const Matrix3d J = Jb + Rg * Jgr * Rg.transpose() + m * hat(rho).transpose() * hat(rho);
    const Vector3d a = Rg * Jgr * e1, b = Rg * Jr * e2;
    M << J, a, b, a.transpose(), e1.dot(Jgr * e1), e1.dot(Jr * e2), b.transpose(), e1.dot(Jr * e2), e2.dot(Jr * e2);
    return M;
  }
  MatrixXd mass_rate(const Vector2d& g) const {  // over omega_g
    const Matrix3d Rg = spin(g), Jgr = Jg + Jr, S = hat(e1);
    MatrixXd M = MatrixXd::Zero(5, 5);
    M.topLeftCorner<3, 3>() = Rg * (S * Jgr - Jgr * S) * Rg.transpose();
    M.block<3, 1>(0, 3) = Rg * S * Jgr * e1;
    M.block<3, 1>(0, 4) = Rg * S * Jr * e2;
    M.bottomLeftCorner<2, 3>() = M.topRightCorner<3, 2>().transpose();
    return M;
  }
};

TEST(Spacecraft, ControlMomentGyroscope) {
  const Gyroscope gyro;
  ByHand hand;
  hand.omega = [=](const VectorXd& q, const VectorXd& xi) -> VectorXd {  // book (9.70)
    const Vector2d g = q.segment<2>(9);
    const MatrixXd M_g = gyro.mass_rate(g);
    const VectorXd momenta = gyro.mass(g) * xi;
    const Vector3d Omega = xi.head<3>(), Pi = momenta.head<3>();
    const VectorXd gyroscopic = stack({Omega.cross(Pi), scalar(-xi.dot(M_g * xi) / 2), scalar(0)});
    return -linear::solve(gyro.mass(g), xi(3) * M_g * xi + gyroscopic);
  };
  hand.pi = [=](const VectorXd& q, const VectorXd& pi) -> Rates {
    const Vector2d g = q.segment<2>(9), r = q.tail<2>();
    const VectorXd xi = linear::solve(gyro.mass(g), pi);
    const Vector3d Omega = xi.head<3>(), Pi = pi.head<3>();
    return {stack({flat(attitude(q) * hat(Omega)), xi(3) * quarter_turn() * g, xi(4) * quarter_turn() * r}),
            stack({Pi.cross(Omega), scalar(xi.dot(gyro.mass_rate(g) * xi) / 2), scalar(0)})};
  };
  const System system = derive(from_gallery(
      "spacecraft-cmg", {{"Jb", gyro.Jb}, {"Jg", gyro.Jg}, {"Jr", gyro.Jr}, {"m", gyro.m}, {"rho", gyro.rho}}));
  expect_equations(system, hand, random_samples(system, 50));
}

}  // namespace
}  // namespace hamel::test::spacecraft_test
