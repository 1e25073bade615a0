#include "language/reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "hamel/integrate/integrate.hpp"
#include "hamel/integrate/method.hpp"
#include "language/reading.hpp"
#include "language/tables.hpp"
#include "language/vocabulary.hpp"

namespace hamel {

namespace {

constexpr std::size_t largest_file = 4'000'000;

// Of a key that is forgotten above it.
std::string section_of_key(const std::string& key) {
  for (const std::string section : {"energy", "run"}) {
    const std::vector<std::string>& keys = known_keys().at(section);
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) return section;
  }
  return {};
}

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace

Reader::Reader(const std::string& text, const std::string& name, const Overrides& parameters, const Overrides& start)
    : source_(std::make_shared<Source>(Source{name, text})), overrides_(parameters), start_overrides_(start) {
  if (text.size() > largest_file)
    throw SourceError(Place{source_, 0, 0},
                      fmt::format("the model has more than the {} bytes that are read, tables included", largest_file));
  document_ = parse_toml(source_);
}

ModelFile Reader::run(const std::vector<std::string>& asked) {
  check_sections();
  const TomlEntry* name = document_.find("name");
  model_.emplace(name == nullptr ? file_name(source_->name) : need_text(*name), 1);
  evaluator_.emplace(*model_, *this);
  definitions();
  tables();
  parameters();
  coordinates();
  inputs();
  for (const std::string& known : order_) value(known, names_.at(known).place, false);
  energy();
  field();
  forces();
  dissipation();
  constraints();
  const TomlEntry* judged = document_.find(model_->has_field() ? "field" : "coordinates");
  at_place(judged == nullptr ? Place{source_, 0, 0} : judged->place(), [&] { check_complete(*model_); });
  ModelFile file{.path = source_->name, .text = source_->text, .model = *model_};
  general(file);
  outputs(file);
  conserved(file);
  units(file);
  start(file);
  equilibria(file);
  regulators(file);
  run_settings(file);
  view(file);
  for (const auto& [key, text] : start_overrides_) override_start(file.start, key, text);
  for (const std::string& text : asked) ask(file, text);
  for (const auto& [parameter, why] : fixed_) model_->fix(parameter, why);
  file.remarks = remarks_;
  file.model = *model_;
  file.overrides = overrides_;
  file.start_overrides = start_overrides_;
  return file;
}

const TomlValue* Reader::section(const std::string& name) const {
  const TomlEntry* entry = document_.find(name);
  if (entry == nullptr) return nullptr;
  if (entry->value.kind != TomlValue::Kind::table)
    throw SourceError(entry->place(), fmt::format("{0} must be a section: write [{0}] on a line of its own", name));
  return &entry->value;
}

void Reader::check_sections() const {
  for (const TomlEntry& entry : document_.entries) {
    const std::string& key = entry.key.text;
    const auto& known = known_sections();
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    if (const std::string home = section_of_key(key); !home.empty())
      throw SourceError(entry.place(), fmt::format("{} belongs into the section [{}]", key, home));
    const std::string near = suggestion(key, known);
    throw SourceError(entry.place(),
                      fmt::format("unknown section {}{}", key,
                                  near.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : near));
  }
}

void Reader::general(ModelFile& file) const {
  if (const TomlEntry* entry = document_.find("description")) file.description = need_text(*entry);
  if (const TomlEntry* entry = document_.find("source")) file.source = need_text(*entry);
}

Syntax Reader::expression(const TomlValue& value) const {
  switch (value.kind) {
    case TomlValue::Kind::text:
      return parse_expression(value.text);
    case TomlValue::Kind::number: {
      Syntax number{.kind = SyntaxKind::number, .place = value.place};
      number.value = value.number;
      return number;
    }
    case TomlValue::Kind::list: {
      if (value.items.empty()) throw SourceError(value.place, "a list needs at least one entry");
      Syntax list{.kind = SyntaxKind::list, .place = value.place};
      for (const TomlValue& item : value.items) list.parts.push_back(expression(item));
      return list;
    }
    default:
      throw SourceError(value.place, "expected a number, a list of numbers, or an expression in quotes");
  }
}

std::vector<Syntax> Reader::expressions(const TomlValue& value) const {
  if (value.kind != TomlValue::Kind::list) return {expression(value)};
  std::vector<Syntax> all;
  for (const TomlValue& item : value.items) all.push_back(expression(item));
  return all;
}

void Reader::definitions() {
  for (const auto& [name, owner] : {std::pair{"definitions", Owner::definition}, {"points", Owner::point}})
    if (const TomlValue* table = section(name))
      for (const TomlEntry& entry : table->entries) add_member(entry, owner);
  if (const TomlValue* table = section("bodies"))
    for (const TomlEntry& entry : table->entries) {
      need_table(entry, "{ attitude = \"R\", mass = \"m\", inertia = \"J\" }");
      if (entry.key.text.find('[') != std::string::npos)
        throw SourceError(entry.place(), "bodies have no families: give each of them an entry and a name of its own");
      check_keys(entry.value, known_keys().at("bodies"), "body " + entry.key.text);
      define(entry.key.text, Owner::body, entry.place()).table = &entry;
    }
}

// "x'" = "...", omega.q = "...", velocity.G = "...": instead of energies.
void Reader::field() {
  const TomlValue* table = section("field");
  if (table == nullptr) return;
  for (const TomlEntry& entry : table->entries) {
    const std::string& key = entry.key.text;
    if (key == "omega" || key == "Omega" || key == "velocity") {
      for (const TomlEntry& inner : need_table(entry, "omega.q = \"[0, 0, 1]\"").entries)
        field_entry(inner, key == "velocity" ? &Model::position_field : &Model::angular_field);
    } else if (key.find('\'') != std::string::npos) {
      field_entry(entry, &Model::field);
    } else {
      throw SourceError(entry.place(),
                        fmt::format("[field] gives rates: write \"{0}'\" = ... or omega.{0} = ...", key));
    }
  }
}

void Reader::field_entry(const TomlEntry& entry, SetField set) {
  each_coordinate(entry, [&](int slot, const Syntax& syntax) {
    const Formula value = evaluator_->formula(syntax);
    at_place(syntax.place, [&] { ((*model_).*set)(model_->coordinate(static_cast<std::size_t>(slot)), value); });
  });
}

void Reader::forces() {
  if (const TomlValue* table = section("forces"))
    for (const TomlEntry& entry : table->entries) force(entry);
}

void Reader::force(const TomlEntry& entry) {
  constexpr const char* example = "{ at = \"x\", force = \"-c*x'\" } or { on = \"R\", torque = \"u\" }";
  const TomlValue& table = need_table(entry, example);
  check_keys(table, known_keys().at("forces"), "force " + entry.key.text);
  const TomlEntry *at = table.find("at"), *on = table.find("on");
  const TomlEntry *force = table.find("force"), *torque = table.find("torque");
  const bool legal = (at != nullptr) != (on != nullptr) && (force != nullptr) != (torque != nullptr) && !(at && torque);
  if (!legal) throw SourceError(entry.place(), fmt::format("a force is {}", example));
  const Syntax where = expression((at != nullptr ? at : on)->value);
  const Syntax what = expression((force != nullptr ? force : torque)->value);
  each_member(entry, [&](const std::string&) {
    const Formula place = evaluator_->formula(where), vector = evaluator_->formula(what);
    at_place(what.place, [&] {
      if (at != nullptr) return model_->force(place, vector);
      if (force != nullptr) return model_->force_on(place, vector);
      model_->torque(place, vector);
    });
  });
}

void Reader::dissipation() {
  const TomlValue* table = section("dissipation");
  if (table == nullptr) return;
  for (const TomlEntry& entry : table->entries) {
    const Syntax syntax = expression(entry.value);
    each_member(entry, [&](const std::string&) {
      const Formula rayleigh = evaluator_->formula(syntax);
      at_place(syntax.place, [&] { model_->dissipation(rayleigh); });
    });
  }
}

void Reader::constraints() {
  const TomlValue* table = section("constraints");
  if (table == nullptr) return;
  for (const TomlEntry& entry : table->entries) {
    if (entry.value.kind != TomlValue::Kind::text)
      throw SourceError(entry.value.place, "a constraint is an equation in quotes, such as \"dot(x, x) = 1\"");
    const Syntax syntax = parse_equation(entry.value.text);
    each_member(entry, [&](const std::string& name) {
      const Formula zero = evaluator_->formula(syntax);
      at_place(syntax.place, [&] { model_->constraint(name, zero); });
    });
  }
}

void Reader::outputs(ModelFile& file) {
  if (const TomlValue* table = section("outputs")) file.outputs = named_formulas(*table);
}

void Reader::ask(ModelFile& file, const std::string& text) {
  const auto output = std::find_if(file.outputs.begin(), file.outputs.end(),
                                   [&](const Model::Named& known) { return known.name == text; });
  if (output != file.outputs.end()) {
    file.asked.push_back(*output);
    return;
  }
  const auto source = std::make_shared<Source>(Source{"the formula", text});
  TomlValue value;
  value.kind = TomlValue::Kind::text;
  value.text = whole_text(source, 0, text.size());
  value.place = value.text.place(0, text.size());
  file.asked.push_back({text, evaluator_->formula(expression(value))});
}

void Reader::conserved(ModelFile& file) {
  const TomlValue* table = section("conserved");
  if (table == nullptr) return;
  file.conserved = named_formulas(*table, [](const TomlEntry& entry, const Formula& quantity) {
    if (quantity.depends_on(Role::input) || quantity.depends_on(Role::momentum))
      throw SourceError(entry.place(),
                        fmt::format("{} contains inputs or momenta; a conserved quantity is a function of "
                                    "coordinates, rates and time",
                                    entry.key.text));
  });
}

std::vector<Model::Named> Reader::named_formulas(const TomlValue& table, const FormulaCheck& check) {
  std::vector<Model::Named> all;
  for (const TomlEntry& entry : table.entries) {
    const Syntax syntax = expression(entry.value);
    each_member(entry, [&](const std::string& name) {
      all.push_back({name, evaluator_->formula(syntax)});
      if (check) check(entry, all.back().formula);
    });
  }
  return all;
}

void Reader::units(ModelFile& file) const {
  const TomlValue* table = section("units");
  if (table == nullptr) return;
  std::vector<std::string> known = order_;
  known.insert(known.end(), {"t", "energy"});
  for (const Model::Named& output : file.outputs) known.push_back(output.name);
  check_keys(*table, known, "[units]");
  for (const TomlEntry& entry : table->entries) file.units.emplace_back(entry.key.text, need_text(entry));
}

double Reader::setting(const TomlEntry& entry, const char* what) {
  const Syntax syntax = expression(entry.value);
  const Eigen::MatrixXd number = evaluator_->constant(syntax);
  if (number.size() != 1 || !(number(0) > 0))
    throw SourceError(syntax.place, fmt::format("{} must be a positive number{}", what,
                                                number.size() == 1 ? fmt::format(", got {}", number(0)) : ""));
  return number(0);
}

void Reader::run_settings(ModelFile& file) {
  if (model_->has_field()) file.run.integrator = "rkmk4";
  const TomlValue* table = section("run");
  if (table == nullptr) return;
  check_keys(*table, known_keys().at("run"), "[run]");
  RunSection& run = file.run;
  const TomlEntry* integrator = table->find("integrator");
  if (integrator != nullptr) run.integrator = need_text(*integrator);
  if (find_method(run.integrator) == nullptr)
    throw SourceError(integrator->value.place, fmt::format("unknown integrator {}{}", run.integrator,
                                                           suggestion(run.integrator, method_names())));
  const std::pair<const char*, double*> numbers[] = {
      {"step", &run.step}, {"until", &run.until.t}, {"every", &run.until.every}, {"tolerance", &run.tolerance}};
  for (const auto& [key, number] : numbers)
    if (const TomlEntry* entry = table->find(key)) *number = setting(*entry, key);
  if (const TomlEntry* entry = table->find("halvings"))
    run.until.halvings = evaluator_->integer(expression(entry->value), "halvings");
  if (run.until.halvings < 0 || run.until.halvings > Until::most_halvings)
    throw SourceError(table->find("halvings")->value.place,
                      fmt::format("halvings must be 0 to {}", Until::most_halvings));
  if (run.until.t > 0 && run.until.t <= file.start.t)
    throw SourceError(table->find("until")->value.place,
                      fmt::format("the end {} is not after the start {}", run.until.t, file.start.t));
}

ModelFile parse_model(const std::string& text, const std::string& name, const Overrides& parameters,
                      const Overrides& start, const std::vector<std::string>& asked) {
  return Reader(text, name, parameters, start).run(asked);
}

ModelFile read_model(const std::string& path, const Overrides& parameters, const Overrides& start,
                     const std::vector<std::string>& asked) {
  std::ifstream stream(path, std::ios::binary);
  std::string text(largest_file + 1, '\0');  // one more than fits, for the reader to say that it is too much
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.empty())
    throw std::runtime_error(fmt::format("cannot read the model file {}: {}", path,
                                         stream.is_open() ? "it is empty or not a file" : std::strerror(errno)));
  if (text.size() <= largest_file) text = with_tables_of_files(text, path);
  return parse_model(text, path, parameters, start, asked);
}

}  // namespace hamel
