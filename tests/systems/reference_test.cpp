// Accelerations that were computed independently, at fixed states; to the digits that were written down.
#include "systems/models.hpp"
#include "systems/support.hpp"

namespace hamel::test::reference_test {
namespace {

const Vector2d q0 = Vector2d(-8, 15) / 17, q1 = Vector2d(3, 4) / 5, q2 = Vector2d(5, -12) / 13;
const double w0 = 0.6, w1 = 1.1, w2 = -0.8;

const Vector3d s1 = Vector3d(2, 1, 2) / 3, s2 = Vector3d(2, 3, 6) / 7, s3 = Vector3d(1, 4, 8) / 9;
const Vector3d u1 = 0.9 * Vector3d(1, 0, -1), u2 = 0.5 * Vector3d(3, -2, 0), u3 = 0.7 * Vector3d(0, 2, -1);

VectorXd numbers(std::initializer_list<double> values) {
  return Eigen::Map<const VectorXd>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

void expect_reference(const Model& model, const VectorXd& q, const VectorXd& xi, const VectorXd& expected,
                      const VectorXd& inputs = {}) {
  const System system = derive(model);
  const VectorXd xi_rate = quasi_acceleration(system, system.state(0, q, xi), inputs);
  EXPECT_LE((xi_rate - expected).lpNorm<Eigen::Infinity>(), 1e-12) << xi_rate.transpose();
}

TEST(ReferenceAccelerations, PlanarSystems) {
  expect_reference(planar_pendulum(), q1, numbers({w1}), numbers({-6.54}));
  expect_reference(particle_rotating_hoop(), q1, numbers({w1}), numbers({-1.3872}));
  expect_reference(two_elastic_planar_pendulums(), stack({q1, q2}), Vector2d(w1, w2),
                   Vector2d(-2.215891104780, 2.215891104780));
  expect_reference(double_planar_pendulum(), stack({q1, q2}), Vector2d(w1, w2),
                   Vector2d(-8.133664107022, -4.679514549215));
  expect_reference(particle_on_torus(), stack({q1, q2}), Vector2d(w1, w2), Vector2d(0.436965517241, -2.135798816568));
  expect_reference(furuta_pendulum(), stack({q1, q2}), Vector2d(w1, w2), Vector2d(2.178512007001, -3.558212535008));
  expect_reference(revolute_robot(), stack({q0, q1, q2}), Vector3d(w0, w1, w2),
                   Vector3d(1.370883655395, -8.312112917860, -4.481769059667));
}

TEST(ReferenceAccelerations, SphericalSystems) {
  expect_reference(spherical_pendulum(), s1, u1, Vector3d(-3.633333333333, 7.266666666667, 0));
  expect_reference(particle_rotating_sphere(), s1, u1, Vector3d(0.037777777778, -1.435555555556, 0.68));
  const Vector3d rod = Vector3d(2, -1, 10).normalized();
  expect_reference(spherical_pendulum_three_strings(), rod, Vector3d::Zero(),
                   Vector3d(-2.942188919833, -5.644148504706, 0.024022933496));
  const Vector3d apart(0, -0.979815794631, 0.489907897315);
  expect_reference(two_elastic_spherical_pendulums(), stack({s1, s2}), stack({u1, u2}), stack({apart, -apart}));
  expect_reference(double_spherical_pendulum(), stack({s1, s2}), stack({u1, u2}),
                   numbers({-3.633333333333, 7.276633296255, -0.004983314794, 0, -1.388654060067, 0.694327030033}));
}

TEST(ReferenceAccelerations, ControlledChainPendulum) {
  expect_reference(controlled_chain_pendulum(3), stack({s1, s2, s3}), stack({u1, u2, u3}),
                   numbers({-4.002648517463, 6.016345951153, 0.994475541887, 0.305250305250, -0.623590300476,
                            0.210045048488, 6.666666666667, 2.636842227724, -2.151754447195}),
                   numbers({0.5, -1, 2, 1, -2, 0.5}));
}

}  // namespace
}  // namespace hamel::test::reference_test
