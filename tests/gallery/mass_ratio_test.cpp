// What is light moves right beside what is heavy, however the energies are written.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <hamel/integrate/integrate.hpp>
#include <hamel/integrate/method.hpp>

#include "gallery/files.hpp"

namespace hamel::test::mass_ratio_test {
namespace {

const std::vector<std::string> methods = {"variational", "variational4", "variational-midpoint", "gauss4",
                                          "gauss8",      "rkmk4",        "commutator_free4",     "rk4"};

State end_of(const std::string& text, const std::string& method, double step, double until) {
  const ModelFile file = parse_model(text, "test");
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  return integrate(system, start, method_named(method, step, 0), {.t = until, .keep = false}).back();
}

double distance(const VectorXd& a, const VectorXd& b) { return (a - b).lpNorm<Eigen::Infinity>(); }

// A heavy particle at x, and three of mass 1, 2 and 3 that R turns about it; all of them fall.
std::string particles(double heavy, bool by_points) {
  const auto term = [&](int mass, const std::string& place) {
    const std::string rate =
        by_points ? fmt::format("rate(x + R*{})", place) : fmt::format("x' + R*cross(Omega(R), {})", place);
    return fmt::format("\"{}/2*norm2({})\"", mass, rate);
  };
  return fmt::format(R"toml(
name = "particles about a heavy one"
[parameters]
M = {:e}
[coordinates]
x = "R3"
R = "SO3"
[energy]
kinetic = ["M/2*norm2(x')", {}, {}, {}]
potential = "9.81*(M*x.z + dot(e3, x + R*[1, 0, 0]) + 2*dot(e3, x + R*[0, 1, 0]) + 3*dot(e3, x + R*[0, 0, 2]))"
[start]
x = [0, 0, 0]
"x'" = [0, 0, 0]
R = "turn(e1, 0.3)"
Omega.R = [1, 2, 0.5]
)toml",
                     heavy, term(1, "[1, 0, 0]"), term(2, "[0, 1, 0]"), term(3, "[0, 0, 2]"));
}

// In free fall the attitude is that of a free body, with the inertia about the centre of mass.
Eigen::Matrix3d inertia_about_centre(double heavy) {
  const auto turned = [](const Eigen::Vector3d& r) -> Eigen::Matrix3d {
    return r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose();
  };
  const Eigen::Vector3d places[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 2}};
  Eigen::Matrix3d J = Eigen::Matrix3d::Zero();
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (int i = 0; i < 3; ++i) {
    J += (i + 1) * turned(places[i]);
    moment += (i + 1) * places[i];
  }
  return J - turned(moment) / (heavy + 6);
}

std::string free_body(const Eigen::Matrix3d& J) {
  const auto row = [&](int i) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", J(i, 0), J(i, 1), J(i, 2)); };
  return fmt::format(R"toml(
name = "free body"
[parameters]
J = [{}, {}, {}]
[coordinates]
R = "SO3"
[bodies]
body = {{ attitude = "R", inertia = "J" }}
[start]
R = "turn(e1, 0.3)"
Omega.R = [1, 2, 0.5]
)toml",
                     row(0), row(1), row(2));
}

TEST(MassRatio, ParticlesAboutAHeavyOne) {
  for (const double heavy : {1.0, 1e5, 1e10}) {
    const VectorXd exact = end_of(free_body(inertia_about_centre(heavy)), "gauss8", 0.005, 2).q;
    for (const bool by_points : {true, false})
      for (const std::string& method : methods) {
        const VectorXd R = end_of(particles(heavy, by_points), method, 0.005, 2).q.tail(9);
        const double truncation = method == "gauss8" ? 1e-11 : method.starts_with("variational") ? 2e-3 : 1e-7;
        EXPECT_LE(distance(R, exact), truncation) << method << ", " << heavy;
        // Whatever the order: beyond 1e10 the mass makes no difference any more.
        if (heavy == 1e10) {
          EXPECT_LE(distance(R, end_of(particles(1e12, by_points), method, 0.005, 2).q.tail(9)), 1e-8) << method;
        }
      }
  }
}

// Two particles on a rod, in empty space: it turns evenly, whatever they weigh.
std::string dumbbell(double first, double second) {
  return fmt::format(R"toml(
name = "dumbbell"
[parameters]
m = [{:e}, {:e}]
l = 1.3
[coordinates]
x = "R3"
q = "S2"
[energy]
kinetic = ["m[1]/2*norm2(x')", "m[2]/2*norm2(rate(x + l*q))"]
[start]
x = [0, 0, 0]
"x'" = [0, 0, 0]
q = [1, 0, 0]
omega.q = [0, 0, 0.7]
)toml",
                     first, second);
}

TEST(MassRatio, RodBetweenTwoParticles) {
  for (const std::string& method : methods) {
    const State equal = end_of(dumbbell(1, 1), method, 0.01, 2);
    EXPECT_NEAR(std::atan2(equal.q(4), equal.q(3)), 1.4, 1e-4) << method;
    for (const auto& [first, second] : {std::pair(1e10, 1.0), std::pair(1.0, 1e10), std::pair(1e-10, 1.0)}) {
      // Gauss methods step momenta of coordinates: that of a light x is the small difference of two large ones.
      if (method.starts_with("gauss") && first < second) continue;
      const State end = end_of(dumbbell(first, second), method, 0.01, 2);
      EXPECT_LE(distance(end.q.tail(3), equal.q.tail(3)), 1e-13) << method << ", " << first << ", " << second;
      EXPECT_LE(distance(end.v.tail(3), equal.v.tail(3)), 1e-13) << method << ", " << first << ", " << second;
    }
  }
}

// From a heavy cart a pendulum hangs as from a ceiling.
std::string pendulum(const std::string& cart) {
  return fmt::format(R"toml(
name = "pendulum on a cart"
[coordinates]
x = "R2"
q = "S2"
[points]
bob = "[x.x, x.y, 0] + 0.9*q"
[energy]
kinetic = ["{}/2*norm2(x')", "norm2(bob')/2"]
potential = "9.81*bob.z"
[start]
x = [0, 0]
"x'" = [0, 0]
q = [0.6, 0, -0.8]
omega.q = [0, 0, 1]
)toml",
                     cart);
}
const std::string hanging_pendulum = R"toml(
name = "pendulum"
[coordinates]
q = "S2"
[energy]
kinetic = "norm2(0.9*q')/2"
potential = "9.81*0.9*q.z"
[start]
q = [0.6, 0, -0.8]
omega.q = [0, 0, 1]
)toml";

TEST(MassRatio, PendulumOnAHeavyCart) {
  for (const std::string& method : methods) {
    const VectorXd hanging = end_of(hanging_pendulum, method, 0.01, 2).q;
    EXPECT_LE(distance(end_of(pendulum("1e13"), method, 0.01, 2).q.tail(3), hanging), 1e-11) << method;
  }
}

// A chain that is not straight, and its accelerations as rational arithmetic finds them from [ M C^T ; C 0 ].
std::string chain(double upper, double lower) {
  return fmt::format(R"toml(
name = "chain"
[parameters]
m = [{:e}, {:e}]
[coordinates]
q = "S2[2]"
[points]
x = ["q[1]", "x[1] + 0.7*q[2]"]
[energy]
kinetic = "sum(i in 1..2, m[i]/2*norm2(x'[i]))"
potential = "sum(i in 1..2, 9.81*m[i]*x[i].z)"
[start]
q = [[0.6, 0, -0.8], [0, 0.8, -0.6]]
omega.q = [[0, 1, 0], [1, 0, 0]]
)toml",
                     upper, lower);
}

TEST(MassRatio, ChainWithAHeavyParticle) {
  struct Case {
    double upper, lower;
    std::array<double, 6> exact;
  };
  for (const auto& [upper, lower, exact] : {Case{1e10,
                                                 1,
                                                 {-5.308800000142475, 3.957631999695421e-10, -2.7316000001068557,
                                                  7.584000000203536, -5.653760000130263, -5.8716800001736855}},
                                            Case{1,
                                                 1e10,
                                                 {-7.160083159842609, 5.142453221785025, -4.120062369881956,
                                                  10.228690228346585, -7.346361746141815, -8.128482328189087}}}) {
    const ModelFile file = parse_model(chain(upper, lower), "chain");
    const System system = derive(file.model);
    std::vector<std::string> remarks;
    const State start = start_state(file, system, remarks);
    Workspace work(system);
    VectorXd a(6);
    system.acceleration(work, 0, start.q, start.v, a);
    EXPECT_LE(distance(a, Eigen::Map<const VectorXd>(exact.data(), 6)), 1e-13) << upper << ", " << lower;
  }
}

}  // namespace
}  // namespace hamel::test::mass_ratio_test
