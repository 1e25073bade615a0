#include "systems/support.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <hamel/integrate/integrate.hpp>
#include <hamel/integrate/stepper.hpp>

#include "hamel/mechanics/field.hpp"
#include "hamel/mechanics/parts.hpp"

namespace hamel::test {
namespace {

Rk45 runge_kutta(double relative) { return {.relative = relative, .absolute = relative / 10}; }

Workspace workspace(const System& system, const Samples& samples) {
  Workspace work(system);
  if (samples.inputs.size() > 0) work.u = samples.inputs;
  return work;
}

// f'(0) by central differences of order 10.
VectorXd derivative(const std::function<VectorXd(double)>& f, double step) {
  constexpr std::array weights = {5.0 / 6, -5.0 / 21, 5.0 / 84, -5.0 / 504, 1.0 / 1260};
  VectorXd sum = VectorXd::Zero(f(0).size());
  for (int k = 5; k >= 1; --k) {
    const double weight = weights[static_cast<std::size_t>(k - 1)];
    sum += weight * (f(k * step) - f(-k * step));
  }
  return sum / step;
}

// A curve of states through `state` that begins like the motion: q' = v and v' = a at s = 0.
State follow(const Manifold& space, const State& state, const VectorXd& a, double s) {
  State next{state.t + s, state.q, state.v};
  space.retract(state.q, s * state.v, next.q);
  space.tangent_project(next.q, state.v + s * a, next.v);
  return next;
}

double time_scale(const State& state, const VectorXd& a) {
  return 0.01 / std::max({1.0, state.v.lpNorm<Eigen::Infinity>(), std::sqrt(a.lpNorm<Eigen::Infinity>())});
}

void expect_form_follows(const System& system, Form form, const State& state, Workspace& work, double tolerance) {
  Field field(system, form);
  VectorXd a(system.ambient()), rate(field.size());
  system.acceleration(work, state.t, state.q, state.v, a);
  const VectorXd y = field.pack(work, state);
  field(work, state.t, y, rate);
  const double step = time_scale(state, a);

  EXPECT_LE(distance(field.unpack(work, state.t, y).v, state.v), tolerance) << "there and back";
  const auto packed = [&](double s) { return field.pack(work, follow(system.space(), state, a, s)); };
  EXPECT_LE(distance(derivative(packed, step), rate), tolerance) << "y' is not that of the motion";
  if (system.constraints() > 0) return;
  const auto unpacked = [&](double s) {
    VectorXd moved = y + s * rate;
    system.space().retract(state.q, s * state.v, moved.head(system.ambient()));
    return field.unpack(work, state.t + s, moved).v;
  };
  EXPECT_LE(distance(derivative(unpacked, step), a), tolerance) << "q'' of y'";
}

void expect_rates(const Rates& rates, Field& field, Workspace& work, const State& state, const VectorXd& y,
                  double tolerance) {
  VectorXd rate(field.size());
  field(work, state.t, y, rate);
  const int n = field.system().ambient();
  EXPECT_LE(distance(rate.head(n), rates.q), tolerance) << "q'";
  EXPECT_LE(distance(rate.tail(field.partners()), rates.partner), tolerance) << "rate of the partner of q";
}

constexpr std::array<std::pair<Form, const char*>, 4> all_forms = {
    {{Form::velocity, "velocity"}, {Form::omega, "omega"}, {Form::mu, "mu"}, {Form::pi, "pi"}}};

void expect_same(const System& one, const System& other, const Samples& samples, double tolerance) {
  Workspace a = workspace(one, samples), b = workspace(other, samples);
  const int n = one.ambient();
  VectorXd x(n), y(n), p(n);
  for (const State& s : samples.states) {
    one.acceleration(a, s.t, s.q, s.v, x);
    other.acceleration(b, s.t, s.q, s.v, y);
    EXPECT_LE(distance(x, y), tolerance) << "acceleration at q = " << s.q.transpose();
    one.momentum(a, s.t, s.q, s.v, p);
    other.momentum(b, s.t, s.q, s.v, y);
    EXPECT_LE(distance(p, y), tolerance) << "momentum";
    one.velocity(a, s.t, s.q, p, x);
    other.velocity(b, s.t, s.q, p, y);
    EXPECT_LE(distance(x, y), tolerance) << "velocity";
    const Energy e = one.energy(a, s.t, s.q, s.v), f = other.energy(b, s.t, s.q, s.v);
    EXPECT_NEAR(e.total, f.total, tolerance * std::max(1.0, std::abs(f.total))) << "energy";
    if (one.has_hamiltonian()) continue;
    one.force(a, s.t, s.q, s.v, x);
    other.force(b, s.t, s.q, s.v, y);
    EXPECT_LE(distance(x, y), tolerance) << "force";
  }
}

bool is_native(const System& system) {
  const auto programs = system.dynamics().motion_programs();
  return std::all_of(programs.begin(), programs.end(), [](const Program* program) { return program->is_native(); });
}

#ifdef __SANITIZE_ADDRESS__
constexpr bool compiles_native_code = false;  // it would not be watched
#else
constexpr bool compiles_native_code = true;
#endif

// Whether one can ask for variational steps: a Hamiltonian may have no Lagrangian.
bool has_lagrangian(const System& system, const State& s) {
  if (!system.has_hamiltonian()) return true;
  Workspace work(system);
  VectorXd p(system.ambient());
  system.momentum(work, s.t, s.q, s.v, p);
  const DiscreteMap& map = discrete_map(system, Quadrature::trapezoidal);
  auto w = map.workspace();
  return map.exists(w, s.t, s.q, p);
}

State few_steps(const System& system, const State& start, const VectorXd& inputs) {
  const auto stepper = make_stepper(system, Variational{.step = 1e-3});
  stepper->set_inputs(inputs);
  stepper->start(start);
  for (int k = 0; k < 5; ++k) stepper->step(start.t + 1);
  State state = start;
  stepper->current(state);
  return state;
}

}  // namespace

Samples random_samples(const System& system, int count, unsigned seed) {
  Random random(seed);
  Samples samples;
  samples.inputs = VectorXd::Zero(system.inputs());
  std::normal_distribution<double> normal;
  for (double& u : samples.inputs) u = normal(random);
  for (int k = 0; k < count; ++k) {
    const VectorXd q = system.space().random_point(random);
    samples.states.push_back({0.1 * k, q, system.space().random_tangent(q, random)});
  }
  return samples;
}

double distance(const VectorXd& value, const VectorXd& expected) {
  if (value.size() != expected.size() || !value.allFinite()) return INFINITY;
  if (expected.size() == 0) return 0;
  return (value - expected).lpNorm<Eigen::Infinity>() / std::max(1.0, expected.lpNorm<Eigen::Infinity>());
}

void expect_equations(const System& system, const ByHand& equations, const Samples& samples, double tolerance) {
  Workspace work = workspace(system, samples);
  for (const auto& [form, name] : all_forms) {
    Field field(system, form);
    for (std::size_t k = 0; k < samples.states.size(); ++k) {
      SCOPED_TRACE(::testing::Message() << system.name() << ", form " << name << ", sample " << k);
      const State& state = samples.states[k];
      const VectorXd y = field.pack(work, state), partner = y.tail(field.partners());
      const auto compare = [&](const Rates& rates) { expect_rates(rates, field, work, state, y, tolerance); };
      if (form == Form::velocity && equations.velocity) compare({state.v, equations.velocity(state.q, partner)});
      if (form == Form::omega && equations.omega) compare({state.v, equations.omega(state.q, partner)});
      if (form == Form::mu && equations.mu) compare(equations.mu(state.q, partner));
      if (form == Form::pi && equations.pi) compare(equations.pi(state.q, partner));
      if (::testing::Test::HasFailure()) return;
    }
  }
}

void expect_forms_agree(const System& system, const Samples& samples, double tolerance) {
  Workspace work = workspace(system, samples);
  for (const auto& [form, name] : all_forms)
    for (std::size_t k = 0; k < samples.states.size(); ++k) {
      SCOPED_TRACE(::testing::Message() << system.name() << ", form " << name << ", sample " << k);
      expect_form_follows(system, form, samples.states[k], work, tolerance);
      if (::testing::Test::HasFailure()) return;
    }
  expect_tiers_agree(system.model(), samples);
}

void expect_paths_agree(const Model& model, const Samples& samples, double tolerance) {
  SCOPED_TRACE(model.name());
  expect_same(derive(model, {Path::constant_mass}), derive(model, {Path::reduced}), samples, tolerance);
  expect_tiers_agree(model, samples);
}

void expect_tiers_agree(const Model& model, const Samples& samples) {
  if (!compiles_native_code) return;
  SCOPED_TRACE(model.name());
  const System interpreted = derive(model), native = derive(model);
  prepare(native, 1e12);
  if (!is_native(native)) return;  // no compiler here
  ASSERT_FALSE(is_native(interpreted));
  expect_same(native, interpreted, samples, 0);
  for (std::size_t k = 0; k < samples.states.size(); k += 10) {
    if (!has_lagrangian(native, samples.states[k])) continue;
    const State a = few_steps(native, samples.states[k], samples.inputs),
                b = few_steps(interpreted, samples.states[k], samples.inputs);
    EXPECT_EQ(a.q, b.q) << "variational steps";
    EXPECT_EQ(a.v, b.v) << "variational steps";
  }
}

void expect_conserved(const System& system, const State& start, double duration, const Momenta& momenta,
                      double tolerance) {
  SCOPED_TRACE(system.name());
  Workspace work(system);
  Field field(system, Form::pi);
  const auto invariants = [&](const State& state) {
    const VectorXd energy = VectorXd::Constant(system.is_conservative() || !momenta ? 1 : 0,
                                               system.energy(work, state.t, state.q, state.v).total);
    if (!momenta) return energy;
    return stack({energy, momenta(state, field.pack(work, state).tail(field.partners()))});
  };
  const Trajectory run =
      integrate(system, start, runge_kutta(1e-12), {.t = start.t + duration, .every = duration / 20});
  const VectorXd expected = invariants(start);
  ASSERT_GT((run.back().q - start.q).norm(), 1e-3) << "nothing moves";
  for (const State& state : run.states) {
    ASSERT_LE(distance(invariants(state), expected), tolerance) << "at t = " << state.t;
    ASSERT_LE(system.space().defect(state.q), tolerance) << "at t = " << state.t;
  }
}

State state_after(const System& system, const State& start, double duration, double relative) {
  return integrate(system, start, runge_kutta(relative), {.t = start.t + duration, .keep = false}).back();
}

VectorXd quasi_acceleration(const System& system, const State& state, const VectorXd& inputs) {
  VectorXd xi_rate(system.rates());
  system.space().rates_of_acceleration(state.q, state.v, acceleration(system, state, inputs), xi_rate);
  return xi_rate;
}

}  // namespace hamel::test
