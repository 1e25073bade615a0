#include "hamel/report/linear_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hamel/report/region_picture.hpp"
#include "hamel/report/words.hpp"
#include "report/film.hpp"
#include "report/linear_words.hpp"

namespace hamel {

namespace {

constexpr std::size_t most_modes = 60;  // in the table of a place

std::vector<ConservedMomentum> symmetries_of(const System& system, const LinearModel& linear) {
  return conserved_momenta(system.model().held(linear.inputs)).momenta;
}

std::string time_unit_of(const ModelFile& file) {
  const auto found =
      std::find_if(file.units.begin(), file.units.end(), [](const auto& one) { return one.first == "t"; });
  return found == file.units.end() ? "" : found->second;
}

ShownMode shown_mode(const LinearModel& model, const Mode& mode, bool closed) {
  const Eigenvalue& one = mode.eigenvalue;
  return {.re = one.value.real(),
          .im = one.value.imag(),
          .frequency = one.frequency(),
          .damping_ratio = one.damping_ratio(),
          .block = one.largest_block,
          .course = name(mode.course),
          .moves = what_moves(model, mode),
          .symmetry = mode.symmetry,
          .closed = closed};
}

// Each eigenvalue leads to the first mode of the same kind that belongs to it, or to its conjugate.
std::vector<PlaneMark> marks_of(const Spectrum& spectrum, const std::vector<ShownMode>& modes, bool closed,
                                const std::vector<std::string>& causes) {
  std::vector<PlaneMark> marks;
  const double near = 1e-9 * spectrum.rate;
  for (const Eigenvalue& one : spectrum.values) {
    PlaneMark mark{.re = std::abs(one.value.real()) <= near ? 0 : one.value.real(),
                   .im = std::abs(one.value.imag()) <= near ? 0 : one.value.imag(),
                   .count = one.algebraic,
                   .block = one.largest_block};
    for (std::size_t k = modes.size(); k-- > 0;)
      if (modes[k].closed == closed && std::hypot(modes[k].re - mark.re, modes[k].im - std::abs(mark.im)) <= near)
        mark.mode = static_cast<int>(k);
    if (mark.re == 0 && mark.im == 0) mark.cause = fmt::format("{}", fmt::join(causes, "; "));
    marks.push_back(mark);
  }
  return marks;
}

// A model, its modes, and which of the two loops they belong to.
struct Loop {
  LinearModel model;
  Spectrum spectrum;
  std::vector<Mode> modes;
  bool closed = false;
};

struct FilmPlan {
  std::vector<double> amplitudes;  // parts of the good one
  std::size_t modes = 0;           // that are drawn, of each place
};

// The table, and those modes of it that the film has room for.
void add_modes(ShownPlace& place, const Loop& loop, Film& film, const FilmPlan& plan) {
  const std::vector<double> good = film.good_amplitudes(loop.model, loop.modes);
  std::size_t drawn = 0;
  for (std::size_t k = 0; k < std::min(loop.modes.size(), most_modes); ++k) {
    ShownMode shown = shown_mode(loop.model, loop.modes[k], loop.closed);
    if (drawn < plan.modes && film.has_room(plan.amplitudes.size())) {
      for (const double part : plan.amplitudes)
        shown.clips.push_back(film.take(loop.model, loop.modes[k], part * good[k]));
      ++drawn;
    }
    place.modes.push_back(std::move(shown));
  }
}

ShownPlace shown_place(const std::string& name, const Stability& stability, double energy) {
  return {.name = name,
          .verdict = hamel::name(stability.verdict),
          .reason = stability.reason,
          .energy = energy,
          .family = stability.family};
}

double energy_at(const System& system, const LinearModel& linear) {
  return system.has_energies() ? energy(system, linear.at).total : 0;
}

Page bare_page(const ModelFile& file, const System& system, const std::string& subject) {
  return {.title = fmt::format("{}: {}", file.model.name(), subject),
          .description = file.description,
          .model_text = file.text,
          .time_unit = time_unit_of(file),
          .modes =
              ModesPart{.amplitudes = {"small", "medium", "large"}, .has_energy = system.has_energies(), .places = {}}};
}

const FilmPlan all_modes{.amplitudes = {0.3, 1, 2}, .modes = most_modes};

ShownPlace opened_place(const ExaminedPlace& place, const System& system, Film& film) {
  ShownPlace shown = shown_place(place.name, place.stability, energy_at(system, place.linear));
  shown.rest = film.rest(place.linear);
  const Spectrum& spectrum = place.stability.spectrum;
  add_modes(
      shown,
      {place.linear, spectrum, modes(place.linear, place.stability, symmetries_of(system, place.linear), most_modes)},
      film, all_modes);
  shown.open = marks_of(spectrum, shown.modes, false, place.stability.zero_modes);
  return shown;
}

// With the regulator.
Loop closed_loop(const LinearModel& model, const Regulator& regulator) {
  if (regulator.sample > 0) {
    const SampledLoop loop = sampled_loop(model, regulator.gain, regulator.sample);
    return {model, loop.rates, modes(model, loop, most_modes), true};
  }
  LinearModel closed = with_feedback(model, regulator.gain);
  Spectrum after = spectrum(closed);
  std::vector<Mode> all = modes(closed, after, {}, most_modes);
  return {std::move(closed), std::move(after), std::move(all), true};
}

}  // namespace

Page linear_page(const ModelFile& file, const System& system, const ExaminedPlace& place) {
  Page page = bare_page(file, system, "near " + place.name);
  Film film(file, system);
  page.modes->places = {opened_place(place, system, film)};
  page.facts_title = "The linear model";
  page.facts = linear_facts(system, place);
  page.equations = linear_equations(place.linear);
  std::move(film).show(page);
  return page;
}

Page control_page(const ModelFile& file, const System& system, const ExaminedPlace& place, const Reach& reach,
                  const Regulator& regulator) {
  Page page = bare_page(file, system, "a regulator for " + place.name);
  Film film(file, system);
  ShownPlace shown = opened_place(place, system, film);
  const Loop closed = closed_loop(place.linear, regulator);
  add_modes(shown, closed, film, all_modes);
  shown.closed = marks_of(closed.spectrum, shown.modes, true, {});
  page.modes->places = {std::move(shown)};
  page.facts_title = "The regulator";
  page.facts = control_facts(place, reach, regulator);
  page.tables = {gain_table(place.linear, regulator)};
  page.equations = linear_equations(place.linear);
  std::move(film).show(page);
  return page;
}

Page region_page(const ModelFile& file, const System& system, const ExaminedPlace& place, const Region& region) {
  Page page = linear_page(file, system, place);
  page.title = fmt::format("{}: what comes home to {}", file.model.name(), place.name);
  page.pictures.push_back({.title = "Region of attraction",
                           .svg = draw(region, fmt::format("Starts near {}", place.name)),
                           .caption = region.rule()});
  page.facts.push_back({"comes home", fmt::format("{} of {} starts", region.count(Fate::home),
                                                  region.starts.size() - region.count(Fate::not_tried))});
  return page;
}

Page equilibria_page(const ModelFile& file, const System& system, const Equilibria& all) {
  Page page = bare_page(file, system, "equilibria");
  page.modes->amplitudes = {"medium"};
  Film film(file, system);
  const std::size_t places = std::max<std::size_t>(1, all.found.size());
  const FilmPlan plan{.amplitudes = {1}, .modes = std::max<std::size_t>(1, most_modes * 2 / places)};
  for (const Equilibrium& one : all.found) {
    ShownPlace shown = shown_place(one.name, one.stability, one.energy);
    shown.rest = film.rest(one.linear);
    const Spectrum& spectrum = one.stability.spectrum;
    add_modes(shown, {one.linear, spectrum, modes(one.linear, one.stability, all.symmetries, most_modes)}, film, plan);
    shown.open = marks_of(spectrum, shown.modes, false, one.stability.zero_modes);
    page.modes->places.push_back(std::move(shown));
  }
  if (all.found.empty()) throw std::invalid_argument("there is no equilibrium to report: " + all.remark);
  page.facts_title = "The search";
  page.facts = {{"found", fmt::format("{} equilibri{}", all.found.size(), all.found.size() == 1 ? "um" : "a")},
                {"how complete", all.remark}};
  if (!file.source.empty()) page.facts.push_back({"source", file.source});
  std::move(film).show(page);
  return page;
}

}  // namespace hamel
