#include "language/written_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "hamel/graph/table.hpp"
#include "hamel/model/file_text.hpp"

namespace hamel {
namespace {

using Node = Formula::Node;

bool is_identifier(const std::string& name) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), fits);
}

// x, or x[2]: what may stand on the left of a definition.
bool can_be_defined(const std::string& label) {
  const std::size_t index = label.find('[');
  if (index == std::string::npos) return is_identifier(label);
  const std::string number = label.substr(index + 1, label.size() - index - 2);
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  return is_identifier(label.substr(0, index)) && label.back() == ']' && !number.empty() &&
         std::all_of(number.begin(), number.end(), is_digit);
}

std::string base_of(const std::string& name) { return name.substr(0, name.find('[')); }
bool is_leaf(const Node& node) { return node.args.empty(); }

int size_of(const Node& node) {
  int size = 1;
  for (const Formula& arg : node.args) size += arg.node().label.empty() ? size_of(arg.node()) : 1;
  return size;
}

// e1 is a vector of space there: in the plane it is [1, 0].
void list_entries(Node& node) {
  node.kind = Kind::stack;
  for (const double value : node.value.reshaped()) node.args.emplace_back(value);
}

// Files have no name for the column of a matrix; it is A*e1.
bool is_column(const Node& node) {
  const Node& whole = node.kind == Kind::block ? node.args[0].node() : node;
  return node.kind == Kind::block && !(whole.kind == Kind::symbol && whole.symbol.is_pose());
}

std::shared_ptr<Node> column_of(const Node& block) {
  auto product = std::make_shared<Node>((block.args[0] * unit_vector(block.j, block.args[0].cols())).node());
  if (block.args[0].cols() == 2) {
    auto unit = std::make_shared<Node>(product->args[1].node());
    list_entries(*unit);
    product->args[1] = Formula(std::shared_ptr<const Node>(unit));
  }
  product->label = block.label;
  return product;
}

}  // namespace

std::string key_of(const std::string& name) { return is_identifier(name) ? name : quoted_text(name); }

Member member_of(const std::string& name, int first_index) {
  const std::size_t index = name.find('[');
  if (index == std::string::npos) return {};
  return {name.substr(0, index), std::stoi(name.substr(index + 1)) - first_index + 1};
}
std::string renumbered(const std::string& name, int first_index) {
  const Member member = member_of(name, first_index);
  return member.family.empty() ? name : fmt::format("{}[{}]", member.family, member.number);
}

WrittenNames::WrittenNames(const Model& model) : model_(model) {
  for (const Parameter& one : model.parameters()) taken_.insert(one.name);
  for (const Coordinate& one : model.coordinates()) taken_.insert(base_of(one.name));
  for (const Input& one : model.inputs()) taken_.insert(one.name);
  for (const Model::Named& one : model.points()) {
    points_.insert(one.name);
    taken_.insert(base_of(one.name));
  }
}

void WrittenNames::count(const Formula& formula) {
  if (++uses_[&formula.node()] > 1) return;
  for (const Formula& arg : formula.node().args) count(arg);
}

std::string WrittenNames::text(const Formula& formula) {
  std::string result = rewritten(formula).to_string();
  if (result.find("...") != std::string::npos)
    throw std::invalid_argument(fmt::format("{} is too long to be written: give names to its parts", formula.brief()));
  return result;
}

std::string WrittenNames::meaning(const Formula& formula) {
  auto node = std::make_shared<Node>(rewritten(formula).node());
  node->label.clear();
  return Formula(node).to_string();
}

Formula WrittenNames::rewritten(const Formula& formula) {
  if (const auto found = rewritten_.find(&formula.node()); found != rewritten_.end()) return found->second;
  const Node& old = formula.node();
  if (old.kind == Kind::number && old.value.size() == 1 && hamel::is_table(old.value(0, 0)))
    throw std::invalid_argument(fmt::format("the table {} cannot be written to a model file", formula.brief()));
  auto node = std::make_shared<Node>(old.kind == Kind::symbol ? symbol_of(old) : old);
  for (Formula& arg : node->args) {
    arg = rewritten(arg);
    node->uses |= arg.node().uses;
  }
  if (old.kind == Kind::number && old.rows == 2 && old.cols == 1) list_entries(*node);
  if (is_column(old)) node = column_of(*node);
  name(*node, uses_[&old]);
  Formula result{std::shared_ptr<const Node>(node)};
  rewritten_.emplace(&old, result);
  return result;
}

Formula::Node WrittenNames::symbol_of(const Node& old) const {
  Symbol symbol = old.symbol;
  symbol.name = renumbered(symbol.name, symbol.first_index);
  if (symbol.role == Role::momentum) {
    const std::string& name = model_.coordinates()[static_cast<std::size_t>(symbol.slot)].name;
    symbol.name = fmt::format("momentum({})", renumbered(name, symbol.first_index));
  }
  symbol.first_index = 1;
  return Formula::symbol(symbol, old.rows, old.cols).node();
}

// A label that means something else elsewhere is none here.
void WrittenNames::name(Node& node, int uses) {
  constexpr int worth_a_name = 3;  // nodes
  if (points_.contains(node.label)) return;
  if (!node.label.empty() && !can_be_defined(node.label)) node.label.clear();
  if (node.label.empty() && (uses < 2 || is_leaf(node) || size_of(node) < worth_a_name)) return;
  const std::string label = std::exchange(node.label, {});
  const std::string body = Formula(std::make_shared<Node>(node)).to_string();
  if (const auto same = by_meaning_.find(body); same != by_meaning_.end()) {
    node.label = same->second;
    return;
  }
  if (label.empty() && uses < 2) return;
  node.label = unused(label);
  by_meaning_.emplace(body, node.label);
  definitions_.emplace_back(node.label, body);
}

std::string WrittenNames::unused(const std::string& wanted) {
  if (!wanted.empty() && !labels_.contains(wanted) && !taken_.contains(base_of(wanted)))
    return *labels_.insert(wanted).first;
  for (;;) {
    const std::string label = fmt::format("part{}", ++counter_);
    if (!taken_.contains(label) && labels_.insert(label).second) return label;
  }
}

}  // namespace hamel
