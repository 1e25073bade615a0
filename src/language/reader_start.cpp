// [start], [equilibria] and [view].
#include <algorithm>
#include <map>

#include "language/reader.hpp"
#include "language/reading.hpp"
#include "language/vocabulary.hpp"

namespace hamel {

namespace {

using Which = std::optional<StartValues::Given> StartValues::Coordinate::*;

std::string shape_text(int rows, int cols) {
  if (rows * cols == 1) return "a number";
  return cols == 1 ? fmt::format("{} numbers", rows) : fmt::format("a {}x{} matrix", rows, cols);
}

const std::map<std::string, Which>& start_kinds() {
  static const std::map<std::string, Which> kinds = {
      {"omega", &StartValues::Coordinate::omega}, {"Omega", &StartValues::Coordinate::omega},
      {"rate", &StartValues::Coordinate::rate},   {"velocity", &StartValues::Coordinate::velocity},
      {"xi", &StartValues::Coordinate::xi},       {"momentum", &StartValues::Coordinate::momentum}};
  return kinds;
}

// What says how fast it moves takes the place of all that did; the two velocities of a pose stand side by side.
void replace(StartValues::Coordinate& old, const StartValues::Coordinate& given) {
  if (given.point) old.point = given.point;
  if (given.rate || given.momentum || given.xi) old.omega = old.velocity = std::nullopt;
  if (given.rate || given.momentum || given.omega || given.velocity || given.xi) {
    old.rate = given.rate;
    old.momentum = given.momentum;
    old.xi = given.xi;
  }
  if (given.omega) old.omega = given.omega;
  if (given.velocity) old.velocity = given.velocity;
}

}  // namespace

// The coordinates that a name stands for; a family has several.
std::vector<int> Reader::slots_of(const std::string& name) const {
  const auto found = names_.find(name);
  std::vector<int> slots;
  if (found == names_.end() || found->second.owner != Owner::coordinate) return slots;
  const Value& value = *found->second.value;
  if (!value.is_family()) return {value.formula().node().symbol.slot};
  for (const Value& member : value.family().members) slots.push_back(member.formula().node().symbol.slot);
  return slots;
}

void Reader::set_start(StartValues& start, int slot, const Syntax& syntax, Which which, const char* what) {
  const Coordinate& coordinate = model_->coordinates()[static_cast<std::size_t>(slot)];
  auto [rows, cols] = coordinate.space.shape();
  const Manifold& space = coordinate.space;
  if (which == &StartValues::Coordinate::omega) {
    if (space.turning() == Turning::none)
      throw SourceError(syntax.place,
                        fmt::format("{} is on {} and has no angular velocity; give its rate: \"{}'\" = ...",
                                    coordinate.name, space.name(), coordinate.name));
    rows = space.angular_rates();
    cols = 1;
  }
  if (which == &StartValues::Coordinate::velocity) {
    if (!space.is_pose()) throw SourceError(syntax.place, "a velocity is for poses on SE3; give a rate");
    rows = 3;
    cols = 1;
  }
  if (which == &StartValues::Coordinate::xi) {
    if (space.is_flat() || space.has_constraints() || space.turning() != Turning::none)
      throw SourceError(syntax.place,
                        fmt::format("{0} is on {1} and has no quasi-velocities xi; give its {2}", coordinate.name,
                                    space.name(), space.turning() == Turning::none ? "rate" : "angular velocity"));
    rows = space.rates();
    cols = 1;
  }
  std::set<std::string> used;
  const Eigen::MatrixXd numbers = noting(used, [&] { return evaluator_->constant(syntax); });
  if (numbers.rows() != rows || numbers.cols() != cols)
    throw SourceError(
        syntax.place,
        fmt::format("the {} of {} on {} needs {}, got {}", what, coordinate.name, space.name(), shape_text(rows, cols),
                    shape_text(static_cast<int>(numbers.rows()), static_cast<int>(numbers.cols()))));
  auto& given = start.coordinates[static_cast<std::size_t>(slot)].*which;
  if (given) throw SourceError(syntax.place, fmt::format("the {} of {} is given twice", what, coordinate.name));
  given = StartValues::Given{numbers.reshaped(), syntax.place, formula_of_parameters(syntax, used)};
  if (given->formula) given->value = value_of(*given->formula, *model_).reshaped();
}

void Reader::each_coordinate(const TomlEntry& entry, const std::function<void(int slot, const Syntax& value)>& action) {
  Snippet key = entry.key;
  if (const std::size_t prime = key.text.find('\''); prime != std::string::npos) {  // "q'", "q'[k in 1..n]"
    key.text.erase(prime, 1);
    key.offsets.erase(key.offsets.begin() + static_cast<std::ptrdiff_t>(prime));
  }
  const Pattern pattern = parse_pattern(key);
  const std::vector<int> slots = slots_of(pattern.name);
  if (slots.empty()) {
    std::vector<std::string> known;
    for (const auto& [name, definition] : names_)
      if (definition.owner == Owner::coordinate) known.push_back(name);
    throw SourceError(pattern.place,
                      fmt::format("the model has no coordinate {}{}", pattern.name, suggestion(pattern.name, known)));
  }
  const bool family = names_.at(pattern.name).value->is_family();
  const auto set_member = [&](int index, const Syntax& syntax) {
    if (!family || index < 1 || index > static_cast<int>(slots.size()))
      throw SourceError(pattern.place, fmt::format("the model has no coordinate {}[{}]", pattern.name, index));
    action(slots[static_cast<std::size_t>(index - 1)], syntax);
  };
  const Syntax syntax = expression(entry.value);
  if (!pattern.index.empty()) return set_member(evaluator_->integer(pattern.index.front(), "an index"), syntax);
  if (!pattern.binders.empty()) {
    Syntax index{.kind = SyntaxKind::name, .place = pattern.place, .text = pattern.binders.front().names.front()};
    return evaluator_->loop(pattern.binders, [&] { set_member(evaluator_->integer(index, "an index"), syntax); });
  }
  if (!family) return action(slots.front(), syntax);
  if (syntax.kind != SyntaxKind::list || syntax.parts.size() != slots.size())
    throw SourceError(
        syntax.place,
        fmt::format("{0} is a family of {1}: a list of {1} values was expected{2}; or write \"{0}[k in 1..{1}]\" = ...",
                    pattern.name, slots.size(),
                    syntax.kind == SyntaxKind::list ? fmt::format(", got {}", syntax.parts.size()) : ""));
  for (std::size_t k = 0; k < slots.size(); ++k) action(slots[k], syntax.parts[k]);
}

void Reader::start_value(StartValues& start, const TomlEntry& entry, Which which) {
  const char* what = which == &StartValues::Coordinate::point      ? "point"
                     : which == &StartValues::Coordinate::omega    ? "angular velocity"
                     : which == &StartValues::Coordinate::momentum ? "momentum"
                     : which == &StartValues::Coordinate::velocity ? "velocity"
                     : which == &StartValues::Coordinate::xi       ? "quasi-velocities"
                                                                   : "rate";
  if (model_->has_field() && which != &StartValues::Coordinate::point)
    throw SourceError(entry.place(), fmt::format("[start] gives points alone: every {} comes from [field]", what));
  each_coordinate(entry, [&](int slot, const Syntax& syntax) { set_start(start, slot, syntax, which, what); });
}

void Reader::start_rates(StartValues& start, const TomlEntry& entry, Which which) {
  need_table(entry, "omega.q = [0, 0, 1]");
  for (const TomlEntry& inner : entry.value.entries) start_value(start, inner, which);
}

void Reader::start_entry(StartValues& start, const TomlEntry& entry) {
  const std::string& key = entry.key.text;
  if (key == "project" && entry.value.kind == TomlValue::Kind::truth) {
    start.project = entry.value.truth;
  } else if (key == "t") {
    const Syntax syntax = expression(entry.value);
    std::set<std::string> used;
    const Eigen::MatrixXd t = noting(used, [&] { return evaluator_->constant(syntax); });
    if (t.size() != 1) throw SourceError(entry.value.place, "the start time t must be a number");
    start.t_formula = formula_of_parameters(syntax, used);
    start.t = start.t_formula ? value_of(*start.t_formula, *model_)(0) : t(0);
  } else if (const auto kind = start_kinds().find(key);
             kind != start_kinds().end() && entry.value.kind == TomlValue::Kind::table) {
    start_rates(start, entry, kind->second);
  } else if (entry.value.kind == TomlValue::Kind::table) {
    refuse_key(entry, known_keys().at("start"), "[start]");
  } else {
    const bool primed = key.find('\'') != std::string::npos;
    start_value(start, entry, primed ? &StartValues::Coordinate::rate : &StartValues::Coordinate::point);
  }
}

void Reader::start(ModelFile& file) {
  file.start.coordinates.resize(model_->coordinates().size());
  const TomlEntry* entry = document_.find("start");
  file.start.place = entry == nullptr ? Place{source_, 0, 0} : entry->place();
  if (const TomlValue* table = section("start"))
    for (const TomlEntry& inner : table->entries) start_entry(file.start, inner);
}

// --start key=expression: an entry of [start], in the place of what the file says of the same coordinates.
void Reader::override_start(StartValues& start, const std::string& key, const std::string& text) {
  const auto source = std::make_shared<Source>(Source{"--start", key + "=" + text});
  const std::size_t dot = key.find('.'), name = dot == std::string::npos ? 0 : dot + 1;
  TomlEntry entry{whole_text(source, name, key.size()), {}};
  const bool asks = key == "project" && (text == "true" || text == "false");
  entry.value.kind = asks ? TomlValue::Kind::truth : TomlValue::Kind::text;
  entry.value.truth = text == "true";
  entry.value.text = whole_text(source, key.size() + 1, source->text.size());
  entry.value.place = entry.value.text.place(0, text.size());
  StartValues given{
      .t = start.t, .t_formula = start.t_formula, .project = start.project, .coordinates = {}, .place = start.place};
  given.coordinates.resize(start.coordinates.size());
  if (dot == std::string::npos) {
    start_entry(given, entry);
  } else if (const auto kind = start_kinds().find(key.substr(0, dot)); kind != start_kinds().end()) {
    start_value(given, entry, kind->second);
  } else {
    throw SourceError(
        Place{source, 0, dot},
        fmt::format("[start] has no {}; there are q, \"q'\", omega.q, xi.q, rate.q, velocity.q, momentum.q for a "
                    "coordinate q, and t",
                    key));
  }
  start.t = given.t;
  start.t_formula = given.t_formula;
  start.project = given.project;
  for (std::size_t k = 0; k < given.coordinates.size(); ++k) replace(start.coordinates[k], given.coordinates[k]);
}

// hanging = { q = [0, 0, 1] }: points as in [start], and nothing moves.
ClaimedEquilibrium Reader::equilibrium(const TomlEntry& entry, double t) {
  ClaimedEquilibrium claimed{.name = entry.key.text};
  claimed.at.t = t;
  claimed.at.coordinates.resize(model_->coordinates().size());
  claimed.at.place = entry.place();
  for (const TomlEntry& inner : need_table(entry, "{ q = [0, 0, 1] }").entries) {
    if (inner.value.kind == TomlValue::Kind::table || inner.key.text.find('\'') != std::string::npos)
      throw SourceError(inner.place(), "an equilibrium is at rest: give points of coordinates, and no rates");
    start_value(claimed.at, inner, &StartValues::Coordinate::point);
  }
  return claimed;
}

void Reader::equilibria(ModelFile& file) {
  const TomlValue* table = section("equilibria");
  if (table == nullptr) return;
  for (const TomlEntry& entry : table->entries) try {
      file.equilibria.push_back(evaluator_->attempt([&] { return equilibrium(entry, file.start.t); }));
    } catch (const SourceError&) {
      if (overrides_.empty()) throw;  // with other parameters it may not exist: sqrt(l^2 - r^2)
    }
}

void Reader::view(ModelFile& file) {
  const TomlValue* table = section("view");
  if (table == nullptr) return;
  check_keys(*table, known_keys().at("view"), "[view]");
  ViewSettings& view = file.view;
  const auto vector = [&](const TomlEntry& entry) {
    const Syntax syntax = expression(entry.value);
    const Eigen::MatrixXd numbers = evaluator_->constant(syntax);
    if (numbers.size() != 3) throw SourceError(syntax.place, fmt::format("{} needs 3 numbers", entry.key.text));
    return std::vector<double>(numbers.data(), numbers.data() + numbers.size());
  };
  const auto names = [&](const TomlValue& list) {
    std::vector<std::string> result;
    if (list.kind != TomlValue::Kind::list) throw SourceError(list.place, "a list of names was expected");
    for (const TomlValue& item : list.items) {
      if (item.kind != TomlValue::Kind::text) throw SourceError(item.place, "a name in quotes was expected");
      result.push_back(item.text.text);
    }
    return result;
  };
  const auto pairs = [&](const TomlEntry& entry) {
    std::vector<std::pair<std::string, std::string>> result;
    if (entry.value.kind != TomlValue::Kind::list)
      throw SourceError(entry.value.place, "a list of pairs of names was expected");
    for (const TomlValue& item : entry.value.items) {
      const std::vector<std::string> ends = names(item);
      if (ends.size() != 2) throw SourceError(item.place, "a pair of names was expected");
      result.emplace_back(ends[0], ends[1]);
    }
    return result;
  };
  for (const TomlEntry& entry : table->entries) {
    const std::string& key = entry.key.text;
    if (key == "up") view.up = vector(entry);
    if (key == "camera") view.camera = vector(entry);
    if (key == "trails") view.trails = names(entry.value);
    if (key == "hide") view.hide = names(entry.value);
    if (key == "links") view.links = pairs(entry);
    if (key == "springs") view.springs = pairs(entry);
    if (key == "strings") view.strings = pairs(entry);
    if (key == "follow") view.follow = need_text(entry);
    if (key == "ground") {
      if (entry.value.kind != TomlValue::Kind::truth) throw SourceError(entry.value.place, "ground is true or false");
      view.ground = entry.value.truth;
    }
    if (key == "colors" || key == "radii" || key == "sizes" || key == "places") {
      for (const TomlEntry& inner : need_table(entry, "colors.x = \"red\"").entries) {
        if (key == "colors") view.colors.emplace_back(inner.key.text, need_text(inner));
        if (key == "radii") view.radii.emplace_back(inner.key.text, setting(inner, "a radius"));
        if (key == "sizes") view.sizes.emplace_back(inner.key.text, vector(inner));
        if (key == "places") view.places.emplace_back(inner.key.text, vector(inner));
      }
    }
  }
}

}  // namespace hamel
