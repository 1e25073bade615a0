#include "place.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "console.hpp"

namespace hamel::cli {

Equilibria equilibria_of(const ModelFile& file, const System& system, EquilibriaOptions options) {
  std::vector<std::string> remarks;
  for (const EquilibriumFinding& claimed : examine_equilibria(file, system, remarks)) {
    options.known.emplace_back(claimed.name, claimed.state.q);
    options.t = claimed.state.t;
  }
  for (const std::string& remark : remarks) print_note(remark);
  return equilibria(system, options);
}

void add_steady_options(CLI::App& command, SteadyOptions& steady) {
  command.add_option("--input", steady.inputs, "an input that is constant: --input 'u=[1, 2]'; others are zero")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  CLI::Option* rate = command
                          .add_option("--rate", steady.rates,
                                      "steady motions along a symmetry of hamel check, at this rate: --rate e3=2")
                          ->type_name("SYMMETRY=RATE")
                          ->allow_extra_args(false);
  command
      .add_option("--momentum", steady.momentum,
                  "steady motions along a symmetry that have this momentum: --momentum e3=0.5")
      ->type_name("SYMMETRY=VALUE")
      ->excludes(rate);
}

namespace {

struct AlongSymmetry {
  const ConservedMomentum* symmetry;
  double value;
};

AlongSymmetry along_symmetry(const std::string& text, const std::vector<ConservedMomentum>& symmetries) {
  const std::size_t equals = text.rfind('=');
  double value = 0;
  if (equals == 0 || equals == std::string::npos || !CLI::detail::lexical_cast(text.substr(equals + 1), value) ||
      !std::isfinite(value))
    throw UsageError(fmt::format("a symmetry and a number are needed, as in e3=2, got {}", text));
  try {
    return {&symmetry_named(text.substr(0, equals), symmetries), value};
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

VectorXd constant_inputs(const std::vector<std::string>& texts, const Model& model) {
  std::vector<std::string> known;
  std::vector<Input> free;
  Eigen::Index size = 0;
  for (std::size_t k = 0; k < model.inputs().size(); ++k) {
    if (model.follows_law(k)) continue;
    free.push_back(model.inputs()[k]);
    known.push_back(free.back().name);
    size += free.back().size;
  }
  VectorXd result = VectorXd::Zero(size);
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    Eigen::Index first = 0;
    for (std::size_t k = 0; k < model.inputs().size(); ++k)
      if (model.inputs()[k].name == name && model.follows_law(k))
        throw UsageError(fmt::format("{} follows its law: --open takes the laws away", name));
    const auto input = std::find_if(free.begin(), free.end(), [&](const Input& one) {
      if (one.name == name) return true;
      first += one.size;
      return false;
    });
    if (input == free.end())
      throw UsageError(
          fmt::format("{} is no input{}", name,
                      known.empty() ? ": this model has none" : fmt::format("; there are {}", fmt::join(known, ", "))));
    std::string values = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (values.size() > 1 && values.front() == '[' && values.back() == ']')
      values = values.substr(1, values.size() - 2);
    const std::vector<std::string> parts = CLI::detail::split(values, ',');
    bool good = static_cast<int>(parts.size()) == input->size;
    for (std::size_t k = 0; good && k < parts.size(); ++k)
      good =
          CLI::detail::lexical_cast(CLI::detail::trim_copy(parts[k]), result(first + static_cast<Eigen::Index>(k))) &&
          std::isfinite(result(first + static_cast<Eigen::Index>(k)));
    if (!good)
      throw UsageError(
          fmt::format("the input {} has {} number{}, got {}", name, input->size, input->size == 1 ? "" : "s", text));
  }
  return result;
}

}  // namespace

Equilibria steady_motions_of(const ModelFile& file, const System& system, const SteadyOptions& steady,
                             EquilibriaOptions options) {
  if (!steady.inputs.empty()) options.inputs = constant_inputs(steady.inputs, system.model());
  if (steady.is_rest()) return equilibria_of(file, system, std::move(options));
  if (!system.has_energies()) throw UsageError("a field has no momenta: it has no --rate and no --momentum");
  const std::vector<ConservedMomentum> symmetries = conserved_momenta(system.model().held(options.inputs)).momenta;
  for (const std::string& text : steady.rates) {
    const auto [symmetry, rate] = along_symmetry(text, symmetries);
    options.moving = options.moving + generator(*symmetry, system.ambient(), rate);
  }
  if (!steady.momentum.empty()) {
    const auto [symmetry, momentum] = along_symmetry(steady.momentum, symmetries);
    options.symmetry = symmetry;
    options.momentum = momentum;
  }
  return equilibria_of(file, system, std::move(options));
}

Equilibrium steady_motion_named(const std::string& at, const ModelFile& file, const System& system,
                                const SteadyOptions& steady) {
  const Equilibria all = steady_motions_of(file, system, steady);
  const std::string kind = steady.is_rest() ? "equilibrium" : "steady motion";
  if (all.found.empty()) throw UsageError(fmt::format("no {} was found: {}", kind, all.remark));
  if (at.empty() && all.found.size() == 1) return all.found.front();
  if (const Equilibrium* one = all.find(at)) return *one;
  std::vector<std::string> names;
  for (const Equilibrium& one : all.found) names.push_back(one.name);
  throw UsageError(at.empty() ? fmt::format("where? Use --at {}", fmt::join(names, ", or --at "))
                              : fmt::format("there is no {} {}; there are {}", kind, at, fmt::join(names, ", ")));
}

void add_place_option(CLI::App& command, std::string& at) {
  command
      .add_option(
          "--at", at,
          "an equilibrium, by its name in the model file or in hamel equilibria (--at=-+ of links); or start, at "
          "rest")
      ->type_name("NAME");
}

NamedPlace place_named(const std::string& at, const ModelFile& file, const System& system) {
  std::vector<std::string> names, remarks;
  for (const ClaimedEquilibrium& claimed : file.equilibria) names.push_back(claimed.name);
  const std::string name = at.empty() && names.size() == 1 ? names.front() : at;
  if (name.empty())
    throw UsageError(names.empty() ? "where? The model file names no equilibria: add [equilibria], or use --at start"
                                   : fmt::format("where? Use --at {}", fmt::join(names, ", or --at ")));
  NamedPlace place{.name = name, .state = {}};
  if (name == "start") {
    place.state = start_state(file, system, remarks);
    place.state.v.setZero();
  } else {
    bool found = false;
    for (const EquilibriumFinding& claimed : examine_equilibria(file, system, remarks))
      if (claimed.name == name) {
        place.state = claimed.state;
        found = true;
      }
    if (!found) {
      const Equilibria all = equilibria_of(file, system);
      if (const Equilibrium* one = all.find(name))
        return {.name = one->name, .state = one->linear.at, .moving = one->linear.moving};
      for (const Equilibrium& one : all.found)
        if (std::find(names.begin(), names.end(), one.name) == names.end()) names.push_back(one.name);
      names.push_back("start");
      const std::string near = suggestion(name, names);
      throw UsageError(fmt::format("{} has no equilibrium called {}{}", file.model.name(), name,
                                   near.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : near));
    }
  }
  for (const std::string& remark : remarks) print_note(remark);
  return place;
}

}  // namespace hamel::cli
