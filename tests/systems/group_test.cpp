// Book sections 8.6 and 8.7: matrix Lie groups given by their algebra, and homogeneous spaces.
#include <Eigen/LU>
#include <Eigen/QR>
#include <hamel/manifold/homogeneous.hpp>
#include <hamel/manifold/lie_group.hpp>
#include <hamel/manifold/s2.hpp>
#include <hamel/manifold/so3.hpp>

#include "hamel/linear/dense.hpp"
#include "systems/bodies.hpp"

namespace hamel::test::group_test {
namespace {

const Vector3d e3 = Vector3d::UnitZ();

MatrixXd unit(int n, int i, int j) {
  MatrixXd E = MatrixXd::Zero(n, n);
  E(i, j) = 1;
  return E;
}

std::vector<MatrixXd> rotations() { return {hat(Vector3d::UnitX()), hat(Vector3d::UnitY()), hat(Vector3d::UnitZ())}; }

Formula matrix(const std::vector<std::vector<Formula>>& rows) {
  std::vector<Formula> columns;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    std::vector<Formula> column;
    for (const auto& row : rows) column.push_back(row[j]);
    columns.push_back(Formula::vector(column));
  }
  return Formula::columns(columns);
}

// A group, how people write g^-1, and the entries of X = g^-1 g' that are xi.
struct Group {
  std::string name;
  std::vector<MatrixXd> basis;
  std::function<Formula(const Formula& g)> inverse;
  std::vector<std::pair<int, int>> entries;
};

std::vector<Group> groups() {
  const auto inverse_motion = [](const Formula& g) {
    const Formula x = -(g(0, 0) * g(0, 2) + g(1, 0) * g(1, 2)), y = -(g(0, 1) * g(0, 2) + g(1, 1) * g(1, 2));
    return matrix({{g(0, 0), g(1, 0), x}, {g(0, 1), g(1, 1), y}, {0, 0, 1}});
  };
  const auto adjugate = [](const Formula& g) { return matrix({{g(1, 1), -g(0, 1)}, {-g(1, 0), g(0, 0)}}); };
  const auto inverse_triangle = [](const Formula& g) {
    return matrix({{1, -g(0, 1), g(0, 1) * g(1, 2) - g(0, 2)}, {0, 1, -g(1, 2)}, {0, 0, 1}});
  };
  return {
      {"SO(3)", rotations(), [](const Formula& g) { return transpose(g); }, {{2, 1}, {0, 2}, {1, 0}}},
      {"SE(2)",
       {unit(3, 1, 0) - unit(3, 0, 1), unit(3, 0, 2), unit(3, 1, 2)},
       inverse_motion,
       {{1, 0}, {0, 2}, {1, 2}}},
      {"SL(2)", {unit(2, 0, 0) - unit(2, 1, 1), unit(2, 0, 1), unit(2, 1, 0)}, adjugate, {{0, 0}, {0, 1}, {1, 0}}},
      {"Heisenberg", {unit(3, 0, 1), unit(3, 1, 2), unit(3, 0, 2)}, inverse_triangle, {{0, 1}, {1, 2}, {0, 2}}},
  };
}

const Matrix3d metric{{1.3, 0.2, -0.1}, {0.2, 0.9, 0.15}, {-0.1, 0.15, 1.6}};

// The potential is linear in the entries of g.
MatrixXd weights(int n) {
  MatrixXd W(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) W(i, j) = 0.4 * i - 0.7 * j + 0.5;
  return W;
}

Model left_invariant(const Group& group) {
  Model model("motion on " + group.name);
  const Formula g = model.coordinate("g", LieGroup(group.basis, group.name)), X = group.inverse(g) * rate(g);
  std::vector<Formula> components;
  for (const auto& [i, j] : group.entries) components.push_back(X(i, j));
  const Formula xi = Formula::vector(components);
  model.kinetic(dot(xi, model.parameter("I", metric) * xi) / 2);
  model.potential(trace(transpose(Formula(weights(g.rows()))) * g));
  return model;
}

// [E_j, E_k] = sum_i c[j](i, k) E_i
std::vector<Matrix3d> structure_constants(const std::vector<MatrixXd>& basis) {
  MatrixXd columns(basis[0].size(), 3);
  for (int k = 0; k < 3; ++k) columns.col(k) = basis[static_cast<std::size_t>(k)].reshaped();
  std::vector<Matrix3d> c(3);
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t k = 0; k < 3; ++k) {
      const MatrixXd bracket = basis[j] * basis[k] - basis[k] * basis[j];
      c[j].col(static_cast<int>(k)) = linear::least_squares(columns, VectorXd(bracket.reshaped()));
    }
  return c;
}

MatrixXd element(const std::vector<MatrixXd>& basis, const VectorXd& xi) {
  MatrixXd X = MatrixXd::Zero(basis[0].rows(), basis[0].cols());
  for (std::size_t k = 0; k < basis.size(); ++k) X += xi(static_cast<int>(k)) * basis[k];
  return X;
}

ByHand euler_poincare(const Group& group) {
  const auto basis = group.basis;
  const auto n = basis[0].rows();
  const auto c = structure_constants(basis);
  const auto coadjoint = [c](const Vector3d& xi, const Vector3d& alpha) -> Vector3d {  // <ad*_xi alpha, E_k>
    const Matrix3d ad = xi(0) * c[0] + xi(1) * c[1] + xi(2) * c[2];
    return ad.transpose() * alpha;
  };
  const auto force = [=](const VectorXd& q) -> Vector3d {  // -<dU/dg, g E_k>
    Vector3d f;
    for (int k = 0; k < 3; ++k)
      f(k) =
          -(weights(static_cast<int>(n)).transpose() * q.reshaped(n, n) * basis[static_cast<std::size_t>(k)]).trace();
    return f;
  };
  ByHand hand;
  hand.omega = [=](const VectorXd& q, const VectorXd& xi) -> VectorXd {  // book (8.45)
    return metric.inverse() * (coadjoint(xi, metric * xi) + force(q));
  };
  hand.velocity = [=, rates = hand.omega](const VectorXd& q, const VectorXd& v) -> VectorXd {
    const MatrixXd g = q.reshaped(n, n), X = linear::inverse(g) * v.reshaped(n, n);
    MatrixXd columns(n * n, 3);
    for (int k = 0; k < 3; ++k) columns.col(k) = basis[static_cast<std::size_t>(k)].reshaped();
    const VectorXd xi = linear::least_squares(columns, VectorXd(X.reshaped()));
    return (g * (element(basis, rates(q, xi)) + X * X)).reshaped();
  };
  hand.pi = [=](const VectorXd& q, const VectorXd& mu) -> Rates {  // book (8.51), (8.52)
    const Vector3d xi = metric.inverse() * mu;
    return {(q.reshaped(n, n) * element(basis, xi)).reshaped(), coadjoint(xi, mu) + force(q)};
  };
  return hand;
}

// Without those far from the identity of a group that is not compact: there g^-1 loses digits.
Samples near_samples(const System& system) {
  Samples samples = random_samples(system, 300);
  std::erase_if(samples.states, [](const State& s) { return s.q.norm() > 2.5; });
  EXPECT_GE(samples.states.size(), 50U);
  return samples;
}

TEST(MatrixGroup, EulerPoincare) {
  for (const Group& group : groups()) {
    SCOPED_TRACE(group.name);
    const System system = derive(left_invariant(group));
    Samples samples = near_samples(system);
    expect_equations(system, euler_poincare(group), samples);
    samples.states.resize(5);
    expect_forms_agree(system, samples);
  }
}

Model heavy_top(const Manifold& space) {
  Model model("heavy top");
  const Formula R = model.coordinate("R", space);
  const Matrix3d J{{1.1, 0.1, -0.2}, {0.1, 1.4, 0.15}, {-0.2, 0.15, 1.7}};
  model.body("top", {.attitude = R, .inertia = model.parameter("J", J)});
  model.potential(3.1 * (R * Formula(Vector3d(0.2, -0.1, 0.4))).z());
  return model;
}

TEST(MatrixGroup, RotationsByTheirAlgebraAreSO3) {
  const System system = derive(heavy_top(SO3{}));
  expect_same_flow(system, derive(heavy_top(LieGroup(rotations(), "rotations"))), random_samples(system));
}

// Book section 6.6.4: the subgroup of rotations about an axis.
TEST(MatrixGroup, RigidBodyPlanarPendulum) {
  const Vector3d a = Vector3d(1, 2, 2) / 3, rho = Vector3d(2, 1, -2) / 4;
  ASSERT_NEAR(a.dot(rho), 0, 1e-15);
  constexpr double m = 1.3, g = 9.81;
  const Matrix3d J{{1.1, 0.1, -0.2}, {0.1, 1.4, 0.15}, {-0.2, 0.15, 1.7}};
  Model model("rigid body planar pendulum");
  const Formula R = model.coordinate("R", LieGroup({hat(a)}, "rotations about a"));
  model.body("body", {.attitude = R, .inertia = model.parameter("J", J)});
  model.potential(-m * g * (R * Formula(rho)).z());
  const double inertia = a.dot(J * a);
  const auto moment = [=](const VectorXd& q) { return m * g * a.dot(rho.cross(attitude(q).transpose() * e3)); };
  ByHand hand;
  hand.omega = [=](const VectorXd& q, const VectorXd&) -> VectorXd {  // book (6.28)
    return VectorXd::Constant(1, moment(q) / inertia);
  };
  hand.velocity = [=](const VectorXd& q, const VectorXd& v) -> VectorXd {
    const double w = a.dot(vee(attitude(q).transpose() * attitude(v)));
    return flat(attitude(q) * (moment(q) / inertia * hat(a) + w * w * hat(a) * hat(a)));
  };
  hand.pi = [=](const VectorXd& q, const VectorXd& pi) -> Rates {  // book (6.29), (6.30)
    return {flat(attitude(q) * hat(pi(0) / inertia * a)), VectorXd::Constant(1, moment(q))};
  };
  const System system = derive(model);
  EXPECT_EQ(system.degrees_of_freedom(), 1);
  expect_equations(system, hand, random_samples(system));
  expect_forms_agree(system, random_samples(system, 5));
}

Model spherical_pendulum(const Manifold& space) {
  Model model("spherical pendulum");
  const Formula q = model.coordinate("q", space);
  model.kinetic(1.3 / 2 * squared_norm(0.9 * rate(q)) + 0.4 * q.x() * squared_norm(rate(q)));
  model.lagrangian(0.7 * dot(rate(q), cross(Formula(e3), q)));
  model.potential(1.3 * 9.81 * 0.9 * q.z());
  model.force_on(q, -0.2 * rate(q));
  return model;
}

TEST(HomogeneousSpace, OrbitOfTheRotationsIsS2) {
  const System system = derive(spherical_pendulum(S2{}));
  const System orbit = derive(spherical_pendulum(Homogeneous(rotations(), e3, "orbit")));
  expect_same_flow(system, orbit, random_samples(system));
}

}  // namespace
}  // namespace hamel::test::group_test
