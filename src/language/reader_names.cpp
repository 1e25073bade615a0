// How names get their values.
#include <algorithm>

#include "language/builtins.hpp"
#include "language/reader.hpp"
#include "language/reading.hpp"

namespace hamel {

namespace {

constexpr long long most_members = 200'000;

const char* article_name(int owner) {
  constexpr const char* names[] = {"a parameter", "a coordinate", "a definition", "a point",
                                   "a body",      "an input",     "a table"};
  return names[owner];
}

}  // namespace

Reader::Definition& Reader::define(const std::string& name, Owner owner, const Place& place) {
  if (builtin_constants().contains(name))
    throw SourceError(place, fmt::format("the name {} has a meaning of its own; choose another one", name));
  if (const auto found = names_.find(name); found != names_.end())
    throw SourceError(place,
                      fmt::format("the name {} is already {} (line {})", name,
                                  article_name(static_cast<int>(found->second.owner)), found->second.place.line()));
  if (const auto found = functions_.find(name); found != functions_.end())
    throw SourceError(
        place, fmt::format("the name {} is already a function (line {})", name, found->second.pattern.place.line()));
  order_.push_back(name);
  return names_.emplace(name, Definition{.owner = owner, .place = place}).first->second;
}

void Reader::add_function(const Pattern& pattern, const TomlValue& body) {
  if (names_.contains(pattern.name) || functions_.contains(pattern.name))
    throw SourceError(pattern.place, fmt::format("the name {} is already taken", pattern.name));
  if (builtins().contains(pattern.name) || pattern.name == "sum" || pattern.name == "if")
    throw SourceError(pattern.place, fmt::format("there is already a function {}; choose another name", pattern.name));
  OwnFunction& own = functions_[pattern.name];
  own.pattern = pattern;
  own.body = expression(body);
  own.function = {&own.pattern.arguments, &own.body};
}

// x = ["...", "..."]: a family, numbered from 1. A list of numbers is a vector.
void Reader::add_list(const Pattern& pattern, const TomlValue& list, Owner owner) {
  Definition& definition = define(pattern.name, owner, pattern.place);
  int index = 0;
  for (const TomlValue& item : list.items) {
    Pattern member = pattern;
    member.place = item.place;
    Syntax number{.kind = SyntaxKind::number, .place = item.place};
    number.value = ++index;
    member.index = {number};
    definition.members.push_back({member, expression(item)});
  }
}

void Reader::add_member(const TomlEntry& entry, Owner owner) {
  const Pattern pattern = parse_pattern(entry.key);
  const TomlValue& value = entry.value;
  if (pattern.is_function) {
    if (owner != Owner::definition) throw SourceError(pattern.place, "functions belong into [definitions]");
    return add_function(pattern, value);
  }
  const bool indexed = !pattern.index.empty() || !pattern.binders.empty();
  const bool texts = value.kind == TomlValue::Kind::list &&
                     std::any_of(value.items.begin(), value.items.end(),
                                 [](const TomlValue& item) { return item.kind != TomlValue::Kind::number; });
  if (texts && !indexed) return add_list(pattern, value, owner);
  const auto found = names_.find(pattern.name);
  const bool goes_on =
      indexed && found != names_.end() && found->second.owner == owner && !found->second.members.empty() &&
      (!found->second.members.front().pattern.index.empty() || !found->second.members.front().pattern.binders.empty());
  Definition& definition = goes_on ? found->second : define(pattern.name, owner, pattern.place);
  definition.members.push_back({pattern, expression(value)});
}

void Reader::unknown(const std::string& name, const Place& place) const {
  std::vector<std::string> known = order_;
  for (const auto& constant : builtin_constants()) known.push_back(constant.first);
  if (functions_.contains(name) || builtins().contains(name))
    throw SourceError(place, fmt::format("{} is a function: write {}(...)", name, name));
  const std::string moving = rated_name(name);
  throw SourceError(place, fmt::format("unknown name {}{}", name,
                                       moving.empty() ? suggestion(name, known)
                                                      : fmt::format("; the rate of {0} is written {0}'", moving)));
}

// xdot, x_dot, dx: the name of which it may be the rate.
std::string Reader::rated_name(const std::string& name) const {
  for (const std::string_view ending : {"_dot", "dot"})
    if (name.ends_with(ending) && names_.contains(name.substr(0, name.size() - ending.size())))
      return name.substr(0, name.size() - ending.size());
  return name.starts_with("d") && names_.contains(name.substr(1)) ? name.substr(1) : std::string();
}

const NameScope::Function* Reader::function(const std::string& name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &found->second.function;
}

std::vector<std::string> Reader::function_names() const {
  std::vector<std::string> names;
  for (const auto& function : functions_) names.push_back(function.first);
  return names;
}

Value Reader::value(const std::string& name, const Place& place, bool constant) {
  const auto found = names_.find(name);
  if (found == names_.end()) {
    for (const auto& [later, what] : {std::pair{"coordinates", "a coordinate"}, {"inputs", "an input"}})
      if (constant && section(later) != nullptr && section(later)->find(name) != nullptr)
        throw SourceError(place, fmt::format("a constant is needed here, and {} is {}", name, what));
    unknown(name, place);
  }
  Definition& definition = found->second;
  const std::optional<Value>& known = constant ? definition.constant : definition.value;
  if (!known && definition.resolving) throw SourceError(place, fmt::format("{} is defined in terms of itself", name));
  const Value result = known      ? *known  // a family may still grow
                       : constant ? constant_of(name, definition, place)
                                  : resolved(name, definition);
  if (constant) note_parameters(name, definition);
  return result;
}

void Reader::note_parameters(const std::string& name, const Definition& definition) {
  std::set<std::string> used = definition.parameters;
  if (definition.owner == Owner::parameter) used.insert(name);
  if (noted_ != nullptr) noted_->insert(used.begin(), used.end());
  if (structure_.empty()) return;
  for (const std::string& parameter : used) fixed_.emplace(parameter, structure_);
}

Value Reader::constant_of(const std::string& name, Definition& definition, const Place& place) {
  if (definition.owner != Owner::parameter && definition.owner != Owner::definition)
    throw SourceError(place, fmt::format("a constant is needed here, and {} is {}", name,
                                         article_name(static_cast<int>(definition.owner))));
  definition.resolving = true;
  const bool family = definition.members.size() != 1 || !definition.members.front().pattern.index.empty() ||
                      !definition.members.front().pattern.binders.empty();
  definition.constant = noting(definition.parameters, [&] {
    return family ? family_of(name, definition, true) : single_of(name, definition, true);
  });
  definition.resolving = false;
  return *definition.constant;
}

Value Reader::resolved(const std::string& name, Definition& definition) {
  definition.resolving = true;
  if (definition.owner == Owner::body) {
    definition.value = evaluator_->outside(false, [&] { return body_of(name, *definition.table); });
  } else if (definition.owner == Owner::input) {
    definition.value = evaluator_->outside(false, [&] { return input_of(name, *definition.table); });
  } else {
    const bool family = definition.members.size() != 1 || !definition.members.front().pattern.index.empty() ||
                        !definition.members.front().pattern.binders.empty();
    definition.value = family ? family_of(name, definition, false) : single_of(name, definition, false);
  }
  definition.resolving = false;
  return *definition.value;
}

Value Reader::made(const std::string& name, Owner owner, const Syntax& body, bool constant) {
  if (constant) return Formula(evaluator_->constant(body));
  const Formula formula = evaluator_->formula(body);
  if (owner == Owner::definition) model_->define(name, formula);
  if (owner != Owner::point) return formula;
  return at_place(body.place, [&] { return model_->point(name, formula); });
}

Value Reader::single_of(const std::string& name, Definition& definition, bool constant) {
  const Member& member = definition.members.front();
  return evaluator_->outside(constant, [&]() -> Value {
    if (constant || definition.owner == Owner::point) return made(name, definition.owner, member.body, constant);
    const Value value = evaluator_->value(member.body);  // a definition may stand for a family
    if (definition.owner == Owner::definition && !value.is_family()) model_->define(name, value.formula());
    return value;
  });
}

Value Reader::family_of(const std::string& name, Definition& definition, bool constant) {
  auto family = std::make_shared<Family>();
  family->name = name;
  (constant ? definition.constant : definition.value) = Value(family);  // later members may use earlier ones
  const auto add = [&](const Member& member, int index) {
    if (++members_ > most_members)
      throw SourceError(member.pattern.place,
                        fmt::format("the model has more than {} members of families: too many", most_members));
    const int next = family->first + static_cast<int>(family->members.size());
    if (family->members.empty())
      family->first = index;
    else if (index != next)
      throw SourceError(
          member.pattern.place,
          fmt::format("{}[{}] was expected next, got {}[{}]: indices follow each other", name, next, name, index));
    family->members.push_back(made(indexed_name(name, index), definition.owner, member.body, constant));
  };
  return evaluator_->outside(constant, [&]() -> Value {
    for (const Member& member : definition.members) {
      if (!member.pattern.index.empty()) add(member, evaluator_->integer(member.pattern.index.front(), "an index"));
      const std::vector<Syntax::Binder>& binders = member.pattern.binders;
      if (binders.empty()) continue;
      if (binders.front().names.size() != 1) throw SourceError(binders.front().place, "a family has one index");
      Syntax index{.kind = SyntaxKind::name, .place = binders.front().place, .text = binders.front().names.front()};
      evaluator_->loop(binders, [&] { add(member, evaluator_->integer(index, "an index")); });
    }
    return family;
  });
}

std::string Reader::indexed_name(const std::string& name, int index) const {
  return fmt::format("{}[{}]", name, index);
}

// body = { attitude = "R", position = "x", mass = "m", inertia = "J", center = "rho" }
Formula Reader::body_of(const std::string& name, const TomlEntry& entry) {
  const TomlValue& table = entry.value;
  const auto part = [&](const char* key, const Formula& otherwise) {
    const TomlEntry* found = table.find(key);
    return found == nullptr ? otherwise : evaluator_->formula(expression(found->value));
  };
  const Formula zero = Eigen::MatrixXd::Zero(3, 1).eval(), no_inertia = Eigen::MatrixXd::Zero(3, 3).eval();
  const Formula no_turn = Eigen::MatrixXd::Identity(3, 3).eval();
  const RigidBody body{.attitude = part("attitude", no_turn),
                       .position = part("position", zero),
                       .mass = part("mass", 0.0),
                       .inertia = part("inertia", no_inertia),
                       .center_of_mass = part("center", zero)};
  return at_place(entry.place(), [&] { return model_->body(name, body); });
}

void Reader::each_member(const TomlEntry& entry, const std::function<void(const std::string& name)>& action) {
  const Pattern pattern = parse_pattern(entry.key);
  if (pattern.is_function) throw SourceError(pattern.place, "functions belong into [definitions]");
  if (!pattern.index.empty())
    return action(indexed_name(pattern.name, evaluator_->integer(pattern.index.front(), "an index")));
  if (pattern.binders.empty()) return action(pattern.name);
  Syntax index{.kind = SyntaxKind::name, .place = pattern.place, .text = pattern.binders.front().names.front()};
  evaluator_->loop(pattern.binders, [&] {
    if (++members_ > most_members) throw SourceError(pattern.place, "too many members");
    action(indexed_name(pattern.name, evaluator_->integer(index, "an index")));
  });
}

}  // namespace hamel
