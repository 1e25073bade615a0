// Where a model is looked at: the equilibria that its file names, or its start, at rest.
#pragma once

#include "command.hpp"

namespace hamel::cli {

// --at NAME: an equilibrium of the file, or "start".
void add_place_option(CLI::App& command, std::string& at);
// Of a model with a single equilibrium, that one where nothing is named. Refuses an unknown name, and suggests.
struct NamedPlace {
  std::string name;
  State state;  // at rest
};
NamedPlace place_named(const std::string& at, const ModelFile& file, const System& system);

}  // namespace hamel::cli
