#include "hamel/model/parameters.hpp"

#include <algorithm>
#include <charconv>

#include "hamel/model/lower.hpp"
#include "hamel/model/model.hpp"
#include "model/refuse.hpp"

namespace hamel {

namespace {

Sequence entries_of(const Formula& formula, const Model& model) {
  Graph graph;
  const Graph::Scope scope(graph);
  LoweredModel lowered;
  lowered.parameters = graph.variables("parameter", static_cast<int>(parameter_values(model).size()));
  const MatrixXe entries = lower(formula, model, lowered);
  return {std::span(entries.data(), static_cast<std::size_t>(entries.size())), lowered.parameters};
}

Eigen::MatrixXd followed(const Sequence& formula, const Model& model, std::size_t slot) {
  const Parameter& parameter = model.parameters()[slot];
  const Eigen::VectorXd all = parameter_values(model);
  Eigen::MatrixXd value(parameter.value.rows(), parameter.value.cols());
  formula.run(std::span(all.data(), static_cast<std::size_t>(all.size())), value.data());
  if (!value.allFinite())
    refuse("the parameter {} = {} has no finite value for these parameters", parameter.name,
           model.origin(slot).formula->brief());
  return value;
}

// "l[2]" -> l and 2
std::pair<std::string, int> element_of(const std::string& name) {
  const std::size_t bracket = name.find('[');
  int index = 0;
  const char* const end = name.data() + name.size();
  if (bracket == std::string::npos) return {name, 0};
  const auto [stop, error] = std::from_chars(name.data() + bracket + 1, end, index);
  if (error != std::errc() || stop + 1 != end || *stop != ']' || index < 0) return {name, 0};
  return {name.substr(0, bracket), index};
}

}  // namespace

ParameterValue::ParameterValue(std::string parameter, double number)
    : name(std::move(parameter)), value(Eigen::MatrixXd::Constant(1, 1, number)) {}

ParameterValue::ParameterValue(std::string parameter, std::initializer_list<double> vector)
    : name(std::move(parameter)),
      value(Eigen::Map<const Eigen::VectorXd>(vector.begin(), static_cast<Eigen::Index>(vector.size()))) {}

ParameterRules::ParameterRules(const Model& model) {
  for (const std::size_t slot : model.derived_parameters())
    rules_.push_back({slot, entries_of(*model.origin(slot).formula, model)});
}

Eigen::MatrixXd value_of(const Formula& formula, const Model& model) {
  Graph graph;
  const Graph::Scope scope(graph);
  LoweredModel lowered;
  for (const double value : parameter_values(model)) lowered.parameters.emplace_back(value);
  const MatrixXe entries = lower(formula, model, lowered);
  return entries.unaryExpr([](Expr entry) { return entry.value(); });
}

Formula Model::derived_parameter(const std::string& name, const Formula& formula) {
  need_own_symbols(formula);
  if (!formula.depends_on(Role::parameter))
    refuse("the parameter {} is no formula of parameters: give it a value", name);
  const Formula symbol = parameter(name, Eigen::MatrixXd::Zero(formula.rows(), formula.cols()).eval());
  follow(name, formula);
  return symbol;
}

std::size_t Model::slot_of(const std::string& parameter) const {
  const auto found =
      std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& p) { return p.name == parameter; });
  if (found != parameters_.end()) return static_cast<std::size_t>(found - parameters_.begin());
  std::vector<std::string> names;
  for (const Parameter& known : parameters_) names.push_back(known.name);
  refuse("{} has no parameter {}; there are {}", name_, parameter, fmt::join(names, ", "));
}

void Model::follow(const std::string& parameter, const Formula& formula) {
  const std::size_t slot = slot_of(parameter);
  Eigen::MatrixXd& value = parameters_[slot].value;
  for (const Role role : {Role::coordinate, Role::momentum, Role::input, Role::time})
    if (formula.depends_on(role))
      refuse("the parameter {} may depend on other parameters only, got {}", parameter, formula.brief());
  if (formula.rows() != value.rows() || formula.cols() != value.cols())
    refuse("the parameter {} is {}x{}, and cannot follow {}", parameter, value.rows(), value.cols(), formula.quoted());
  origins_[slot].formula = formula;
  value = followed(entries_of(formula, *this), *this, slot);
  derived_.push_back(slot);
}

void Model::fix(const std::string& parameter, const std::string& why) {
  if (std::string& fixed_by = origins_[slot_of(parameter)].fixed_by; fixed_by.empty()) fixed_by = why;
}

// One element of a parameter, or all of it.
void Model::set(const ParameterValue& given, bool whole) {
  const auto [name, index] = whole ? std::pair(given.name, 0) : element_of(given.name);
  const std::size_t slot = slot_of(name);
  Eigen::MatrixXd& old = parameters_[slot].value;
  Eigen::MatrixXd value = whole ? given.value : old;
  if (!whole) {
    const Eigen::Index element = index - first_index_;
    if (element < 0 || element >= value.size())
      refuse("{} has no [{}]: its indices are {} to {}", name, index, first_index_, value.size() - 1 + first_index_);
    if (given.value.size() != 1) refuse("{} is a number, got {} numbers", given.name, given.value.size());
    value(element) = given.value(0);
  }
  if (value.rows() != old.rows() || value.cols() != old.cols())
    refuse("the parameter {} is {}x{}, got {}x{}: its size cannot change without making the model anew", name,
           old.rows(), old.cols(), value.rows(), value.cols());
  if (!value.allFinite()) refuse("the value of parameter {} must be finite, not nan or inf", name);
  ParameterOrigin& origin = origins_[slot];
  if (!origin.fixed_by.empty() && value != old)
    refuse("the parameter {} cannot change: {} was made from its value; make or read the model anew, with that value",
           name, origin.fixed_by);
  old = value;
  if (origin.formula) std::erase(derived_, slot);
  origin.formula.reset();
}

Model Model::with(const ParameterValues& values) const { return with(values, ParameterRules(*this)); }

Model Model::with(const ParameterValues& values, const ParameterRules& rules) const {
  Model result = *this;
  const auto follow_rules = [&] {
    for (const auto& [slot, formula] : rules.rules_)
      if (result.origins_[slot].formula) result.parameters_[slot].value = followed(formula, result, slot);
  };
  const auto is_whole = [&](const ParameterValue& value) {
    return std::any_of(parameters_.begin(), parameters_.end(),
                       [&](const Parameter& p) { return p.name == value.name; });
  };
  for (const bool whole : {true, false}) {  // an element is one of what the others make of its parameter
    bool any = false;
    for (const ParameterValue& value : values)
      if (is_whole(value) == whole) {
        result.set(value, whole);
        any = true;
      }
    if (any) follow_rules();
  }
  result.check_bodies();
  return result;
}

}  // namespace hamel
