// Book section 9.1: the slider-crank mechanism on S^1 x R with its rod as a constraint, against the equations in one
// angle.
#include <array>
#include <complex>
#include <hamel/integrate/integrate.hpp>
#include <hamel/symmetry/noether.hpp>

#include "gallery/files.hpp"
#include "hamel/mechanics/field.hpp"
#include "systems/bodies.hpp"

namespace hamel::test::slider_crank_test {
namespace {

constexpr double g = 9.81;

namespace crank {
constexpr double m1 = 0.8, m2 = 1.7, r = 0.6, length = 1.1;

const std::vector<Setting> settings = {{"m", Vector2d(m1, m2)}, {"r", r}, {"l", length}};

// With the two forces of the text as inputs.
Model model() { return from_gallery("planar-slider-crank", settings); }

double position(const Vector2d& q) { return r * q.x() + std::sqrt(length * length - r * r * q.y() * q.y()); }

double slide(const Vector2d& q, double x) { return -r * x * q.y() / (x - r * q.x()); }  // x' / omega, book (9.1)

State state(double angle, double w) {
  const Vector2d q(std::cos(angle), std::sin(angle));
  const double x = position(q);
  return {0, Vector3d(q.x(), q.y(), x), Vector3d(-w * q.y(), w * q.x(), slide(q, x) * w)};
}

struct Leverage {
  double N, N_q;  // (x' / (r omega))^2, and how it changes with the angle of the crank
};
Leverage leverage(const Vector2d& q, double x) {
  const double D = x - r * q.x(), across = -q.y();
  const Vector2d Sq(-q.y(), q.x());
  const Vector2d N_q =
      Vector2d(2 * r * std::pow(x * across, 2) * (x - 2 * r * q.x()), -2 * x * x * across * D * D) / std::pow(D, 4);
  return {std::pow(x * across / D, 2), N_q.dot(Sq)};
}

double turning(const Vector2d& q, double x, double w, const Vector2d& F) {  // omega' by book (9.2), corrected
  const auto [N, N_q] = leverage(q, x);
  const double force =
      F(0) * r - F(1) * r * x / (x - r * q.x()) * q.y() - m2 * r * r * w * w / 2 * N_q - m1 * g * r * q.x();
  return force / ((m1 + m2 * N) * r * r);
}

double slider_acceleration(const Vector2d& q, double x, double w, double w_rate) {
  const double D = x - r * q.x(), x_rate = slide(q, x) * w, q1_rate = -w * q.y(), q2_rate = w * q.x();
  const double slide_rate = -r * (x_rate * q.y() + x * q2_rate) / D + r * x * q.y() * (x_rate - r * q1_rate) / (D * D);
  return slide_rate * w + slide(q, x) * w_rate;
}
}  // namespace crank

TEST(SliderCrank, EquationOfMotion) {
  const Vector2d F(0.7, -1.9);
  for (const Path path : {Path::constant_mass, Path::reduced}) {
    const System system = derive(crank::model(), {path});
    EXPECT_EQ(system.degrees_of_freedom(), 1);
    for (int k = 0; k < 100; ++k) {
      const double w = std::cos(1.7 * k) * 3;
      const State s = crank::state(0.3 + 0.21 * k, w);
      EXPECT_NO_THROW(system.check(s));
      const Vector2d q = s.q.head<2>();
      const double x = s.q(2), w_rate = crank::turning(q, x, w, F),
                   x_rate2 = crank::slider_acceleration(q, x, w, w_rate);
      EXPECT_LE(distance(quasi_acceleration(system, s, F), Vector2d(w_rate, x_rate2)), 1e-11);
      // The rod pulls the slider with -lambda dc/dx = m2 x'' - F2.
      const double multiplier = -(crank::m2 * x_rate2 - F(1)) / (2 * (x - crank::r * q.x()));
      Workspace work(system);
      VectorXd a(3);
      work.u = F;
      system.acceleration(work, s.t, s.q, s.v, a);
      EXPECT_LE(distance(work.multipliers, VectorXd::Constant(1, multiplier)), 1e-11);
    }
    expect_forms_agree(system, {{crank::state(0.4, 2), crank::state(2.9, -1)}, F});
  }
}

// An engine: a push on the slider and a load on the pin.
TEST(SliderCrank, DrivenByLaws) {
  Model model = crank::model();
  const Formula turned = model.coordinate(0);
  model.law(model.input_symbol(0), -0.25 * omega(turned));
  model.law(model.input_symbol(1), -4.0 * turned.y());
  const System system = derive(model);
  EXPECT_EQ(system.inputs(), 0);
  for (int k = 0; k < 20; ++k) {
    const double w = std::cos(1.7 * k) * 3;
    const State s = crank::state(0.3 + 0.21 * k, w);
    const Vector2d q = s.q.head<2>(), F(-0.25 * w, -4 * q.y());
    EXPECT_NEAR(quasi_acceleration(system, s, VectorXd())(0), crank::turning(q, s.q(2), w, F), 1e-11);
  }
}

// Book (9.3), (9.4) in the one momentum pi = (m1 + m2 N) r^2 omega. Of the momenta (pi_q, p_x) on S^1 x R it is
// pi_q + (x'/omega) p_x, where the force of the rod drops out.
TEST(SliderCrank, HamiltonsEquation) {
  const Vector2d F(0.7, -1.9);
  const System system = derive(crank::model());
  Workspace work(system);
  work.u = F;
  Field field(system, Form::pi);
  VectorXd rate(field.size());
  for (int k = 0; k < 100; ++k) {
    const double w = std::cos(1.7 * k) * 3;
    const State s = crank::state(0.3 + 0.21 * k, w);
    const Vector2d q = s.q.head<2>();
    const double x = s.q(2), D = x - crank::r * q.x();
    const crank::Leverage lever = crank::leverage(q, x);
    const double inertia = (crank::m1 + crank::m2 * lever.N) * crank::r * crank::r, pi = inertia * w;
    const double expected = crank::m2 * pi * pi * crank::r * crank::r / (2 * inertia * inertia) * lever.N_q -
                            crank::m1 * g * crank::r * q.x() + F(0) * crank::r - F(1) * crank::r * x / D * q.y();

    const VectorXd y = field.pack(work, s);
    field(work, s.t, y, rate);
    const Vector2d momenta = y.tail<2>(), momenta_rate = rate.tail<2>();
    const double slide = crank::slide(q, x), w_rate = crank::turning(q, x, w, F),
                 slide_rate = (crank::slider_acceleration(q, x, w, w_rate) - slide * w_rate) / w;
    EXPECT_NEAR(momenta(0) + slide * momenta(1), pi, 1e-11);
    EXPECT_NEAR(momenta_rate(0) + slide * momenta_rate(1) + slide_rate * momenta(1), expected,
                1e-11 * std::max(1.0, std::abs(expected)));
  }
}

namespace crank {
using Complex = std::complex<double>;
using Variables = std::array<Complex, 6>;  // q, x and their rates

Complex lagrangian(const Variables& z) {
  return m1 * r * r / 2 * (z[3] * z[3] + z[4] * z[4]) + m2 / 2 * z[5] * z[5] - m1 * g * r * z[1];
}
Complex rod(const Variables& z) {
  const Complex along = r * z[0] - z[2], across = r * z[1];
  return along * along + across * across - length * length;
}

// The gradient of an analytic function: Im f(z + i h) / h, without cancellation.
VectorXd complex_step(Complex (*f)(const Variables&), const State& s) {
  constexpr double h = 1e-100;
  VectorXd gradient(6);
  for (std::size_t k = 0; k < 6; ++k) {
    Variables z = {s.q(0), s.q(1), s.q(2), s.v(0), s.v(1), s.v(2)};
    z[k] += Complex(0, h);
    gradient(static_cast<Eigen::Index>(k)) = f(z).imag() / h;
  }
  return gradient;
}
}  // namespace crank

TEST(SliderCrank, Derivatives) {
  const System system = derive(crank::model());
  Workspace work(system);
  VectorXd p(3), force(3);
  for (int k = 0; k < 100; ++k) {
    const State s = crank::state(0.3 + 0.21 * k, std::cos(1.7 * k) * 3);
    const VectorXd L = crank::complex_step(crank::lagrangian, s), c = crank::complex_step(crank::rod, s);
    system.momentum(work, s.t, s.q, s.v, p);
    system.force(work, s.t, s.q, s.v, force);
    EXPECT_LE(distance(p, L.tail(3)), 1e-14) << "dL/dq'";
    EXPECT_LE(distance(force, L.head(3)), 1e-14) << "dL/dq";
    VectorXd a(3), reaction = VectorXd::Zero(3);
    system.acceleration(work, s.t, s.q, s.v, a);
    system.add_reaction(work, s.q, reaction);
    EXPECT_LE(distance(reaction, -work.multipliers(0) * c.head(3)), 1e-13) << "dc/dq";
  }
}

TEST(SliderCrank, HasNoMomentum) {
  const NoetherReport report = conserved_momenta(crank::model());
  EXPECT_TRUE(report.momenta.empty());
  EXPECT_TRUE(report.energy_conserved);  // while its forces are zero
  EXPECT_TRUE(report.undecided.empty());
}

TEST(SliderCrank, ReactionsDoNoWork) {
  const System system = derive(crank::model());
  expect_power_balance(system, {{crank::state(0.4, 2), crank::state(2.9, -1)}, Vector2d(0.7, -1.9)});
  Workspace work(system);
  const State s = crank::state(0.4, 2);
  VectorXd a(3), reaction = VectorXd::Zero(3);
  system.acceleration(work, 0, s.q, s.v, a);
  system.add_reaction(work, s.q, reaction);
  EXPECT_GT(reaction.norm(), 0.1);
  EXPECT_NEAR(reaction.dot(s.v), 0, 1e-12);
}

TEST(SliderCrank, RefusesViolatedConstraints) {
  const System system = derive(crank::model());
  State s = crank::state(0, 0);  // q = e1, x = r + length
  s.q(2) += 1e-3;
  EXPECT_EQ(message_of([&] { system.check(s); }),
            "constraint rod is violated at the start: it is 2.20e-03, not 0 (tolerance 1e-09)");
  EXPECT_EQ(message_of([&] { integrate(system, s, Rk4{.step = 0.1}, Until{1.0}); }),
            "constraint rod is violated at the start: it is 2.20e-03, not 0 (tolerance 1e-09)");
  s = crank::state(0, 0);
  s.v(2) = 0.5;
  EXPECT_EQ(message_of([&] { system.check(s); }),
            "the velocity violates constraint rod: its rate is 1.10e+00, not 0 (tolerance 1e-09)");
}

}  // namespace
}  // namespace hamel::test::slider_crank_test
