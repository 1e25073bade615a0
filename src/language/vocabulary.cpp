#include "language/vocabulary.hpp"

namespace hamel {

const std::vector<std::string>& known_sections() {
  static const std::vector<std::string> sections = {
      "name",   "description", "source",  "parameters", "tables",     "definitions", "coordinates", "points",
      "bodies", "energy",      "field",   "forces",     "inputs",     "dissipation", "constraints", "start",
      "run",    "view",        "outputs", "units",      "equilibria", "conserved"};
  return sections;
}

const std::map<std::string, std::vector<std::string>>& known_keys() {
  static const std::map<std::string, std::vector<std::string>> keys = {
      {"bodies", {"attitude", "position", "mass", "inertia", "center"}},
      {"energy", {"kinetic", "potential", "lagrangian", "hamiltonian"}},
      {"forces", {"at", "on", "force", "torque"}},
      {"inputs", {"size", "law"}},
      {"start", {"t", "project", "omega", "Omega", "rate", "velocity", "xi", "momentum"}},
      {"run", {"integrator", "step", "until", "every", "tolerance", "halvings"}},
      {"view",
       {"up", "ground", "trails", "hide", "links", "springs", "strings", "colors", "radii", "sizes", "places", "camera",
        "follow"}}};
  return keys;
}

}  // namespace hamel
