#include "hamel/mechanics/derivatives.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <mutex>

#include "arrays.hpp"
#include "bindings.hpp"
#include "hamel/mechanics/ambient_derivatives.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"

namespace hamel::python {

namespace {

// q'' and its derivatives at many states, with a row for each; parameters that vary are columns of p.
class Accelerations {
 public:
  Accelerations(const System& system, const std::vector<std::string>& parameters) : system_(system) {
    for (const std::string& name : parameters) add_parameter(name);
  }

  int parameters() const { return static_cast<int>(columns_.size()); }

  Array value(const Times& t, const States& q, const States& v, const States& u, const States& p) const {
    need_shapes(t, q, v, u, p);
    RowMatrix result(static_cast<Eigen::Index>(t.size()), system_.ambient());
    {
      const Unlocked unlocked;
      for (std::size_t k = 0; k < t.size(); ++k) {
        const System system = at(p, k);
        result.row(static_cast<Eigen::Index>(k)) = acceleration(system, state(t, q, v, k), row(u, k));
      }
    }
    return array_of_rows(std::move(result));
  }

  // dq''/d(q, q', u, p), one beside another: states, ambient x all.
  Array jacobian(const Times& t, const States& q, const States& v, const States& u, const States& p) {
    need_shapes(t, q, v, u, p);
    const Eigen::Index n = system_.ambient(), all = 2 * n + system_.inputs() + parameters();
    RowMatrix result(static_cast<Eigen::Index>(t.size()) * n, all);
    {
      const Unlocked unlocked;
      const AmbientDerivatives& derivatives = prepared();
      for (std::size_t k = 0; k < t.size(); ++k) {
        const AmbientDerivatives own = columns_.empty() ? derivatives : derivatives.with(at(p, k));
        const Derivative one = own.acceleration(state(t, q, v, k), row(u, k));
        auto rows = result.middleRows(static_cast<Eigen::Index>(k) * n, n);
        rows.leftCols(n) = one.point;
        rows.middleCols(n, n) = one.velocity;
        rows.middleCols(2 * n, system_.inputs()) = one.inputs;
        for (std::size_t j = 0; j < columns_.size(); ++j)
          rows.col(2 * n + system_.inputs() + static_cast<Eigen::Index>(j)) = one.parameters.col(columns_[j].place);
      }
    }
    return array_of_rows(std::move(result));
  }

 private:
  struct Column {
    std::string name;    // "m", "l[1]"
    Eigen::Index place;  // in parameter_values
  };

  void add_parameter(const std::string& name) {
    const int first = system_.model().first_index();
    Eigen::Index place = 0;
    for (const Parameter& one : system_.model().parameters()) {
      for (Eigen::Index k = 0; one.name == name && k < one.value.size(); ++k)
        columns_.push_back({one.value.size() == 1 ? name : fmt::format("{}[{}]", name, k + first), place + k});
      if (one.name == name) return;
      place += one.value.size();
    }
    system_.with({{name, 0.0}});  // says that there is none
  }

  const AmbientDerivatives& prepared() {
    const std::lock_guard lock(mutex_);
    if (!derivatives_) derivatives_.emplace(system_);
    return *derivatives_;
  }

  System at(const States& p, std::size_t k) const {
    if (columns_.empty()) return system_;
    ParameterValues values;
    for (std::size_t j = 0; j < columns_.size(); ++j)
      values.emplace_back(columns_[j].name, p.data()[k * p.shape(1) + j]);
    return system_.with(values);
  }

  static VectorXd row(const States& table, std::size_t k) {
    return Eigen::Map<const VectorXd>(table.data() + k * table.shape(1), static_cast<Eigen::Index>(table.shape(1)));
  }
  State state(const Times& t, const States& q, const States& v, std::size_t k) const {
    State result{.t = t.data()[k], .q = row(q, k), .v = VectorXd(system_.ambient())};
    system_.space().tangent_project(result.q, row(v, k), result.v);
    return result;
  }

  void need_shapes(const Times& t, const States& q, const States& v, const States& u, const States& p) const {
    const auto fits = [&](const States& table, int columns) {
      return table.shape(0) == t.size() && table.shape(1) == static_cast<std::size_t>(columns);
    };
    if (!fits(q, system_.ambient()) || !fits(v, system_.ambient()) || !fits(u, system_.inputs()) ||
        !fits(p, parameters()))
      throw std::invalid_argument(
          fmt::format("a state of {} has {} numbers in q and in v, {} inputs and {} parameters that vary",
                      system_.name(), system_.ambient(), system_.inputs(), parameters()));
  }

  System system_;
  std::vector<Column> columns_;
  std::mutex mutex_;
  std::optional<AmbientDerivatives> derivatives_;
};

}  // namespace

void bind_derivatives(nb::module_& m) {
  nb::class_<Derivative>(m, "Derivative", "How something changes with a state, in the numbers q and q' of the space.")
      .def_prop_ro(
          "point", [](const Derivative& one) { return array_of(one.point); }, nb::rv_policy::automatic, "By q.")
      .def_prop_ro(
          "velocity", [](const Derivative& one) { return array_of(one.velocity); }, nb::rv_policy::automatic, "By q'.")
      .def_prop_ro(
          "inputs", [](const Derivative& one) { return array_of(one.inputs); }, nb::rv_policy::automatic,
          "By the inputs.")
      .def_prop_ro(
          "parameters", [](const Derivative& one) { return array_of(one.parameters); }, nb::rv_policy::automatic,
          "By all numbers of all parameters, in their order.");
  nb::class_<AmbientDerivatives>(m, "Derivatives",
                                 "Exact derivatives of q'', along the space: gradients are tangent vectors.")
      .def(nb::init<const System&>(), nb::arg("system"), nb::call_guard<Unlocked>())
      .def(
          "acceleration",
          [](const AmbientDerivatives& derivatives, const State& state, const InputValues& u) {
            const VectorXd inputs = input_values_of(derivatives.system().model(), u);
            const Unlocked unlocked;
            return derivatives.acceleration(state, inputs);
          },
          nb::arg("state"), nb::arg("u") = nb::none(), "Of q'' at a state.")
      .def("with_", &AmbientDerivatives::with, nb::arg("system"), "The same for a system that with_ made of this one.");
  nb::class_<Accelerations>(m, "_Accelerations")
      .def(nb::init<const System&, const std::vector<std::string>&>(), nb::arg("system"), nb::arg("parameters"))
      .def_prop_ro("parameters", &Accelerations::parameters)
      .def("value", &Accelerations::value, nb::arg("t"), nb::arg("q"), nb::arg("v"), nb::arg("u"), nb::arg("p"))
      .def("jacobian", &Accelerations::jacobian, nb::arg("t"), nb::arg("q"), nb::arg("v"), nb::arg("u"), nb::arg("p"));
}

}  // namespace hamel::python
