#include "models.hpp"

#include <cmath>

#include "hamel/manifold/factors.hpp"

namespace hamel::bench {

Chain chain_numbers(int links) {
  Chain chain{{}, {}, 9.81};
  for (int i = 0; i < links; ++i) {
    chain.masses.push_back(1 + 0.2 * std::sin(1.3 * i));
    chain.lengths.push_back(1 + 0.1 * std::cos(0.7 * i));
  }
  return chain;
}

Body body_numbers() {
  Body body{Eigen::Matrix3d::Zero(), {0.1, -0.2, 0.4}, 1.5, 9.81};
  body.inertia << 1.2, 0.05, -0.1, 0.05, 1.5, 0.08, -0.1, 0.08, 0.9;
  return body;
}

Model chain_model(const Chain& chain) {
  Model model("chain pendulum");
  const auto n = static_cast<Eigen::Index>(chain.masses.size());
  const Formula m = model.parameter("m", Eigen::Map<const Eigen::VectorXd>(chain.masses.data(), n));
  const Formula l = model.parameter("l", Eigen::Map<const Eigen::VectorXd>(chain.lengths.data(), n));
  const Formula g = model.parameter("g", chain.gravity);
  const auto q = model.coordinates<S2>("q", static_cast<int>(n));
  Vec3 x = Eigen::Vector3d::Zero();
  for (int i = 0; i < static_cast<int>(n); ++i) {
    const Vec3 link = l[i] * q[static_cast<std::size_t>(i)];
    x = i == 0 ? link : x + link;
    model.kinetic(m[i] / 2 * squared_norm(rate(x)));
    model.potential(-m[i] * g * x.z());
  }
  return model;
}

Model pendulum_model(const Body& body) {
  Model model("3-D pendulum");
  const Formula m = model.parameter("m", body.mass), g = model.parameter("g", body.gravity);
  const Formula J = model.parameter("J", Eigen::MatrixXd(body.inertia));
  const Formula rho = model.parameter("rho", Eigen::MatrixXd(body.center));
  const Mat3 R = model.coordinate<SO3>("R");
  const Vec3 center = model.body("body", {.attitude = R, .mass = m, .inertia = J, .center_of_mass = rho});
  model.potential(-m * g * center.z());
  return model;
}

Model free_body_model(const Body& body) {
  Model model("body around a heavy centre");
  const Formula m = model.parameter("m", body.mass), g = model.parameter("g", body.gravity);
  const Formula J = model.parameter("J", Eigen::MatrixXd(body.inertia));
  const Formula rho = model.parameter("rho", Eigen::MatrixXd(body.center));
  const Formula pose = model.coordinate<SE3>("X");
  const Vec3 center = model.body(
      "body", {.attitude = rotation(pose), .position = position(pose), .mass = m, .inertia = J, .center_of_mass = rho});
  model.potential(-m * g / norm(center));
  return model;
}

State chain_start(int links) {
  State state;
  state.q.resize(3 * links);
  state.v.resize(3 * links);
  for (int i = 0; i < links; ++i) {
    const Eigen::Vector3d q = Eigen::Vector3d(0.3 * std::sin(0.7 * i + 1), 0.3 * std::cos(1.1 * i), 1).normalized();
    const Eigen::Vector3d omega(0.2 * std::cos(0.3 * i), 0.2 * std::sin(0.9 * i), 0);
    state.q.segment<3>(3 * i) = q;
    state.v.segment<3>(3 * i) = omega.cross(q);
  }
  return state;
}

double chain_step(int links) { return 0.03 / std::sqrt(links); }

}  // namespace hamel::bench
