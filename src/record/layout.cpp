#include "record/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <stdexcept>

namespace hamel {
namespace {

using namespace hdf5;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr const char* format_name = "hamel record";

std::string unit_of(const RecordHeader& header, const std::string& name) {
  const auto found = header.units.find(name);
  return found == header.units.end() ? "" : found->second;
}

void write_parameters(hid_t model, const RecordHeader& header) {
  const Handle group = create_group(model, "parameters");
  std::vector<std::string> order;
  for (const auto& [name, value] : header.parameters) {
    order.push_back(name);
    std::vector<hsize_t> shape;
    if (value.cols() > 1) shape = {static_cast<hsize_t>(value.rows()), static_cast<hsize_t>(value.cols())};
    if (value.cols() == 1 && value.rows() > 1) shape = {static_cast<hsize_t>(value.rows())};
    std::vector<double> rows;
    for (Eigen::Index i = 0; i < value.rows(); ++i)
      for (Eigen::Index j = 0; j < value.cols(); ++j) rows.push_back(value(i, j));
    write_numbers(group, name, {shape, rows});
    if (const std::string unit = unit_of(header, name); !unit.empty())
      write_attribute(open_dataset(group, name), "unit", unit);
  }
  write_texts(model, "parameter_order", order);
}

// Names lead to datasets: one with a slash would lead out of its group.
std::vector<std::string> read_names(hid_t parent, const std::string& dataset) {
  std::vector<std::string> names = read_texts(parent, dataset);
  std::set<std::string> all;
  for (const std::string& name : names)
    if (name.empty() || name == "." || name.find('/') != std::string::npos || !all.insert(name).second)
      throw std::runtime_error(fmt::format("{} has a name that is none, or twice: `{}`", dataset, name));
  return names;
}

std::vector<Parameter> read_parameters(hid_t model) {
  const Handle group = open_group(model, "parameters");
  std::vector<Parameter> parameters;
  for (const std::string& name : read_names(model, "parameter_order")) {
    const auto [shape, numbers] = read_numbers(group, name);
    if (shape.size() > 2 || numbers.empty())
      throw std::runtime_error(fmt::format("the parameter `{}` is neither a number nor a vector nor a matrix", name));
    const auto rows = static_cast<Eigen::Index>(shape.empty() ? 1 : shape[0]);
    const auto cols = static_cast<Eigen::Index>(shape.size() < 2 ? 1 : shape[1]);
    parameters.push_back({name, Eigen::Map<const RowMajor>(numbers.data(), rows, cols)});
  }
  return parameters;
}

void write_coordinates(hid_t model, const RecordHeader& header) {
  const Handle group = create_group(model, "coordinates");
  std::vector<std::string> names, spaces;
  std::vector<int> offsets, shapes;
  for (const auto& coordinate : header.coordinates) {
    names.push_back(coordinate.name);
    spaces.push_back(coordinate.space);
    offsets.push_back(coordinate.offset);
    shapes.insert(shapes.end(), {coordinate.rows, coordinate.cols});
  }
  write_texts(group, "names", names);
  write_texts(group, "spaces", spaces);
  write_integers(group, "offsets", {offsets.size()}, offsets);
  write_integers(group, "shapes", {offsets.size(), 2}, shapes);
}

void need_shape(const std::string& dataset, int rows, int cols) {
  constexpr std::int64_t largest = 1 << 20;
  if (rows < 1 || cols < 1 || std::int64_t{rows} * cols > largest)
    throw std::runtime_error(fmt::format("{}: {} x {} is not the shape of anything", dataset, rows, cols));
}

std::vector<RecordHeader::Coordinate> read_coordinates(hid_t model) {
  const Handle group = open_group(model, "coordinates");
  const auto names = read_texts(group, "names"), spaces = read_texts(group, "spaces");
  const auto offsets = read_integers(group, "offsets"), shapes = read_integers(group, "shapes");
  if (spaces.size() != names.size() || offsets.size() != names.size() || shapes.size() != 2 * names.size())
    throw std::runtime_error("/model/coordinates: names, spaces, offsets and shapes do not fit together");
  std::vector<RecordHeader::Coordinate> coordinates;
  for (std::size_t k = 0; k < names.size(); ++k) {
    need_shape("/model/coordinates/shapes", shapes[2 * k], shapes[2 * k + 1]);
    coordinates.push_back({names[k], spaces[k], offsets[k], shapes[2 * k], shapes[2 * k + 1]});
  }
  return coordinates;
}

void write_units(hid_t file, const RecordHeader& header) {
  const Handle group = create_group(file, "units");
  for (const auto& [name, unit] : header.units) write_attribute(group, name, unit);
}

void write_integrator(hid_t file, const RecordHeader& header) {
  const Handle group = create_group(file, "integrator");
  write_attribute(group, "name", header.integrator);
  write_attribute(group, "tier", header.tier);
  write_attribute(group, "start", header.start);
  write_attribute(group, "until", header.until);
  write_attribute(group, "every", header.every);
  write_attribute(group, "halvings", static_cast<long long>(header.halvings));
  const Handle settings = create_group(group, "settings");
  std::vector<std::string> order;
  for (const Setting& setting : header.settings) {
    order.push_back(setting.name);
    std::visit([&](const auto& value) { write_attribute(settings, setting.name, value); }, setting.value);
  }
  write_texts(group, "setting_order", order);
}

void read_integrator(hid_t file, RecordHeader& header) {
  const Handle group = open_group(file, "integrator");
  header.integrator = read_text_attribute(group, "name");
  header.tier = read_text_attribute(group, "tier");
  header.start = read_finite_attribute(group, "start");
  header.until = read_finite_attribute(group, "until");
  header.every = read_finite_attribute(group, "every");
  header.halvings = read_integer_attribute(group, "halvings");
  const Handle settings = open_group(group, "settings");
  for (const std::string& name : read_names(group, "setting_order"))
    if (is_text_attribute(settings, name))
      header.settings.push_back({name, read_text_attribute(settings, name)});
    else
      header.settings.push_back({name, read_number_attribute(settings, name)});
}

// The names of the columns of /q, /v and /momenta, and what the outputs are.
void write_columns(hid_t file, const RecordHeader& header) {
  const Handle group = create_group(file, "columns");
  write_texts(group, "q", header.q_names);
  write_texts(group, "v", header.v_names);
  std::vector<std::string> names, formulas;
  std::vector<int> exact, shapes;
  for (const auto& momentum : header.momenta) {
    names.push_back(momentum.name);
    formulas.push_back(momentum.formula);
    exact.push_back(momentum.exact_for_variational ? 1 : 0);
  }
  write_texts(group, "momenta", names);
  write_texts(group, "momentum_formulas", formulas);
  write_integers(group, "momentum_is_exact_for_variational", {exact.size()}, exact);
  names.clear(), formulas.clear();
  for (const auto& output : header.outputs) {
    names.push_back(output.name);
    formulas.push_back(output.formula);
    shapes.insert(shapes.end(), {output.rows, output.cols});
  }
  write_texts(group, "outputs", names);
  write_texts(group, "output_formulas", formulas);
  write_integers(group, "output_shapes", {names.size(), 2}, shapes);
  write_texts(group, "conserved", header.conserved);
  write_texts(group, "undecided", header.undecided);
}

void read_columns(hid_t file, RecordHeader& header) {
  const Handle group = open_group(file, "columns");
  header.q_names = read_texts(group, "q");
  header.v_names = read_texts(group, "v");
  const auto momenta = read_texts(group, "momenta"), momentum_formulas = read_texts(group, "momentum_formulas");
  const auto exact = read_integers(group, "momentum_is_exact_for_variational");
  const auto outputs = read_names(group, "outputs"), output_formulas = read_texts(group, "output_formulas");
  const auto shapes = read_integers(group, "output_shapes");
  if (momentum_formulas.size() != momenta.size() || exact.size() != momenta.size() ||
      output_formulas.size() != outputs.size() || shapes.size() != 2 * outputs.size())
    throw std::runtime_error("/columns: names, formulas and shapes do not fit together");
  if (header.format > 1) {
    header.conserved = read_texts(group, "conserved");
    header.undecided = read_texts(group, "undecided");
  }
  if (header.q_names.empty() || header.v_names.size() != header.q_names.size())
    throw std::runtime_error(fmt::format("/columns: {} names of /q and {} of /v do not fit together",
                                         header.q_names.size(), header.v_names.size()));
  for (std::size_t k = 0; k < momenta.size(); ++k)
    header.momenta.push_back({momenta[k], momentum_formulas[k], exact[k] != 0});
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    need_shape("/columns/output_shapes", shapes[2 * k], shapes[2 * k + 1]);
    header.outputs.push_back({outputs[k], output_formulas[k], shapes[2 * k], shapes[2 * k + 1]});
  }
}

}  // namespace

std::vector<Column> columns(const RecordHeader& header) {
  const std::size_t n = header.q_names.size(), energies = header.has_energy ? 1 : 0;
  std::vector<Column> result{
      {"time", "time of each output", unit_of(header, "time"), 1, true},
      {"q", "configuration: coordinate after coordinate, matrices column by column; names in /columns/q", "", n, false},
      {"v", "rates of q; names in /columns/v", "", n, false},
      {"energy/kinetic", "kinetic energy; 0 for a Hamiltonian", unit_of(header, "energy"), energies, true},
      {"energy/potential", "potential energy; 0 for a Hamiltonian", unit_of(header, "energy"), energies, true},
      {"energy/total", "v . dL/dv - L, or the Hamiltonian", unit_of(header, "energy"), energies, true},
      {"manifold_error", "largest |1 - q.q|, |R^T R - I| or the like", "", 1, true},
      {"constraint_error", "largest of all constraints", "", header.constraints.empty() ? 0U : 1U, true},
      {"momenta", "conserved momenta; names in /columns/momenta", "", header.momenta.size(), false},
      {"checksum", "of the index and all numbers of the row; docs/records.md", "", header.format == 1 ? 0U : 1U, true,
       true}};
  for (const auto& output : header.outputs)
    result.push_back({"outputs/" + output.name, output.formula, unit_of(header, output.name),
                      static_cast<std::size_t>(output.size()), output.size() == 1});
  return result;
}

OpenColumn open_column(hid_t file, const Column& column) {
  if (column.width == 0) return {column, {}, 0};
  Handle dataset = open_dataset(file, column.path);
  const auto shape = column.is_checksum ? extents<std::uint64_t>(dataset) : extents<double>(dataset);
  if (shape.size() != (column.scalar ? 1U : 2U) || (!column.scalar && shape[1] != column.width))
    throw std::runtime_error(
        fmt::format("/{} has the shape [{}], not rows of {}", column.path, fmt::join(shape, " x "), column.width));
  return {column, std::move(dataset), shape[0]};
}

void write_header(hid_t file, const RecordHeader& header) {
  write_attribute(file, "format", std::string(format_name));
  write_attribute(file, "format_version", static_cast<long long>(record_format));
  write_attribute(file, "header_checksum", checksum_of(header));
  write_attribute(file, "hamel_version", header.hamel_version);
  const Handle model = create_group(file, "model");
  write_attribute(model, "name", header.model_name);
  write_attribute(model, "degrees_of_freedom", static_cast<long long>(header.degrees_of_freedom));
  write_attribute(model, "has_energy", static_cast<long long>(header.has_energy ? 1 : 0));
  write_attribute(model, "energy_conserved", static_cast<long long>(header.energy_conserved ? 1 : 0));
  write_attribute(model, "energy_name", header.energy_name);
  write_text(model, "space", header.space);
  write_text(model, "text", header.model_text);
  write_texts(model, "constraints", header.constraints);
  write_parameters(model, header);
  write_coordinates(model, header);
  write_units(file, header);
  write_integrator(file, header);
  write_columns(file, header);
  const Handle machine = create_group(file, "machine");
  for (const auto& [name, text] : header.machine) write_attribute(machine, name, text);
  if (header.has_energy) create_group(file, "energy");
  if (!header.outputs.empty()) create_group(file, "outputs");
}

bool has_format(hid_t file, const std::string& name) {
  return has_attribute(file, "format") && is_text_attribute(file, "format") &&
         read_text_attribute(file, "format") == name;
}

RecordHeader read_header(hid_t file) {
  if (has_format(file, sweep_format_name))
    throw std::runtime_error(
        "this is the file of a sweep, not the record of one run: `hamel report` shows it, and the same `hamel sweep` "
        "with --resume --csv FILE writes its table");
  if (!has_format(file, format_name))
    throw std::runtime_error("this is not a record of hamel: the attribute `format` is missing");
  RecordHeader header;
  header.format = read_integer_attribute(file, "format_version");
  if (header.format < 1 || header.format > record_format)
    throw std::runtime_error(fmt::format("this is version {} of the format of records; this hamel reads 1 to {}",
                                         header.format, record_format));
  header.hamel_version = read_text_attribute(file, "hamel_version");
  const Handle model = open_group(file, "model");
  header.model_name = read_text_attribute(model, "name");
  header.degrees_of_freedom = read_integer_attribute(model, "degrees_of_freedom");
  header.has_energy = !has_attribute(model, "has_energy") || read_flag_attribute(model, "has_energy");
  header.energy_conserved = read_flag_attribute(model, "energy_conserved");
  if (has_attribute(model, "energy_name")) header.energy_name = read_text_attribute(model, "energy_name");
  header.space = read_text(model, "space");
  header.model_text = read_text(model, "text");
  header.constraints = read_texts(model, "constraints");
  header.parameters = read_parameters(model);
  header.coordinates = read_coordinates(model);
  const Handle units = open_group(file, "units");
  for (const std::string& name : attribute_names(units)) header.units[name] = read_text_attribute(units, name);
  read_integrator(file, header);
  read_columns(file, header);
  if (header.format == 1) return header;
  const Handle machine = open_group(file, "machine");
  for (const std::string& name : attribute_names(machine)) header.machine[name] = read_text_attribute(machine, name);
  if (read_word_attribute(file, "header_checksum") != checksum_of(header))
    throw std::runtime_error(
        "what it says about its run (model, columns, parameters, settings) is damaged: it does not have its checksum");
  return header;
}

}  // namespace hamel
