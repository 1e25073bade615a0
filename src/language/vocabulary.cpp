#include "language/vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "hamel/language/source.hpp"
#include "hamel/manifold/spaces.hpp"

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
      {"inputs", {"size", "law", "limit", "sample"}},
      {"law", {"lqr", "Q", "R"}},
      {"start", {"t", "project", "omega", "Omega", "rate", "velocity", "xi", "momentum"}},
      {"run", {"integrator", "step", "until", "every", "tolerance", "halvings"}},
      {"view",
       {"up", "ground", "trails", "hide", "links", "springs", "strings", "colors", "radii", "sizes", "places", "camera",
        "follow"}}};
  return keys;
}

std::string known_spaces() {
  std::string result;
  for (const SpaceRow& row : space_rows()) result += fmt::format("{}, ", row.forms);
  return result + "{x in R3 : c(x) = 0} and {p(x) : x in R3}";
}

// Of the spaces that begin with the same letter and have the same number, those of the same length first.
std::string suggested_space(const std::string& misspelt) {
  const std::size_t last_letter = misspelt.find_last_not_of("0123456789");
  std::string number = misspelt.substr(last_letter == std::string::npos ? 0 : last_letter + 1);
  number.erase(0, std::min(number.find_first_not_of('0'), number.size()));
  const auto initial = [](std::string_view word) { return std::tolower(static_cast<unsigned char>(word.front())); };
  const auto difference = [&](const std::string& name) {
    return std::max(name.size(), misspelt.size()) - std::min(name.size(), misspelt.size());
  };
  std::vector<std::string> names;
  for (const SpaceRow& row : space_rows())
    if (initial(row.name) == initial(misspelt))
      names.push_back(std::string(row.name) + (row.is_numbered() ? number : ""));
  std::stable_sort(names.begin(), names.end(),
                   [&](const auto& a, const auto& b) { return difference(a) < difference(b); });
  return suggestion(misspelt, names);
}

}  // namespace hamel
