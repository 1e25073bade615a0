// What notebooks show: formulas of a model, and the data of viewer.html.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "hamel/report/draw.hpp"
#include "hamel/report/energies.hpp"
#include "hamel/report/linear_page.hpp"
#include "hamel/report/page.hpp"
#include "hamel/report/view_options.hpp"
#include "hamel/report/words.hpp"
#include "interrupt.hpp"
#include "motion.hpp"

namespace hamel::python {

namespace {

const PageLimits most_in_a_cell{.bytes = 400'000, .frames = 1'500};

ModelFile file_of(const System& system, const ModelFile* file) {
  if (file) return *file;
  return {.path = {}, .text = {}, .model = system.model()};
}

std::string time_unit_of(const ModelFile& file) {
  for (const auto& [name, unit] : file.units)
    if (name == "t") return unit;
  return {};
}

using Links = std::vector<std::tuple<std::string, std::string, std::string>>;  // from, to, style

LinkStyle style_named(const std::string& name) {
  if (name == "rod") return LinkStyle::rod;
  if (name == "spring") return LinkStyle::spring;
  if (name == "string") return LinkStyle::string;
  throw std::invalid_argument(fmt::format("there is no style {} of links: use rod, spring or string", name));
}

// Empty where there is nothing to be drawn.
std::string motion_data(const System& system, const ModelFile* file, const Times& t, const States& q, const States& v,
                        const Links& links, const std::vector<std::string>& hidden) {
  const Unlocked unlocked;
  const ModelFile drawn = file_of(system, file);
  Page page{.title = system.name(), .recorded = t.size(), .time_unit = time_unit_of(drawn)};
  std::vector<State> states;
  for (const std::size_t k : chosen_frames(t.size(), most_in_a_cell.frames)) {
    states.push_back(state_at(t, q, v, k));
    page.time.push_back(states.back().t);
  }
  ViewOptions options = view_options(drawn.view);
  for (const auto& [from, to, style] : links) options.links.push_back({from, to, style_named(style)});
  options.hidden.insert(options.hidden.end(), hidden.begin(), hidden.end());
  page.scene = scene_of(system.model(), states, options);
  return page.scene.objects.empty() ? "" : page_data(page, most_in_a_cell);
}

std::string modes_data(const std::string& name, const LinearModel& linear) {
  if (!linear.at.model) throw std::invalid_argument("this linear model does not know its system, and cannot be drawn");
  const Unlocked unlocked;
  const System system = derive(*linear.at.model);
  const auto symmetries = conserved_momenta(system.model().held(linear.inputs)).momenta;
  const Stability found = stability(Linearization(system), linear, symmetries);
  const Page page = linear_page(file_of(system, nullptr), system, {name, linear, found});
  return page.scene.objects.empty() ? "" : page_data(page, {.bytes = 4'000'000, .frames = 20'000});
}

// None of those that nobody would read.
std::optional<std::vector<std::pair<std::string, std::string>>> energies(const Model& model) {
  constexpr std::size_t most_summands = 100;
  std::size_t terms = 0;
  for (const auto* each : {&model.kinetic_terms(), &model.potential_terms(), &model.lagrangian_terms(),
                           &model.hamiltonian_terms(), &model.dissipation_terms()})
    terms += summands(*each).size();
  if (terms > most_summands) return {};
  std::vector<std::pair<std::string, std::string>> lines;
  for (const NamedFormula& one : energies_of(model)) lines.emplace_back(one.text, one.latex);
  return lines;
}

}  // namespace

void bind_pages(nb::module_& m) {
  m.def("_energies_of", energies, nb::arg("model"), nb::call_guard<Unlocked>(),
        "The energies of a model as equations: (text, LaTeX).");
  m.def("_space_of", &space_of, nb::arg("model"), "The configuration space in words: R2 x S2^5.");
  m.def("_motion_data", motion_data, nb::arg("system"), nb::arg("file").none(), nb::arg("t"), nb::arg("q"),
        nb::arg("v"), nb::arg("links"), nb::arg("hidden"),
        "A motion as viewer.html reads it; empty where there is nothing to draw.");
  m.def("_modes_data", modes_data, nb::arg("name"), nb::arg("linear"),
        "The modes of a linear model as viewer.html reads them.");
}

}  // namespace hamel::python
