#include "textbook/lines.hpp"

#include <algorithm>
#include <set>

namespace hamel::textbook {
namespace {

bool is(const Core& core, const Sum& vector_symbol) {
  return core.size() == 1 && core[0]->key == vector_symbol.terms()[0].core[0]->key;
}

bool is_tangent(const Core& core, const Place& place) {
  if (is(core, place.v)) return true;
  if (core.size() == 2 && place.space == Space::circle)
    return core[0]->key == quarter_turn().terms()[0].core[0]->key && is({core[1]}, place.q);
  if (core.size() != 1 || core[0]->sort != Sort::cross) return false;
  return is(core[0]->cores[0], place.q) || is(core[0]->cores[1], place.q);
}

bool names(const Formula& formula, const std::string& label) {
  const Formula::Node& node = formula.node();
  if (node.kind == Kind::number && node.label == label) return true;
  return std::any_of(node.args.begin(), node.args.end(), [&](const Formula& arg) { return names(arg, label); });
}

void add_symbols(const Formula& formula, std::set<std::string>& symbols) {
  const Formula::Node& node = formula.node();
  if (node.kind == Kind::symbol) symbols.insert(node.symbol.name);
  for (const Formula& arg : node.args) add_symbols(arg, symbols);
}

}  // namespace

Parts parts_of(const Sum& vector, const Place& place, const Sum& own) {
  const Sum none(vector.rows(), 1);
  Parts parts{none, none, none, none};
  for (const Term& term : vector.terms()) {
    const bool is_own = is(term.core, own) && !mentions(sum_of(1, 1, {{1, term.factors, {}}}), own);
    Sum& part = is_own                         ? parts.own
                : is(term.core, place.q)       ? parts.normal
                : is_tangent(term.core, place) ? parts.tangent
                                               : parts.other;
    part.add(term);
  }
  return parts;
}

Lines::Lines(const Model& model, bool factors) {
  style_.factors = factors;
  const auto forbid = [&](const auto& named) {
    for (const auto& thing : named)
      if (thing.name == "S") style_.quarter_turn.clear();
  };
  forbid(model.parameters());
  forbid(model.coordinates());
  forbid(model.inputs());
}

Formula Lines::nested(const Sum& sum, const Place& place) const {
  Style style = style_;
  if (place.space == Space::sphere) style.point = place.q;
  return write(sum, style);
}

Formula Lines::projected(const Sum& sum, const Place& place) const {
  Style style = style_;
  style.point = place.q;
  style.project = true;
  return write(sum, style);
}

Formula Lines::tangent(const Parts& parts, const Place& place) const {
  return plain(parts.own + parts.tangent) + projected(parts.other, place);
}

void Lines::define_quarter_turn(TextbookEquations& set) const {
  const std::string& name = style_.quarter_turn;
  if (name.empty()) return;
  const std::vector<TextbookEquation> all = set.all();
  const auto uses_it = [&](const TextbookEquation& e) { return names(e.left, name) || names(e.right, name); };
  if (std::none_of(all.begin(), all.end(), uses_it)) return;
  const Formula S = Eigen::Matrix2d{{0, -1}, {1, 0}};
  set.definitions.push_back({S.named(name), S});
}

bool uses_name(const TextbookEquations& set, const std::string& name) {
  std::set<std::string> symbols;
  for (const auto& [left, right] : set.all()) {
    add_symbols(left, symbols);
    add_symbols(right, symbols);
  }
  return std::any_of(symbols.begin(), symbols.end(), [&](std::string symbol) {
    std::erase(symbol, '\'');
    return symbol == name;
  });
}

std::vector<Quantity> used_quantities(const std::vector<Quantity>& all, const TextbookEquations& set) {
  std::set<std::string> symbols;
  for (const auto& [left, right] : set.all()) {
    add_symbols(left, symbols);
    add_symbols(right, symbols);
  }
  std::vector<Quantity> used;
  for (const Quantity& quantity : all)
    if (symbols.contains(quantity.name)) used.push_back(quantity);
  return used;
}

}  // namespace hamel::textbook
