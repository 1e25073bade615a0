#include "systems/bodies.hpp"

#include <array>
#include <cmath>

#include "hamel/mechanics/field.hpp"

namespace hamel::test {
namespace {

struct Sizes {
  int ambient, rates;
};

Sizes sizes(Part part) {
  switch (part) {
    case Part::attitude:
      return {9, 3};
    case Part::pose:
      return {12, 6};
    case Part::direction:
      return {3, 3};
    case Part::line:
      return {1, 1};
    case Part::plane:
      return {2, 2};
    case Part::space:
      return {3, 3};
  }
  return {0, 0};
}

VectorXd rates_of(Part part, const VectorXd& q, const VectorXd& v) {
  const auto turn = [&] { return vee(attitude(q).transpose() * attitude(v)); };
  if (part == Part::attitude) return turn();
  if (part == Part::pose) return stack({turn(), attitude(q).transpose() * v.tail<3>()});
  if (part == Part::direction) return Vector3d(q).cross(Vector3d(v));
  return v;
}

VectorXd acceleration_of(Part part, const VectorXd& q, const VectorXd& xi, const VectorXd& xi_rate) {
  if (part == Part::attitude || part == Part::pose) {
    const Vector3d Omega = xi.head<3>(), Omega_rate = xi_rate.head<3>();
    const VectorXd turning = flat(attitude(q) * (hat(Omega_rate) + hat(Omega) * hat(Omega)));
    if (part == Part::attitude) return turning;
    return stack({turning, attitude(q) * (xi_rate.tail<3>() + Omega.cross(Vector3d(xi.tail<3>())))});
  }
  if (part == Part::direction) return Vector3d(xi_rate).cross(Vector3d(q)) - xi.squaredNorm() * q;
  return xi_rate;
}

VectorXd momentum_of(Part part, const VectorXd& q, const VectorXd& mu) {
  const auto turn = [&]() -> Vector3d { return 2 * vee(attitude(q).transpose() * attitude(mu)); };
  if (part == Part::attitude) return turn();
  if (part == Part::pose) return stack({turn(), attitude(q).transpose() * mu.tail<3>()});
  if (part == Part::direction) return Vector3d(q).cross(Vector3d(mu));
  return mu;
}

// On SO(3) mu = R hat(Pi)/2, on S^2 mu = pi x q, and p = R^T mu in the body frame.
VectorXd ambient_rate(Part part, const VectorXd& q, const VectorXd& q_rate, const VectorXd& pi,
                      const VectorXd& pi_rate) {
  if (part == Part::attitude || part == Part::pose) {
    const Vector3d Pi = pi.head<3>(), Pi_rate = pi_rate.head<3>();
    const VectorXd turning = flat(attitude(q_rate) * hat(Pi) + attitude(q) * hat(Pi_rate)) / 2;
    if (part == Part::attitude) return turning;
    return stack({turning, attitude(q_rate) * pi.tail<3>() + attitude(q) * pi_rate.tail<3>()});
  }
  if (part == Part::direction) return Vector3d(pi_rate).cross(Vector3d(q)) + Vector3d(pi).cross(Vector3d(q_rate));
  return pi_rate;
}

// Calls each(part, where its ambient coordinates begin, where its rates begin).
template <class Each>
void for_each(const std::vector<Part>& parts, const Each& each) {
  int begin = 0, rates_begin = 0;
  for (const Part part : parts) {
    each(part, begin, rates_begin);
    begin += sizes(part).ambient;
    rates_begin += sizes(part).rates;
  }
}

VectorXd piece(const VectorXd& x, int begin, int size) { return x.segment(begin, size); }

VectorXd all_rates(const std::vector<Part>& parts, const VectorXd& q, const VectorXd& v) {
  std::vector<VectorXd> result;
  for_each(parts, [&](Part part, int i, int) {
    const int n = sizes(part).ambient;
    result.push_back(rates_of(part, piece(q, i, n), piece(v, i, n)));
  });
  return stack(result);
}

VectorXd all_momenta(const std::vector<Part>& parts, const VectorXd& q, const VectorXd& mu) {
  std::vector<VectorXd> result;
  for_each(parts, [&](Part part, int i, int) {
    const int n = sizes(part).ambient;
    result.push_back(momentum_of(part, piece(q, i, n), piece(mu, i, n)));
  });
  return stack(result);
}

}  // namespace

Matrix3d attitude(const VectorXd& q, int begin) { return Eigen::Map<const Matrix3d>(q.data() + begin); }

Matrix3d rotation_by(const Vector3d& angle) {
  const double theta = angle.norm();
  if (theta == 0) return Matrix3d::Identity();
  const Matrix3d axis = hat(angle / theta);
  return Matrix3d::Identity() + std::sin(theta) * axis + (1 - std::cos(theta)) * axis * axis;
}

VectorXd pose(const Matrix3d& R, const Vector3d& x) { return stack({flat(R), x}); }

ByHand complete(const std::vector<Part>& parts, ByHand hand) {
  if (hand.omega)
    hand.velocity = [parts, omega = hand.omega](const VectorXd& q, const VectorXd& v) {
      const VectorXd xi = all_rates(parts, q, v), xi_rate = omega(q, xi);
      std::vector<VectorXd> result;
      for_each(parts, [&](Part part, int i, int k) {
        const auto [n, r] = sizes(part);
        result.push_back(acceleration_of(part, piece(q, i, n), piece(xi, k, r), piece(xi_rate, k, r)));
      });
      return stack(result);
    };
  if (hand.pi)
    hand.mu = [parts, hamilton = hand.pi](const VectorXd& q, const VectorXd& mu) -> Rates {
      const VectorXd pi = all_momenta(parts, q, mu);
      const Rates rates = hamilton(q, pi);
      std::vector<VectorXd> result;
      for_each(parts, [&](Part part, int i, int k) {
        const auto [n, r] = sizes(part);
        result.push_back(
            ambient_rate(part, piece(q, i, n), piece(rates.q, i, n), piece(pi, k, r), piece(rates.partner, k, r)));
      });
      return {rates.q, stack(result)};
    };
  return hand;
}

void expect_by_hand(const Model& model, const ByHand& hand) {
  const System system = derive(model);
  const Samples samples = random_samples(system);
  expect_equations(system, hand, samples);
  expect_forms_agree(system, random_samples(system, 5));
  if (system.path() == Path::constant_mass) expect_paths_agree(model, random_samples(system, 20));
}

void expect_same_flow(const System& one, const System& other, const Samples& samples, double tolerance) {
  Workspace a(one), b(other);
  a.u = b.u = samples.inputs;
  VectorXd x(one.ambient()), y(one.ambient());
  for (const State& s : samples.states) {
    one.acceleration(a, s.t, s.q, s.v, x);
    other.acceleration(b, s.t, s.q, s.v, y);
    EXPECT_LE(distance(y, x), tolerance) << "acceleration";
    for (const Form form : {Form::omega, Form::mu, Form::pi}) {
      Field f(one, form), h(other, form);
      const VectorXd f_state = f.pack(a, s), h_state = h.pack(b, s);
      VectorXd f_rate(f.size()), h_rate(h.size());
      f(a, s.t, f_state, f_rate);
      h(b, s.t, h_state, h_rate);
      EXPECT_LE(distance(h_state, f_state), tolerance) << "state in form " << static_cast<int>(form);
      EXPECT_LE(distance(h_rate, f_rate), tolerance) << "rate in form " << static_cast<int>(form);
    }
    const double energy = one.energy(a, s.t, s.q, s.v).total, power = one.power(a, s.t, s.q, s.v);
    EXPECT_NEAR(other.energy(b, s.t, s.q, s.v).total, energy, tolerance * std::max(1.0, std::abs(energy)));
    EXPECT_NEAR(other.power(b, s.t, s.q, s.v), power, tolerance * std::max(1.0, std::abs(power)));
    if (::testing::Test::HasFailure()) return;
  }
}

void expect_power_balance(const System& system, const Samples& samples) {
  Workspace work(system);
  work.u = samples.inputs;
  VectorXd a(system.ambient());
  for (const State& s : samples.states) {
    system.acceleration(work, s.t, s.q, s.v, a);
    const auto energy = [&](double time) {
      VectorXd q(s.q.size()), v(s.q.size());
      system.space().retract(s.q, time * s.v, q);
      system.space().tangent_project(q, s.v + time * a, v);
      return system.energy(work, s.t + time, q, v).total;
    };
    constexpr double h = 1e-3;
    constexpr std::array weights = {3.0 / 4, -3.0 / 20, 1.0 / 60};  // of order 6
    double rate = 0, size = 1;
    for (int k = 1; k <= 3; ++k) {
      rate += weights[static_cast<std::size_t>(k - 1)] * (energy(k * h) - energy(-k * h)) / h;
      size = std::max(size, std::abs(energy(k * h)));
    }
    const double power = system.power(work, s.t, s.q, s.v);
    EXPECT_NEAR(rate, power, 1e-8 * std::max(size, std::abs(power))) << system.name() << " at t = " << s.t;
  }
}

}  // namespace hamel::test
