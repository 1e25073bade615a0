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

// "l[2]" -> l and 2; "K[1, 2]" -> K, 1 and 2
std::pair<std::string, std::vector<int>> name_and_index(const std::string& name) {
  const std::size_t bracket = name.find('[');
  if (bracket == std::string::npos) return {name, {}};
  std::vector<int> index;
  const char *next = name.data() + bracket + 1, *const end = name.data() + name.size();
  const auto after_blanks = [end](const char* at) { return std::find_if(at, end, [](char c) { return c != ' '; }); };
  for (char separator = ','; separator == ',' && index.size() < 2;) {
    const auto [stop, error] = std::from_chars(after_blanks(next), end, index.emplace_back());
    const char* const close = after_blanks(stop);
    if (error != std::errc() || close == end || index.back() < 0) return {name, {}};
    separator = *close;
    next = close + 1;
  }
  return next == end && name.back() == ']' ? std::pair(name.substr(0, bracket), index)
                                           : std::pair(name, std::vector<int>());
}

}  // namespace

Eigen::Index element_of(const std::string& name, const Eigen::MatrixXd& value, const std::vector<int>& index,
                        int first_index) {
  const auto is_in = [](int i, Eigen::Index size) { return i >= 0 && i < size; };
  if (index.size() == 1 && is_in(index[0], value.size())) return index[0];
  if (index.size() == 2 && is_in(index[0], value.rows()) && is_in(index[1], value.cols()))
    return index[0] + index[1] * value.rows();
  std::vector<int> given;
  for (const int i : index) given.push_back(i + first_index);
  const auto last = [&](Eigen::Index size) { return size - 1 + first_index; };
  if (value.cols() > 1 && index.size() == 2)
    refuse("{} has no [{}]: it goes to [{}, {}]", name, fmt::join(given, ", "), last(value.rows()), last(value.cols()));
  refuse("{} has no [{}]: its indices are {} to {}", name, fmt::join(given, ", "), first_index, last(value.size()));
}

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

ParameterPlace Model::place_of_parameter(const std::string& name) const {
  for (std::size_t slot = 0; slot < parameters_.size(); ++slot)
    if (parameters_[slot].name == name) return {slot, {}};
  auto [whole, index] = name_and_index(name);
  const std::size_t slot = slot_of(whole);
  for (int& i : index) i -= first_index_;
  return {slot, element_of(whole, parameters_[slot].value, index, first_index_)};
}

void Model::set(const ParameterValue& given) {
  const auto [slot, element] = place_of_parameter(given.name);
  const std::string& name = parameters_[slot].name;
  Eigen::MatrixXd& old = parameters_[slot].value;
  Eigen::MatrixXd value = element ? old : given.value;
  if (element) {
    if (given.value.size() != 1) refuse("{} is a number, got {} numbers", given.name, given.value.size());
    value(*element) = given.value(0);
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
  const auto is_whole = [&](const ParameterValue& value) { return !place_of_parameter(value.name).element; };
  for (const bool whole : {true, false}) {  // an element is one of what the others make of its parameter
    bool any = false;
    for (const ParameterValue& value : values)
      if (is_whole(value) == whole) {
        result.set(value);
        any = true;
      }
    if (any) follow_rules();
  }
  result.check_bodies();
  return result;
}

}  // namespace hamel
