#include "hamel/analyze/control.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "command.hpp"
#include "console.hpp"
#include "describe.hpp"
#include "gallery.hpp"
#include "hamel/linear/product.hpp"
#include "hamel/record/output_file.hpp"
#include "hamel/report/linear_page.hpp"
#include "hamel/report/words.hpp"
#include "modes.hpp"
#include "place.hpp"

namespace hamel::cli {

namespace {

using Eigen::Index;

struct ControlOptions : Options {
  std::string model, at;
  SteadyOptions steady;
  std::vector<std::string> Q, R, noise, measured;  // name=number, name=[number, ...]
  double sample = 0;
  bool leave_out = false;
};

struct ControlFindings {
  std::string model, at;
  LinearModel linear;
  Reach controllable = {};
  std::optional<Regulator> regulator = {};
  std::string no_regulator = {};  // why
  std::optional<Reach> observable = {};
  std::optional<Filter> filter = {};
  std::string no_filter = {};
  Measurements measured = {};
  std::vector<ErrorCoordinate> errors = {};
};

double number(const std::string& text, const std::string& whole) {
  double value = 0;
  if (!CLI::detail::lexical_cast(text, value) || !std::isfinite(value))
    throw UsageError(fmt::format("a weight is a number or a list, name=8 or 'name=[8, 1]', got {}", whole));
  return value;
}

std::vector<Weight> weights_of(const std::vector<std::string>& texts) {
  std::vector<Weight> result;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      throw UsageError(fmt::format("a weight is name=value, got {}", text));
    std::string values = text.substr(equals + 1);
    if (values.front() == '[' && values.back() == ']') values = values.substr(1, values.size() - 2);
    std::vector<double> numbers;
    for (const std::string& part : CLI::detail::split(values, ','))
      numbers.push_back(number(CLI::detail::trim_copy(part), text));
    result.emplace_back(text.substr(0, equals),
                        Eigen::Map<const VectorXd>(numbers.data(), static_cast<Index>(numbers.size())));
  }
  return result;
}

// What is measured: outputs that change with the state. A distance to the equilibrium has no derivative there.
std::vector<Model::Named> smooth_outputs(const LinearModel& linear, const ModelFile& file) {
  std::vector<Model::Named> result;
  for (const Model::Named& output : file.outputs) {
    try {
      if (!measurements(linear, {output}).C.isZero(0)) result.push_back(output);  // else it shows inputs only
    } catch (const std::domain_error& error) {
      print_note(fmt::format("{}; it is left out", error.what()));
    }
  }
  return result;
}

ControlFindings examine_control(const ControlOptions& options, const ModelFile& file, const System& system) {
  if (system.inputs() == 0)
    throw std::runtime_error(
        fmt::format("{} has no inputs; name one in [inputs], and let a force use it", system.name()));
  const Linearization linearization(system);
  ControlFindings found{.model = file.model.name(), .at = {}, .linear = {}};
  if (options.steady.is_rest() && options.steady.inputs.empty()) {
    const NamedPlace place = place_named(options.at, file, system);
    found.at = place.name;
    found.linear = trimmed(linearization, place.state, place.moving);
  } else {
    const Equilibrium one = steady_motion_named(options.at, file, system, options.steady);
    found.at = one.name;
    found.linear = linearization.at(one.linear.at, one.linear.inputs, one.linear.moving);
  }
  found.controllable = controllability(found.linear);
  found.errors = errors(found.linear);
  const Weights weights{.states = weights_of(options.Q), .inputs = weights_of(options.R)};
  try {
    found.regulator = lqr(found.linear, weights, {.sample = options.sample, .leave_out = options.leave_out});
  } catch (const std::domain_error& error) {
    found.no_regulator = error.what();
  }
  if (!found.linear.moving.is_rest()) return found;  // measurements belong to rest
  const std::vector<Model::Named> outputs = smooth_outputs(found.linear, file);
  if (outputs.empty()) return found;
  found.measured = measurements(found.linear, outputs);
  found.observable = observability(found.linear, found.measured);
  try {
    found.filter = kalman(found.linear, found.measured,
                          {.states = weights_of(options.noise), .inputs = weights_of(options.measured)});
  } catch (const std::domain_error& error) {
    found.no_filter = error.what();
  }
  return found;
}

Json complex_json(Complex z) { return {{"re", z.real()}, {"im", z.imag()}}; }

Json spectrum_json(const VectorXcd& spectrum) {
  Json result = Json::array();
  for (const Complex z : spectrum) result.push_back(complex_json(z));
  return result;
}

Json hidden_json(const LinearModel& linear, const std::vector<HiddenDirection>& all) {
  Json result = Json::array();
  for (const HiddenDirection& hidden : all)
    result.push_back({{"eigenvalue", complex_json(hidden.eigenvalue)},
                      {"states", hidden.states},
                      {"words", hidden.words},
                      {"vectors", rows_json((linear.basis * hidden.along).transpose())}});
  return result;
}

Json reach_json(const LinearModel& linear, const Reach& reach, const char* decays) {
  return {{"states", reach.states},     {"reached", reach.reached},
          {"margin", reach.margin},     {"weakest", complex_json(reach.weakest)},
          {decays, reach.stabilizable}, {"hidden", hidden_json(linear, reach.hidden)}};
}

Json regulator_json(const ControlFindings& found) {
  const Regulator& regulator = *found.regulator;
  Json gains = Json::array();
  for (std::size_t k = 0; k < regulator.gains.size(); ++k)
    gains.push_back({{"coordinate", regulator.gains[k].name},
                     {"error", found.errors[k].error},
                     {"gain", rows_json(regulator.gains[k].point)},
                     {"rate", found.errors[k].rate},
                     {"rate_gain", rows_json(regulator.gains[k].rate)}});
  return {{"gains", gains},
          {"gain", rows_json(regulator.gain)},
          {"sample", regulator.sample},
          {"closed_loop", spectrum_json(regulator.closed_loop)},
          {"residual", regulator.residual},
          {"left_out", hidden_json(found.linear, regulator.left_out)}};
}

Json control_json(const ControlFindings& found) {
  Json result = {{"model", found.model},
                 {"at", found.at},
                 {"inputs", std::vector<double>(found.linear.inputs.begin(), found.linear.inputs.end())},
                 {"basis", rows_json(found.linear.basis)},
                 {"controllability", reach_json(found.linear, found.controllable, "stabilizable")}};
  result["regulator"] = found.regulator ? regulator_json(found) : Json{{"none", found.no_regulator}};
  if (!found.observable) return result;
  result["outputs"] = found.measured.names;
  result["observability"] = reach_json(found.linear, *found.observable, "detectable");
  result["filter"] = found.filter ? Json{{"gain", rows_json(found.filter->gain)},
                                         {"spectrum", spectrum_json(found.filter->spectrum)},
                                         {"residual", found.filter->residual}}
                                  : Json{{"none", found.no_filter}};
  return result;
}

std::string eigenvalue_text(Complex z) {
  const double small = 1e-9 * std::abs(z), im = std::abs(z.imag());
  if (im <= small) return brief(z.real());
  return std::abs(z.real()) <= small ? fmt::format("+-{} i", brief(im))
                                     : fmt::format("{} +- {} i", brief(z.real()), brief(im));
}

std::string reach_text(const Reach& reach) {
  return fmt::format("{} of {} states; margin {} at {}", reach.reached, reach.states, brief(reach.margin, 3),
                     eigenvalue_text(reach.weakest));
}

// A direction once, with all its eigenvalues.
void print_hidden(const Reach& reach, const char* verb) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const HiddenDirection& hidden : reach.hidden)
    for (const std::string& words : hidden.words) {
      const auto known = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == words; });
      if (known == all.end())
        all.emplace_back(words, eigenvalue_text(hidden.eigenvalue));
      else
        known->second += ", " + eigenvalue_text(hidden.eigenvalue);
    }
  constexpr std::size_t most = 8;
  for (std::size_t k = 0; k < std::min(most, all.size()); ++k)
    say_paragraph(fmt::format("{} {} (eigenvalue {})", verb, all[k].first, all[k].second));
  if (all.size() > most) say("... and {} more; --json has all\n", all.size() - most);
}

std::string component(const std::string& what, Index k, Index size) {
  if (size == 1) return what;
  const bool single = what.find(' ') == std::string::npos;
  const std::string whole = single ? what : "(" + what + ")";
  return size <= 3 ? fmt::format("{}.{}", whole, "xyz"[k]) : fmt::format("{}[{}]", whole, k + 1);
}

// A row for each component of an error, a column for each input, as far as 80 characters go.
void print_gains(const ControlFindings& found) {
  constexpr std::size_t line = 80, widest_number = 17;
  std::vector<std::string> names = input_names(*found.linear.at.model);
  std::size_t title = 20;
  for (const ErrorCoordinate& one : found.errors) title = std::max({title, one.error.size() + 6, one.rate.size() + 6});
  const std::size_t shown =
      std::min(names.size(), std::max<std::size_t>(1, (line - std::min(line, title)) / widest_number));
  std::vector<std::vector<std::string>> rows = {{"gain (u = u0 - K e)"}};
  for (std::size_t j = 0; j < shown; ++j) rows[0].push_back(names[j]);
  double largest = 0;
  for (const Gain& gain : found.regulator->gains)
    for (const MatrixXd* K : {&gain.point, &gain.rate})
      if (K->size() > 0) largest = std::max(largest, K->cwiseAbs().maxCoeff());
  const auto add = [&](const std::string& what, const MatrixXd& K) {
    for (Index k = 0; k < K.cols(); ++k) {
      if (K.col(k).cwiseAbs().maxCoeff() <= 1e-12 * largest) continue;
      std::vector<std::string> row = {component(what, k, K.cols())};
      for (std::size_t j = 0; j < shown; ++j) {
        const double entry = K(static_cast<Index>(j), k);
        row.push_back(brief(std::abs(entry) <= 1e-12 * largest ? 0 : entry, 9));
      }
      rows.push_back(row);
    }
  };
  for (std::size_t k = 0; k < found.errors.size(); ++k) add(found.errors[k].error, found.regulator->gains[k].point);
  for (std::size_t k = 0; k < found.errors.size(); ++k) add(found.errors[k].rate, found.regulator->gains[k].rate);
  say("\n");
  print_table(rows);
  if (names.size() > shown) say("... and {} more inputs; --json has all\n", names.size() - shown);
}

// Equal ones together, the slowest first.
void print_spectrum(const VectorXcd& spectrum, double sample) {
  std::vector<Complex> sorted;
  for (const Complex z : spectrum)
    if (z.imag() >= -1e-9 * std::abs(z)) sorted.push_back(z);
  const auto growth = [&](Complex z) { return sample > 0 ? std::abs(z) : z.real(); };
  std::sort(sorted.begin(), sorted.end(),
            [&](Complex a, Complex b) { return growth(a) != growth(b) ? growth(a) > growth(b) : a.imag() < b.imag(); });
  std::vector<std::vector<std::string>> rows = {
      {sample > 0 ? "closed loop, of a step" : "closed loop", "times", "damping"}};
  for (std::size_t k = 0; k < sorted.size();) {
    std::size_t end = k + 1;
    while (end < sorted.size() && std::abs(sorted[end] - sorted[k]) <= 1e-6 * std::abs(sorted[k])) ++end;
    const Complex rate = sample > 0 ? std::log(sorted[k]) / sample : sorted[k];
    rows.push_back({eigenvalue_text(sorted[k]), std::to_string(end - k), brief(-rate.real() / std::abs(rate), 3)});
    k = end;
  }
  say("\n");
  print_table(rows);
}

void report_control(const ControlOptions& options, const ModelFile& file, const System& system,
                    const ControlFindings& found) {
  if (!found.regulator) throw std::runtime_error("there is no regulator to report: " + found.no_regulator);
  const Model& model = system.model();
  const std::vector<ConservedMomentum> symmetries = conserved_momenta(model.held(found.linear.inputs)).momenta;
  const ExaminedPlace place{found.at, found.linear, stability(Linearization(system), found.linear, symmetries)};
  write_report(options.report, control_page(file, system, place, found.controllable, *found.regulator),
               options.overwrite);
  if (!options.json) say("\nreport  {}\n", options.report);
}

void print_control(const ControlFindings& found) {
  std::vector<std::pair<std::string, std::string>> facts = {
      {"model", found.model}, {found.linear.moving.is_rest() ? "equilibrium" : "steady motion", found.at}};
  facts.emplace_back("controllable", reach_text(found.controllable));
  if (found.observable) facts.emplace_back("observable", reach_text(*found.observable));
  print_facts(facts);
  if (found.linear.inputs.norm() > 0)
    say_paragraph("held by " + inputs_text(*found.linear.at.model, found.linear.inputs));
  print_hidden(found.controllable, "no input moves");
  if (found.observable) print_hidden(*found.observable, "no output shows");
  if (!found.regulator) {
    say("\n");
    say_paragraph("no regulator: " + found.no_regulator);
  } else {
    for (const HiddenDirection& out : found.regulator->left_out)
      say_paragraph(fmt::format("left out of the regulator: {}", fmt::join(out.words, "; ")));
    print_gains(found);
    print_spectrum(found.regulator->closed_loop, found.regulator->sample);
    say("residual of Riccati's equation {}\n", brief(found.regulator->residual, 2));
  }
  if (!found.no_filter.empty()) {
    say("\n");
    say_paragraph("no filter: " + found.no_filter);
  }
  if (found.filter)
    say("\nKalman filter of {} outputs: errors decay as exp({} t) (gain: --json)\n", found.measured.names.size(),
        brief(found.filter->spectrum.real().maxCoeff()));
}

}  // namespace

void add_control(CLI::App& program) {
  const auto options = std::make_shared<ControlOptions>();
  CLI::App* command = add_command(program, "control", "what inputs can do near an equilibrium, and a regulator for it",
                                  "  hamel control my-cart.toml --at inverted --Q x=8 --Q \"x'=8\" --R u=2\n"
                                  "  hamel control my-cart.toml --at inverted --sample 0.01 --json",
                                  *options);
  add_model_argument(*command, options->model, *options);
  add_place_option(*command, options->at);
  add_steady_options(*command, options->steady);
  const auto weights = [&](const char* name, std::vector<std::string>& texts, const char* what) {
    command->add_option(name, texts, what)->type_name("NAME=VALUE")->allow_extra_args(false);
  };
  weights("--Q", options->Q, "weight of the error of a coordinate, or of its rate: --Q x=8 --Q \"x'=8\"; default: 1");
  weights("--R", options->R, "weight of an input: --R u=2; default: 1");
  command->add_option("--sample", options->sample, "the inputs are held for so long")->check(positive_number());
  command->add_flag("--leave-out", options->leave_out,
                    "regulate the rest, where a mode that neither grows nor decays cannot be moved or has no weight");
  weights("--noise", options->noise, "of forces, for the filter: --noise \"x'=2\"; default: 1");
  weights("--measured", options->measured, "noise of an output, for the filter: --measured place=0.01; default: 1");
  add_report_option(*command, *options, "write a report with eigenvalues and moving modes to this HTML file");
  command->callback([options] {
    if (!options->report.empty()) need_output(options->report, options->overwrite, {model_path(options->model)});
    const ModelFile file = load_model(options->model, *options);
    const System system = derive(file.model.open());
    const ControlFindings found = examine_control(*options, file, system);
    if (options->json)
      print_json(control_json(found));
    else
      print_control(found);
    if (!options->report.empty()) report_control(*options, file, system, found);
  });
}

}  // namespace hamel::cli
