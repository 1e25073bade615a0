#include "place.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "console.hpp"

namespace hamel::cli {

void add_place_option(CLI::App& command, std::string& at) {
  command.add_option("--at", at, "an equilibrium of the model file, by its name; or start, at rest")->type_name("NAME");
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
    names.push_back("start");
    if (!found) {
      const std::string near = suggestion(name, names);
      throw UsageError(fmt::format("{} has no equilibrium called {}{}", file.model.name(), name,
                                   near.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : near));
    }
  }
  for (const std::string& remark : remarks) print_note(remark);
  return place;
}

}  // namespace hamel::cli
