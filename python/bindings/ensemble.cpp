#include "hamel/ensemble/ensemble.hpp"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "arrays.hpp"
#include "bindings.hpp"
#include "convert.hpp"
#include "ensemble.hpp"
#include "hamel/integrate/request.hpp"
#include "hamel/model/name_list.hpp"
#include "interrupt.hpp"

namespace hamel::python {

namespace {

using KeptArgument = std::tuple<std::string, FormulaLike, std::string>;           // name, formula, statistic
using EventArgument = std::tuple<std::string, FormulaLike, std::string, bool>;    // name, formula, direction, terminal
using ShapeOfKept = std::tuple<std::string, std::vector<std::size_t>, int, int>;  // name, columns, rows, cols

Statistic statistic_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Statistic one :
       {Statistic::end, Statistic::max, Statistic::min, Statistic::mean, Statistic::drift, Statistic::series}) {
    if (name == to_string(one)) return one;
    names.push_back(to_string(one));
  }
  throw std::invalid_argument(
      fmt::format("there is no statistic {}: there are {}{}", name, name_list(names), suggestion(name, names)));
}

Keep keep_of(const System& system, const std::vector<std::string>& words, const std::vector<KeptArgument>& formulas,
             const std::vector<EventArgument>& events) {
  Keep keep;
  for (const std::string& word : words) {
    if (word == "final")
      keep.final_state = true;
    else if (word == "energy")
      keep.energy_drift = true;
    else if (word == "momenta")
      keep.momenta = conserved_momenta(system.model()).momenta;
    else
      throw std::invalid_argument(fmt::format(
          "there is no {} to keep: there are final, energy and momenta, and hm.Keep(name, formula) for formulas",
          word));
  }
  for (const auto& [name, formula, statistic] : formulas)
    keep.formulas.push_back({name, formula_of(formula, name), statistic_named(statistic)});
  for (const auto& [name, formula, direction, terminal] : events)
    keep.events.push_back({name, formula_of(formula, name), crossing_named(direction), terminal});
  return keep;
}

EnsemblePlan plan_of(const System& system, const State& start, const std::string& method, double until, double step,
                     double tolerance, double every, int halvings, const Vary& vary,
                     const std::vector<std::string>& words, const std::vector<KeptArgument>& formulas,
                     const std::vector<EventArgument>& events) {
  if (start.q.size() != system.ambient())
    throw std::invalid_argument(fmt::format("this is a state of another system: it has {} numbers, and {} has {}",
                                            start.q.size(), system.name(), system.ambient()));
  Keep keep = keep_of(system, words, formulas, events);
  const Method chosen = method_named(method, step, tolerance);
  const Members members{
      system, starts_from(start, system.model(), vary), chosen, {.t = until, .every = every, .halvings = halvings}};
  std::vector<KeptColumn> columns = kept_columns(members, vary, keep);
  return {nullptr, members, vary, std::move(keep), std::move(columns)};
}

// Formulas of more than one number, and where their numbers are among the columns.
std::vector<ShapeOfKept> shapes_of(const EnsemblePlan& plan) {
  std::vector<ShapeOfKept> shapes;
  for (const KeptFormula& kept : plan.keep.formulas) {
    const std::string end = " " + to_string(kept.statistic);
    std::vector<std::size_t> places;
    for (const std::string& name : component_names(kept.name, kept.formula.rows(), kept.formula.cols()))
      for (std::size_t k = 0; k < plan.columns.size(); ++k)
        if (plan.columns[k].name == name + end) places.push_back(k);
    shapes.emplace_back(kept.name + end, places, kept.formula.rows(), kept.formula.cols());
  }
  return shapes;
}

nb::tuple rows_of_members(const EnsemblePlan& plan, std::uint64_t first, std::uint64_t last, unsigned threads,
                          const nb::object& progress) {
  using Clock = std::chrono::steady_clock;
  constexpr auto interval = std::chrono::milliseconds(50);
  last = std::min(last, plan.vary.members());
  const std::uint64_t count = last - std::min(first, last);
  Eigen::Index width = 0, done = 0;
  for (const KeptColumn& column : plan.columns) width += static_cast<Eigen::Index>(column.size);
  RowMatrix varied(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(plan.vary.width()));
  RowMatrix kept(static_cast<Eigen::Index>(count), width);
  std::vector<std::pair<std::uint64_t, std::string>> failures;
  Clock::time_point next = Clock::now();
  interruptible([&](const std::atomic<bool>& stop) {
    const Where where{.threads = threads, .first = first, .last = last, .stop = &stop};
    return ensemble(plan.members, plan.vary, plan.keep, where, [&](const EnsembleChunk& chunk) {
      varied.middleRows(done, chunk.varied.rows()) = chunk.varied;
      kept.middleRows(done, chunk.kept.rows()) = chunk.kept;
      done += chunk.kept.rows();
      for (const MemberFailure& failure : chunk.failures) failures.emplace_back(failure.member, failure.why);
      const bool is_last = done == kept.rows();
      if (progress.is_none() || (Clock::now() < next && !is_last)) return;
      next = Clock::now() + interval;
      const nb::gil_scoped_acquire acquire;
      progress(static_cast<double>(done));
    });
  });
  return nb::make_tuple(array_of_rows(std::move(varied)), array_of_rows(std::move(kept)), failures);
}

}  // namespace

void bind_ensembles(nb::module_& m) {
  nb::class_<EnsemblePlan>(m, "_EnsemblePlan")
      .def_ro("vary", &EnsemblePlan::vary)
      .def_prop_ro("system", [](const EnsemblePlan& plan) { return plan.members.system; })
      .def_prop_ro("has_state", [](const EnsemblePlan& plan) { return plan.keep.final_state; })
      .def_prop_ro("columns",
                   [](const EnsemblePlan& plan) {
                     std::vector<std::pair<std::string, std::size_t>> all;
                     for (const auto& [name, size] : plan.columns) all.emplace_back(name, size);
                     return all;
                   })
      .def_prop_ro("shapes", shapes_of)
      .def("rows", rows_of_members, nb::arg("first"), nb::arg("last"), nb::arg("threads"), nb::arg("progress").none());
  m.def("_ensemble", plan_of, nb::arg("system"), nb::arg("start"), nb::arg("method"), nb::arg("until"), nb::arg("step"),
        nb::arg("tolerance"), nb::arg("every"), nb::arg("halvings"), nb::arg("vary"), nb::arg("words"),
        nb::arg("formulas"), nb::arg("events"));
}

}  // namespace hamel::python
