#include "textbook/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hamel::textbook {
namespace {

using Meaning = Quantity::Meaning;

Formula symbol_named(const std::string& name, int rows, int cols, int first_index) {
  return Formula::symbol({.role = Role::quantity, .name = name, .slot = 0, .model = 0, .first_index = first_index},
                         rows, cols);
}

}  // namespace

Names::Names(Symbols& symbols, Naming naming) : symbols_(symbols), naming_(naming) {
  for (const auto& [name, formula] : symbols.model().definitions()) definitions_.emplace(&formula.node(), name);
}

std::string Names::name_of(const Formula& formula) const {
  const Formula::Node& node = formula.node();
  if (node.kind == Kind::number || node.kind == Kind::symbol) return {};
  if (const auto found = definitions_.find(&node); found != definitions_.end()) return found->second;
  return node.label;
}

int Names::index_of(const std::string& name) const {
  const Model& model = symbols_.model();
  int index = 0;
  for (const auto* list : {&model.points(), &model.definitions()})
    for (const Model::Named& named : *list) {
      if (named.name == name) return index;
      ++index;
    }
  return -1;
}

Sum Names::constant(const std::string& name, const Formula& formula, bool is_given) {
  if (const auto found = known_.find(name); found != known_.end()) return found->second;
  Leaf leaf = symbols_.constant_matrix(formula);
  leaf.formula = symbol_named(name, formula.rows(), formula.cols(), symbols_.model().first_index());
  leaf.order = "6~" + name;
  const Sum result = symbol(leaf);
  entries_.push_back({name, result, 0.0, formula, is_given, true, {0, static_cast<int>(entries_.size())}});
  known_.insert({name, result});
  return result;
}

// J, or J_body where there are several.
Sum Names::inertia(const Model::Body& body, const Formula& formula) {
  const Model& model = symbols_.model();
  const auto is_anonymous = [&](const Model::Body& other) {
    return other.body.inertia.node().kind != Kind::symbol && name_of(other.body.inertia).empty();
  };
  const auto count = std::count_if(model.bodies().begin(), model.bodies().end(), is_anonymous);
  const bool single = count == 1 && symbols_.is_free("J");
  return constant(single ? "J" : "J_" + body.name, formula, false);
}

Names::~Names() {
  for (const std::shared_ptr<Definition>& rotation : rotations_) rotation->turning = Sum(0.0);
}

std::vector<Definition::Move> Names::moves() const {
  std::vector<Definition::Move> all;
  for (const Place& place : symbols_.places()) {
    if (place.turns()) all.push_back({place.R, place.omega});
    if (place.has_point() && place.space != Space::pose) all.push_back({place.q, place.v});
  }
  return all;
}

Sum Names::point(const std::string& name, const Sum& value) {
  if (const auto found = known_.find(name); found != known_.end()) return found->second;
  const int index = index_of(name);
  const std::pair shape{value.rows(), 1};
  const auto leaf = [](const Sum& sum, bool moves) {
    auto definition = std::make_shared<Definition>();
    definition->value = sum;
    Leaf known{.is_rate = moves};
    known.definition = definition;
    return known;
  };
  const Sum velocity = symbols_.rate(value);
  const Sum x = symbols_.quantity('2', name, 0, shape, Meaning::point, index, leaf(value, false));
  const Sum v = symbols_.quantity('3', name, 1, shape, Meaning::point_rate, index, leaf(velocity, true));
  const Sum a = symbols_.quantity('4', name, 2, shape, Meaning::point_acceleration, index, {.is_rate = true});
  symbols_.add_rate(x, v);
  symbols_.add_rate(v, a);
  rates_.push_back({v, velocity, a, false});
  entries_.push_back({name, x, value, {}, false, false, {2, index}});
  known_.insert({name, x});
  have_motions_ = true;
  return x;
}

// L = A B turns by B^T a + b, or by L^T A a + b where B has no name.
Attitude Names::rotation(const std::string& name, const Formula& formula, const Attitude& inner, const Attitude* first,
                         const Attitude* last) {
  const auto found = known_.find(name);
  auto definition = std::make_shared<Definition>();
  Leaf leaf{.is_rotation = true};
  leaf.definition = definition;
  const Sum L = found != known_.end()
                    ? found->second
                    : symbols_.quantity('2', name, 0, {3, 3}, Meaning::rotation, index_of(name), leaf);
  Sum rate = inner.rate;
  if (first != nullptr && last->matrix.terms().size() > 1)
    rate = transpose(L) * (first->matrix * first->rate) + last->rate;
  if (found != known_.end()) return {L, rate};
  definition->turning = rate;
  rotations_.push_back(definition);
  definition->moves = moves();
  symbols_.add_rate(L, L * hat(rate));
  entries_.push_back({name, L, 0.0, formula, false, false, {1, index_of(name)}});
  known_.insert({name, L});
  have_motions_ = true;
  return {L, rate};
}

Sum Names::angular_velocity(const std::string& body, int index, const Sum& value) {
  auto definition = std::make_shared<Definition>();
  definition->value = value;
  Leaf leaf{.is_rate = true};
  leaf.definition = definition;
  const std::string name = "Omega_" + body;
  const Sum w = symbols_.quantity('1', name, 0, {3, 1}, Meaning::body_turning, index, leaf);
  const Sum rate = symbols_.quantity('1', name, 1, {3, 1}, Meaning::body_turning_rate, index, {.is_rate = true});
  symbols_.add_rate(w, rate);
  rates_.push_back({w, value, rate, true});
  entries_.push_back({name, w, value, {}, false, false, {3, index}});
  have_motions_ = true;
  return w;
}

Values Names::held() const {
  Values none;
  for (const Rate& rate : rates_) none.insert({key_of_symbol(rate.symbol), Sum(rate.symbol.rows(), 1)});
  return none;
}

Formula Names::in_print(const Formula& formula) const { return replaced(formula, &formula.node()); }

Formula Names::replaced(const Formula& formula, const Formula::Node* whole) const {
  const Formula::Node& node = formula.node();
  const auto leaf_of = [](const Sum& symbol) { return symbol.terms().front().core.front()->leaf.formula; };
  if (&node != whole)
    if (const auto found = known_.find(name_of(formula)); found != known_.end() && !found->second.is_scalar())
      return leaf_of(found->second);
  const bool pose =
      node.kind == Kind::block && node.args[0].node().kind == Kind::symbol && node.args[0].node().symbol.is_pose();
  if (pose && (node.cols == 3 || node.j == 3)) {
    const Place& place = symbols_.place(node.args[0].node().symbol.slot);
    return leaf_of(node.cols == 3 ? place.R : place.q);
  }
  if (node.args.empty()) return formula;
  Formula::Node copy = node;
  for (Formula& arg : copy.args) arg = replaced(arg, whole);
  return Formula(std::make_shared<Formula::Node>(std::move(copy)));
}

}  // namespace hamel::textbook

namespace hamel {

Formula in_print(const Model& model, const Formula& formula) {
  try {
    textbook::Symbols symbols(model, Form::velocity);
    return textbook::Names(symbols, textbook::Naming::constants).in_print(formula);
  } catch (const textbook::NoVectorForm&) {
    return formula;
  }
}

}  // namespace hamel
