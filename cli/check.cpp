#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command.hpp"
#include "console.hpp"
#include "describe.hpp"
#include "gallery.hpp"
#include "hamel/mechanics/dynamics.hpp"
#include "hamel/record/header.hpp"
#include "hamel/report/view_options.hpp"
#include "hamel/report/words.hpp"
#include "hamel/symmetry/overlooked.hpp"
#include "hamel/textbook/textbook.hpp"

namespace hamel::cli {

namespace {

struct Findings {
  ModelFile file;
  System system;
  NoetherReport noether;
  std::optional<State> start = {};
  std::optional<Energy> energy = {};
  std::vector<double> momenta = {};  // at the start
  std::vector<EquilibriumFinding> equilibria = {};
  std::vector<ConservedFinding> conserved = {};  // that the file claims
  std::vector<std::string> remarks = {};
};

bool has_start(const ModelFile& file) {
  return std::any_of(file.start.coordinates.begin(), file.start.coordinates.end(),
                     [](const StartValues::Coordinate& given) { return given.point.has_value(); });
}

Findings examine(const std::string& model, const Options& options) {
  ModelFile file = load_model(model, options);
  System system = derive(file.model);
  check_view(file);
  Findings found{.file = file, .system = system, .noether = conserved_momenta(file.model)};
  found.remarks = file.remarks;
  for (const auto& [x, y] : turned_pairs(system))
    found.remarks.push_back(fmt::format(
        "the energy stays the same when {0} and {1} are turned into each other; rotations between coordinates "
        "are not looked for: write {0} and {1} as one coordinate on R2 to find their angular momentum",
        x, y));
  found.conserved = examine_conserved(file, system);
  found.equilibria = examine_equilibria(file, system, found.remarks);
  if (!has_start(file)) return found;
  found.start = start_state(file, system, found.remarks);
  Workspace w(system);
  if (system.has_energies()) found.energy = system.energy(w, found.start->t, found.start->q, found.start->v);
  for (const ConservedMomentum& momentum : found.noether.momenta)
    found.momenta.push_back(momentum.value(system, w, *found.start));
  return found;
}

Json equilibria_json(const Findings& found) {
  const Model& model = found.file.model;
  Json all = Json::array();
  for (const EquilibriumFinding& claimed : found.equilibria) {
    Json point = Json::object();
    for (std::size_t k = 0; k < model.coordinates().size(); ++k)
      point[model.coordinates()[k].name] = matrix_json(part_of(model, claimed.state.q, k));
    all.push_back({{"name", claimed.name}, {"point", point}, {"unrest", claimed.unrest}, {"holds", claimed.holds}});
    if (claimed.inputs.size() > 0)
      all.back()["inputs"] = std::vector<double>(claimed.inputs.begin(), claimed.inputs.end());
  }
  return all;
}

Json conserved_json(const Findings& found) {
  Json all = Json::array();
  for (const ConservedFinding& claimed : found.conserved)
    all.push_back({{"name", claimed.name},
                   {"formula", claimed.formula.to_string()},
                   {"latex", latex(claimed.formula)},
                   {"rate", claimed.rate},
                   {"holds", claimed.holds}});
  return all;
}

Json inputs_json(const Model& model) {
  Json all = Json::array();
  for (const Input& input : model.inputs()) {
    Json one = {{"name", input.name}, {"size", input.size}};
    if (input.law) one["law"] = input.law->to_string();
    if (input.sample > 0) one["sample"] = input.sample;
    all.push_back(one);
  }
  return all;
}

Json to_json(const Findings& found) {
  const Model& model = found.file.model;
  Json coordinates = Json::array(), momenta = Json::array();
  for (const Coordinate& coordinate : model.coordinates())
    coordinates.push_back(
        {{"name", coordinate.name}, {"space", coordinate.space.name()}, {"dimension", coordinate.space.dimension()}});
  for (std::size_t k = 0; k < found.noether.momenta.size(); ++k) {
    const ConservedMomentum& momentum = found.noether.momenta[k];
    Json entry = {{"name", momentum.name},
                  {"generator", momentum.generator},
                  {"formula", momentum.formula},
                  {"exact_for_variational", momentum.exact_for_variational}};
    if (found.start) entry["initial"] = found.momenta[k];
    momenta.push_back(entry);
  }
  Json result = {{"model", model.name()},
                 {"space", space_of(model)},
                 {"degrees_of_freedom", found.system.degrees_of_freedom()},
                 {"coordinates", coordinates},
                 {"constraints", found.system.constraint_names()},
                 {"inputs", inputs_json(model)},
                 {"path", found.system.dynamics().kind()},
                 {"path_reason", found.system.path_reason()},
                 {"energy_conserved",
                  energy_is_undecided(found.noether.undecided) ? Json() : Json(found.noether.energy_conserved)},
                 {"energy_may_jump", possible_jumps(model)},
                 {"momenta", momenta},
                 {"undecided", found.noether.undecided}};
  if (found.start) {
    result["start"] = state_json(model, *found.start);
    if (found.energy)
      result["energy"] = {
          {"kinetic", found.energy->kinetic}, {"potential", found.energy->potential}, {"total", found.energy->total}};
  }
  result["conserved"] = conserved_json(found);
  result["equilibria"] = equilibria_json(found);
  result["remarks"] = found.remarks;
  return result;
}

void print_momenta(const Findings& found) {
  if (found.noether.momenta.empty()) {
    say("\nno conserved momenta were found\n");
    return;
  }
  say("\n");
  std::vector<std::vector<std::string>> rows = {{"conserved momentum", "at the start", "kept exactly by variational"}};
  for (std::size_t k = 0; k < found.noether.momenta.size(); ++k)
    rows.push_back({found.noether.momenta[k].name, found.start ? brief(found.momenta[k], 10) : "-",
                    found.noether.momenta[k].exact_for_variational ? "yes" : "no"});
  print_table(rows);
}

void print_equilibria(const Findings& found) {
  if (found.equilibria.empty()) return;
  say("\n");
  std::vector<std::vector<std::string>> rows = {
      {"equilibrium", found.system.has_energies() ? "acceleration at rest" : "rate", "holds"}};
  for (const EquilibriumFinding& claimed : found.equilibria)
    rows.push_back({claimed.name, brief(claimed.unrest, 3), claimed.holds ? "yes" : "NO"});
  print_table(rows);
  for (const EquilibriumFinding& claimed : found.equilibria)
    if (claimed.inputs.norm() > 0)
      say_paragraph(fmt::format("{} is held by {}", claimed.name, inputs_text(found.system.model(), claimed.inputs)));
}

void print_conserved(const Findings& found) {
  if (found.conserved.empty()) return;
  say("\n");
  std::vector<std::vector<std::string>> rows = {{"claimed to be conserved", "relative rate", "holds"}};
  for (const ConservedFinding& claimed : found.conserved)
    rows.push_back({claimed.name, brief(claimed.rate, 3), claimed.holds ? "yes" : "NO"});
  print_table(rows);
}

// After all else was said: a claim that is wrong is a mistake of the model file. With other parameters it is none.
void refuse_false_claims(const Findings& found) {
  for (const ConservedFinding& claimed : found.conserved)
    if (!claimed.holds)
      throw std::runtime_error(fmt::format(
          "{} is not conserved by {}: it changes at a rate of {}, relative to the sizes of its terms; correct "
          "the formula in [conserved], or take it away",
          claimed.name, found.file.model.name(), brief(claimed.rate, 3)));
  for (const EquilibriumFinding& claimed : found.equilibria)
    if (!claimed.holds)
      throw std::runtime_error(
          fmt::format("{} is no equilibrium of {}: {} {}; correct the point in [equilibria], or take it away",
                      claimed.name, found.file.model.name(),
                      found.system.has_energies() ? "at rest there, it accelerates by" : "its rate there is",
                      brief(claimed.unrest, 3)));
}

void print_start(const Findings& found) {
  const Model& model = found.file.model;
  if (!found.start) {
    say("\nthe model has no [start]\n");
    return;
  }
  say("\n");
  constexpr std::size_t most = 8;
  const std::size_t count = model.coordinates().size();
  std::vector<std::vector<std::string>> rows = {{"start", "point", "rate"}};
  for (std::size_t k = 0; k < std::min(count, most); ++k)
    rows.push_back({model.coordinates()[k].name, matrix_text(part_of(model, found.start->q, k)),
                    matrix_text(part_of(model, found.start->v, k))});
  print_table(rows);
  if (count > most) say("... and {} more; --json has all\n", count - most);
  if (!found.energy) return;
  say("\n");
  const bool has_parts = model.lagrangian_terms().empty() && model.hamiltonian_terms().empty();
  if (has_parts)
    print_facts({{"kinetic energy", brief(found.energy->kinetic, 12)},
                 {"potential energy", brief(found.energy->potential, 12)},
                 {energy_name(found.system), brief(found.energy->total, 12)}});
  else
    print_facts({{energy_name(found.system), brief(found.energy->total, 12)}});
}

std::string declared_inputs(const Model& model) {
  std::string text;
  for (const Input& input : model.inputs()) {
    text += (text.empty() ? "" : "; ") + input.name;
    if (input.size > 1) text += fmt::format(" ({})", input.size);
    if (input.law) text += input.sample > 0 ? fmt::format(", by its law every {}", input.sample) : ", by its law";
    if (!input.law) text += ", zero";
  }
  return text;
}

std::string energy_conserved(const Findings& found) {
  const Model& model = found.file.model;
  if (!found.noether.energy_conserved) return energy_is_undecided(found.noether.undecided) ? "undecided" : "no";
  const bool is_free = std::any_of(model.inputs().begin(), model.inputs().end(), [](const Input& u) { return !u.law; });
  std::string text = is_free ? "yes, while its inputs are zero" : "yes";
  const std::vector<std::string> jumps = possible_jumps(model);
  return jumps.empty() ? text : text + fmt::format(", but not across a jump, as {} may have", fmt::join(jumps, ", "));
}

void print(const Findings& found) {
  const Model& model = found.file.model;
  std::vector<std::pair<std::string, std::string>> facts = {
      {"model", model.name()},
      {"space", space_of(model)},
      {"degrees of freedom", std::to_string(found.system.degrees_of_freedom())}};
  if (found.system.constraints() > 0) facts.emplace_back("constraints", std::to_string(found.system.constraints()));
  if (!model.inputs().empty()) facts.emplace_back("inputs", declared_inputs(model));
  facts.emplace_back("equations", fmt::format("{}: {}", found.system.dynamics().kind(), found.system.path_reason()));
  if (!found.system.has_energies()) {
    facts.emplace_back("field", "tangent to the space at random points");
    print_facts(facts);
  } else {
    facts.emplace_back("energy conserved", energy_conserved(found));
    print_facts(facts);
    print_momenta(found);
  }
  for (const std::string& undecided : found.noether.undecided) say("undecided: {}\n", undecided);
  print_conserved(found);
  print_equilibria(found);
  print_start(found);
}

}  // namespace

void add_check(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  const auto model = std::make_shared<std::string>();
  CLI::App* command =
      add_command(program, "check", "what hamel knows about a model: spaces, symmetries, start",
                  "  hamel check chain-pendulum-on-cart\n  hamel check my-pendulum.toml --set g=1.62 --json", *options);
  add_model_argument(*command, *model, *options);
  command->callback([options, model] {
    const Findings found = examine(*model, *options);
    for (const std::string& remark : found.remarks) print_note(remark);
    if (options->json)
      print_json(to_json(found));
    else
      print(found);
    if (options->set.empty()) refuse_false_claims(found);
  });
}

}  // namespace hamel::cli
