#include "hamel/record/header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>

#include "hamel/mechanics/system.hpp"
#include "hamel/program/native.hpp"
#include "record/checksum.hpp"

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
  if (a.conserved != b.conserved) return "other claims of what is conserved";
  if (a.hamel_version != b.hamel_version) return differ("version of hamel", a.hamel_version, b.hamel_version);
  if (a.format != b.format) return differ("format of the record", a.format, b.format);
  return "";
}

// In one line: of a processor its name.
std::string brief_machine(const std::string& text) {
  constexpr std::string_view name = "model name";
  std::size_t begin = text.find(name);
  begin = begin == std::string::npos ? 0 : text.find_first_not_of(" \t:", begin + name.size());
  const std::string line = text.substr(begin, text.find('\n', begin) - begin);
  return line.empty() ? "none" : line;
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
  header.has_energy = system.has_energies();
  header.energy_name = energy_name(system);
  header.energy_conserved = system.is_conservative();
  header.machine = this_machine();
}

void need_same_machine(const RecordHeader& recorded, const RecordHeader& wanted, const std::string& path) {
  std::string differences;
  for (const auto& [name, here] : wanted.machine) {
    const auto found = recorded.machine.find(name);
    const std::string there = found == recorded.machine.end() ? "" : found->second;
    if (there == here) continue;
    const std::string a = brief_machine(there), b = brief_machine(here);
    differences += fmt::format(
        "{}{}: {}", differences.empty() ? "" : "; ", name,
        a == b ? fmt::format("{}, but with other features", a) : fmt::format("{} in the record, {} here", a, b));
  }
  if (!differences.empty())
    throw std::invalid_argument(
        fmt::format("{} cannot be resumed to the same bits ({}); go on where it was begun, or all the same: "
                    "--on-another-machine",
                    path, differences));
}

std::uint64_t checksum_of(const RecordHeader& header) {
  Checksum sum;
  const auto add = [&](const auto&... parts) { (sum.add(parts), ...); };
  const auto add_number = [&](auto number) { sum.add(static_cast<double>(number)); };
  const auto add_each = [&](const auto& list, const auto& add_one) {
    add_number(list.size());
    for (const auto& one : list) add_one(one);
  };
  const auto add_pair = [&](const auto& pair) { add(pair.first, pair.second); };
  add(header.model_text, header.model_name, header.space, header.hamel_version, header.integrator, header.tier,
      header.energy_name);
  add(header.start, header.until, header.every);
  for (const int number : {header.halvings, header.degrees_of_freedom, header.format, int{header.has_energy},
                           int{header.energy_conserved}})
    add_number(number);
  add_each(header.units, add_pair);
  add_each(header.machine, add_pair);
  add_each(header.parameters, [&](const Parameter& parameter) {
    add(parameter.name);
    add_number(parameter.value.rows());
    for (const double number : parameter.value.reshaped()) add(number);
  });
  add_each(header.coordinates, [&](const RecordHeader::Coordinate& coordinate) {
    add(coordinate.name, coordinate.space);
    for (const int number : {coordinate.offset, coordinate.rows, coordinate.cols}) add_number(number);
  });
  for (const auto* names :
       {&header.q_names, &header.v_names, &header.constraints, &header.conserved, &header.undecided})
    add_each(*names, [&](const std::string& name) { add(name); });
  add_each(header.momenta, [&](const RecordHeader::Momentum& momentum) {
    add(momentum.name, momentum.formula);
    add_number(momentum.exact_for_variational);
  });
  add_each(header.outputs, [&](const RecordHeader::Named& output) {
    add(output.name, output.formula);
    add_number(output.rows), add_number(output.cols);
  });
  add_each(header.settings, [&](const Setting& setting) {
    add(setting.name);
    std::visit([&](const auto& value) { add(value); }, setting.value);
  });
  return sum.value();
}

void need_same_run(const RecordHeader& recorded, const RecordHeader& wanted, const std::string& path) {
  if (const std::string what = difference(recorded, wanted); !what.empty())
    throw std::invalid_argument(fmt::format(
        "{} cannot be resumed, for it holds another run ({}); ask for the same run, or for a new file", path, what));
}

}  // namespace hamel
