// Book chapter 9: systems of rigid bodies, against their equations (corrected where the print errs).
#include <Eigen/LU>
#include <array>

#include "gallery/files.hpp"
#include "hamel/linear/dense.hpp"
#include "systems/bodies.hpp"

namespace hamel::test::multibody_test {
namespace {

const Vector3d e1 = Vector3d::UnitX(), e3 = Vector3d::UnitZ();
const Matrix3d I = Matrix3d::Identity();
const Matrix3d E1 = hat(e1).transpose() * hat(e1);
const Matrix3d J = Matrix3d{{1.1, 0.1, -0.2}, {0.1, 1.4, 0.15}, {-0.2, 0.15, 1.7}};
constexpr double g = 9.81;

// A proof mass m slides on the first body axis, at distance L + x, held by a spring.
constexpr double M = 2.1, m = 0.6, L = 0.8, stiffness = 3.5;

Matrix3d inertia_with_mass(double x) { return J + m * (L + x) * (L + x) * E1; }

TEST(MultiBody, RotatingBodyWithAppendage) {
  const Model model =
      from_gallery("rotating-body-with-appendage", {{"J", J}, {"m", m}, {"l", L}, {"kappa", stiffness}});
  ByHand hand;
  hand.omega = [](const VectorXd& q, const VectorXd& xi) -> VectorXd {  // book (9.21), corrected
    const double x_ = q(9), v = xi(3);
    const Vector3d w = xi.head<3>();
    const Matrix3d Jx = inertia_with_mass(x_);
    const Vector3d turn = Jx.inverse() * (-2 * m * (L + x_) * v * E1 * w - w.cross(Jx * w));
    return stack({turn, VectorXd::Constant(1, (L + x_) * w.dot(E1 * w) - stiffness * x_ / m)});
  };
  hand.pi = [](const VectorXd& q, const VectorXd& pi) -> Rates {  // book (9.22) to (9.25)
    const Vector3d Pi = pi.head<3>(), w = inertia_with_mass(q(9)).inverse() * Pi;
    return {stack({flat(attitude(q) * hat(w)), VectorXd::Constant(1, pi(3) / m)}),
            stack({Pi.cross(w), VectorXd::Constant(1, m * (L + q(9)) * w.dot(E1 * w) - stiffness * q(9))})};
  };
  EXPECT_EQ(derive(model).path(), Path::reduced);
  expect_by_hand(model, complete({Part::attitude, Part::line}, hand));
}

// (omega, y', x') -> (Pi, p1, p2), book (9.42).
MatrixXd free_appendage_mass(const Matrix3d& R, double x) {
  MatrixXd A = MatrixXd::Zero(7, 7);
  A.block<3, 3>(0, 0) = inertia_with_mass(x);
  A.block<3, 3>(0, 3) = m * (L + x) * hat(e1) * R.transpose();
  A.block<3, 3>(3, 0) = m * (L + x) * R * hat(e1).transpose();
  A.block<3, 3>(3, 3) = (M + m) * I;
  A.block<3, 1>(3, 6) = m * R * e1;
  A.block<1, 3>(6, 3) = m * (R * e1).transpose();
  A(6, 6) = m;
  return A;
}

TEST(MultiBody, FreeBodyWithAppendage) {
  const Model model =
      from_gallery("free-body-with-appendage", {{"M", M}, {"J", J}, {"m", m}, {"l", L}, {"kappa", stiffness}});
  ByHand hand;
  hand.omega = [](const VectorXd& q, const VectorXd& xi) -> VectorXd {  // book (9.42)
    const Matrix3d R_ = attitude(q), S = hat(xi.head<3>());
    const double x_ = q(12), v = xi(6), reach = m * (L + x_);
    const Vector3d w = xi.head<3>();
    const Vector3d turn = 2 * reach * v * E1 * w + w.cross(inertia_with_mass(x_) * w);
    const Vector3d move = 2 * m * v * R_ * S * e1 - reach * R_ * S.transpose() * S * e1;
    const double slide = -reach * w.dot(E1 * w) + stiffness * x_;
    return -linear::solve(free_appendage_mass(R_, x_), stack({turn, move, VectorXd::Constant(1, slide)}));
  };
  hand.pi = [](const VectorXd& q, const VectorXd& pi) -> Rates {  // book (9.45)
    const Matrix3d R_ = attitude(q);
    const double x_ = q(12);
    const VectorXd xi = linear::solve(free_appendage_mass(R_, x_), pi);
    const Vector3d Pi = pi.head<3>(), w = xi.head<3>(), y_rate = xi.segment<3>(3), seen = R_.transpose() * y_rate;
    const Vector3d turn = Pi.cross(w) + m * seen.cross((L + x_) * e1.cross(w) - e1 * xi(6));
    const double slide = m * (L + x_) * w.dot(E1 * w) - m * seen.dot(e1.cross(w)) - stiffness * x_;
    return {stack({flat(R_ * hat(w)), y_rate, xi.tail(1)}),
            stack({turn, Vector3d::Zero(), VectorXd::Constant(1, slide)})};
  };
  EXPECT_EQ(derive(model).path(), Path::reduced);
  expect_by_hand(model, complete({Part::attitude, Part::space, Part::line}, hand));
}

TEST(MultiBody, PendulumOnCart) {
  const Vector3d rho(0.2, -0.3, 0.4);  // from the centre of mass to the pivot
  Eigen::Matrix<double, 3, 2> Q;
  Q << 1, 0, 0, 1, 0, 0;
  const Model model = from_gallery("3d-pendulum-on-cart", {{"M", M}, {"m", m}, {"J", J}, {"rho", rho}});
  const auto A = [=](const Matrix3d& R_) {
    MatrixXd result(5, 5);
    result << J, -m * hat(rho) * R_.transpose() * Q, m * Q.transpose() * R_ * hat(rho), (M + m) * Matrix2d::Identity();
    return result;
  };
  ByHand hand;
  hand.omega = [=](const VectorXd& q, const VectorXd& xi) -> VectorXd {  // book (9.27)
    const Matrix3d R_ = attitude(q);
    const Vector3d w = xi.head<3>(), turn = w.cross(J * w) - m * g * rho.cross(R_.transpose() * e3);
    return -linear::solve(A(R_), stack({turn, -m * Q.transpose() * R_ * hat(w) * hat(w) * rho}));
  };
  hand.pi = [=](const VectorXd& q, const VectorXd& pi) -> Rates {  // book (9.30), in explicit form
    const Matrix3d R_ = attitude(q);
    const VectorXd xi = linear::solve(A(R_), pi);
    const Vector3d Pi = pi.head<3>(), w = xi.head<3>(), seen = R_.transpose() * Q * xi.tail<2>();
    const Vector3d turn = Pi.cross(w) + m * seen.cross(w.cross(rho)) + m * g * rho.cross(R_.transpose() * e3);
    return {stack({flat(R_ * hat(w)), xi.tail(2)}), stack({turn, Vector2d::Zero()})};
  };
  EXPECT_EQ(derive(model).path(), Path::constant_mass) << derive(model).path_reason();
  expect_by_hand(model, complete({Part::attitude, Part::plane}, hand));
}

TEST(MultiBody, TwoBodiesWithACommonPoint) {
  const std::array masses = {1.2, 0.7};
  const std::array<Vector3d, 2> d = {Vector3d(0.2, -0.3, 0.4), Vector3d(-0.1, 0.5, 0.2)};
  const std::array<Matrix3d, 2> inertias = {J, Vector3d(0.9, 1.3, 0.8).asDiagonal()};
  const Model model = from_gallery(
      "two-bodies-common-point",
      {{"m", Vector2d(masses[0], masses[1])}, {"J1", inertias[0]}, {"J2", inertias[1]}, {"d1", d[0]}, {"d2", d[1]}});
  const auto A = [=](const VectorXd& q) {  // book (9.34)
    MatrixXd result = MatrixXd::Zero(9, 9);
    for (const int i : {0, 1}) {
      const auto k = static_cast<std::size_t>(i);
      result.block<3, 3>(3 * i, 3 * i) = inertias[k];
      result.block<3, 3>(3 * i, 6) = masses[k] * hat(d[k]) * attitude(q, 9 * i).transpose();
      result.block<3, 3>(6, 3 * i) = result.block<3, 3>(3 * i, 6).transpose();
    }
    result.block<3, 3>(6, 6) = (masses[0] + masses[1]) * I;
    return result;
  };
  ByHand hand;
  hand.omega = [=](const VectorXd& q, const VectorXd& xi) -> VectorXd {
    VectorXd right = VectorXd::Zero(9);
    for (const int i : {0, 1}) {
      const auto k = static_cast<std::size_t>(i);
      const Vector3d w = xi.segment<3>(3 * i);
      right.segment<3>(3 * i) = -w.cross(inertias[k] * w);
      right.tail<3>() += masses[k] * attitude(q, 9 * i) * hat(w).transpose() * hat(w) * d[k];
    }
    return linear::solve(A(q), right);
  };
  hand.pi = [=](const VectorXd& q, const VectorXd& pi) -> Rates {
    const VectorXd xi = linear::solve(A(q), pi);
    std::array<Vector3d, 2> turn;
    std::array<VectorXd, 2> R_rate;
    for (const int i : {0, 1}) {
      const auto k = static_cast<std::size_t>(i);
      const Vector3d w = xi.segment<3>(3 * i), Pi = pi.segment<3>(3 * i);
      turn[k] = Pi.cross(w) + masses[k] * w.cross(d[k]).cross(attitude(q, 9 * i).transpose() * xi.tail<3>());
      R_rate[k] = flat(attitude(q, 9 * i) * hat(w));
    }
    return {stack({R_rate[0], R_rate[1], xi.tail<3>()}), stack({turn[0], turn[1], Vector3d::Zero()})};
  };
  EXPECT_EQ(derive(model).path(), Path::constant_mass) << derive(model).path_reason();
  expect_by_hand(model, complete({Part::attitude, Part::attitude, Part::space}, hand));
}

// Two bodies, each of which attracts with two of its points.
TEST(MultiBody, FullBodyProblem) {
  const std::array masses = {1.2, 0.7};
  const std::array<Vector3d, 2> spread = {Vector3d(0.2, 0.1, 0.3), Vector3d(-0.1, 0.2, 0.1)};
  const auto inertia_of = [&](std::size_t i) -> Matrix3d {
    return 0.9 * I + masses[i] * hat(spread[i]).transpose() * hat(spread[i]);
  };
  const std::array<Matrix3d, 2> inertias = {inertia_of(0), inertia_of(1)};
  const auto halves = [&](std::size_t i) { return Vector3d(masses[i] / 2, masses[i] / 2, 0); };
  const auto points = [&](std::size_t i) -> Matrix3d {
    Matrix3d rows = Matrix3d::Zero();
    rows.row(0) = spread[i];
    rows.row(1) = -spread[i];
    return rows;
  };
  const Model model = from_gallery(
      "full-body-problem", {{"a", halves(0)}, {"rho", points(0)}, {"b", halves(1)}, {"sigma", points(1)}, {"J0", 0.9}});
  const double strength = masses[0] * masses[1] / 4;

  // The moment in the body frame and the force in space on both bodies: book 9.9, corrected.
  const auto loads = [=](const VectorXd& q) {
    VectorXd result = VectorXd::Zero(12);
    for (const double s : {1.0, -1.0})
      for (const double r : {1.0, -1.0}) {
        const Vector3d a = s * spread[0], b = r * spread[1];
        const Vector3d apart = q.segment<3>(9) + attitude(q) * a - q.segment<3>(21) - attitude(q, 12) * b;
        const Vector3d force = -strength * apart / std::pow(apart.norm(), 3);
        result.segment<3>(0) += a.cross(attitude(q).transpose() * force);
        result.segment<3>(3) += force;
        result.segment<3>(6) -= b.cross(attitude(q, 12).transpose() * force);
        result.segment<3>(9) -= force;
      }
    return result;
  };
  ByHand hand;
  hand.omega = [=](const VectorXd& q, const VectorXd& xi) -> VectorXd {
    VectorXd result(12);
    const VectorXd load = loads(q);
    for (const int i : {0, 1}) {
      const auto k = static_cast<std::size_t>(i);
      const Vector3d w = xi.segment<3>(6 * i), v = xi.segment<3>(6 * i + 3), M_ = load.segment<3>(6 * i);
      result.segment<3>(6 * i) = inertias[k].inverse() * (M_ - w.cross(inertias[k] * w));
      result.segment<3>(6 * i + 3) =
          attitude(q, 12 * i).transpose() * load.segment<3>(6 * i + 3) / masses[k] - w.cross(v);
    }
    return result;
  };
  hand.pi = [=](const VectorXd& q, const VectorXd& pi) -> Rates {
    VectorXd result(12), q_rate(24);
    const VectorXd load = loads(q);
    for (const int i : {0, 1}) {
      const auto k = static_cast<std::size_t>(i);
      const Matrix3d R = attitude(q, 12 * i);
      const Vector3d Pi = pi.segment<3>(6 * i), p = pi.segment<3>(6 * i + 3), w = inertias[k].inverse() * Pi;
      result.segment<3>(6 * i) = Pi.cross(w) + load.segment<3>(6 * i);
      result.segment<3>(6 * i + 3) = p.cross(w) + R.transpose() * load.segment<3>(6 * i + 3);
      q_rate.segment<12>(12 * i) = pose(R * hat(w), R * p / masses[k]);
    }
    return {q_rate, result};
  };
  expect_by_hand(model, complete({Part::pose, Part::pose}, hand));
}

}  // namespace
}  // namespace hamel::test::multibody_test
