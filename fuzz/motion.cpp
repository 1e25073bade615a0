// The whole way of check, equations and run, on models that are mutated word by word so that many are still models:
// whatever they are, they are accepted or refused with a sentence, and no number that comes out is not finite.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_set>

#include "hamel/export/c_source.hpp"
#include "hamel/integrate/integrate.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/language/model_file.hpp"
#include "hamel/symmetry/noether.hpp"
#include "hamel/textbook/textbook.hpp"
#include "mutate.hpp"

namespace {

using namespace hamel;

void need(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// What is allowed to be thrown: a mistake of the model, not of ours.
template <class Action>
void attempt(const Action& action) {
  try {
    action();
  } catch (const std::invalid_argument&) {
  } catch (const std::domain_error&) {
  } catch (const std::runtime_error&) {
  }
}

std::size_t nodes_of(const Model& model) {
  std::unordered_set<const Formula::Node*> seen;
  std::vector<const Formula::Node*> pending;
  const auto add = [&](const Formula& formula) {
    if (seen.insert(&formula.node()).second) pending.push_back(&formula.node());
  };
  for (const auto* terms : {&model.kinetic_terms(), &model.potential_terms(), &model.lagrangian_terms(),
                            &model.hamiltonian_terms(), &model.dissipation_terms()})
    for (const Formula& term : *terms) add(term);
  for (const Model::Applied& applied : model.forces()) add(applied.force);
  for (const Model::Named& constraint : model.constraints()) add(constraint.formula);
  while (!pending.empty()) {
    const Formula::Node* node = pending.back();
    pending.pop_back();
    for (const Formula& arg : node->args) add(arg);
  }
  return seen.size();
}

// A model may be large and take its time; that is no finding.
bool is_small(const ModelFile& file) {
  int ambient = 0;
  for (const Coordinate& coordinate : file.model.coordinates()) ambient += coordinate.space.ambient();
  return ambient <= 16 && file.model.constraints().size() <= 4 && nodes_of(file.model) <= 120;
}

// In one of the forms, which take their time.
void equations(const Model& model, std::size_t choice) {
  constexpr Form forms[] = {Form::velocity, Form::omega, Form::mu, Form::pi};
  const Form form = forms[choice % std::size(forms)];
  attempt([&] { lines(textbook_equations(model, form), choice / 4 % 2 == 0 ? Notation::text : Notation::latex); });
  attempt([&] { c_source(model, form); });
}

void check(const ModelFile& file, const System& system) {
  attempt([&] { conserved_momenta(file.model); });
  attempt([&] {
    for (const ConservedFinding& found : examine_conserved(file, system))
      need(std::isfinite(found.rate), "the rate of a claim is not finite");
  });
  attempt([&] {
    std::vector<std::string> remarks;
    for (const EquilibriumFinding& found : examine_equilibria(file, system, remarks))
      need(std::isfinite(found.unrest), "the unrest of an equilibrium is not finite");
  });
}

void run(const ModelFile& file, const System& system) {
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  need(start.q.allFinite() && start.v.allFinite(), "the start is not finite");
  Workspace w(system);
  if (system.has_energies())
    need(std::isfinite(system.energy(w, start.t, start.q, start.v).total), "the energy of the start is not finite");
  const double step = file.run.step > 0 ? file.run.step : 0.01;
  const Method method = method_named(file.run.integrator, step, file.run.tolerance);
  constexpr int most_outputs = 20;
  int outputs = 0;
  integrate(system, start, method, {.t = start.t + most_outputs * step, .keep = false}, [&](const State& state) {
    need(state.q.allFinite() && state.v.allFinite(), "a state of a run is not finite");
    return ++outputs < most_outputs;
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  attempt([&] {
    const ModelFile file = parse_model(text, "fuzz.toml");
    if (!is_small(file)) return;
    const System system = derive(file.model);
    equations(file.model, size);
    check(file, system);
    run(file, system);
  });
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return fuzz::mutate_words(data, size, most, seed);
}
