#include "systems/models.hpp"

#include <array>
#include <hamel/manifold/s1.hpp>
#include <hamel/manifold/s2.hpp>

#include "gallery/files.hpp"

namespace hamel::test {
namespace {

using Eigen::Vector2d;

// Turned about the vertical axis by Omega t.
Vec3 turned(const Formula& x, const Formula& y, const Formula& z, const Formula& t) {
  const Formula c = cos(Omega * t), s = sin(Omega * t);
  return Formula::vector({c * x - s * y, s * x + c * y, z});
}

VectorXd each_of(int n, double (*value)(int)) {
  VectorXd result(n);
  for (int i = 0; i < n; ++i) result(i) = value(i);
  return result;
}

Setting two_masses() { return {"m", Vector2d(m1, m2)}; }
Setting two_lengths() { return {"l", Vector2d(L1, L2)}; }

std::vector<Setting> links(int n) {
  return {{"n", static_cast<double>(n)}, {"m", each_of(n, chain_mass)}, {"l", each_of(n, chain_length)}};
}

Model with_links(const std::string& id, int n, std::vector<Setting> more) {
  for (const Setting& setting : links(n)) more.push_back(setting);
  return from_gallery(id, more);
}

}  // namespace

Model planar_pendulum() { return from_gallery("planar-pendulum", {{"m", m}, {"l", L}}); }

Model particle_rotating_hoop() {
  return from_gallery("particle-rotating-hoop", {{"m", m}, {"r", L}, {"Omega", Omega}});
}

Model particle_rotating_hoop_in_space() {
  Model model("particle on a rotating hoop, in space");
  auto q = model.coordinate<S1>("q");
  model.kinetic(m / 2 * squared_norm(rate(L * turned(q[0], 0.0, q[1], model.time()))));
  return model;
}

Model two_elastic_planar_pendulums() {
  return from_gallery("two-elastic-planar-pendulums", {{"m", m}, {"l", L}, {"kappa", kappa}});
}
Model two_elastic_spherical_pendulums() {
  return from_gallery("two-elastic-spherical-pendulums", {{"m", m}, {"l", L}, {"kappa", kappa}});
}
Model double_planar_pendulum() { return from_gallery("double-planar-pendulum", {two_masses(), two_lengths()}); }

// The file has the settings of a paper in which z points down.
Model double_spherical_pendulum() {
  return from_gallery("double-spherical-pendulum", {two_masses(), two_lengths(), {"g", -g}});
}

Model particle_on_torus() { return from_gallery("particle-on-torus", {{"m", m}, {"R", R_torus}, {"r", r_torus}}); }
Model furuta_pendulum() { return from_gallery("furuta-pendulum", {two_masses(), two_lengths()}); }
Model revolute_robot() { return from_gallery("revolute-robot-3d", {two_masses(), two_lengths(), {"J", J_base}}); }
Model spherical_pendulum() { return from_gallery("spherical-pendulum", {{"m", m}, {"l", L}}); }

Model particle_rotating_sphere() {
  return from_gallery("particle-rotating-sphere", {{"m", m}, {"r", L}, {"Omega", Omega}});
}

Model particle_rotating_sphere_in_space() {
  Model model("particle on a rotating sphere, in space");
  auto q = model.coordinate<S2>("q");
  model.kinetic(m / 2 * squared_norm(rate(L * turned(q.x(), q.y(), q.z(), model.time()))));
  return model;
}

Model spherical_pendulum_three_strings() {
  return from_gallery("spherical-pendulum-three-strings",
                      {{"m", m_rod}, {"l", L_rod}, {"J", J_rod}, {"kappa", kappa_string}});
}

Model horizontal_pendulum_on_cart() {
  return from_gallery("horizontal-pendulum-on-cart", {{"M", m_cart}, {"m", m}, {"l", L}});
}
Model planar_spherical_pendulum() { return from_gallery("planar-spherical-pendulum", {two_masses(), two_lengths()}); }
Model spherical_pendulum_on_cart() {
  return from_gallery("spherical-pendulum-on-cart", {{"M", m_cart}, {"m", m}, {"l", L}});
}

double chain_mass(int i) {
  constexpr std::array first = {1.3, 0.7, 0.5};
  return i < 3 ? first[static_cast<std::size_t>(i)] : 0.4 + 0.1 * (i * 7 % 5);
}

double chain_length(int i) {
  constexpr std::array first = {0.9, 1.4, 0.6};
  return i < 3 ? first[static_cast<std::size_t>(i)] : 0.5 + 0.1 * (i * 3 % 4);
}

Model chain_pendulum(int n) { return with_links("chain-pendulum", n, {}); }

Model controlled_chain_pendulum(int n) {
  Model model = chain_pendulum(n);
  const Formula tau = model.input("tau", 3), d = model.input("d", 3);
  const Formula first = model.points()[1].formula, tip = model.points().back().formula;
  model.force(tip, d);
  model.force(first, cross(tau, first) / (chain_length(0) * chain_length(0)));  // the torque on the first link
  return model;
}

Model chain_pendulum_on_cart(int n) {
  Model model = with_links("chain-pendulum-on-cart", n, {{"M", m_cart}});
  const Formula cart = model.points().front().formula, u = model.input("u", 2);
  model.force(cart, Formula::vector({u[0], u[1], 0.0}));
  return model;
}

Model free_free_chain(int n) { return with_links("free-free-chain", n, {{"m0", m_end}}); }

double rod_stiffness(int i) { return 3.0 + 0.5 * (i % 3); }

Model fixed_free_elastic_rod(int n) {
  return with_links("fixed-free-elastic-rod", n, {{"c", each_of(n, rod_stiffness)}, {"clamp", rod_clamp}});
}

const std::vector<Exhibit>& gallery() {
  static const std::vector<Exhibit> all = {
      {"PlanarPendulum", planar_pendulum, true},
      {"ParticleRotatingHoop", particle_rotating_hoop, true},
      {"ParticleRotatingHoopInSpace", particle_rotating_hoop_in_space, false},
      {"TwoElasticPlanarPendulums", two_elastic_planar_pendulums, true},
      {"DoublePlanarPendulum", double_planar_pendulum, true},
      {"ParticleOnTorus", particle_on_torus, false},
      {"FurutaPendulum", furuta_pendulum, false},
      {"RevoluteRobot", revolute_robot, false},
      {"SphericalPendulum", spherical_pendulum, true},
      {"ParticleRotatingSphere", particle_rotating_sphere, true},
      {"ParticleRotatingSphereInSpace", particle_rotating_sphere_in_space, false},
      {"SphericalPendulumThreeStrings", spherical_pendulum_three_strings, true},
      {"TwoElasticSphericalPendulums", two_elastic_spherical_pendulums, true},
      {"DoubleSphericalPendulum", double_spherical_pendulum, true},
      {"HorizontalPendulumOnCart", horizontal_pendulum_on_cart, true},
      {"PlanarSphericalPendulum", planar_spherical_pendulum, true},
      {"SphericalPendulumOnCart", spherical_pendulum_on_cart, true},
      {"ChainPendulum10", [] { return chain_pendulum(10); }, true},
      {"ControlledChainPendulum3", [] { return controlled_chain_pendulum(3); }, true},
      {"ChainPendulumOnCart5", [] { return chain_pendulum_on_cart(5); }, true},
      {"FreeFreeChain4", [] { return free_free_chain(4); }, true},
      {"FixedFreeElasticRod4", [] { return fixed_free_elastic_rod(4); }, true},
  };
  return all;
}

}  // namespace hamel::test
