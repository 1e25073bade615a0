// Systems that no text derives, against the laws of Newton and Euler in maximal coordinates, with the control laws and
// the air of their files.
#include <Eigen/LU>
#include <cmath>

#include "gallery/files.hpp"
#include "systems/bodies.hpp"
#include "systems/newton_euler.hpp"

namespace hamel::test::beyond_the_texts_test {
namespace {

constexpr double g = 9.81;
const Vector3d e1 = Vector3d::UnitX(), e2 = Vector3d::UnitY(), e3 = Vector3d::UnitZ();
const Matrix3d I = Matrix3d::Identity();

Vector3d part(const VectorXd& x, int begin) { return x.segment<3>(begin); }

// Compares at fifty random states, ten of them at each time: laws and muscles depend on it.
using TimedOmega = std::function<VectorXd(double t, const VectorXd& q, const VectorXd& xi)>;
void expect_newton_euler(const System& system, const std::vector<Part>& parts, const TimedOmega& omega,
                         double tolerance = 1e-10) {
  for (const double t : {0.0, 0.03, 0.4, 1.7, 9.6}) {
    Samples samples = random_samples(system, 10, static_cast<unsigned>(100 * t) + 1);
    for (State& state : samples.states) state.t = t;
    ByHand hand;
    hand.omega = [&](const VectorXd& q, const VectorXd& xi) { return omega(t, q, xi); };
    expect_equations(system, complete(parts, hand), samples, tolerance);
  }
}

// Particles on links that begin at a body or at the origin of space.
struct Links {
  std::vector<Vector3d> x, v;  // of the ends of the links, the beginning first
  double length;

  // Directions from `at` in q on, angular velocities from `at_rate` in xi on.
  Links(const Vector3d& x0, const Vector3d& v0, double link_length, const VectorXd& q, int at, const VectorXd& xi,
        int at_rate)
      : x{x0}, v{v0}, length(link_length) {
    for (; at < q.size(); at += 3, at_rate += 3) {
      x.emplace_back(x.back() + length * part(q, at));
      v.emplace_back(v.back() + length * part(xi, at_rate).cross(part(q, at)));
    }
  }

  // omega' = q x q''
  VectorXd angular(const std::vector<Vector3d>& a) const {
    std::vector<VectorXd> result;
    for (std::size_t k = 1; k < x.size(); ++k)
      result.emplace_back((x[k] - x[k - 1]).cross(a[k] - a[k - 1]) / (length * length));
    return stack(result);
  }
};

std::vector<Vector3d> positions(const std::vector<Mechanism::Acceleration>& accelerations) {
  std::vector<Vector3d> result;
  for (const auto& a : accelerations) result.push_back(a.x);
  return result;
}

std::vector<Part> then_directions(std::vector<Part> parts, int n) {
  parts.insert(parts.end(), static_cast<std::size_t>(n), Part::direction);
  return parts;
}

// Each particle is attracted by GM / r^2.
VectorXd tether_by_hand(int n, const VectorXd& q, const VectorXd& xi) {
  constexpr double GM = 1.3, tether = 0.3, length = 0.5;
  const Vector2d ends(1.1, 0.6);
  const Links links(part(q, 0), part(xi, 0), length / n, q, 3, xi, 3);
  Mechanism chain;
  for (int k = 0; k <= n; ++k) {
    const double mass = k == 0 ? ends(0) : k == n ? ends(1) : tether / n;
    const Vector3d x = links.x[static_cast<std::size_t>(k)];
    chain.add({.mass = mass,
               .x = x,
               .v = links.v[static_cast<std::size_t>(k)],
               .force = -GM * mass * x / std::pow(x.norm(), 3)});
    if (k > 0) chain.rod({k - 1}, {k});
  }
  const auto a = positions(chain.accelerations());
  return stack({a.front(), links.angular(a)});
}

TEST(BeyondTheTexts, OrbitingTether) {
  for (const int n : {1, 4, 20}) {
    const Model model = from_gallery(
        "orbiting-tether",
        {{"n", static_cast<double>(n)}, {"m", Vector2d(1.1, 0.6)}, {"tether", 0.3}, {"L", 0.5}, {"GM", 1.3}});
    const System system = derive(model);
    expect_newton_euler(system, then_directions({Part::space}, n),
                        [n](double, const VectorXd& q, const VectorXd& xi) { return tether_by_hand(n, q, xi); });
    if (n == 4) expect_forms_agree(system, random_samples(system, 5), 1e-10);
  }
}

VectorXd rope_by_hand(int n, double mass, double length, const VectorXd& q, const VectorXd& xi) {
  const Links links(Vector3d::Zero(), Vector3d::Zero(), length, q, 0, xi, 0);
  Mechanism rope;
  std::vector<Vector3d> a = {Vector3d::Zero()};
  for (std::size_t k = 1; k < links.x.size(); ++k) {
    const int bead = rope.add({.mass = mass, .x = links.x[k], .v = links.v[k], .force = -mass * g * e3});
    rope.rod({bead - 1}, {bead});
  }
  for (const Vector3d& bead : positions(rope.accelerations())) a.push_back(bead);
  EXPECT_EQ(a.size(), static_cast<std::size_t>(n) + 1);
  return links.angular(a);
}

TEST(BeyondTheTexts, FallingRope) {
  constexpr int n = 5;
  constexpr double mass = 0.3, length = 0.4;
  const System system = derive(from_gallery("falling-rope", {{"n", n}, {"m", mass}, {"l", length}}));
  expect_newton_euler(system, then_directions({}, n), [](double, const VectorXd& q, const VectorXd& xi) {
    return rope_by_hand(n, mass, length, q, xi);
  });
  expect_forms_agree(system, random_samples(system, 5));
}

// All of it, when it is let go and while it moves.
TEST(BeyondTheTexts, FallingRopeOf200Links) {
  const ModelFile file = gallery_model("falling-rope");
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  Samples samples = random_samples(system, 2);
  samples.states.push_back(start_state(file, system, remarks));
  ByHand hand;
  hand.omega = [](const VectorXd& q, const VectorXd& xi) { return rope_by_hand(200, 1e-3, 1e-2, q, xi); };
  expect_equations(system, complete(then_directions({}, 200), hand), samples, 1e-9);
}

// The rotors push along the third axis with the part of `wish` that they can give, and turn it towards `wish`.
struct Pilot {
  double kR, kW;
  double thrust(const Vector3d& wish, const Matrix3d& R) const { return wish.dot(R * e3); }
  Vector3d moment(const Vector3d& wish, const Matrix3d& R, const Vector3d& W) const {
    return kR * e3.cross(R.transpose() * wish.normalized()) - kW * W;
  }
};

TEST(BeyondTheTexts, QuadrotorWithCableAndLoad) {
  constexpr int n = 4;
  constexpr double M = 1.3, m = 0.15, load = 0.6, length = 0.35, kx = 2.3, kv = 1.7, kq = 3.1, kl = 0.8;
  const Pilot pilot{0.9, 0.2};
  const Matrix3d J{{0.11, 0.01, -0.02}, {0.01, 0.14, 0.015}, {-0.02, 0.015, 0.17}};
  const Vector3d goal(1.5, -0.7, 0.4);
  const Model model = from_gallery("quadrotor-cable-load", {{"n", n},
                                                            {"M", M},
                                                            {"J", J},
                                                            {"m", m},
                                                            {"load", load},
                                                            {"l", length},
                                                            {"goal", goal},
                                                            {"kx", kx},
                                                            {"kv", kv},
                                                            {"kq", kq},
                                                            {"kl", kl},
                                                            {"kR", pilot.kR},
                                                            {"kW", pilot.kW}});
  const auto by_hand = [&](double, const VectorXd& q, const VectorXd& xi) {
    const Vector3d x = part(q, 0), v = part(xi, 0), W = part(xi, 3);
    const Matrix3d R = attitude(q, 3);
    const Links links(x, v, length, q, 12, xi, 6);
    const Vector3d wish = g * (M + (n - 1) * m + load) * e3 - kx * (x - goal) - kv * v - kq * (links.v[1] - v) +
                          kl * (links.v.back() - v);
    Mechanism flight;
    flight.add({.mass = M,
                .J = J,
                .x = x,
                .v = v,
                .R = R,
                .W = W,
                .force = pilot.thrust(wish, R) * R * e3 - M * g * e3,
                .moment = pilot.moment(wish, R, W)});
    for (int k = 1; k <= n; ++k) {
      const double mass = k == n ? load : m;
      const auto i = static_cast<std::size_t>(k);
      flight.add({.mass = mass, .x = links.x[i], .v = links.v[i], .force = -mass * g * e3});
      flight.rod({k - 1}, {k});
    }
    const auto a = flight.accelerations();
    return stack({a[0].x, a[0].W, links.angular(positions(a))});
  };
  const System system = derive(model);
  expect_newton_euler(system, then_directions({Part::space, Part::attitude}, n), by_hand);
  expect_forms_agree(system, random_samples(system, 3));
}

// Fuselage, tail, right and left wing; inertias of the file are about the hinges.
struct Ornithopter {
  double mass_fuselage = 0.9, mass_tail = 0.4, mass_wing = 0.15;
  Matrix3d Jf = Vector3d(0.2, 0.5, 0.6).asDiagonal(), Jt = Vector3d(0.1, 0.9, 0.95).asDiagonal(),
           Jw = Vector3d(0.8, 0.2, 0.9).asDiagonal();
  double tail_hinge = 0.3, wing_hinge = 0.35, boom = 1.0, span = 1.2;
  double k_wing = 1.2, k_tail = 0.7, c_wing = 0.4, c_tail = 0.2;
  double f = 1.1, beat = 0.5, feather = 0.25, trim = 0.1;

  Model model() const {
    return from_gallery("flapping-wing", {{"m", Vector3d(mass_fuselage, mass_tail, mass_wing)},
                                          {"Jf", Jf},
                                          {"Jt", Jt},
                                          {"Jw", Jw},
                                          {"hinge", Vector2d(tail_hinge, wing_hinge)},
                                          {"boom", boom},
                                          {"span", span},
                                          {"k", Vector2d(k_wing, k_tail)},
                                          {"c", Vector2d(c_wing, c_tail)},
                                          {"f", f},
                                          {"beat", beat},
                                          {"feather", feather},
                                          {"trim", trim}});
  }

  struct Surface {
    double mass;
    Matrix3d J;              // about its hinge
    Vector3d hinge, center;  // in the fuselage; from the hinge, in the surface
    double stiffness, air;
    Matrix3d rest;  // of its muscle, seen from the fuselage
  };
  std::vector<Surface> surfaces(double t) const {
    const double phi = beat * std::cos(2 * M_PI * f * t), twist = feather * std::sin(2 * M_PI * f * t);
    const Vector3d wings = -wing_hinge * e1;
    return {{mass_tail, Jt, -tail_hinge * e1, -boom * e1, k_tail, c_tail, rotation_by(trim * e2)},
            {mass_wing, Jw, wings, -span * e2, k_wing, c_wing, rotation_by(-phi * e1) * rotation_by(twist * e2)},
            {mass_wing, Jw, wings, span * e2, k_wing, c_wing, rotation_by(phi * e1) * rotation_by(twist * e2)}};
  }

  VectorXd by_hand(double t, const VectorXd& q, const VectorXd& xi) const {
    Mechanism bird;
    FreeBody fuselage{.mass = mass_fuselage,
                      .J = Jf,
                      .x = part(q, 0),
                      .v = part(xi, 0),
                      .R = attitude(q, 3),
                      .W = part(xi, 3),
                      .force = -mass_fuselage * g * e3};
    std::vector<FreeBody> rest;
    for (const Surface& surface : surfaces(t)) {
      const int i = static_cast<int>(rest.size()) + 1;
      FreeBody body{.mass = surface.mass, .R = attitude(q, 3 + 9 * i), .W = part(xi, 3 + 3 * i)};
      const Vector3d& d = surface.center;
      body.J = surface.J - body.mass * hat(d).transpose() * hat(d);
      body.x = fuselage.x + fuselage.R * surface.hinge + body.R * d;
      body.v = fuselage.v + fuselage.R * fuselage.W.cross(surface.hinge) + body.R * body.W.cross(d);
      const Vector3d normal = body.R * e3;
      body.force = -body.mass * g * e3 - surface.air * body.v.norm() * normal.dot(body.v) * normal;
      // U = k/2 (3 - tr Q) with Q = rest^T R_1^T R turns the surface by -k vee(Q), and the fuselage the other way.
      const Matrix3d Q = (fuselage.R * surface.rest).transpose() * body.R;
      body.moment = -surface.stiffness * vee(Q);
      fuselage.moment -= fuselage.R.transpose() * body.R * body.moment;
      rest.push_back(body);
    }
    bird.add(fuselage);
    std::size_t k = 0;
    for (const Surface& surface : surfaces(t))
      bird.ball_joint({0, surface.hinge}, {bird.add(rest[k++]), -surface.center});
    std::vector<VectorXd> result;
    for (const auto& a : bird.accelerations()) {
      if (result.empty()) result.emplace_back(a.x);
      result.emplace_back(a.W);
    }
    return stack(result);
  }
};

TEST(BeyondTheTexts, FlappingWing) {
  const Ornithopter bird;
  const System system = derive(bird.model());
  expect_newton_euler(system, {Part::space, Part::attitude, Part::attitude, Part::attitude, Part::attitude},
                      [&](double t, const VectorXd& q, const VectorXd& xi) { return bird.by_hand(t, q, xi); });
  expect_forms_agree(system, random_samples(system, 3));
}

}  // namespace
}  // namespace hamel::test::beyond_the_texts_test
