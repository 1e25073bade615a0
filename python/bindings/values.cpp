#include "hamel/mechanics/values.hpp"

#include <fmt/format.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "convert.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"

namespace hamel::python {

namespace {

// Inputs are zero unless they are given; a formula that depends on them must be told.
VectorXd inputs_for(const System& system, const Formula& formula, nb::handle u) {
  if (u.is_none() && system.inputs() > 0 && formula.depends_on(Role::input))
    throw std::invalid_argument(fmt::format("{} depends on inputs: say what they are, u=...", formula.brief()));
  return u.is_none() ? VectorXd(VectorXd::Zero(system.inputs())) : input_values_of(system.model(), u);
}

Array value_at(const System& system, const Formula& formula, const State& state, nb::handle u) {
  if (state.q.size() != system.ambient())
    throw std::invalid_argument(fmt::format("this is no state of {}: it has {} numbers, not {}", system.name(),
                                            state.q.size(), system.ambient()));
  const VectorXd inputs = inputs_for(system, formula, u);
  Values value(system, {formula});
  VectorXd result(value.size());
  value(state.t, state.q, state.v, inputs, result);
  return shaped(result.reshaped(formula.rows(), formula.cols()));
}

void need_rows(const System& system, const Times& t, const States& q, const States& v, const States& u) {
  const auto fits = [&](const States& table, int columns) {
    return table.shape(0) == t.size() && table.shape(1) == static_cast<std::size_t>(columns);
  };
  if (!fits(q, system.ambient()) || !fits(v, system.ambient()) || !fits(u, system.inputs()))
    throw std::invalid_argument(fmt::format("for {} outputs of {}, q and v must have {} columns, and u {}", t.size(),
                                            system.name(), system.ambient(), system.inputs()));
}

// A row for each output: the entries of the formula, matrices row by row.
Array values_along(const System& system, const Formula& formula, const Times& t, const States& q, const States& v,
                   const States& u) {
  need_rows(system, t, q, v, u);
  Values value(system, {formula});
  const std::size_t rows = static_cast<std::size_t>(formula.rows()), cols = static_cast<std::size_t>(formula.cols());
  auto* all = new std::vector<double>(t.size() * rows * cols);
  const nb::capsule owner(all, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  {
    const Unlocked unlocked;
    VectorXd entries(value.size());
    const auto ambient = static_cast<Eigen::Index>(system.ambient());
    for (std::size_t k = 0; k < t.size(); ++k) {
      const Eigen::Map<const VectorXd> at(q.data() + k * q.shape(1), ambient), rate(v.data() + k * v.shape(1), ambient);
      const Eigen::Map<const VectorXd> inputs(u.data() + k * u.shape(1), static_cast<Eigen::Index>(system.inputs()));
      value(t.data()[k], at, rate, inputs, entries);
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
      [](const System& system, const FormulaLike& formula, const State& state, const InputValues& u) {
        return value_at(system, formula_of(formula, "what is asked for"), state, u);
      },
      nb::arg("system"), nb::arg("formula"), nb::arg("state"), nb::arg("u").none());
  m.def("_values_along", values_along, nb::arg("system"), nb::arg("formula"), nb::arg("t"), nb::arg("q"), nb::arg("v"),
        nb::arg("u"));
}

}  // namespace hamel::python
