#include "hamel/language/write_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "hamel/graph/table.hpp"
#include "hamel/language/model_file.hpp"
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

std::string key_of(const std::string& name) { return is_identifier(name) ? name : quoted_text(name); }

// q[0] of a model that counts from 0 is q[1] in a file.
struct Member {
  std::string family;  // empty: it has none
  int number = 0;
};
Member member_of(const std::string& name, int first_index) {
  const std::size_t index = name.find('[');
  if (index == std::string::npos) return {};
  return {name.substr(0, index), std::stoi(name.substr(index + 1)) - first_index + 1};
}
std::string renumbered(const std::string& name, int first_index) {
  const Member member = member_of(name, first_index);
  return member.family.empty() ? name : fmt::format("{}[{}]", member.family, member.number);
}

// Formulas as text: those of a file have names that count from 1, and what is used twice has a name.
class Names {
 public:
  explicit Names(const Model& model) : model_(model) {
    for (const Parameter& one : model.parameters()) taken_.insert(one.name);
    for (const Coordinate& one : model.coordinates()) taken_.insert(base_of(one.name));
    for (const Input& one : model.inputs()) taken_.insert(one.name);
    for (const Model::Named& one : model.points()) {
      points_.insert(one.name);
      taken_.insert(base_of(one.name));
    }
  }

  // Before the first text: what will be asked for.
  void count(const Formula& formula) {
    if (++uses_[&formula.node()] > 1) return;
    for (const Formula& arg : formula.node().args) count(arg);
  }

  std::string text(const Formula& formula) {
    std::string result = rewritten(formula).to_string();
    if (result.find("...") != std::string::npos)
      throw std::invalid_argument(
          fmt::format("{} is too long to be written: give names to its parts", formula.brief()));
    return result;
  }
  // Of what has a name, its meaning.
  std::string meaning(const Formula& formula) {
    auto node = std::make_shared<Node>(rewritten(formula).node());
    node->label.clear();
    return Formula(node).to_string();
  }

  const std::vector<std::pair<std::string, std::string>>& definitions() const { return definitions_; }

 private:
  static std::string base_of(const std::string& name) { return name.substr(0, name.find('[')); }
  static bool is_leaf(const Node& node) { return node.args.empty(); }

  Formula rewritten(const Formula& formula) {
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

  // Files have no name for the column of a matrix; it is A*e1.
  static bool is_column(const Node& node) {
    const Node& whole = node.kind == Kind::block ? node.args[0].node() : node;
    return node.kind == Kind::block && !(whole.kind == Kind::symbol && whole.symbol.is_pose());
  }
  static std::shared_ptr<Node> column_of(const Node& block) {
    auto product = std::make_shared<Node>((block.args[0] * unit_vector(block.j, block.args[0].cols())).node());
    if (block.args[0].cols() == 2) {
      auto unit = std::make_shared<Node>(product->args[1].node());
      list_entries(*unit);
      product->args[1] = Formula(std::shared_ptr<const Node>(unit));
    }
    product->label = block.label;
    return product;
  }

  // e1 is a vector of space there: in the plane it is [1, 0].
  static void list_entries(Node& node) {
    node.kind = Kind::stack;
    for (const double value : node.value.reshaped()) node.args.emplace_back(value);
  }

  Node symbol_of(const Node& old) const {
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
  void name(Node& node, int uses) {
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

  static int size_of(const Node& node) {
    int size = 1;
    for (const Formula& arg : node.args) size += arg.node().label.empty() ? size_of(arg.node()) : 1;
    return size;
  }

  std::string unused(const std::string& wanted) {
    if (!wanted.empty() && !labels_.contains(wanted) && !taken_.contains(base_of(wanted)))
      return *labels_.insert(wanted).first;
    for (;;) {
      const std::string label = fmt::format("part{}", ++counter_);
      if (!taken_.contains(label) && labels_.insert(label).second) return label;
    }
  }

  const Model& model_;
  std::set<std::string> taken_, points_, labels_;
  std::unordered_map<const Node*, int> uses_;
  std::unordered_map<const Node*, Formula> rewritten_;
  std::map<std::string, std::string> by_meaning_;
  std::vector<std::pair<std::string, std::string>> definitions_;
  int counter_ = 0;
};

class Writer {
 public:
  explicit Writer(const Model& model) : model_(model), names_(model) { count(); }

  std::string run(const std::string& description) {
    const std::string parameters = this->parameters(), coordinates = this->coordinates(), points = this->points(),
                      bodies = this->bodies(),
                      rest = energies() + field() + forces() + inputs() + dissipation() + constraints();
    std::vector<std::string> lines;
    for (const auto& [name, meaning] : names_.definitions()) lines.push_back(entry(name, meaning));
    std::string head = fmt::format("name = {}\n", quoted_text(model_.name()));
    if (!description.empty()) head += fmt::format("description = {}\n", quoted_text(description));
    return head + parameters + coordinates + section("definitions", lines) + points + bodies + rest;
  }

 private:
  using Lines = std::vector<std::string>;
  static std::string section(const std::string& name, const Lines& lines) {
    return lines.empty() ? "" : fmt::format("\n[{}]\n{}\n", name, fmt::join(lines, "\n"));
  }
  static std::string entry(const std::string& name, const std::string& meaning) {
    return fmt::format("{} = {}", key_of(name), quoted_text(meaning));
  }
  std::string quoted(const Formula& formula) { return quoted_text(names_.text(formula)); }
  std::string list(const std::vector<Formula>& terms) {
    Lines texts;
    for (const Formula& term : terms) texts.push_back(quoted(term));
    return texts.size() == 1 ? texts[0] : fmt::format("[\n  {},\n]", fmt::join(texts, ",\n  "));
  }
  std::string renumbered_name(const std::string& name) const { return renumbered(name, model_.first_index()); }

  void count() {
    for (const Model::Named& one : model_.points()) names_.count(one.formula);
    for (const auto* terms : {&model_.potential_terms(), &model_.lagrangian_terms(), &model_.hamiltonian_terms(),
                              &model_.dissipation_terms()})
      for (const Formula& term : *terms) names_.count(term);
    for (const Formula& term : own_kinetic_terms()) names_.count(term);
    for (const Model::Applied& force : model_.forces()) {
      names_.count(force.force);
      names_.count(force.rate);
    }
    for (const Model::Named& one : model_.constraints()) names_.count(one.formula);
    for (const Input& input : model_.inputs())
      if (input.law) names_.count(*input.law);
    for (const Model::Prescribed& one : model_.field())
      for (const auto* part : {&one.rate, &one.omega, &one.velocity})
        if (*part) names_.count(**part);
  }

  std::vector<Formula> own_kinetic_terms() const {
    std::vector<Formula> terms;
    for (std::size_t k = 0; k < model_.kinetic_terms().size(); ++k) {
      const auto is_its_own = [&](const Model::Body& body) { return body.energy == k; };
      if (std::none_of(model_.bodies().begin(), model_.bodies().end(), is_its_own))
        terms.push_back(model_.kinetic_terms()[k]);
    }
    return terms;
  }

  std::string parameters() {
    Lines lines;
    for (std::size_t k = 0; k < model_.parameters().size(); ++k) {
      const Parameter& one = model_.parameters()[k];
      const std::optional<Formula>& formula = model_.origin(k).formula;
      lines.push_back(formula ? fmt::format("{} = {}", key_of(one.name), quoted(*formula))
                              : fmt::format("{} = {}", key_of(one.name), numbers_text(one.value)));
    }
    return section("parameters", lines);
  }

  std::string coordinates() const {
    Lines lines;
    const auto& all = model_.coordinates();
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::string space = all[k].space.name();
      const Member member = member_of(all[k].name, model_.first_index());
      if (member.family.empty()) {
        lines.push_back(fmt::format("{} = {}", key_of(all[k].name), quoted_text(space)));
      } else if (member.number == 1) {
        std::size_t count = 1;
        while (k + count < all.size() && member_of(all[k + count].name, model_.first_index()).family == member.family)
          ++count;
        lines.push_back(fmt::format("{} = {}", member.family, quoted_text(fmt::format("{}[{}]", space, count))));
      }
    }
    return section("coordinates", lines);
  }

  bool is_body(const std::string& name) const {
    const auto has_name = [&](const Model::Body& body) { return body.name == name; };
    return std::any_of(model_.bodies().begin(), model_.bodies().end(), has_name);
  }

  std::string points() {
    Lines lines;
    for (const Model::Named& one : model_.points())
      if (!is_body(one.name)) lines.push_back(entry(one.name, names_.meaning(one.formula)));
    return section("points", lines);
  }

  std::string bodies() {
    Lines lines;
    for (const auto& [name, body, energy] : model_.bodies()) {
      std::string text = fmt::format("{} = {{ attitude = {}", key_of(name), quoted(body.attitude));
      const auto add = [&](const char* what, const Formula& value) {
        if (!value.is_zero()) text += fmt::format(", {} = {}", what, quoted(value));
      };
      add("position", body.position);
      add("mass", body.mass);
      add("inertia", body.inertia);
      add("center", body.center_of_mass);
      lines.push_back(text + " }");
    }
    return section("bodies", lines);
  }

  std::string energies() {
    Lines lines;
    const auto add = [&](const char* name, const std::vector<Formula>& terms) {
      if (!terms.empty()) lines.push_back(fmt::format("{} = {}", name, list(terms)));
    };
    add("kinetic", own_kinetic_terms());
    add("potential", model_.potential_terms());
    add("lagrangian", model_.lagrangian_terms());
    add("hamiltonian", model_.hamiltonian_terms());
    return section("energy", lines);
  }

  std::string field() {
    Lines lines;
    for (std::size_t k = 0; k < model_.field().size(); ++k) {
      const std::string name = renumbered_name(model_.coordinates()[k].name);
      const auto add = [&](const char* prefix, const std::optional<Formula>& value) {
        if (value) lines.push_back(fmt::format("{}{} = {}", prefix, key_of(name), quoted(*value)));
      };
      const Model::Prescribed& one = model_.field()[k];
      if (one.rate) lines.push_back(entry(primed(name), names_.text(*one.rate)));
      add("omega.", one.omega);
      add("velocity.", one.velocity);
    }
    return section("field", lines);
  }

  // { at = point, force = f } where a force works on the rate of a point, { on = q, torque = f } on omega(q).
  std::string force(const Model::Applied& applied) {
    const Node& rate = applied.rate.node();
    if (rate.kind == Kind::angular_velocity)
      return fmt::format("{{ on = {}, torque = {} }}", quoted(rate.args[0]), quoted(applied.force));
    if (rate.kind == Kind::rate) {
      const bool on = rate.args[0].node().kind == Kind::symbol;
      return fmt::format("{{ {} = {}, force = {} }}", on ? "on" : "at", quoted(rate.args[0]), quoted(applied.force));
    }
    // In the body frame, on V = R^T x': f . (A x') = (A^T f) . x'.
    if (rate.kind == Kind::multiply && rate.args[1].node().kind == Kind::rate)
      return fmt::format("{{ at = {}, force = {} }}", quoted(rate.args[1].node().args[0]),
                         quoted(transpose(rate.args[0]) * applied.force));
    throw std::invalid_argument(fmt::format("the {} cannot be written to a model file", applied.what));
  }

  std::string forces() {
    Lines lines;
    for (std::size_t k = 0; k < model_.forces().size(); ++k)
      lines.push_back(fmt::format("force{} = {}", k + 1, force(model_.forces()[k])));
    return section("forces", lines);
  }

  std::string inputs() {
    Lines lines;
    for (const Input& one : model_.inputs()) {
      std::string text = fmt::format("{} = {{ size = {}", key_of(one.name), one.size);
      if (one.law) text += fmt::format(", law = {}", quoted(*one.law));
      if (one.sample > 0) text += fmt::format(", sample = {}", number_text(one.sample));
      lines.push_back(text + " }");
    }
    return section("inputs", lines);
  }

  std::string dissipation() {
    Lines lines;
    for (std::size_t k = 0; k < model_.dissipation_terms().size(); ++k)
      lines.push_back(fmt::format("dissipation{} = {}", k + 1, quoted(model_.dissipation_terms()[k])));
    return section("dissipation", lines);
  }

  std::string constraints() {
    Lines lines;
    for (const Model::Named& one : model_.constraints())
      lines.push_back(entry(
          one.name, fmt::format("{} = {}", names_.text(one.formula),
                                one.formula.is_scalar()
                                    ? "0"
                                    : names_.text(Formula(
                                          Eigen::MatrixXd::Zero(one.formula.rows(), one.formula.cols()).eval())))));
    return section("constraints", lines);
  }

  const Model& model_;
  Names names_;
};

}  // namespace

std::string model_text(const Model& model, const std::string& description) {
  std::string text = Writer(model).run(description);
  try {
    parse_model(text, "the model file");
  } catch (const SourceError& error) {
    throw std::invalid_argument(fmt::format("{} cannot be written to a model file: {}", model.name(), error.what()));
  }
  return text;
}

std::string start_text(const State& start) {
  if (!start.model) throw std::invalid_argument("the start has no model: make it by System::state");
  const Model& model = *start.model;
  std::string text = "\n[start]\n";
  if (start.t != 0) text += fmt::format("t = {}\n", number_text(start.t));
  Eigen::Index begin = 0;
  std::string rates;
  for (const Coordinate& one : model.coordinates()) {
    const auto [rows, cols] = one.space.shape();
    const Eigen::Index size = one.space.ambient();
    const std::string name = renumbered(one.name, model.first_index());
    text += fmt::format("{} = {}\n", key_of(name), numbers_text(start.q.segment(begin, size).reshaped(rows, cols)));
    rates += fmt::format("{} = {}\n", quoted_text(primed(name)),
                         numbers_text(start.v.segment(begin, size).reshaped(rows, cols)));
    begin += size;
  }
  return model.has_field() ? text : text + rates;
}

}  // namespace hamel
