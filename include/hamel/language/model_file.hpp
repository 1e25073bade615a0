// Model files: a mechanical system as text, in TOML. docs/model-files.md is their reference.
//
//   ModelFile file = read_model("pendulum.toml", {{"m", "2"}});
//   System system = derive(file.model);
//   State start = start_state(file, system);
//
// Every mistake is a SourceError with its place. What was corrected silently would be a guess, so it is said:
// `remarks`.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hamel/integrate/integrate.hpp"
#include "hamel/language/source.hpp"
#include "hamel/mechanics/system.hpp"
#include "hamel/model/model.hpp"

namespace hamel {

// [start]: numbers as they were given, by coordinate of the model.
struct StartValues {
  struct Given {
    VectorXd value;
    Place place;
    std::optional<Formula> formula = {};  // of parameters, which the value follows
  };
  struct Coordinate {
    std::optional<Given> point;
    std::optional<Given> rate;      // q'
    std::optional<Given> omega;     // angular velocity
    std::optional<Given> velocity;  // of the position of a pose
    std::optional<Given> xi;        // quasi-velocities of a group or an orbit
    std::optional<Given> momentum;  // for a Hamiltonian
  };
  double t = 0;
  std::optional<Formula> t_formula = {};
  bool project = false;  // take the nearest state on the manifold and the constraints, however far it is
  std::vector<Coordinate> coordinates;
  Place place;  // of the section
};

// [equilibria]: a point where the system, once at rest, should stay at rest.
struct ClaimedEquilibrium {
  std::string name;
  StartValues at = {};
};

// [run]: zero where nothing was said.
struct RunSection {
  std::string integrator = "variational";
  double step = 0, tolerance = 0;
  Until until = {.t = 0};
};

// [view]: names of points, bodies and coordinates, and how to draw them.
struct ViewSettings {
  std::vector<double> up;      // a direction
  std::optional<bool> ground;  // a floor
  std::optional<std::vector<std::string>> trails;
  std::vector<std::string> hide;
  std::string follow;                                                        // whom the camera follows
  std::vector<std::pair<std::string, std::string>> links, springs, strings;  // between points, or "origin"
  std::vector<std::pair<std::string, std::string>> colors;                   // of objects
  std::vector<std::pair<std::string, double>> radii;
  std::vector<std::pair<std::string, std::vector<double>>> sizes;   // of boxes
  std::vector<std::pair<std::string, std::vector<double>>> places;  // where directions and bodies are drawn
  std::vector<double> camera;                                       // where it stands

  bool operator==(const ViewSettings&) const = default;
};

using Overrides = std::vector<std::pair<std::string, std::string>>;  // parameter, or key of [start]; expression

struct ModelFile {
  std::string path, text;
  std::string description = {}, source = {};  // source: where the system comes from
  Model model;
  std::vector<Model::Named> outputs = {};
  std::vector<std::pair<std::string, std::string>> units = {};  // of names
  StartValues start = {};
  std::vector<ClaimedEquilibrium> equilibria = {};
  std::vector<Model::Named> conserved = {};  // quantities that should be constant along every motion
  RunSection run = {};
  ViewSettings view = {};
  std::vector<std::string> remarks = {};           // what looks like a mistake, and is none
  std::vector<Model::Named> asked = {};            // the formulas that were asked for when it was read
  Overrides overrides = {}, start_overrides = {};  // what it was read with in the place of what its text says
};

// Throws SourceError, or std::runtime_error if the file cannot be read.
// `asked`: names of outputs, or formulas of whatever the file has names for.
ModelFile read_model(const std::string& path, const Overrides& parameters = {}, const Overrides& start = {},
                     const std::vector<std::string>& asked = {});
ModelFile parse_model(const std::string& text, const std::string& name, const Overrides& parameters = {},
                      const Overrides& start = {}, const std::vector<std::string>& asked = {});

// The start, on the manifold and on the constraints, for the parameters of the system. Numbers that are off by no more
// than 1e-3 are corrected, or by any amount where the file asks for it, and this is said in `remarks`; others are
// refused, and what is nearest is offered.
State start_state(const ModelFile& file, const System& system, std::vector<std::string>& remarks);

// What the equations say about a claimed equilibrium, with inputs that are zero.
struct EquilibriumFinding {
  std::string name;
  State state;           // at rest
  double unrest = 0;     // the largest component of q'' there; of a field, of q'
  double imbalance = 0;  // the force that is left of what cancels there, relative to its size; of a field, the rate
  bool holds = false;    // is that zero, to 1e-9?
  VectorXd inputs = {};  // that it is held by, where it needs some: those of sampled laws, or the smallest ones
};
std::vector<EquilibriumFinding> examine_equilibria(const ModelFile& file, const System& system,
                                                   std::vector<std::string>& remarks);

// The same about a quantity that is claimed to be conserved: asked at random states, those near the start among them,
// or along the motion from the start where there are constraints.
struct ConservedFinding {
  std::string name;
  Formula formula;
  double rate = 0;     // the largest |dF/dt|, relative to the sizes of its terms
  bool holds = false;  // is that zero, to 1e-10?
};
std::vector<ConservedFinding> examine_conserved(const ModelFile& file, const System& system);

}  // namespace hamel
