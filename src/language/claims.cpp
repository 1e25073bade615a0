// What a model file claims, [equilibria] and [conserved], put to the test.
#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/integrate/integrate.hpp"
#include "hamel/mechanics/kernel.hpp"
#include "hamel/model/lower.hpp"
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

// How much a system that is put there moves: q'' at rest, or q' of a field.
double unrest(const System& system, State state) {
  if (system.is_first_order()) return state.v.lpNorm<Eigen::Infinity>();
  Workspace w(system);
  state.v.setZero();
  return acceleration(system, w, state).lpNorm<Eigen::Infinity>();
}

// F and its derivatives, one component after another.
class ClaimedQuantity {
 public:
  ClaimedQuantity(const Model& model, const Formula& formula) {
    Graph graph;
    const Graph::Scope scope(graph);
    LoweredModel lowered = lower(model);
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

  // The largest rate of a component, over |F_q| |v| + |F_v| |a| + |F_t|.
  double relative_rate(const State& state, const VectorXd& a) const {
    const auto n = state.q.size();
    MatrixXd by_q(n, size_), by_v(n, size_);
    VectorXd by_t(size_), scratch(static_cast<Eigen::Index>(kernel_.program().scratch_size()));
    kernel_.run<3, 3>({state.q.data(), state.v.data(), &state.t}, {by_q.data(), by_v.data(), by_t.data()},
                      scratch.data());
    double worst = 0;
    for (Eigen::Index k = 0; k < size_; ++k) {
      const double rate = by_q.col(k).dot(state.v) + by_v.col(k).dot(a) + by_t(k);
      const double size = by_q.col(k).norm() * state.v.norm() + by_v.col(k).norm() * a.norm() + std::abs(by_t(k));
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

// Random ones; with constraints, those of a short run.
std::vector<State> sample_states(const ModelFile& file, const System& system) {
  constexpr int count = 8;
  std::vector<State> states;
  if (system.constraints() > 0) {
    std::vector<std::string> said_elsewhere;
    const State start = start_state(file, system, said_elsewhere);
    const double length = file.run.until > start.t ? (file.run.until - start.t) / 100 : 0.1;
    return integrate(system, start, Rk45{.relative = 1e-12, .absolute = 1e-13},
                     {.t = start.t + length, .every = length / count})
        .states;
  }
  Random random(1);
  for (int k = 0; k < count; ++k) {
    const VectorXd q = system.space().random_point(random);
    states.push_back(system.is_first_order() ? system.state(k, q)
                                             : State{0.1 * k, q, system.space().random_tangent(q, random)});
  }
  return states;
}

// d/dt of the velocity: of a field by central differences along the motion.
VectorXd rate_of_velocity(const System& system, Workspace& w, const State& state) {
  if (!system.is_first_order()) return acceleration(system, w, state);
  constexpr double h = 1e-5;
  const auto velocity = [&](double t) {
    const VectorXd q = state.q + t * state.v;
    VectorXd v(q.size());
    system.field(w, state.t + t, q, v);
    return v;
  };
  return (velocity(h) - velocity(-h)) / (2 * h);
}

}  // namespace

std::vector<EquilibriumFinding> examine_equilibria(const ModelFile& file, const System& system,
                                                   std::vector<std::string>& remarks) {
  constexpr double tolerance = 1e-9;
  std::vector<EquilibriumFinding> findings;
  if (file.equilibria.empty()) return findings;
  std::vector<std::string> said_elsewhere;
  const double usual = has_whole_start(file) ? unrest(system, start_state(file, system, said_elsewhere)) : 0;
  for (const auto& [name, at] : file.equilibria) {
    const State state = state_at(file, at, "the equilibrium " + name, system, remarks);
    const double found = unrest(system, state);
    findings.push_back({name, state, found, found <= tolerance * std::max(1.0, usual)});
  }
  return findings;
}

std::vector<ConservedFinding> examine_conserved(const ModelFile& file, const System& system) {
  constexpr double tolerance = 1e-8;
  std::vector<ConservedFinding> findings;
  if (file.conserved.empty()) return findings;
  Workspace w(system);
  const std::vector<State> states = sample_states(file, system);
  std::vector<VectorXd> accelerations;
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
