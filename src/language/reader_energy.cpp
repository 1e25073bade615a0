// [energy]: its terms, and a remark about those that are zero whatever the coordinates are.
#include "language/reader.hpp"
#include "language/reading.hpp"
#include "language/vocabulary.hpp"

namespace hamel {

namespace {

struct ZeroTerm {
  Place place;
  bool always;  // for every index of its sum
  std::string cause = {};
};

std::string text_of(const Place& place) { return place.source->text.substr(place.begin, place.length); }

// e3.x in m*g*e3.x
const Syntax& zero_factor(const Syntax& syntax, Evaluator& evaluator) {
  if (syntax.kind == SyntaxKind::negate) return zero_factor(syntax.parts[0], evaluator);
  if (syntax.kind == SyntaxKind::binary && (syntax.text == "*" || syntax.text == "/"))
    for (const Syntax& part : syntax.parts)
      if (evaluator.formula(part).is_zero()) return zero_factor(part, evaluator);
  return syntax;
}

// A 0 that is written as such is meant; so is if(...).
bool is_meant(const Syntax& zero) {
  return zero.kind == SyntaxKind::number || (zero.kind == SyntaxKind::call && zero.text == "if");
}

}  // namespace

Formula Reader::energy_term(const Syntax& syntax, const std::string& key) {
  std::map<std::size_t, ZeroTerm> terms;  // by their places
  Formula sum = evaluator_->sum_of_terms(syntax, [&](const Syntax& part, const Formula& term) {
    const bool zero = term.is_scalar() && term.is_zero();
    const auto [found, is_new] = terms.try_emplace(part.place.begin, ZeroTerm{part.place, zero});
    found->second.always = found->second.always && zero;
    if (!is_new || !zero) return;
    const Syntax& factor = zero_factor(part, *evaluator_);
    found->second.cause = text_of(factor.place);
    found->second.always = !is_meant(factor);
  });
  for (const auto& [begin, term] : terms)
    if (term.always) {
      const std::string text = text_of(term.place);
      remarks_.push_back(fmt::format("{}:{}:{}: the term {} of {} is zero{}", source_->name, term.place.line(),
                                     term.place.column(), text, key,
                                     term.cause == text ? "" : fmt::format(", since {} is", term.cause)));
    }
  return sum;
}

void Reader::energy_terms(const std::string& key, void (Model::*add)(const Formula&)) {
  const TomlEntry* entry = section("energy")->find(key);
  if (entry == nullptr) return;
  for (const Syntax& syntax : expressions(entry->value)) {
    const Formula term = energy_term(syntax, key);
    if (term.is_scalar() && term.is_zero()) continue;
    at_place(syntax.place, [&] { ((*model_).*add)(term); });
  }
}

void Reader::energy() {
  const TomlValue* table = section("energy");
  if (table == nullptr) {
    if (model_->bodies().empty() && section("field") == nullptr)
      throw SourceError(Place{source_, 0, 0},
                        "the model has no section [energy], no [bodies] and no [field]: nothing has inertia");
    return;
  }
  check_keys(*table, known_keys().at("energy"), "[energy]");
  energy_terms("kinetic", &Model::kinetic);
  energy_terms("potential", &Model::potential);
  energy_terms("lagrangian", &Model::lagrangian);
  energy_terms("hamiltonian", &Model::hamiltonian);
}

}  // namespace hamel
