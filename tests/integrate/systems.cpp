#include "integrate/systems.hpp"

#include <cmath>

#include "hamel/integrate/request.hpp"
#include "hamel/manifold/factors.hpp"

namespace hamel::test {
namespace {

using Eigen::Vector3d;

// At a random point near the reference point, with a random velocity of moderate size.
Example with_start(const Model& model, unsigned seed, double speed = 1, Path path = Path::automatic) {
  Example example{model.name(), derive(model, {path}), {}};
  const Manifold& space = example.system.space();
  Random random(seed);
  const VectorXd origin = space.reference_point();
  State& start = example.start;
  start.q = start.v = VectorXd::Zero(space.ambient());
  space.retract(origin, 0.4 * space.random_tangent(origin, random), start.q);
  start.v = speed * space.random_tangent(start.q, random);
  return example;
}

VectorXd stacked(std::initializer_list<double> values) {
  return Eigen::Map<const VectorXd>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

Formula diagonal(double x, double y, double z) { return Formula(MatrixXd(Vector3d(x, y, z).asDiagonal())); }

// T = tr(R' J_d R'^T)/2 with J = tr(J_d) I - J_d
Formula kinetic_of_attitude(const Formula& R, const Vector3d& J) {
  const Vector3d Jd = Vector3d::Constant(J.sum() / 2) - J;
  return trace(rate(R) * diagonal(Jd.x(), Jd.y(), Jd.z()) * transpose(rate(R))) / 2;
}

MatrixXd unit(int n, int i, int j) {
  MatrixXd E = MatrixXd::Zero(n, n);
  E(i, j) = 1;
  return E;
}

}  // namespace

Example double_pendulum(Path path) {
  Model model("double spherical pendulum");
  auto q = model.coordinates<S2>("q", 2);
  const Formula x1 = 0.9 * q[0], x2 = x1 + 1.4 * q[1];
  model.kinetic(0.65 * squared_norm(rate(x1)) + 0.35 * squared_norm(rate(x2)));
  model.potential(9.81 * (1.3 * x1.z() + 0.7 * x2.z()));
  Example example{model.name(), derive(model, {path}), {}};
  example.start = example.system.state(0, stacked({2. / 3, 1. / 3, 2. / 3, 2. / 7, 3. / 7, 6. / 7}),
                                       stacked({0.9, 0, -0.9, 1.5, -1, 0}));
  return example;
}

Example chain(int links, Path path) {
  Model model("chain");
  auto q = model.coordinates<S2>("q", links);
  Formula x = Formula(MatrixXd::Zero(3, 1).eval());
  for (int i = 0; i < links; ++i) {
    x = x + (0.5 + 0.1 * i) * q[static_cast<std::size_t>(i)];
    model.kinetic((1 + 0.3 * i) / 2 * squared_norm(rate(x)));
    model.potential(9.81 * (1 + 0.3 * i) * x.z());
  }
  return with_start(model, 3, 0.7, path);
}

Example coupled_planar(Path path) {
  Model model("pendula on a cart");
  auto q = model.coordinates<S1>("q", 2);
  auto x = model.coordinate("x", Rn{2});
  const Formula cart = x, first = cart + 0.7 * q[0], second = first + 0.5 * q[1];
  model.kinetic(1.5 * squared_norm(rate(cart)) + 0.4 * squared_norm(rate(first)) + 0.3 * squared_norm(rate(second)));
  model.potential(4 * squared_norm(x) + 2 * pow(x.x(), 4) + 3 * first.y() + 2 * second.y());
  return with_start(model, 5, 1, path);
}

Example rotating_sphere(Path path) {
  Model model("particle on a rotating sphere");
  auto q = model.coordinate<S2>("q");
  model.kinetic(squared_norm(rate(q) + cross(Formula(Vector3d(0.3, -0.2, 0.8)), q)) / 2);
  model.potential(q.z() + 0.5 * q.x() * q.y());
  return with_start(model, 7, 1, path);
}

Example relativistic() {
  Model model("relativistic particle");
  auto x = model.coordinate("x", Rn{3});
  model.lagrangian(-9 * sqrt(1 - squared_norm(rate(x)) / 9));
  model.potential(squared_norm(x) + pow(x.x(), 4) / 2);
  return with_start(model, 9);
}

Example free_body(const Vector3d& inertia) {
  Model model("free body");
  auto R = model.coordinate<SO3>("R");
  model.kinetic(kinetic_of_attitude(R, inertia));
  return with_start(model, 11);
}

Example heavy_top() {
  Model model("heavy top");
  auto R = model.coordinate<SO3>("R");
  model.kinetic(kinetic_of_attitude(R, {1.2, 1.2, 0.5}));
  model.potential(2 * (R * Formula(Vector3d(0, 0, 1))).z());
  return with_start(model, 13);
}

Example body_pendulum() {
  Model model("3-D pendulum");
  auto R = model.coordinate<SO3>("R");
  model.body("body", {.attitude = R,
                      .mass = 1.0,
                      .inertia = diagonal(1.3, 2.1, 2.6),
                      .center_of_mass = Formula(Vector3d(0.1, 0, 0.3))});
  model.potential(9.81 * (R * Formula(Vector3d(0.1, 0, 0.3))).z());
  return with_start(model, 15);
}

Example floating_body() {
  Model model("floating body");
  auto g = model.coordinate<SE3>("g");
  const Formula R = rotation(g), x = position(g);
  auto c = model.body("body", {.attitude = R,
                               .position = x,
                               .mass = 1.5,
                               .inertia = diagonal(1.3, 2.1, 2.6),
                               .center_of_mass = Formula(Vector3d(0.2, 0.1, 0))});
  model.potential(squared_norm(c) + (R * Formula(Vector3d(0, 0, 1))).x());
  return with_start(model, 17);
}

Example torus() {
  Model model("particle on a torus");
  // (|x|^2 + 4 - 1/4)^2 = 16 (x^2 + y^2)
  auto x = model.coordinate("x", Embedded{3,
                                          [](const VectorXe& p) -> VectorXe {
                                            const Expr s = p.squaredNorm() + 3.75;
                                            return VectorXe::Constant(1, s * s - 16 * (p(0) * p(0) + p(1) * p(1)));
                                          },
                                          "torus"});
  model.kinetic(squared_norm(rate(x)) / 2);
  model.potential(x.z() + x.x() * x.y());
  Example example{model.name(), derive(model), {}};
  example.start = {0, stacked({2.3, 0, 0.4}), stacked({-0.4, 1.0, 0.3})};  // normal (0.3, 0, 0.4)
  return example;
}

Example torus_of_angles() {
  Model model("torus of angles");
  auto a = model.coordinate<S1>("a");
  auto b = model.coordinate<S1>("b");
  const Formula ring = 2 + b.x() / 2;
  model.kinetic(ring * ring * squared_norm(rate(a)) / 2 + squared_norm(rate(b)) / 8);
  model.potential(b.y() + a.x() * a.y());
  return with_start(model, 19);
}

Example slider_crank(Path path) {
  Model model("slider-crank");
  auto q = model.coordinate<S1>("q");
  auto x = model.coordinate("x", Rn{1});
  model.kinetic(squared_norm(rate(q)) / 8 + squared_norm(rate(x)));
  model.potential(2 * q.y());
  model.constraint("rod", squared_norm(Formula::vector({q.x() / 2 - x[0], q.y() / 2})) - 1);
  Example example{model.name(), derive(model, {path}), {}};
  // q = (0.6, 0.8): the slider is at 0.3 + sqrt(1 - 0.16); with c = 0, its speed follows from the crank's.
  const double slider = 0.3 + std::sqrt(0.84), omega = 1.5, qx = -0.8 * omega, qy = 0.6 * omega;
  const double speed = ((0.3 - slider) * qx / 2 + 0.4 * qy / 2) / (0.3 - slider);
  example.start = {0, stacked({0.6, 0.8, slider}), stacked({qx, qy, speed})};
  return example;
}

Example damped_pendulum(Path path) {
  Model model("damped pendulum");
  auto q = model.coordinates<S2>("q", 2);
  const Formula x1 = 0.9 * q[0], x2 = x1 + 1.4 * q[1];
  model.kinetic(0.65 * squared_norm(rate(x1)) + 0.35 * squared_norm(rate(x2)));
  model.potential(3 * x1.z() + 2 * x2.z());
  model.dissipation(0.2 * squared_norm(rate(x2)) + 0.1 * pow(squared_norm(rate(q[0])), 2));
  return with_start(model, 21, 1, path);
}

Example driven_pendulum(Path path) {
  Model model("driven pendulum");
  auto q = model.coordinate<S2>("q");
  auto u = model.input("u", 3);
  model.kinetic(squared_norm(rate(q)) / 2);
  model.potential(2 * q.z() + sin(3 * model.time()) * q.x());
  model.force_on(q, u);
  return with_start(model, 23, 1, path);
}

Example group_se2() {
  Model model("motion in the plane");
  const LieGroup se2{{unit(3, 1, 0) - unit(3, 0, 1), unit(3, 0, 2), unit(3, 1, 2)}, "SE(2)"};
  auto g = model.coordinate("g", se2);
  MatrixXd K = MatrixXd::Identity(3, 3);
  K(0, 2) = K(2, 0) = 0.3;
  model.kinetic(trace(rate(g) * Formula(K) * transpose(rate(g))) / 2);
  model.potential(g(0, 2) * g(0, 2) + g(1, 2) * g(0, 0) + pow(g(1, 2), 4));
  return with_start(model, 25);
}

Example orbit_of_rotations() {
  Model model("orbit of rotations");
  const Homogeneous orbit{{unit(3, 2, 1) - unit(3, 1, 2), unit(3, 0, 2) - unit(3, 2, 0), unit(3, 1, 0) - unit(3, 0, 1)},
                          Vector3d::UnitZ(),
                          "orbit"};
  auto q = model.coordinate("q", orbit);
  model.kinetic(squared_norm(rate(q)) / 2);
  model.potential(2 * q.z() + q.x() * q.y());
  return with_start(model, 27);
}

Example hamiltonian_pendulum() {
  Model model("pendulum by its Hamiltonian");
  auto q = model.coordinate<S2>("q");
  auto mu = model.momentum(q);
  model.hamiltonian(squared_norm(mu) / 3 + 2 * q.z() + q.x() * q.y());
  return with_start(model, 27);
}

Example lagrangian_pendulum(Path path) {
  Model model("pendulum by its Lagrangian");
  auto q = model.coordinate<S2>("q");
  model.kinetic(0.75 * squared_norm(rate(q)));
  model.potential(2 * q.z() + q.x() * q.y());
  return with_start(model, 27, 1, path);
}

Example degenerate_hamiltonian() {
  Model model("degenerate");
  auto q = model.coordinate<S2>("q");
  auto mu = model.momentum(q);
  model.hamiltonian(squared_norm(cross(q, mu)) / 2 + q.z());
  return with_start(model, 29);
}

State advance(const Example& example, const State& start, const Method& method, int steps) {
  const auto stepper = make_stepper(example.system, method);
  stepper->start(start);
  const double infinity = std::numeric_limits<double>::infinity(), end = fixed_step(method) < 0 ? -infinity : infinity;
  for (int k = 0; k < steps; ++k) stepper->step(end);
  State state;
  stepper->current(state);
  return state;
}

std::vector<Case> conservative_cases() {
  return {
      {"DoublePendulum", [] { return double_pendulum(); }},
      {"DoublePendulumReduced", [] { return double_pendulum(Path::reduced); }},
      {"CoupledPlanar", [] { return coupled_planar(); }},
      {"CoupledPlanarReduced", [] { return coupled_planar(Path::reduced); }},
      {"RotatingSphere", [] { return rotating_sphere(); }},
      {"RotatingSphereReduced", [] { return rotating_sphere(Path::reduced); }},
      {"Relativistic", [] { return relativistic(); }},
      {"HeavyTop", [] { return heavy_top(); }},
      {"BodyPendulum", [] { return body_pendulum(); }},
      {"FlatBody",
       [] {
         return free_body({1, 2, 3});
       }},
      {"FloatingBody", [] { return floating_body(); }},
      {"Torus", [] { return torus(); }},
      {"TorusOfAngles", [] { return torus_of_angles(); }},
      {"GroupSE2", [] { return group_se2(); }},
      {"OrbitOfRotations", [] { return orbit_of_rotations(); }},
      {"Hamiltonian", [] { return hamiltonian_pendulum(); }},
  };
}

std::vector<Case> all_cases() {
  std::vector<Case> cases = conservative_cases();
  cases.push_back({"SliderCrank", [] { return slider_crank(); }});
  cases.push_back({"SliderCrankReduced", [] { return slider_crank(Path::reduced); }});
  cases.push_back({"Damped", [] { return damped_pendulum(); }});
  cases.push_back({"DampedReduced", [] { return damped_pendulum(Path::reduced); }});
  cases.push_back({"Driven", [] { return driven_pendulum(); }});
  cases.push_back({"DrivenReduced", [] { return driven_pendulum(Path::reduced); }});
  return cases;
}

std::vector<NamedMethod> methods_of_the_table(double step, double tolerance) {
  std::vector<NamedMethod> result;
  for (const MethodInfo& info : hamel::methods()) {
    if (info.needs_lagrangian && info.order > 2) continue;
    std::string name;
    bool begins = true;
    for (const char letter : info.name) {
      if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
        name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
      begins = std::isalnum(static_cast<unsigned char>(letter)) == 0;
    }
    if (info.takes_step) result.push_back({name, method_named(info.name, step, 0), info});
    if (info.chooses_without_step) {
      const Method method = method_named(info.name, step, 0);
      result.push_back({name + "Fixed", method, describe(method)});
    }
    if (!info.takes_tolerance) continue;
    const Method method = method_named(info.name, 0, tolerance);
    result.push_back({info.takes_step ? name + "Adaptive" : name, method, describe(method)});
  }
  return result;
}

bool is_for(const MethodInfo& method, const Case& c) {
  const std::string_view system = c.name;
  return !(method.needs_group && system == "Torus") && !(method.needs_lagrangian && system == "Hamiltonian");
}

double distance(const State& a, const State& b) {
  return std::max((a.q - b.q).lpNorm<Eigen::Infinity>(), (a.v - b.v).lpNorm<Eigen::Infinity>());
}

State reference(const Example& example, double duration) {
  const auto stepper = make_stepper(example.system, Rk45{.relative = 1e-13, .absolute = 1e-14, .form = Form::velocity});
  stepper->start(example.start);
  const double end = example.start.t + duration;
  while (stepper->step(end) < end) {
  }
  State state;
  stepper->current(state);
  return state;
}

Vector3d angular_momentum(const System& system, const State& state) {
  const VectorXd p = momentum(system, state);
  Vector3d sum = Vector3d::Zero();
  for (Eigen::Index i = 0; i + 2 < p.size(); i += 3)
    sum += Vector3d(state.q.segment<3>(i)).cross(Vector3d(p.segment<3>(i)));
  return sum;
}

}  // namespace hamel::test
