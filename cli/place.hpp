// Where a model is looked at: the equilibria that its file names or that are found, or its start, at rest.
#pragma once

#include "command.hpp"
#include "hamel/analyze/equilibria.hpp"

namespace hamel::cli {

// All that can be found, beginning with those of the file, which have their names.
Equilibria equilibria_of(const ModelFile& file, const System& system, EquilibriaOptions options = {});
// --rate SYMMETRY=VALUE and --momentum SYMMETRY=VALUE: steady motions in place of equilibria at rest. A symmetry is
// meant by its number in hamel check, or by a part of its name that no other has.
struct SteadyOptions {
  std::vector<std::string> rates, inputs;
  std::string momentum;

  bool is_rest() const { return rates.empty() && momentum.empty(); }
};
void add_steady_options(CLI::App& command, SteadyOptions& steady);
Equilibria steady_motions_of(const ModelFile& file, const System& system, const SteadyOptions& steady,
                             EquilibriaOptions options = {});
// One of them; where there is a single one, it needs no name.
Equilibrium steady_motion_named(const std::string& at, const ModelFile& file, const System& system,
                                const SteadyOptions& steady);

// --at NAME: an equilibrium of the file or one that is found, or "start".
void add_place_option(CLI::App& command, std::string& at);
// Of a model with a single equilibrium, that one where nothing is named. Refuses an unknown name, and suggests.
struct NamedPlace {
  std::string name;
  State state;
  Generator moving = {};  // at rest, but where drag balances what drives
};
NamedPlace place_named(const std::string& at, const ModelFile& file, const System& system);

}  // namespace hamel::cli
