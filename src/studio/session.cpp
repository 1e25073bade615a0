#include "studio/session.hpp"

#include <fmt/format.h>

#include "hamel/analyze/equilibria.hpp"
#include "hamel/export/c_source.hpp"
#include "hamel/integrate/stepper.hpp"
#include "hamel/mechanics/dynamics.hpp"
#include "hamel/record/file_run.hpp"
#include "hamel/report/columns.hpp"
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

// Only a method itself can say why it is not for a system. To ask where nothing speaks against it would take a
// derivation each.
std::string refusal_of(const System& system, const MethodInfo& info) {
  const bool doubtful = (info.needs_energies && !system.has_energies()) ||
                        (info.needs_lagrangian && system.has_hamiltonian()) || info.needs_group;
  if (!doubtful) return {};
  try {
    make_stepper(system, method_named(info.name, info.takes_step ? 0.01 : 0, info.takes_step ? 0 : 1e-9));
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

Json methods_json(const System& system) {
  Json all = Json::array();
  for (const MethodInfo& method : methods()) {
    Json one = {{"name", method.name},
                {"order", method.order},
                {"keeps", keeps(method)},
                {"takes_step", method.takes_step},
                {"takes_tolerance", method.takes_tolerance}};
    if (const std::string why = refusal_of(system, method); !why.empty()) one["refused"] = why;
    all.push_back(one);
  }
  return all;
}

Json vector_json(const Eigen::Vector3d& x) { return {x.x(), x.y(), x.z()}; }

Eigen::Vector3d vector_of(const Json& list) {
  if (!list.is_array() || list.size() != 3) throw std::invalid_argument("a place in the picture has three numbers");
  return {list[0].get<double>(), list[1].get<double>(), list[2].get<double>()};
}

Json grips_json(const Grasp& grasp, const State& state) {
  Json all = Json::array();
  for (const Grip& grip : grasp.grips(state))
    all.push_back({{"name", grip.name},
                   {"turns", grip.turns},
                   {"at", vector_json(grip.at)},
                   {"velocity", vector_json(grip.velocity)}});
  return all;
}

const std::map<std::string, Form> form_names = {
    {"velocity", Form::velocity}, {"omega", Form::omega}, {"mu", Form::mu}, {"pi", Form::pi}};

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
  system_.reset(), as_derived_.reset(), symmetries_.reset(), grasp_.reset();
  changed_ = Json::object();
  last_start_ = {Json::object(), file.start};
  as_read_ = std::move(file);
  file_ = as_read_;
  return {{"name", file_->model.name()},     {"description", file_->description},     {"source", file_->source},
          {"space", space_of(file_->model)}, {"parameters", parameters_json(*file_)}, {"run", run_json(file_->run)},
          {"remarks", file_->remarks}};
}

Json Session::with(const Json& request) {
  file();
  const Json parameters = request.value("parameters", Json::object());
  const StartValues start = start_with(request.value("start", Json::object()));
  if (parameters != changed_) change(parameters);
  runs_.clear();
  file_->start = start;
  return {{"parameters", parameters_json(*file_)}};
}

void Session::change(const Json& parameters) {
  ParameterValues values;
  for (const auto& [name, value] : parameters.items()) values.emplace_back(name, value.get<double>());
  system();
  const System system = values.empty() ? *as_derived_ : as_derived_->with(values);
  ModelFile file = *as_read_;
  if (!values.empty()) file.model = file.model.with(values);
  runs_.clear();
  file_ = std::move(file);
  system_ = system;
  symmetries_.reset(), grasp_.reset();
  changed_ = parameters;
}

StartValues Session::start_with(const Json& entries) {
  if (last_start_.first == entries) return last_start_.second;
  Overrides start;
  for (const auto& [key, text] : entries.items()) start.emplace_back(key, text.get<std::string>());
  last_start_ = {entries,
                 start.empty() ? as_read_->start : parse_model(as_read_->text, as_read_->path, {}, start).start};
  return last_start_.second;
}

const Grasp& Session::holds() {
  if (!grasp_) grasp_.emplace(file());
  return *grasp_;
}

Json Session::grasp(const Json& request) {
  ModelFile file = this->file();
  Json entries = request.value("start", Json::object());
  file.start = start_with(entries);
  std::vector<std::string> remarks;
  State state = start_state(file, system(), remarks);
  if (request.contains("pull")) {
    const Json& pull = request["pull"];
    const auto grip = pull.at("grip").get<std::size_t>();
    const Eigen::Vector3d to = vector_of(pull.at("to"));
    const State next = pull.value("velocity", false) ? holds().pushed(system(), state, grip, to)
                                                     : holds().pulled(system(), state, grip, to);
    for (const auto& [key, text] : start_entries(file, system(), state, next)) entries[key] = text;
    file.start = start_with(entries);
    state = start_state(file, system(), remarks);
  }
  return {{"start", entries},
          {"grips", grips_json(holds(), state)},
          {"left_out", holds().left_out()},
          {"pushes", system().has_energies()}};
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
  const Model& model = file().model;
  const TextbookEquations found = textbook_equations(model, form_names.at(request.at("form").get<std::string>()));
  Json latex_lines = lines(found, Notation::latex), energies = Json::array();
  for (std::size_t k = 0; k < model.inputs().size(); ++k)
    if (const std::optional<Formula>& law = model.inputs()[k].law)
      latex_lines.push_back(latex(model.input_symbol(k)) + " = " + latex(*law));
  for (const NamedFormula& energy : energies_of(model)) energies.push_back(energy.latex);
  return {{"latex", latex_lines}, {"energies", energies}, {"reason", found.reason}};
}

Json Session::code(const Json& request) {
  return {{"c", c_source(file().model, form_names.at(request.at("form").get<std::string>()))}};
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

std::string Session::report(const Json& request) { return page_data(page_of(run(request).record(), file())); }

std::string Session::columns(const Json& request) { return columns_data(run(request).record(), file(), system()); }

Json Session::end(const Json& request) {
  runs_.erase(request.at("run").get<int>());
  return Json::object();
}

}  // namespace hamel::studio
