#include "systems/newton_euler.hpp"

#include "hamel/linear/dense.hpp"

namespace hamel::test {

int Mechanism::add(const FreeBody& body) {
  bodies_.push_back(body);
  entries_.emplace_back();
  return static_cast<int>(bodies_.size()) - 1;
}

Mechanism::Point Mechanism::point(const Hook& hook) const {
  Point result{hook.at, Vector3d::Zero(), Vector3d::Zero(), Eigen::Matrix<double, 3, 6>::Zero()};
  if (hook.body == Hook::space) return result;
  const FreeBody& body = bodies_[static_cast<std::size_t>(hook.body)];
  result.x = body.x + body.R * hook.at;
  result.v = body.v + body.R * body.W.cross(hook.at);
  result.bias = body.R * body.W.cross(body.W.cross(hook.at));
  result.jacobian << Matrix3d::Identity(), -body.R * hat(hook.at);
  return result;
}

void Mechanism::hold(const Vector3d& along, const Hook& a, const Hook& b, double right_side) {
  const int row = static_cast<int>(right_sides_.size());
  const auto enter = [&](const Hook& hook, double sign) {
    if (hook.body == Hook::space) return;
    entries_[static_cast<std::size_t>(hook.body)].push_back({row, sign * along.transpose() * point(hook).jacobian});
  };
  enter(a, 1);
  enter(b, -1);
  right_sides_.push_back(right_side - along.dot(point(a).bias - point(b).bias));
}

void Mechanism::ball_joint(const Hook& a, const Hook& b) {
  for (int k = 0; k < 3; ++k) hold(Vector3d::Unit(k), a, b, 0);
}

void Mechanism::rod(const Hook& a, const Hook& b) {
  hold(point(a).x - point(b).x, a, b, -(point(a).v - point(b).v).squaredNorm());
}

Eigen::Matrix<double, 6, 6> Mechanism::inverse_mass(const FreeBody& body) const {
  Eigen::Matrix<double, 6, 6> result = Eigen::Matrix<double, 6, 6>::Zero();
  result.topLeftCorner<3, 3>() = Matrix3d::Identity() / body.mass;
  result.bottomRightCorner<3, 3>() = body.J.inverse();
  return result;
}

// C M^-1 C^T lambda = right side - C M^-1 f, then (x'', W') = M^-1 (f + C^T lambda).
std::vector<Mechanism::Acceleration> Mechanism::accelerations() const {
  const auto rows = static_cast<Eigen::Index>(right_sides_.size());
  MatrixXd A = MatrixXd::Zero(rows, rows);
  VectorXd b = Eigen::Map<const VectorXd>(right_sides_.data(), rows);
  std::vector<Eigen::Matrix<double, 6, 1>> result;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const FreeBody& body = bodies_[k];
    const Eigen::Matrix<double, 6, 6> inverse = inverse_mass(body);
    Eigen::Matrix<double, 6, 1> load;
    load << body.force, body.moment - body.W.cross(body.J * body.W);
    result.emplace_back(inverse * load);
    for (const auto& [i, row] : entries_[k]) {
      b(i) -= row * result.back();
      for (const auto& [j, other] : entries_[k]) A(i, j) += row * inverse * other.transpose();
    }
  }
  const VectorXd lambda = rows > 0 ? linear::solve(A, b) : VectorXd();
  std::vector<Acceleration> accelerations;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    for (const auto& [i, row] : entries_[k]) result[k] += inverse_mass(bodies_[k]) * row.transpose() * lambda(i);
    accelerations.push_back({result[k].head<3>(), result[k].tail<3>()});
  }
  return accelerations;
}

}  // namespace hamel::test
