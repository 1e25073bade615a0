// A regulator as a formula.
#include <stdexcept>

#include "hamel/analyze/control.hpp"

namespace hamel {
namespace {

using Eigen::Index;

// The rotation vector of R0^T R: sin(a) n times a / sin(a), which is 1 where both are 0.
Formula rotation_vector(const MatrixXd& R0, const Formula& R) {
  const Formula turn = Formula(MatrixXd(R0.transpose())) * R, sine = vee(turn), cosine = (trace(turn) - 1.0) / 2.0;
  const Formula size = sqrt(squared_norm(sine) + 1e-40);
  return (atan2(size, cosine) / size) * sine;
}

// How the rates follow from a vector of the ambient space at q0.
MatrixXd rates_at(const Manifold& space, In q0) {
  MatrixXd result(space.rates(), space.ambient());
  VectorXd tangent(space.ambient());
  for (Index k = 0; k < result.cols(); ++k) {
    space.tangent_project(q0, VectorXd::Unit(space.ambient(), k), tangent);
    space.rates(q0, tangent, result.col(k));
  }
  return result;
}

Formula entries(const Formula& matrix) {
  if (matrix.is_vector()) return matrix;
  std::vector<Formula> all;
  for (int j = 0; j < matrix.cols(); ++j)
    for (int i = 0; i < matrix.rows(); ++i) all.push_back(matrix(i, j));
  return Formula::vector(all);
}

// K times the error of a coordinate.
Formula of_error(const MatrixXd& K, const Manifold& space, const Formula& q, const VectorXd& q0) {
  if (space.is_flat()) return Formula(K) * (q - Formula(q0));
  if (space.is_pose())
    return Formula(MatrixXd(K.leftCols(3))) * rotation_vector(q0.head(9).reshaped(3, 3), rotation(q)) +
           Formula(MatrixXd(K.rightCols(3) * q0.head(9).reshaped(3, 3).transpose())) *
               (position(q) - Formula(VectorXd(q0.tail(3))));
  if (space.turning() == Turning::body) return Formula(K) * rotation_vector(q0.reshaped(3, 3), q);
  if (space.turning() == Turning::direction) return Formula(K) * cross(Formula(q0), q);
  const MatrixXd slope = K * rates_at(space, q0);
  return Formula(slope) * (entries(q) - Formula(q0));
}

Formula of_rate(const MatrixXd& K, const Manifold& space, const Formula& q, const VectorXd& q0) {
  if (space.is_flat()) return Formula(K) * rate(q);
  if (space.is_pose())
    return Formula(MatrixXd(K.leftCols(3))) * omega(q) +
           Formula(MatrixXd(K.rightCols(3))) * (transpose(rotation(q)) * rate(position(q)));
  if (space.turning() != Turning::none) return Formula(K) * omega(q);
  return Formula(MatrixXd(K * rates_at(space, q0))) * entries(rate(q));
}

// Without what rounding left of zeros.
MatrixXd cleaned(MatrixXd K, double largest) {
  for (double& entry : K.reshaped())
    if (std::abs(entry) <= 1e-13 * largest) entry = 0;
  return K;
}

}  // namespace

Formula feedback(const Model& model, const LinearModel& linear, const Regulator& regulator) {
  if (!linear.moving.is_rest())
    throw std::invalid_argument(
        "a regulator of a steady motion is no law of a model: its errors are those from a frame that moves with time; "
        "use "
        "its gains with Generator::displacement");
  Formula u = linear.inputs;
  double largest = 0;
  for (const Gain& gain : regulator.gains)
    for (const MatrixXd* K : {&gain.point, &gain.rate})
      if (K->size() > 0) largest = std::max(largest, K->cwiseAbs().maxCoeff());
  // In print, no minus meets another.
  const auto less = [&](const Formula& from, const MatrixXd& gain, const auto& of) {
    const MatrixXd K = cleaned(gain, largest);
    return (K.array() <= 0).all() ? from + of(MatrixXd(-K)) : from - of(K);
  };
  Index offset = 0;
  for (std::size_t k = 0; k < model.coordinates().size(); ++k) {
    const Manifold& space = model.coordinates()[k].space;
    const VectorXd q0 = linear.at.q.segment(offset, space.ambient());
    const Formula q = model.coordinate(k);
    u = less(u, regulator.gains[k].point, [&](const MatrixXd& K) { return of_error(K, space, q, q0); });
    if (linear.is_field) continue;
    u = less(u, regulator.gains[k].rate, [&](const MatrixXd& K) { return of_rate(K, space, q, q0); });
    offset += space.ambient();
  }
  return u;
}

}  // namespace hamel
