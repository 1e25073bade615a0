// What a model file claims, [equilibria] and [conserved], put to the test.
#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/analyze/balance.hpp"
#include "hamel/analyze/conserved.hpp"
#include "hamel/analyze/control.hpp"
#include "hamel/analyze/sampled.hpp"
#include "language/start_state.hpp"

namespace hamel {

namespace {

bool has_whole_start(const ModelFile& file) {
  return std::all_of(file.start.coordinates.begin(), file.start.coordinates.end(),
                     [](const StartValues::Coordinate& given) { return given.point.has_value(); });
}

// Where inputs are held, or follow sampled laws. Nothing where these do not balance.
std::optional<LinearModel> held_in_balance(const System& system, const State& state) try {
  const Linearization linearization(system);
  return system.model().sample() > 0 ? linear_laws(linearization, state).linear : trimmed(linearization, state);
} catch (const std::domain_error&) {
  return std::nullopt;
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
    if (system.has_energies()) state.v.setZero();
    const auto [unrest, imbalance] = balance.at(state);
    findings.push_back({name, state, unrest, imbalance, imbalance <= tolerance});
    EquilibriumFinding& found = findings.back();
    if (system.inputs() == 0 || (found.holds && system.model().sample() == 0)) continue;
    const std::optional<LinearModel> held = held_in_balance(system, state);
    found.holds = held.has_value();
    if (!held) continue;
    found.inputs = held->inputs;
    found.unrest = 0;
    found.imbalance = held->imbalance;
  }
  return findings;
}

std::vector<ConservedFinding> examine_conserved(const ModelFile& file, const System& system) {
  const double tolerance = system.has_energies() ? 1e-10 : 1e-8;  // rounding, or differences
  std::vector<ConservedFinding> findings;
  if (file.conserved.empty()) return findings;
  std::vector<std::string> said_elsewhere;
  std::optional<State> start;
  if (has_whole_start(file) || system.constraints() > 0) start = start_state(file, system, said_elsewhere);
  const bool has_end = start && file.run.until.t > start->t;
  const Conservation conservation(system, start, has_end ? (file.run.until.t - start->t) / 100 : 0.1);
  for (const auto& [name, formula] : file.conserved) {
    const double rate = conservation.relative_rate(formula);
    if (!std::isfinite(rate))
      throw std::domain_error(fmt::format(
          "the rate of {} in [conserved] is not finite at a random state: is it defined everywhere? Claim what is",
          name));
    findings.push_back({name, formula, rate, rate <= tolerance});
  }
  return findings;
}

}  // namespace hamel
