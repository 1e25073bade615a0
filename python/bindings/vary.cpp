#include "hamel/ensemble/vary.hpp"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "convert.hpp"

namespace hamel::python {

namespace {

constexpr std::uint64_t most_rows_at_once = std::uint64_t{1} << 32;

Array rows_of(const Vary& vary, std::uint64_t first, std::uint64_t last) {
  last = std::min(last, vary.members());
  const std::uint64_t count = last - std::min(first, last);
  if (count > most_rows_at_once)
    throw std::invalid_argument(fmt::format("{} rows are too many at once: say first and last", count));
  RowMatrix rows(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(vary.width()));
  for (Eigen::Index k = 0; k < rows.rows(); ++k)
    vary.row(first + static_cast<std::uint64_t>(k), {rows.row(k).data(), static_cast<std::size_t>(rows.cols())});
  return array_of_rows(std::move(rows));
}

}  // namespace

void bind_vary(nb::module_& m) {
  nb::class_<Vary>(m, "_Vary")
      .def(nb::init<>())
      .def_prop_ro("members", &Vary::members)
      .def_prop_ro("columns", &Vary::columns)
      .def_prop_ro("texts", &Vary::texts)
      .def_prop_ro("sides", &Vary::sides)
      .def_prop_ro("quantities",
                   [](const Vary& vary) {
                     std::vector<std::pair<std::string, int>> all;
                     for (const auto& [name, size] : vary.quantities()) all.emplace_back(name, size);
                     return all;
                   })
      .def("rows", rows_of, nb::rv_policy::automatic, nb::arg("first"), nb::arg("last"))
      .def(
          "__mul__", [](const Vary& slow, const Vary& fast) { return slow * fast; }, nb::arg("fast"));
  m.def("_grid", &grid, nb::arg("name"), nb::arg("low"), nb::arg("high"), nb::arg("count"));
  m.def(
      "_listed",
      [](const std::vector<std::string>& names, const std::vector<int>& sizes, const ArrayLike& rows) {
        std::vector<Varied> quantities;
        for (std::size_t k = 0; k < names.size(); ++k) quantities.push_back({names[k], sizes.at(k)});
        return listed_vectors(quantities, numbers_of(rows, "a list of members").matrix());
      },
      nb::arg("names"), nb::arg("sizes"), nb::arg("rows"));
  m.def(
      "_samples",
      [](const std::vector<std::pair<std::string, Distribution>>& quantities, std::uint64_t count,
         const std::string& sampling, std::uint64_t seed) {
        return samples(quantities, count, {.sampling = sampling_named(sampling), .seed = seed});
      },
      nb::arg("quantities"), nb::arg("count"), nb::arg("sampling"), nb::arg("seed"));
  m.def("_zip", &zip, nb::arg("a"), nb::arg("b"));
}

}  // namespace hamel::python
