// Motions that are known in closed form, over ten periods: pendulum and free body by Jacobi's elliptic functions,
// Kepler's ellipse, the steady cone of the spherical pendulum.
#include <cmath>
#include <hamel/integrate/integrate.hpp>
#include <hamel/manifold/rn.hpp>
#include <hamel/manifold/s1.hpp>
#include <hamel/manifold/s2.hpp>
#include <hamel/manifold/so3.hpp>
#include <numbers>

#include "systems/bodies.hpp"

namespace hamel::test::closed_form_test {
namespace {

using std::numbers::pi;

// The complete elliptic integral of the first kind with modulus k: K = pi / (2 agm(1, k')).
double elliptic_period(double k) {
  double a = 1, b = std::sqrt(1 - k * k);
  while (std::abs(a - b) > 1e-9) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return pi / (a + b);
}

struct Jacobi {
  double sn, cn, dn;
};

// By the arithmetic-geometric mean: Abramowitz and Stegun, 16.4.
Jacobi jacobi(double u, double k) {
  std::vector<double> a = {1}, c = {k};
  double b = std::sqrt(1 - k * k);
  while (c.back() > 1e-9) {  // the next difference is its square
    const double mean = (a.back() + b) / 2, difference = (a.back() - b) / 2;
    b = std::sqrt(a.back() * b);
    a.push_back(mean);
    c.push_back(difference);
  }
  double phi = std::ldexp(a.back() * u, static_cast<int>(a.size()) - 1);
  for (std::size_t n = a.size() - 1; n > 0; --n) phi = (phi + std::asin(c[n] / a[n] * std::sin(phi))) / 2;
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1 - k * k * sn * sn)};
}

TEST(ClosedForm, JacobiFunctions) {
  EXPECT_NEAR(elliptic_period(std::sqrt(0.5)), 1.8540746773013719, 1e-15);  // Abramowitz and Stegun, table 17.1
  for (const double k : {0.1, 0.6, 0.99}) {
    const double K = elliptic_period(k);
    EXPECT_NEAR(jacobi(K, k).sn, 1, 1e-14);
    EXPECT_NEAR(jacobi(K / 2, k).sn, 1 / std::sqrt(1 + std::sqrt(1 - k * k)), 1e-14);
    constexpr double u = 0.7, h = 1e-5;
    const auto [sn, cn, dn] = jacobi(u, k);
    EXPECT_NEAR((jacobi(u + h, k).sn - jacobi(u - h, k).sn) / (2 * h), cn * dn, 1e-9);
  }
}

// Compares with the exact state at a hundred times within ten periods.
void expect_motion(const System& system, const std::function<State(double t)>& exact, double period, double tolerance) {
  expect_tiers_agree(system.model(), {{exact(0)}, {}});
  const Rk45 tight{.relative = 1e-14, .absolute = 1e-14};
  const Trajectory run = integrate(system, exact(0), tight, {.t = 10 * period, .every = period / 10});
  ASSERT_EQ(run.size(), 101U);
  for (const State& state : run.states) {
    const State expected = exact(state.t);
    EXPECT_LE(distance(state.q, expected.q), tolerance) << "q at t = " << state.t;
    EXPECT_LE(distance(state.v, expected.v), tolerance) << "q' at t = " << state.t;
    if (::testing::Test::HasFailure()) return;
  }
}

constexpr double g = 9.81, length = 0.9;
const double frequency = std::sqrt(g / length);

System planar_pendulum() {
  Model model("planar pendulum");
  const Formula q = model.coordinate<S1>("q");
  model.kinetic(length * length / 2 * squared_norm(rate(q)));
  model.potential(g * length * q.y());
  return derive(model);
}

// From s = sin(theta/2), c = cos(theta/2) and theta'; theta = 0 hangs down.
State hanging_state(double t, double s, double c, double theta_rate) {
  const double sine = 2 * s * c, cosine = c * c - s * s;
  return {t, Vector2d(sine, -cosine), theta_rate * Vector2d(cosine, sine)};
}

TEST(ClosedForm, PendulumSwings) {
  for (const double k : {0.05, 0.7, 0.99}) {  // sin of half the amplitude
    const auto exact = [=](double t) {
      const auto [sn, cn, dn] = jacobi(frequency * t, k);
      return hanging_state(t, k * sn, dn, 2 * k * frequency * cn);
    };
    expect_motion(planar_pendulum(), exact, 4 * elliptic_period(k) / frequency, 1e-9);
  }
}

TEST(ClosedForm, PendulumTurnsOver) {
  for (const double k : {0.3, 0.98}) {
    const auto exact = [=](double t) {
      const auto [sn, cn, dn] = jacobi(frequency * t / k, k);
      return hanging_state(t, sn, cn, 2 * frequency / k * dn);
    };
    expect_motion(planar_pendulum(), exact, 2 * k * elliptic_period(k) / frequency, 1e-9);
  }
}

// omega of a free body with J1 < J2 < J3 that begins at (a, 0, c): Landau and Lifshitz, Mechanics, section 37.
struct EulerTop {
  Vector3d J;
  double a, c;

  bool about_largest() const { return J(2) * (J(2) - J(1)) * c * c > J(0) * (J(1) - J(0)) * a * a; }
  double rate() const {
    return about_largest() ? c * std::sqrt((J(2) - J(0)) * (J(2) - J(1)) / (J(0) * J(1)))
                           : a * std::sqrt((J(1) - J(0)) * (J(2) - J(0)) / (J(1) * J(2)));
  }
  double b() const { return (J(2) - J(0)) * a * c / (J(1) * rate()); }
  double modulus() const {
    return std::sqrt(about_largest() ? (J(1) - J(0)) * a * b() / (J(2) * c * rate())
                                     : (J(2) - J(1)) * b() * c / (J(0) * a * rate()));
  }
  double period() const { return 4 * elliptic_period(modulus()) / rate(); }
  Vector3d omega(double t) const {
    const auto [sn, cn, dn] = jacobi(rate() * t, modulus());
    return about_largest() ? Vector3d(a * cn, b() * sn, c * dn) : Vector3d(a * dn, b() * sn, c * cn);
  }
};

TEST(ClosedForm, FreeBody) {
  const Vector3d J(1, 2, 2.7);
  for (const EulerTop& top : {EulerTop{J, 0.8, 1.1}, EulerTop{J, 1.2, 0.4}}) {
    Model model("free rigid body");
    model.body("body", {.attitude = model.coordinate<SO3>("R"), .inertia = Matrix3d(J.asDiagonal())});
    const System system = derive(model);
    const State start = system.state(0, flat(Matrix3d::Identity()), top.omega(0));
    const Vector3d momentum = J.cwiseProduct(top.omega(0));
    const Rk45 tight{.relative = 1e-14, .absolute = 1e-14};
    const Trajectory run = integrate(system, start, tight, {.t = 10 * top.period(), .every = top.period() / 10});
    for (const State& s : run.states) {
      const Matrix3d R = attitude(s.q);
      const Vector3d exact = top.omega(s.t);
      EXPECT_LE(distance(vee(R.transpose() * attitude(s.v)), exact), 1e-9) << "omega at t = " << s.t;
      EXPECT_LE(distance(R.transpose() * momentum, J.cwiseProduct(exact)), 1e-9) << "attitude at t = " << s.t;
    }
  }
  EXPECT_TRUE((EulerTop{J, 0.8, 1.1}.about_largest()));
  EXPECT_FALSE((EulerTop{J, 1.2, 0.4}.about_largest()));
}

double eccentric_anomaly(double mean, double eccentricity) {  // Kepler's equation E - e sin E = M
  double E = mean;
  for (int k = 0; k < 50; ++k) E -= (E - eccentricity * std::sin(E) - mean) / (1 - eccentricity * std::cos(E));
  return E;
}

TEST(ClosedForm, KeplerEllipse) {
  constexpr double mu = 1.7, a = 1.3, e = 0.4;
  Model model("Kepler");
  const Formula q = model.coordinate("q", Rn(3));
  model.kinetic(squared_norm(rate(q)) / 2);
  model.potential(-mu / norm(q));
  const double n = std::sqrt(mu / (a * a * a)), b = a * std::sqrt(1 - e * e);
  const Matrix3d tilt = rotation_by({0.4, -0.7, 0.2});
  const auto exact = [=](double t) -> State {
    const double E = eccentric_anomaly(n * t, e), E_rate = n / (1 - e * std::cos(E));
    return {t, tilt * Vector3d(a * (std::cos(E) - e), b * std::sin(E), 0),
            tilt * Vector3d(-a * std::sin(E), b * std::cos(E), 0) * E_rate};
  };
  expect_motion(derive(model), exact, 2 * pi / n, 1e-9);
}

TEST(ClosedForm, SphericalPendulumOnACone) {
  Model model("spherical pendulum");
  const Formula q = model.coordinate<S2>("q");
  model.kinetic(length * length / 2 * squared_norm(rate(q)));
  model.potential(g * length * q.z());
  constexpr double angle = 0.8;
  const double turn = std::sqrt(g / (length * std::cos(angle)));
  const auto exact = [=](double t) -> State {
    const double x = std::cos(turn * t), y = std::sin(turn * t), radius = std::sin(angle);
    return {t, Vector3d(radius * x, radius * y, -std::cos(angle)), turn * radius * Vector3d(-y, x, 0)};
  };
  expect_motion(derive(model), exact, 2 * pi / turn, 1e-9);
}

}  // namespace
}  // namespace hamel::test::closed_form_test
