#include "hamel/record/file_sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "hamel/model/name_list.hpp"
#include "hamel/program/native.hpp"
#include "record/checksum.hpp"

namespace hamel {

namespace {

constexpr std::array<std::string_view, 3> words_of_states{"final", "energy", "momenta"};

bool is_word_of_states(const std::string& text) {
  return std::find(words_of_states.begin(), words_of_states.end(), text) != words_of_states.end();
}

std::string without_spaces(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// "max(F)", or "max (F)", is max and F, unless the parenthesis ends before the text does, or max has two arguments.
std::optional<std::string> inside_call(const std::string& text, const std::string& function) {
  const std::size_t open = text.find('(');
  if (open == std::string::npos || text.back() != ')' || without_spaces(text.substr(0, open)) != function)
    return std::nullopt;
  const std::string inner = text.substr(open + 1, text.size() - open - 2);
  int depth = 0;
  for (const char c : inner) {
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && --depth < 0) return std::nullopt;
    if (c == ',' && depth == 0) return std::nullopt;
  }
  return depth == 0 ? std::optional(without_spaces(inner)) : std::nullopt;
}

struct KeptText {
  std::string formula;
  Statistic statistic = Statistic::end;
};

// What is kept, as if no space had been typed around it.
std::vector<std::string> kept_texts(const SweepRequest& request) {
  std::vector<std::string> all;
  for (const std::string& text : request.keep) all.push_back(without_spaces(text));
  return all;
}

KeptText kept_text(const std::string& text) {
  for (const Statistic statistic :
       {Statistic::end, Statistic::max, Statistic::min, Statistic::mean, Statistic::drift, Statistic::series})
    if (const auto inner = inside_call(text, to_string(statistic))) return {*inner, statistic};
  return {text};
}

struct EventText {
  std::string name, formula;
  Crossing direction = Crossing::any;
};

EventText event_text(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw std::invalid_argument(
        fmt::format("an event is NAME=FORMULA, which happens where the formula is zero, got {}", text));
  const std::string name = without_spaces(text.substr(0, equals)), formula = without_spaces(text.substr(equals + 1));
  if (const auto inner = inside_call(formula, "rising")) return {name, *inner, Crossing::rising};
  if (const auto inner = inside_call(formula, "falling")) return {name, *inner, Crossing::falling};
  return {name, formula};
}

const Formula& asked_formula(const ModelFile& file, const std::string& text) {
  const auto found =
      std::find_if(file.asked.begin(), file.asked.end(), [&](const Model::Named& asked) { return asked.name == text; });
  if (found == file.asked.end())
    throw std::invalid_argument(fmt::format("the model file was read without the formula {}", text));
  return found->formula;
}

// Momenta of the first members must be those of the others: what is conserved may depend on what varies.
std::vector<ConservedMomentum> momenta_of(const System& system) {
  std::vector<ConservedMomentum> momenta = conserved_momenta(system.model()).momenta;
  if (momenta.empty())
    throw std::invalid_argument(
        fmt::format("{} has no conserved momenta to keep: leave out --keep momenta", system.name()));
  return momenta;
}

std::string joined(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, "; ")); }

std::string joined(const Overrides& overrides) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : overrides) texts.push_back(fmt::format("{} = {}", name, value));
  return joined(texts);
}

std::string list_text(const Vary& list) {
  Checksum sum;
  std::vector<double> row(list.width());
  for (std::uint64_t k = 0; k < list.members(); ++k) {
    list.row(k, row);
    sum.add(std::span<const double>(row));
  }
  return fmt::format("{} members, checksum {:016x}", list.members(), sum.value());
}

}  // namespace

std::vector<std::string> formulas_asked(const SweepRequest& request) {
  std::vector<std::string> all;
  const auto add = [&](const std::string& formula) {
    if (std::find(all.begin(), all.end(), formula) == all.end()) all.push_back(formula);
  };
  for (const std::string& text : kept_texts(request))
    if (!is_word_of_states(text)) add(kept_text(text).formula);
  for (const auto* events : {&request.events, &request.stops})
    for (const std::string& text : *events) add(event_text(text).formula);
  return all;
}

FileSweep::FileSweep(const ModelFile& file, const SweepRequest& request) {
  const System system = derive(file.model);
  make_vary(file, request, system);
  make_keep(file, request, system);
  const RunSection run = changed(file.run, request.run);
  members_.emplace(Members{.system = system,
                           .start = varied_starts(file, vary_),
                           .method = method_named(run.integrator, run.step, run.tolerance),
                           .until = run.until,
                           .starts_are_checked = true});
  make_header(file, request);
}

void FileSweep::make_vary(const ModelFile& file, const SweepRequest& request, const System& system) {
  vary_ = request.given;
  for (const std::string& text : request.vary) vary_ = vary_ * varied_grid(text);
  for (const std::string& path : request.lists) {
    const Vary list = varied_list(path);
    lists_.push_back(list_text(list));
    vary_ = vary_ * list;
  }
  if (request.samples.empty()) {
    if (request.members > 0)
      throw std::invalid_argument(
          "a number of members is for samples: --sample 'l ~ normal(1, 0.01)'; a grid has its own");
    return;
  }
  if (request.members == 0) throw std::invalid_argument("how many samples? --members 1000");
  std::vector<std::pair<std::string, Distribution>> all;
  for (const std::string& text : request.samples) all.push_back(sampled(text, file, system));
  vary_ = vary_ * samples(all, request.members, request.sampling);
  for (const auto& [name, distribution] : all)
    if (distribution.size > 1) need_steady_centre(file, name, vary_);  // only caps have several numbers
}

void FileSweep::make_keep(const ModelFile& file, const SweepRequest& request, const System& system) {
  for (const std::string& text : kept_texts(request)) {
    if (text == "final")
      keep_.final_state = true;
    else if (text == "energy")
      keep_.energy_drift = true;
    else if (text == "momenta")
      keep_.momenta = momenta_of(system);
    else
      keep_formula(file, text);
  }
  for (const std::string& text : request.events) keep_event(file, text, false);
  for (const std::string& text : request.stops) keep_event(file, text, true);
  if (!request.keep.empty() || !keep_.events.empty()) return;
  keep_.final_state = true;
  for (const Model::Named& output : file.outputs) keep_.formulas.push_back({output.name, output.formula});
}

void FileSweep::keep_formula(const ModelFile& file, const std::string& text) {
  const auto [formula, statistic] = kept_text(text);
  keep_.formulas.push_back({formula, asked_formula(file, formula), statistic});
}

void FileSweep::keep_event(const ModelFile& file, const std::string& text, bool terminal) {
  const auto [name, formula, direction] = event_text(text);
  keep_.events.push_back({name, asked_formula(file, formula), direction, terminal});
}

void FileSweep::make_header(const ModelFile& file, const SweepRequest& request) {
  header_.model_text = file.text;
  header_.model_name = file.model.name();
  header_.hamel_version = HAMEL_VERSION;
  header_.varied = vary_.columns();
  for (const Varied& varied : vary_.quantities()) header_.quantities.push_back(varied.name);
  header_.vary_texts = vary_.texts();
  header_.kept = kept_columns(*members_, vary_, keep_);
  header_.members = vary_.members();
  header_.sides = vary_.sides();
  header_.machine = this_machine();
  const auto say = [&](const char* name, const std::string& value) { header_.settings.emplace_back(name, value); };
  std::vector<std::string> parameters;
  for (const Parameter& parameter : file.model.parameters()) {
    std::vector<double> numbers(parameter.value.data(), parameter.value.data() + parameter.value.size());
    parameters.push_back(fmt::format("{} = {}", parameter.name, fmt::join(numbers, " ")));
  }
  say("parameters", joined(parameters));
  say("set", joined(file.overrides));
  say("start", joined(file.start_overrides));
  say("lists", joined(lists_));
  say("integrator", to_string(settings_of(members_->method)));
  say("until", fmt::format("{}", members_->until.t));
  say("every", fmt::format("{}", members_->until.every));
  say("halvings", fmt::format("{}", members_->until.halvings));
  if (!request.samples.empty())
    say("sampling", fmt::format("{}, seed {}", sampling_names()[static_cast<std::size_t>(request.sampling.sampling)],
                                request.sampling.seed));
  say("keep", joined(kept_texts(request)));
  say("events", joined(request.events));
  say("stops", joined(request.stops));
  std::vector<double> first(vary_.width());
  vary_.row(0, first);
  say("first member", fmt::format("{}", fmt::join(first, " ")));
}

}  // namespace hamel
