// What a model file claims, [equilibria] and [conserved], put to the test. Each is judged relative to the size of what
// cancels, so that neither units nor anything else that is large decides.
#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/integrate/integrate.hpp"
#include "hamel/mechanics/kernel.hpp"
#include "hamel/model/lower.hpp"
#include "language/balance.hpp"
#include "language/start_state.hpp"

namespace hamel {

namespace {

bool has_whole_start(const ModelFile& file) {
  return std::all_of(file.start.coordinates.begin(), file.start.coordinates.end(),
                     [](const StartValues::Coordinate& given) { return given.point.has_value(); });
}

VectorXd acceleration(const System& system, Workspace& w, const State& state) {
  VectorXd a(state.q.size());
  system.acceleration(w, state.t, state.q, state.v, a);
  return a;
}

struct RateOfVelocity {
  VectorXd value;
  VectorXd size;  // of what cancels in each component
};

// F and its derivatives, one component after another.
class ClaimedQuantity {
 public:
  ClaimedQuantity(const Model& model, const Formula& formula) {
    Sheet sheet(model);
    LoweredModel& lowered = sheet.lowered;
    const MatrixXe F = lower(formula, model, lowered);
    std::vector<Expr> by_q, by_v, by_t;
    for (const Expr component : F.reshaped()) {
      for (const auto& [list, variables] : {std::pair{&by_q, lowered.q}, std::pair{&by_v, lowered.v}}) {
        const std::vector<Expr> derivatives = gradient(component, variables);
        list->insert(list->end(), derivatives.begin(), derivatives.end());
      }
      by_t.push_back(gradient(component, std::vector{lowered.t}).front());
    }
    size_ = F.size();
    kernel_ = Kernel("conserved", {lowered.q, lowered.v, {lowered.t}}, {by_q, by_v, by_t},
                     {lowered.parameters, parameter_values(model)});
  }

  // The largest |F_q . v + F_v . a + F_t| of a component, over the sum of the sizes of all products in it.
  double relative_rate(const State& state, const RateOfVelocity& a) const {
    const auto n = state.q.size();
    MatrixXd by_q(n, size_), by_v(n, size_);
    VectorXd by_t(size_), scratch(static_cast<Eigen::Index>(kernel_.program().scratch_size()));
    kernel_.run<3, 3>({state.q.data(), state.v.data(), &state.t}, {by_q.data(), by_v.data(), by_t.data()},
                      scratch.data());
    double worst = 0;
    for (Eigen::Index k = 0; k < size_; ++k) {
      const VectorXd drift = by_q.col(k).cwiseProduct(state.v);
      const double rate = drift.sum() + by_v.col(k).dot(a.value) + by_t(k);
      const double size = drift.lpNorm<1>() + by_v.col(k).cwiseAbs().dot(a.size) + std::abs(by_t(k));
      if (!std::isfinite(rate)) return rate;
      if (size > 0) worst = std::max(worst, std::abs(rate) / size);
    }
    return worst;
  }

 private:
  Eigen::Index size_;
  Kernel kernel_;
};

double finite(double rate, const std::string& name) {
  if (std::isfinite(rate)) return rate;
  throw std::domain_error(fmt::format(
      "the rate of {} in [conserved] is not finite at a random state: is it defined everywhere? Claim what is", name));
}

// States to ask, in whatever units: anywhere, and near the start.
class Samples {
 public:
  Samples(const ModelFile& file, const System& system) : file_(file), system_(system), w_(system) {}

  std::vector<State> run() {
    if (system_.constraints() > 0) return along_the_motion();
    constexpr int count = 4;
    for (int k = 0; k < count; ++k) add(0.1 * k, system_.space().random_point(random_));
    if (!has_whole_start(file_)) return states_;
    std::vector<std::string> said_elsewhere;
    const State start = start_state(file_, system_, said_elsewhere);
    for (int k = 0; k < count; ++k) {
      const VectorXd q = near(start.q);
      add(start.t, q);
      if (!system_.is_first_order()) states_.push_back({start.t, q, with_sizes(q, start.v)});
    }
    return states_;
  }

 private:
  std::vector<State> along_the_motion() {
    constexpr int count = 8;
    std::vector<std::string> said_elsewhere;
    const State start = start_state(file_, system_, said_elsewhere);
    const double length = file_.run.until > start.t ? (file_.run.until - start.t) / 100 : 0.1;
    return integrate(system_, start, Rk45{.relative = 1e-12, .absolute = 1e-13},
                     {.t = start.t + length, .every = length / count})
        .states;
  }

  // With a velocity that is random, and one such that what it causes is of the size of the forces: v^2 = q a.
  void add(double t, const VectorXd& q) {
    if (system_.is_first_order()) {
      states_.push_back(system_.state(t, q));
      return;
    }
    State state{t, q, system_.space().random_tangent(q, random_)};
    states_.push_back(state);
    VectorXd a(q.size());
    system_.acceleration(w_, t, q, VectorXd::Zero(q.size()), a);
    each_factor([&](auto at) { a(at) *= std::sqrt(a(at).norm() * q(at).norm()) / (a(at).norm() + smallest); });
    state.v = with_sizes(q, a);
    states_.push_back(state);
  }

  template <class Action>
  void each_factor(Action action) const {
    const Geometry& geometry = system_.geometry();
    for (int k = 0; k < geometry.factors(); ++k) action(Eigen::seq(geometry.offset(k), geometry.offset(k + 1) - 1));
  }

  // A random tangent vector, each factor of the size that it has in v, if any.
  VectorXd with_sizes(const VectorXd& q, const VectorXd& v) {
    VectorXd result = system_.space().random_tangent(q, random_);
    each_factor([&](auto at) {
      if (v(at).norm() > 0) result(at) *= v(at).norm() / (result(at).norm() + smallest);
    });
    return result;
  }

  VectorXd near(const VectorXd& q) {
    VectorXd change = system_.space().random_tangent(q, random_), result(q.size());
    each_factor([&](auto at) { change(at) *= 0.1 * (q(at).norm() > 0 ? q(at).norm() : 1); });
    system_.space().retract(q, change, result);
    return result;
  }

  static constexpr double smallest = std::numeric_limits<double>::min();
  const ModelFile& file_;
  const System& system_;
  Workspace w_;
  Random random_{1};
  std::vector<State> states_;
};

// By central differences along the motion.
RateOfVelocity rate_of_field(const System& system, Workspace& w, const State& state) {
  double h = 1e-5;
  if (state.v.norm() > 0 && state.q.norm() > 0) h *= state.q.norm() / state.v.norm();
  const auto velocity = [&](double t) {
    const VectorXd q = state.q + t * state.v;
    VectorXd v(q.size());
    system.field(w, state.t + t, q, v);
    return v;
  };
  const VectorXd a = (velocity(h) - velocity(-h)) / (2 * h);
  return {a, VectorXd::Constant(a.size(), a.norm())};
}

// What cancels shows when all numbers that enter are changed by a fraction, also off the manifold.
RateOfVelocity rate_of_velocity(const System& system, Workspace& w, const State& state) {
  if (system.is_first_order()) return rate_of_field(system, w, state);
  constexpr double fraction = 1e-6;
  Random random(1);
  State more = state, less = state;
  for (const auto& [up, down] : {std::pair{&more.q, &less.q}, std::pair{&more.v, &less.v}})
    for (Eigen::Index i = 0; i < up->size(); ++i) {
      const double change = random() % 2 == 0 ? fraction : -fraction;
      (*up)(i) *= 1 + change;
      (*down)(i) *= 1 - change;
    }
  const VectorXd a = acceleration(system, w, state);
  const VectorXd spread = (acceleration(system, w, more) - acceleration(system, w, less)).cwiseAbs() / (2 * fraction);
  return {a, a.cwiseAbs() + spread};
}

}  // namespace

std::vector<EquilibriumFinding> examine_equilibria(const ModelFile& file, const System& system,
                                                   std::vector<std::string>& remarks) {
  constexpr double tolerance = 1e-9;
  std::vector<EquilibriumFinding> findings;
  if (file.equilibria.empty()) return findings;
  const Balance balance(system);
  for (const auto& [name, at] : file.equilibria) {
    State state = state_at(file, at, "the equilibrium " + name, system, remarks);
    if (!system.is_first_order()) state.v.setZero();
    const auto [unrest, imbalance] = balance.at(state);
    findings.push_back({name, state, unrest, imbalance, imbalance <= tolerance});
  }
  return findings;
}

std::vector<ConservedFinding> examine_conserved(const ModelFile& file, const System& system) {
  const double tolerance = system.is_first_order() ? 1e-8 : 1e-10;  // differences, or rounding
  std::vector<ConservedFinding> findings;
  if (file.conserved.empty()) return findings;
  Workspace w(system);
  const std::vector<State> states = Samples(file, system).run();
  std::vector<RateOfVelocity> accelerations;
  for (const State& state : states) accelerations.push_back(rate_of_velocity(system, w, state));
  for (const auto& [name, formula] : file.conserved) {
    const ClaimedQuantity quantity(file.model, formula);
    double worst = 0;
    for (std::size_t k = 0; k < states.size(); ++k)
      worst = std::max(worst, finite(quantity.relative_rate(states[k], accelerations[k]), name));
    findings.push_back({name, formula, worst, worst <= tolerance});
  }
  return findings;
}

}  // namespace hamel
