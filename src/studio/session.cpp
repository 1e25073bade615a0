#include "studio/session.hpp"

#include <fmt/format.h>

#include "hamel/analyze/equilibria.hpp"
#include "hamel/integrate/stepper.hpp"
#include "hamel/mechanics/dynamics.hpp"
#include "hamel/record/file_run.hpp"
#include "hamel/report/energies.hpp"
#include "hamel/report/linear_page.hpp"
#include "hamel/report/run_page.hpp"
#include "hamel/report/view_options.hpp"
#include "hamel/report/words.hpp"
#include "hamel/textbook/textbook.hpp"

namespace hamel::studio {

namespace {

Json numbers(const MatrixXd& value) {
  Json list = Json::array();
  for (const double number : value.reshaped()) list.push_back(number);
  return list;
}

Json parameters_json(const ModelFile& file) {
  Json all = Json::array();
  const Model& model = file.model;
  for (std::size_t k = 0; k < model.parameters().size(); ++k) {
    const Parameter& parameter = model.parameters()[k];
    const ParameterOrigin& origin = model.origin(k);
    Json one = {{"name", parameter.name},
                {"rows", parameter.value.rows()},
                {"cols", parameter.value.cols()},
                {"value", numbers(parameter.value)}};
    if (origin.formula) one["formula"] = origin.formula->to_string();
    if (!origin.fixed_by.empty()) one["fixed"] = origin.fixed_by;
    for (const auto& [name, unit] : file.units)
      if (name == parameter.name) one["unit"] = unit;
    all.push_back(one);
  }
  return all;
}

Json run_json(const RunSection& run) {
  return {{"integrator", run.integrator},
          {"step", run.step},
          {"tolerance", run.tolerance},
          {"until", run.until.t},
          {"every", run.until.every}};
}

RunSection section_of(const ModelFile& file, const Json& request) {
  RunChanges changes{.integrator = request.value("integrator", ""),
                     .step = request.value("step", 0.0),
                     .tolerance = request.value("tolerance", 0.0),
                     .until = request.value("until", 0.0),
                     .every = request.value("every", 0.0)};
  RunSection run = changed(file.run, changes);
  const MethodInfo* method = find_method(run.integrator);
  if (method == nullptr) throw std::invalid_argument(fmt::format("{} is no integrator", run.integrator));
  if (!method->takes_step || run.tolerance > 0) run.step = 0;
  return run;
}

// What a method keeps, in the words of docs/choosing-an-integrator.md.
std::string keeps(const MethodInfo& method) {
  if (method.symplectic && method.keeps_manifold) return "manifold, momenta; energy in a band";
  if (method.symplectic) return "momenta; energy in a band";
  return method.keeps_manifold ? "manifold" : "nothing exactly";
}

// Whether a group acts on every factor only the method itself can say. For others that would take a derivation each.
bool has_group(const System& system, const MethodInfo& info) {
  try {
    return make_stepper(system, method_named(info.name, 0.01, 0)) != nullptr;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

bool is_for(const System& system, const MethodInfo& info) {
  if (info.needs_energies && !system.has_energies()) return false;
  if (info.needs_lagrangian && system.has_hamiltonian()) return false;
  return !info.needs_group || has_group(system, info);
}

Json methods_json(const System& system) {
  Json all = Json::array();
  for (const MethodInfo& method : methods())
    if (is_for(system, method))
      all.push_back({{"name", method.name},
                     {"order", method.order},
                     {"keeps", keeps(method)},
                     {"takes_step", method.takes_step},
                     {"takes_tolerance", method.takes_tolerance}});
  return all;
}

Json momenta_json(const NoetherReport& found) {
  Json all = Json::array();
  for (const ConservedMomentum& momentum : found.momenta)
    all.push_back({{"name", momentum.name},
                   {"generator", momentum.generator},
                   {"formula", momentum.formula},
                   {"exact_for_variational", momentum.exact_for_variational}});
  return all;
}

}  // namespace

const ModelFile& Session::file() const {
  if (!file_) throw std::invalid_argument("no model has been read");
  return *file_;
}

const System& Session::system() {
  if (!as_derived_) as_derived_ = derive(file().model);
  if (!system_) system_ = as_derived_;
  return *system_;
}

const NoetherReport& Session::symmetries() {
  if (!symmetries_) symmetries_ = conserved_momenta(file().model);
  return *symmetries_;
}

LiveRun& Session::run(const Json& request) {
  const auto found = runs_.find(request.at("run").get<int>());
  if (found == runs_.end()) throw std::invalid_argument("there is no such run");
  return *found->second;
}

Json Session::read(const Json& request) {
  ModelFile file = parse_model(request.at("text").get<std::string>(), request.value("name", "model.toml"));
  check_view(file);
  runs_.clear();
  system_.reset(), as_derived_.reset(), symmetries_.reset();
  as_read_ = std::move(file);
  file_ = as_read_;
  return {{"name", file_->model.name()},     {"description", file_->description},     {"source", file_->source},
          {"space", space_of(file_->model)}, {"parameters", parameters_json(*file_)}, {"run", run_json(file_->run)},
          {"remarks", file_->remarks}};
}

Json Session::with(const Json& request) {
  file();
  ParameterValues values;
  for (const auto& [name, value] : request.at("parameters").items()) values.emplace_back(name, value.get<double>());
  system();
  const System system = values.empty() ? *as_derived_ : as_derived_->with(values);
  ModelFile file = *as_read_;
  if (!values.empty()) file.model = file.model.with(values);
  runs_.clear();
  file_ = std::move(file);
  system_ = system;
  symmetries_.reset();
  return {{"parameters", parameters_json(*file_)}};
}

Json Session::examine(const Json&) {
  const System& derived = system();
  std::vector<std::string> remarks;
  start_state(file(), derived, remarks);
  return {{"degrees_of_freedom", derived.degrees_of_freedom()},
          {"path", derived.dynamics().kind()},
          {"energy_conserved", derived.is_conservative() || symmetries().energy_conserved},
          {"momenta", momenta_json(symmetries())},
          {"undecided", symmetries().undecided},
          {"methods", methods_json(derived)},
          {"remarks", remarks}};
}

Json Session::equations(const Json& request) {
  static const std::map<std::string, Form> forms = {
      {"velocity", Form::velocity}, {"omega", Form::omega}, {"mu", Form::mu}, {"pi", Form::pi}};
  const Model& model = file().model;
  const TextbookEquations found = textbook_equations(model, forms.at(request.at("form").get<std::string>()));
  Json latex_lines = lines(found, Notation::latex), energies = Json::array();
  for (std::size_t k = 0; k < model.inputs().size(); ++k)
    if (const std::optional<Formula>& law = model.inputs()[k].law)
      latex_lines.push_back(latex(model.input_symbol(k)) + " = " + latex(*law));
  for (const NamedFormula& energy : energies_of(model)) energies.push_back(energy.latex);
  return {{"latex", latex_lines}, {"energies", energies}, {"reason", found.reason}};
}

Json Session::equilibria(const Json&) {
  refuse_large(file().model, !file().equilibria.empty());
  EquilibriaOptions options;
  std::vector<std::string> remarks;
  for (const EquilibriumFinding& claimed : examine_equilibria(file(), system(), remarks)) {
    options.known.emplace_back(claimed.name, claimed.state.q);
    options.t = claimed.state.t;
  }
  const Equilibria all = hamel::equilibria(system(), options);
  Json answer = {{"count", all.found.size()}, {"remark", all.remark}};
  answer["page"] = all.found.empty() ? Json() : Json::parse(page_data(equilibria_page(file(), system(), all)));
  return answer;
}

Session::Beginning Session::beginning(const Json& request) {
  const RunSection section = section_of(file(), request);
  std::vector<std::string> remarks;
  const State start = start_state(file(), system(), remarks);
  if (!(section.until.t > start.t))
    throw std::invalid_argument(section.until.t == 0 ? "until when? Say so in [run]: until = 10"
                                                     : "the end of the run is not after its start");
  return {section, method_named(section.integrator, section.step, section.tolerance), start, remarks};
}

Json Session::begin(const Json& request) {
  const auto [section, method, start, remarks] = beginning(request);
  const int id = request.at("run").get<int>();
  runs_.erase(id);
  runs_.emplace(id, std::make_unique<LiveRun>(file(), system(), symmetries(), start, method, section.until));
  return {{"settings", run_json(section)}, {"remarks", remarks}};
}

Json Session::advance(const Json& request) {
  LiveRun& live = run(request);
  const bool goes_on = live.advance(request.value("milliseconds", 20.0));
  Json answer = {{"goes_on", goes_on}, {"fraction", live.fraction()}};
  if (!live.failure().empty()) answer["failure"] = live.failure();
  return answer;
}

Json Session::final(const Json& request) {
  const State last = run(request).record().summary.final;
  return {{"t", last.t}, {"q", numbers(last.q)}, {"v", numbers(last.v)}};
}

std::string Session::page(const Json& request) { return page_data(motion_page(run(request).record(), file())); }

Json Session::end(const Json& request) {
  runs_.erase(request.at("run").get<int>());
  return Json::object();
}

}  // namespace hamel::studio
