#include "systems/models.hpp"

#include <array>
#include <cmath>
#include <hamel/manifold/rn.hpp>
#include <hamel/manifold/s1.hpp>
#include <hamel/manifold/s2.hpp>

namespace hamel::test {
namespace {

void add_particle(Model& model, const Formula& mass, const Formula& position) {
  model.kinetic(mass / 2 * squared_norm(rate(position)));
}

void add_particle_with_weight(Model& model, const Formula& mass, const Formula& position) {
  add_particle(model, mass, position);
  model.potential(mass * g * position[position.rows() - 1]);
}

// Turned about the vertical axis by Omega t.
Vec3 turned(const Formula& x, const Formula& y, const Formula& z, const Formula& t) {
  const Formula c = cos(Omega * t), s = sin(Omega * t);
  return Formula::vector({c * x - s * y, s * x + c * y, z});
}

template <class Sphere>
Model two_elastic_pendulums(const std::string& name) {
  Model model(name);
  auto q = model.coordinates<Sphere>("q", 2);
  for (const Formula& direction : q) add_particle(model, m, L * direction);
  model.potential(kappa * (1 - dot(q[0], q[1])));
  return model;
}

template <class Sphere>
Model double_pendulum(const std::string& name) {
  Model model(name);
  auto masses = model.parameter("m", {m1, m2}), l = model.parameter("l", {L1, L2});
  auto q = model.coordinates<Sphere>("q", 2);
  const Formula x1 = l[0] * q[0], x2 = x1 + l[1] * q[1];
  add_particle_with_weight(model, masses[0], x1);
  add_particle_with_weight(model, masses[1], x2);
  return model;
}

struct Links {
  std::vector<Formula> q;
  Formula tip;
};

Links add_links(Model& model, int n, Formula x) {
  MatrixXd masses(n, 1), lengths(n, 1);
  for (int i = 0; i < n; ++i) {
    masses(i) = chain_mass(i);
    lengths(i) = chain_length(i);
  }
  auto mass = model.parameter("m", masses), l = model.parameter("l", lengths);
  auto q = model.coordinates<S2>("q", n);
  for (int i = 0; i < n; ++i) {
    x = x + l[i] * q[static_cast<std::size_t>(i)];
    add_particle_with_weight(model, mass[i], x);
  }
  return {q, x};
}

Formula at_origin() { return VectorXd::Zero(3); }

}  // namespace

Model planar_pendulum() {
  Model model("planar pendulum");
  auto q = model.coordinate<S1>("q");
  add_particle_with_weight(model, m, L * q);
  return model;
}

Model particle_rotating_hoop() {
  Model model("particle on a rotating hoop");
  auto q = model.coordinate<S1>("q");
  model.kinetic(m * L * L / 2 * (squared_norm(rate(q)) + Omega * Omega * q[0] * q[0]));
  return model;
}

Model particle_rotating_hoop_in_space() {
  Model model("particle on a rotating hoop, in space");
  auto q = model.coordinate<S1>("q");
  add_particle(model, m, L * turned(q[0], 0.0, q[1], model.time()));
  return model;
}

Model two_elastic_planar_pendulums() { return two_elastic_pendulums<S1>("two elastic planar pendulums"); }
Model two_elastic_spherical_pendulums() { return two_elastic_pendulums<S2>("two elastic spherical pendulums"); }
Model double_planar_pendulum() { return double_pendulum<S1>("double planar pendulum"); }
Model double_spherical_pendulum() { return double_pendulum<S2>("double spherical pendulum"); }

Model particle_on_torus() {
  Model model("particle on a torus");
  auto q = model.coordinates<S1>("q", 2);
  const Formula rho = R_torus + r_torus * q[1][0];
  add_particle_with_weight(model, m, Formula::vector({rho * q[0][0], rho * q[0][1], r_torus * q[1][1]}));
  return model;
}

Model furuta_pendulum() {
  Model model("Furuta pendulum");
  auto q = model.coordinates<S1>("q", 2);
  const Vec3 x1 = L1 * Formula::vector({q[0][0], q[0][1], 0.0});
  const Vec3 across = Formula::vector({-q[0][1], q[0][0], 0.0});
  const Vec3 x2 = x1 + L2 * (q[1][0] * across + q[1][1] * unit_vector(2));
  add_particle_with_weight(model, m1, x1);
  add_particle_with_weight(model, m2, x2);
  return model;
}

Model revolute_robot() {
  Model model("revolute robot");
  auto q = model.coordinates<S1>("q", 3);
  const auto in_space = [&](const Vec2& x) { return Formula::vector({x[0] * q[0][0], x[0] * q[0][1], x[1]}); };
  const Vec2 x1 = L1 * q[1], x2 = x1 + L2 * q[2];
  model.kinetic(J_base / 2 * squared_norm(rate(q[0])));
  add_particle_with_weight(model, m1, in_space(x1));
  add_particle_with_weight(model, m2, in_space(x2));
  return model;
}

Model spherical_pendulum() {
  Model model("spherical pendulum");
  auto q = model.coordinate<S2>("q");
  add_particle_with_weight(model, m, L * q);
  return model;
}

Model particle_rotating_sphere() {
  Model model("particle on a rotating sphere");
  auto q = model.coordinate<S2>("q");
  const Vec3 transport = cross(Omega * unit_vector(2), q);
  model.kinetic(m * L * L / 2 * (squared_norm(rate(q)) + 2 * dot(transport, rate(q)) + squared_norm(transport)));
  return model;
}

Model particle_rotating_sphere_in_space() {
  Model model("particle on a rotating sphere, in space");
  auto q = model.coordinate<S2>("q");
  add_particle(model, m, L * turned(q.x(), q.y(), q.z(), model.time()));
  return model;
}

Model spherical_pendulum_three_strings() {
  Model model("spherical pendulum with three strings");
  auto q = model.coordinate<S2>("q");
  const double a = L_rod / 2, b = L_rod / (2 * std::sqrt(3.0));
  model.kinetic(J_rod / 2 * squared_norm(rate(q)));
  model.potential(m_rod * g * L_rod / 2 * q.z());
  for (const auto& anchor : {Eigen::Vector3d(-a, -b, 0), Eigen::Vector3d(a, -b, 0), Eigen::Vector3d(0, 2 * b, 0)}) {
    const Formula stretch = norm(anchor - L_rod * q) - L_rod;
    model.potential(select(less(0, stretch), kappa_string / 2 * stretch * stretch, 0));  // slack strings do not push
  }
  return model;
}

Model horizontal_pendulum_on_cart() {
  Model model("horizontal pendulum on a cart");
  auto x = model.coordinate("x", Rn(2));
  auto q = model.coordinate<S1>("q");
  add_particle(model, m_cart, x);
  add_particle(model, m, x + L * q);
  return model;
}

Model planar_spherical_pendulum() {
  Model model("planar and spherical pendulum");
  auto q1 = model.coordinate<S1>("q1");
  auto q2 = model.coordinate<S2>("q2");
  const Vec3 x1 = L1 * Formula::vector({0.0, q1[0], q1[1]});
  add_particle_with_weight(model, m1, x1);
  add_particle_with_weight(model, m2, x1 + L2 * q2);
  return model;
}

Model spherical_pendulum_on_cart() {
  Model model("spherical pendulum on a cart");
  auto q = model.coordinate<S2>("q");
  auto x = model.coordinate("x", Rn(2));
  add_particle(model, m_cart, x);
  add_particle_with_weight(model, m, Formula::vector({x[0], x[1], 0.0}) + L * q);
  return model;
}

double chain_mass(int i) {
  constexpr std::array first = {1.3, 0.7, 0.5};
  return i < 3 ? first[static_cast<std::size_t>(i)] : 0.4 + 0.1 * (i * 7 % 5);
}

double chain_length(int i) {
  constexpr std::array first = {0.9, 1.4, 0.6};
  return i < 3 ? first[static_cast<std::size_t>(i)] : 0.5 + 0.1 * (i * 3 % 4);
}

Model chain_pendulum(int n) {
  Model model("chain pendulum");
  add_links(model, n, at_origin());
  return model;
}

Model controlled_chain_pendulum(int n) {
  Model model("controlled chain pendulum");
  const Formula tau = model.input("tau", 3), d = model.input("d", 3);
  const Links links = add_links(model, n, at_origin());
  model.force(links.tip, d);
  model.torque(links.q[0], tau);
  return model;
}

Model chain_pendulum_on_cart(int n) {
  Model model("chain pendulum on a cart");
  auto x = model.coordinate("x", Rn(2));
  add_particle(model, m_cart, x);
  add_links(model, n, Formula::vector({x[0], x[1], 0.0}));
  model.force_on(x, model.input("u", 2));
  return model;
}

Model free_free_chain(int n) {
  Model model("free-free chain");
  auto x = model.coordinate("x", Rn(3));
  add_particle_with_weight(model, m_end, x);
  add_links(model, n, x);
  return model;
}

double rod_stiffness(int i) { return 3.0 + 0.5 * (i % 3); }

Model fixed_free_elastic_rod(int n) {
  Model model("fixed-free elastic rod");
  auto q = model.coordinates<S2>("q", n);
  Formula joint = at_origin(), previous = rod_clamp;
  for (int i = 0; i < n; ++i) {
    const Formula& direction = q[static_cast<std::size_t>(i)];
    const double mass = chain_mass(i), l = chain_length(i);
    add_particle_with_weight(model, mass, joint + l / 2 * direction);
    model.kinetic(mass * l * l / 24 * squared_norm(rate(direction)));
    model.potential(rod_stiffness(i) * (1 - dot(previous, direction)));
    joint = joint + l * direction;
    previous = direction;
  }
  return model;
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
