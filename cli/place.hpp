// Where a model is looked at: the equilibria that its file names or that are found, or its start, at rest.
#pragma once

#include "command.hpp"
#include "hamel/analyze/equilibria.hpp"

namespace hamel::cli {

// All that can be found, beginning with those of the file, which have their names.
Equilibria equilibria_of(const ModelFile& file, const System& system, EquilibriaOptions options = {});
// --at NAME: an equilibrium of the file or one that is found, or "start".
void add_place_option(CLI::App& command, std::string& at);
// Of a model with a single equilibrium, that one where nothing is named. Refuses an unknown name, and suggests.
struct NamedPlace {
  std::string name;
  State state;  // at rest
};
NamedPlace place_named(const std::string& at, const ModelFile& file, const System& system);

}  // namespace hamel::cli
