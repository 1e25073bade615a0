#include "hamel/record/record.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "hamel/record/csv.hpp"
#include "hamel/record/file_run.hpp"
#include "interrupt.hpp"

namespace hamel::python {

namespace {

using Named = nb::dict;

nb::object setting_value(const Setting& setting) {
  return std::visit([](const auto& value) -> nb::object { return nb::cast(value); }, setting.value);
}

Named settings_of_header(const RecordHeader& header) {
  Named settings;
  for (const Setting& setting : header.settings) settings[setting.name.c_str()] = setting_value(setting);
  return settings;
}

Named header_dict(const RecordHeader& header) {
  Named result, parameters, units, machine;
  for (const Parameter& one : header.parameters) parameters[one.name.c_str()] = shaped(one.value);
  for (const auto& [name, unit] : header.units) units[name.c_str()] = unit;
  for (const auto& [name, value] : header.machine) machine[name.c_str()] = value;
  nb::list momenta, outputs;
  for (const auto& one : header.momenta) momenta.append(one.name);
  for (const auto& one : header.outputs) outputs.append(one.name);
  result["model"] = header.model_name;
  result["space"] = header.space;
  result["degrees_of_freedom"] = header.degrees_of_freedom;
  result["parameters"] = parameters;
  result["units"] = units;
  result["constraints"] = header.constraints;
  result["momenta"] = momenta;
  result["outputs"] = outputs;
  result["conserved"] = header.conserved;
  result["undecided"] = header.undecided;
  result["integrator"] = header.integrator;
  result["settings"] = settings_of_header(header);
  result["start"] = header.start;
  result["until"] = header.until;
  result["every"] = header.every;
  result["halvings"] = header.halvings;
  result["energy_name"] = header.energy_name;
  result["energy_conserved"] = header.has_energy && header.energy_conserved;
  result["tier"] = header.tier;
  result["machine"] = machine;
  result["hamel_version"] = header.hamel_version;
  result["format"] = header.format;
  result["model_text"] = header.model_text;
  return result;
}

nb::list layout_of_header(const RecordHeader& header) {
  nb::list layout;
  for (const auto& one : header.coordinates) layout.append(nb::make_tuple(one.name, one.offset, one.rows, one.cols));
  return layout;
}

// An output of one number has a column, of a vector one for each component, a matrix its own shape.
nb::object output_array(const RecordHeader::Named& output, RowMatrix rows) {
  const nb::object table = nb::cast(array_of_rows(std::move(rows)), nb::rv_policy::automatic);
  if (output.size() == 1) return table.attr("reshape")(-1);
  if (output.cols == 1) return table;
  return table.attr("reshape")(-1, output.cols, output.rows).attr("swapaxes")(1, 2);
}

nb::object column(const VectorXd& values) { return nb::cast(array_of(values), nb::rv_policy::automatic); }
nb::object table_of(RowMatrix rows) { return nb::cast(array_of_rows(std::move(rows)), nb::rv_policy::automatic); }

Named read_rows(const RecordReader& reader, std::size_t every, std::size_t at_most) {
  if (every == 0) throw std::invalid_argument("every must be at least 1");
  Record record;
  {
    const Unlocked unlocked;
    record = read_record(reader, {.every = every, .at_most = at_most});
  }
  auto& rows = record.rows;
  Named result, outputs, momenta;
  for (std::size_t k = 0; k < rows.outputs.size(); ++k)
    outputs[record.header.outputs[k].name.c_str()] = output_array(record.header.outputs[k], std::move(rows.outputs[k]));
  for (std::size_t k = 0; k < record.header.momenta.size(); ++k)
    momenta[record.header.momenta[k].name.c_str()] = column(rows.momenta.col(static_cast<Eigen::Index>(k)));
  result["t"] = column(rows.time);
  result["q"] = table_of(std::move(rows.q));
  result["v"] = table_of(std::move(rows.v));
  if (record.header.has_energy) {
    result["kinetic"] = column(rows.kinetic);
    result["potential"] = column(rows.potential);
    result["total"] = column(rows.total);
  }
  result["manifold_error"] = column(rows.manifold_error);
  if (rows.constraint_error.size() > 0) result["constraint_error"] = column(rows.constraint_error);
  result["outputs"] = outputs;
  result["momenta"] = momenta;
  return result;
}

}  // namespace

void bind_record_files(nb::module_& m) {
  nb::class_<RecordReader>(m, "_RecordReader")
      .def(nb::init<const std::string&>(), nb::arg("path"), nb::call_guard<Unlocked>())
      .def_prop_ro("rows", &RecordReader::rows)
      .def_prop_ro("damage", &RecordReader::damage)
      .def_prop_ro("summary", &RecordReader::summary)
      .def_prop_ro("header", [](const RecordReader& reader) { return header_dict(reader.header()); })
      .def_prop_ro("layout", [](const RecordReader& reader) { return layout_of_header(reader.header()); })
      .def("read", read_rows, nb::arg("every"), nb::arg("at_most"))
      .def(
          "file", [](const RecordReader& reader, const std::string& path) { return model_of(reader.header(), path); },
          nb::arg("path"));
  m.def(
      "_write_csv",
      [](const std::string& record, const std::string& path, std::size_t every, bool overwrite) {
        write_csv(RecordReader(record), path, {.every = every, .overwrite = overwrite});
      },
      nb::arg("record"), nb::arg("path"), nb::arg("every"), nb::arg("overwrite"), nb::call_guard<Unlocked>());
}

}  // namespace hamel::python
