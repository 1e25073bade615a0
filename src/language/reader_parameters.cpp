// [parameters] and --set; which parameters follow others, and which cannot change.
#include <algorithm>

#include "language/reader.hpp"
#include "language/reading.hpp"

namespace hamel {

void Reader::parameters() {
  std::vector<std::string> names;
  if (const TomlValue* table = section("parameters"))
    for (const TomlEntry& entry : table->entries) {
      define(entry.key.text, Owner::parameter, entry.place()).members = {
          {Pattern{.name = entry.key.text, .place = entry.place()}, expression(entry.value)}};
      names.push_back(entry.key.text);
    }
  for (const bool elements : {false, true})
    for (const auto& [name, text] : overrides_) override_parameter(name, text, elements);
  for (const std::string& name : names) {
    Definition& definition = names_.at(name);
    const Formula number = value(name, definition.place, true).formula();
    definition.value = at_place(definition.place, [&] { return model_->parameter(name, number.node().value); });
  }
  std::set<std::string> done;
  for (const std::string& name : names) follow_others(name, done);
}

// Those that it follows come first.
void Reader::follow_others(const std::string& name, std::set<std::string>& done) {
  if (!done.insert(name).second) return;
  Definition& definition = names_.at(name);
  if (definition.parameters.empty()) return;
  for (const std::string& other : definition.parameters) follow_others(other, done);
  const std::optional<Formula> formula = formula_of_parameters(definition.members.front().body, definition.parameters);
  if (!formula) return;
  at_place(definition.place, [&] { model_->follow(name, *formula); });
  const std::vector<Parameter>& all = model_->parameters();
  definition.constant =
      Formula(std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.name == name; })->value);
}

std::optional<Formula> Reader::formula_of_parameters(const Syntax& syntax, const std::set<std::string>& parameters) {
  if (parameters.empty()) return std::nullopt;
  try {
    const Formula formula = evaluator_->attempt([&] { return evaluator_->formula(syntax); });
    return formula.depends_on(Role::parameter) ? std::optional(formula) : std::nullopt;
  } catch (const SourceError&) {  // of numbers it is defined
    for (const std::string& parameter : parameters) fixed_.emplace(parameter, "a value that is no formula");
    return std::nullopt;
  }
}

// --set name=expression, or an element of what the others make of its parameter: name[2]=expression, of a matrix also
// name[1, 2]=expression.
void Reader::override_parameter(const std::string& name, const std::string& text, bool elements) {
  const auto source = std::make_shared<Source>(Source{"--set", name + "=" + text});
  const Pattern pattern = parse_pattern(whole_text(source, 0, name.size()), 2);
  if (pattern.index.empty() == elements) return;
  const auto found = names_.find(pattern.name);
  if (found == names_.end() || found->second.owner != Owner::parameter) {
    std::vector<std::string> known;
    for (const auto& [other, definition] : names_)
      if (definition.owner == Owner::parameter) known.push_back(other);
    throw SourceError(pattern.place,
                      fmt::format("the model has no parameter {}{}", pattern.name, suggestion(pattern.name, known)));
  }
  Syntax body = parse_expression(whole_text(source, name.size() + 1, source->text.size()));
  if (pattern.index.empty()) {
    found->second.members.front().body = std::move(body);
    return;
  }
  Eigen::MatrixXd whole = value(pattern.name, pattern.place, true).formula().node().value;
  std::vector<int> index;
  for (const Syntax& one : pattern.index) index.push_back(evaluator_->integer(one, "an index") - 1);
  const Eigen::Index element = at_place(pattern.place, [&] { return element_of(pattern.name, whole, index, 1); });
  const Eigen::MatrixXd number = evaluator_->constant(body);
  if (number.size() != 1) throw SourceError(body.place, "a component must be a number");
  whole(element) = number(0);
  found->second.constant = Formula(whole);
  found->second.parameters.clear();
}

}  // namespace hamel
