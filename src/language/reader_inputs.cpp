// [inputs]: u = 3, or u = { size = 3, law = "...", limit = 10, sample = 0.01 }. A law is an expression, or
// { lqr = "NAME", Q = { x = 8 }, R = 2 }, the regulator of an equilibrium: then all inputs are regulated together.
#include "language/reader.hpp"
#include "language/reading.hpp"
#include "language/start_state.hpp"
#include "language/vocabulary.hpp"

namespace hamel {

namespace {

bool is_table(const TomlEntry& entry) { return entry.value.kind == TomlValue::Kind::table; }

const TomlEntry* regulator_of(const TomlEntry& input) {
  const TomlEntry* law = is_table(input) ? input.value.find("law") : nullptr;
  return law != nullptr && is_table(*law) ? law : nullptr;
}

}  // namespace

void Reader::inputs() {
  const TomlValue* table = section("inputs");
  if (table == nullptr) return;
  for (const TomlEntry& entry : table->entries) {
    if (is_table(entry)) check_keys(entry.value, known_keys().at("inputs"), "input " + entry.key.text);
    if (const TomlEntry* law = regulator_of(entry)) {
      check_keys(law->value, known_keys().at("law"), "the law of " + entry.key.text);
      if (law->value.find("lqr") == nullptr)
        throw SourceError(law->place(), "a law is an expression, or { lqr = \"NAME\" } for an equilibrium NAME");
    }
    define(entry.key.text, Owner::input, entry.place()).table = &entry;
  }
}

// Made when it is first asked for: how large it is may follow from its law.
Formula Reader::input_of(const std::string& name, const TomlEntry& entry) {
  const TomlEntry* size = is_table(entry) ? entry.value.find("size") : &entry;
  const TomlEntry* law = is_table(entry) ? entry.value.find("law") : nullptr;
  if (size == nullptr && (law == nullptr || is_table(*law)))
    throw SourceError(entry.place(), fmt::format("input {} needs a size{}", name,
                                                 law == nullptr ? " or a law" : ", such as size = 1"));
  if (law == nullptr && is_table(entry))
    for (const char* key : {"limit", "sample"})
      if (const TomlEntry* alone = entry.value.find(key))
        throw SourceError(alone->place(), fmt::format("a {} needs a law", key));
  std::optional<Formula> value;
  if (law != nullptr && !is_table(*law)) value = evaluator_->formula(expression(law->value));
  const int components =
      size != nullptr ? evaluator_->integer(expression(size->value), "the number of components") : value->rows();
  if (components > most_coordinates) throw SourceError(entry.place(), "too many components");
  const Formula input = at_place(entry.value.place, [&] { return model_->input(name, components); });
  if (!value) return input;
  if (const TomlEntry* limit = entry.value.find("limit")) value = with_limit(*value, *limit);
  at_place(law->value.place, [&] { model_->law(input, *value, sample_of(entry)); });
  return input;
}

double Reader::sample_of(const TomlEntry& entry) {
  const TomlEntry* sample = entry.value.find("sample");
  return sample == nullptr ? 0 : setting(*sample, "sample");
}

// Each component stays within [-limit, limit].
Formula Reader::with_limit(const Formula& law, const TomlEntry& entry) {
  const Formula limit = evaluator_->formula(expression(entry.value));
  if (!limit.is_scalar() && limit.rows() != law.rows())
    throw SourceError(entry.value.place, fmt::format("the limit is a number, or one for each of {} components, got {}",
                                                     law.rows(), limit.quoted()));
  std::vector<Formula> limited;
  for (int k = 0; k < law.rows(); ++k) {
    const Formula most = limit.is_scalar() ? limit : limit[k];
    limited.push_back(max(-most, min(most, law.is_scalar() ? law : law[k])));
  }
  return Formula::vector(limited);
}

std::vector<Weight> Reader::weights(const TomlEntry* entry, const std::string& of) {
  std::vector<Weight> result;
  if (entry == nullptr) return result;
  const auto add = [&](const std::string& name, const TomlValue& value) {
    result.emplace_back(name, VectorXd(evaluator_->constant(expression(value)).reshaped()));
  };
  if (!is_table(*entry)) {
    if (of.empty()) throw SourceError(entry->value.place, "weights have names: Q = { x = 8, \"x'\" = 1 }");
    add(of, entry->value);
    return result;
  }
  for (const TomlEntry& weight : entry->value.entries) add(weight.key.text, weight.value);
  return result;
}

// The laws of all inputs that an equilibrium is regulated by.
void Reader::regulators(const ModelFile& file) {
  const TomlValue* table = section("inputs");
  if (table == nullptr) return;
  const TomlEntry* first = nullptr;
  RegulatorOptions options;
  Weights given;
  for (const TomlEntry& entry : table->entries) {
    const TomlEntry* law = regulator_of(entry);
    if (law == nullptr) continue;
    const TomlEntry* goal = law->value.find("lqr");
    if (first != nullptr && need_text(*goal) != need_text(*first))
      throw SourceError(goal->value.place, fmt::format("all inputs are regulated together: {} is to hold {}, not {}",
                                                       entry.key.text, need_text(*goal), need_text(*first)));
    if (first != nullptr && sample_of(entry) != options.sample)
      throw SourceError(entry.place(), "inputs that are regulated together have the same sample");
    if (first == nullptr) first = goal;
    options.sample = sample_of(entry);
    for (Weight& weight : weights(law->value.find("Q"), "")) given.states.push_back(std::move(weight));
    for (Weight& weight : weights(law->value.find("R"), entry.key.text)) given.inputs.push_back(std::move(weight));
  }
  if (first == nullptr) return;
  std::vector<std::string> names;
  for (const ClaimedEquilibrium& claimed : file.equilibria) names.push_back(claimed.name);
  const auto goal = std::find(names.begin(), names.end(), need_text(*first));
  if (goal == names.end())
    throw SourceError(first->value.place,
                      fmt::format("[equilibria] has no {}{}", need_text(*first), suggestion(need_text(*first), names)));
  for (std::size_t k = 0; k < model_->inputs().size(); ++k)
    if (!model_->follows_law(k) &&
        (model_->inputs()[k].law || regulator_of(*names_.at(model_->inputs()[k].name).table) == nullptr))
      throw SourceError(
          names_.at(model_->inputs()[k].name).place,
          fmt::format("{} is not regulated: beside a regulator, every other input needs a law of its own, "
                      "without sample",
                      model_->inputs()[k].name));
  at_place(first->value.place, [&] {
    const System system = derive(*model_);
    State state = state_at(file, file.equilibria[static_cast<std::size_t>(goal - names.begin())].at,
                           "the equilibrium " + *goal, system, remarks_);
    if (system.has_energies()) state.v.setZero();
    const LinearModel linear = trimmed(Linearization(system), state);
    const Formula law = feedback(*model_, linear, lqr(linear, given, options));
    int next = 0;
    for (std::size_t k = 0; k < model_->inputs().size(); ++k) {
      if (model_->follows_law(k)) continue;
      const Input& input = model_->inputs()[k];
      std::vector<Formula> own;
      for (int i = 0; i < input.size; ++i) own.push_back(law.is_scalar() ? law : law[next++]);
      Formula value = Formula::vector(own);
      if (const TomlEntry* limit = names_.at(input.name).table->value.find("limit")) value = with_limit(value, *limit);
      model_->law(model_->input_symbol(k), value, options.sample);
    }
  });
}

}  // namespace hamel
