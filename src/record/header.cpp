#include "hamel/record/header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "hamel/mechanics/system.hpp"

namespace hamel {
namespace {

void add_coordinates(RecordHeader& header, const Model& model) {
  int offset = 0;
  for (const Coordinate& coordinate : model.coordinates()) {
    const auto [rows, cols] = coordinate.space.shape();
    header.coordinates.push_back({coordinate.name, coordinate.space.name(), offset, rows, cols});
    offset += coordinate.space.ambient();
    const Formula q = Formula::symbol(
        {.role = Role::coordinate, .name = coordinate.name, .slot = 0, .first_index = model.first_index()}, rows, cols);
    const Formula v = rate(q);
    for (int j = 0; j < cols; ++j)
      for (int i = 0; i < rows; ++i) {
        header.q_names.push_back(q(i, j).to_string());
        header.v_names.push_back(v(i, j).to_string());
      }
  }
}

void add_outputs(RecordHeader& header, const std::vector<Output>& outputs) {
  std::set<std::string> names;
  for (const auto& [name, formula] : outputs) {
    if (name.empty() || name.find('/') != std::string::npos || name == "." || name.find('\0') != std::string::npos)
      throw std::invalid_argument(fmt::format("an output cannot be called `{}`: give it a name without /", name));
    if (!names.insert(name).second)
      throw std::invalid_argument(fmt::format("there are two outputs called `{}`; rename one of them", name));
    header.outputs.push_back({name, formula.to_string(), formula.rows(), formula.cols()});
  }
}

// What an energy, a force or a parameter is does not matter to the format, but a resumed run must have the same.
std::string difference(const RecordHeader& a, const RecordHeader& b) {
  const auto differ = [](const std::string& what, const auto& recorded, const auto& wanted) {
    return fmt::format("{}: {} in the record, {} now", what, recorded, wanted);
  };
  if (a.model_name != b.model_name) return differ("model", a.model_name, b.model_name);
  if (a.space != b.space) return differ("space", a.space, b.space);
  if (a.q_names != b.q_names) return "other coordinates";
  if (a.settings != b.settings) return differ("integrator", to_string(a.settings), to_string(b.settings));
  if (a.every != b.every) return differ("interval of outputs", a.every, b.every);
  if (a.halvings != b.halvings) return differ("halvings", a.halvings, b.halvings);
  if (a.start != b.start) return differ("start time", a.start, b.start);
  const auto same_parameter = [](const Parameter& x, const Parameter& y) {
    return x.name == y.name && x.value.rows() == y.value.rows() && x.value.cols() == y.value.cols() &&
           x.value == y.value;
  };
  if (!std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(), b.parameters.end(), same_parameter))
    return "other parameters";
  if (a.model_text != b.model_text) return "the model file has changed";
  const auto same_output = [](const auto& x, const auto& y) { return x.name == y.name && x.formula == y.formula; };
  if (!std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(), same_output))
    return "other outputs";
  if (!std::equal(a.momenta.begin(), a.momenta.end(), b.momenta.begin(), b.momenta.end(), same_output))
    return "other momenta";
  if (a.hamel_version != b.hamel_version) return differ("version of hamel", a.hamel_version, b.hamel_version);
  return "";
}

}  // namespace

void complete(RecordHeader& header, const System& system, const Method& method,
              const std::vector<ConservedMomentum>& momenta, const std::vector<Output>& outputs) {
  header.model_name = system.name();
  header.space = system.space().name();
  header.hamel_version = HAMEL_VERSION;
  header.degrees_of_freedom = system.degrees_of_freedom();
  header.parameters = system.model().parameters();
  add_coordinates(header, system.model());
  header.constraints = system.constraint_names();
  for (const ConservedMomentum& momentum : momenta)
    header.momenta.push_back({momentum.name, momentum.formula, momentum.exact_for_variational});
  add_outputs(header, outputs);
  header.integrator = describe(method).name;
  header.settings = settings_of(method);
  header.has_energy = !system.is_first_order();
  header.energy_name = energy_name(system);
  header.energy_conserved = system.is_conservative();
}

void need_same_run(const RecordHeader& recorded, const RecordHeader& wanted, const std::string& path) {
  if (const std::string what = difference(recorded, wanted); !what.empty())
    throw std::invalid_argument(fmt::format(
        "{} cannot be resumed, for it holds another run ({}); ask for the same run, or for a new file", path, what));
}

}  // namespace hamel
