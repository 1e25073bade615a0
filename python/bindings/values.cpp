#include "hamel/mechanics/values.hpp"

#include <fmt/format.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "motion.hpp"

namespace hamel::python {

namespace {

Array value_at(const System& system, const Formula& formula, const State& state) {
  Values value(system, {without_inputs(formula, "the value")});
  VectorXd result(value.size());
  value(state.t, state.q, state.v, VectorXd::Zero(system.inputs()), result);
  return shaped(result.reshaped(formula.rows(), formula.cols()));
}

// A row for each output: the entries of the formula, matrices row by row.
Array values_along(const System& system, const Formula& formula, const Times& t, const States& q, const States& v) {
  Values value(system, {without_inputs(formula, "the value")});
  const std::size_t rows = static_cast<std::size_t>(formula.rows()), cols = static_cast<std::size_t>(formula.cols());
  auto* all = new std::vector<double>(t.size() * rows * cols);
  const nb::capsule owner(all, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  {
    const nb::gil_scoped_release release;
    const VectorXd u = VectorXd::Zero(system.inputs());
    VectorXd entries(value.size());
    const auto ambient = static_cast<Eigen::Index>(system.ambient());
    for (std::size_t k = 0; k < t.size(); ++k) {
      const Eigen::Map<const VectorXd> at(q.data() + k * q.shape(1), ambient), rate(v.data() + k * v.shape(1), ambient);
      value(t.data()[k], at, rate, u, entries);
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j)
          (*all)[(k * rows + i) * cols + j] = entries(static_cast<Eigen::Index>(i + j * rows));
    }
  }
  const std::size_t shape[] = {t.size(), rows, cols};
  return Array(all->data(), cols > 1 ? 3 : rows > 1 ? 2 : 1, shape, owner);
}

}  // namespace

void bind_values(nb::module_& m) {
  m.def(
      "_value_at",
      [](const System& system, const FormulaLike& formula, const State& state) {
        return value_at(system, formula_of(formula, "what is asked for"), state);
      },
      nb::arg("system"), nb::arg("formula"), nb::arg("state"));
  m.def("_values_along", values_along, nb::arg("system"), nb::arg("formula"), nb::arg("t"), nb::arg("q"), nb::arg("v"));
}

}  // namespace hamel::python
