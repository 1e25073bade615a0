#include "place.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
      if (const Equilibrium* one = all.find(name)) return {.name = one->name, .state = one->linear.at};
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
