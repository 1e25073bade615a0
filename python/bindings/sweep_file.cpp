#include "hamel/record/sweep_file.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"

namespace hamel::python {

void bind_sweep_files(nb::module_& m) {
  nb::class_<SweepReader>(m, "_SweepReader")
      .def(nb::init<const std::string&>(), nb::arg("path"))
      .def_prop_ro("model_text", [](const SweepReader& file) { return file.header().model_text; })
      .def_prop_ro("model_name", [](const SweepReader& file) { return file.header().model_name; })
      .def_prop_ro("settings", [](const SweepReader& file) { return file.header().settings; })
      .def_prop_ro("varied", [](const SweepReader& file) { return file.header().varied; })
      .def_prop_ro("columns",
                   [](const SweepReader& file) {
                     std::vector<std::pair<std::string, std::size_t>> all;
                     for (const auto& [name, size] : file.header().kept) all.emplace_back(name, size);
                     return all;
                   })
      .def_prop_ro("sides", [](const SweepReader& file) { return file.header().sides; })
      .def_prop_ro("members", [](const SweepReader& file) { return file.header().members; })
      .def_prop_ro("rows", &SweepReader::rows)
      .def_prop_ro("finished", &SweepReader::finished)
      .def_prop_ro("damage", &SweepReader::damage)
      .def_prop_ro("failures",
                   [](const SweepReader& file) {
                     std::vector<std::pair<std::uint64_t, std::string>> all;
                     for (const auto& [member, why] : file.failures()) all.emplace_back(member, why);
                     return all;
                   })
      .def(
          "read",
          [](const SweepReader& file, std::uint64_t first, std::uint64_t count) {
            SweepRows rows = file.read(first, count);
            return nb::make_tuple(array_of_rows(std::move(rows.varied)), array_of_rows(std::move(rows.kept)));
          },
          nb::arg("first"), nb::arg("count"));
}

}  // namespace hamel::python
