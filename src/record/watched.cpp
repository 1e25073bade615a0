#include "hamel/record/watched.hpp"

#include <stdexcept>

#include "hamel/integrate/laws.hpp"
#include "hamel/integrate/request.hpp"

namespace hamel {

Invariants::Invariants(const System& system, NoetherReport found)
    : momenta(std::move(found.momenta)),
      energy(system.is_conservative() || found.energy_conserved),
      undecided(std::move(found.undecided)) {}

RecordHeader header_of_run(RecordHeader header, const System& system, const Method& method,
                           const Invariants& invariants, Monitor& monitor, const std::vector<Output>& outputs,
                           double start, const Until& until) {
  complete(header, system, method, monitor.measurement().momenta(), outputs);
  header.energy_conserved = invariants.energy;
  header.undecided = invariants.undecided;
  header.conserved = monitor.measurement().conserved();
  header.start = start;
  header.until = until.t;
  header.every = until.every;
  header.halvings = until.halvings;
  return header;
}

Control measured(const Control& given, const System& system, const Method& method, Monitor& monitor) {
  const Control control = given.law ? given : sampled_laws(system, method);
  if (!control.law) return {};
  if (control.continuous)
    throw std::invalid_argument("a record shows inputs that are held; a continuous law belongs into the model");
  return {[control, &monitor](double t, const State& state, VectorXd& u) {
            control.law(t, state, u);
            monitor.measurement().set_inputs(u);
          },
          control.every};
}

RunSummary summary_of(const Monitor& monitor, const Invariants& invariants, const Method& method,
                      const Integration& run, double until) {
  RunSummary result = monitor.summary();
  result.undecided = invariants.undecided;
  result.energy.conserved = invariants.energy;
  result.integrator = describe(method).name;
  result.step = fixed_step(method);
  result.steps = run.trajectory().steps;
  result.until = until;
  return result;
}

}  // namespace hamel
