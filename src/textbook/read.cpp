#include "textbook/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "textbook/atoms.hpp"

namespace hamel::textbook {
namespace {

using Eigen::MatrixXd;

constexpr int deepest = 2000;

Sum unit(int i, int size) { return constant(MatrixXd::Identity(size, size).col(i)); }

Sum inner(const Sum& a, const Sum& matrix, const Sum& b) { return dot(a, matrix * b); }

bool is_at_rest(const Formula& formula) {
  return !formula.has_rates() && !formula.depends_on(Role::coordinate) && !formula.depends_on(Role::time) &&
         !formula.depends_on(Role::momentum);
}

bool is_made_of_parameters(const Formula& formula) { return is_at_rest(formula) && !formula.depends_on(Role::input); }

bool is_parameter(const Formula& formula) {
  return formula.node().kind == Kind::symbol && formula.node().symbol.role == Role::parameter;
}

// A symbol or a number times one: no name says more.
bool is_plain(const Sum& sum) {
  if (sum.terms().size() != 1) return sum.is_zero();
  const Term& term = sum.terms().front();
  return term.factors.size() + term.core.size() <= 1 &&
         std::none_of(term.core.begin(), term.core.end(), is_written_out);
}

// Rotations with names.
bool has_names(const Sum& sum) {
  return std::any_of(sum.terms().begin(), sum.terms().end(), [](const Term& term) {
    return std::any_of(term.core.begin(), term.core.end(),
                       [](const AtomPtr& atom) { return atom->leaf.is_rotation && atom->leaf.definition != nullptr; });
  });
}

Sum entry_of(const Symbol& matrix, int rows, int cols, int i, int j) {
  Leaf leaf{.is_constant = true};
  leaf.formula = Formula::symbol(matrix, rows, cols)(i, j);
  leaf.order = fmt::format("6{:05}[{},{}]", matrix.slot, i, j);
  return symbol(leaf);
}

// rho[i] of a list of vectors
Sum row_of(const Formula& matrix, const Formula::Node& row) {
  Leaf leaf{.is_constant = true};
  leaf.formula = transpose(matrix).column(row.j);
  leaf.order = fmt::format("6{:05}[{:05}]", matrix.node().symbol.slot, row.j);
  return symbol(leaf);
}

std::shared_ptr<const Definition> diagonal_entries(const Symbol& matrix, int size) {
  auto definition = std::make_shared<Definition>();
  for (int i = 0; i < size; ++i) definition->diagonal.push_back(entry_of(matrix, size, size, i, i));
  return definition;
}

const Place* pose_of(const Formula& formula, const Symbols& symbols) {
  const Formula::Node& node = formula.node();
  if (node.kind != Kind::symbol || node.symbol.role != Role::coordinate || !node.symbol.is_pose()) return nullptr;
  return &symbols.place(node.symbol.slot);
}

// Entries c (e_k.x) of a column are the product of c, a matrix of numbers and x. Terms of other kinds are refused.
class LinearParts {
 public:
  explicit LinearParts(int rows) : rows_(rows) {}

  bool take(int row, Term term) {
    if (term.factors.empty() || term.factors.back().exponent != 1) return false;
    const AtomPtr atom = term.factors.back().atom;
    if (atom->sort != Sort::dot || atom->cores[1].size() != 1) return false;
    const AtomPtr &x = atom->cores[0][0], &axis = atom->cores[1][0];
    if (x->sort != Sort::symbol || axis->sort != Sort::number) return false;
    const double number = std::exchange(term.coefficient, 1);
    term.factors.pop_back();
    part_of(term, x).matrix.row(row) += number * axis->value.col(0).transpose();
    return true;
  }

  Sum sum() const {
    Sum result(rows_, 1);
    for (const Part& part : parts_) result += scaled(part.scale, constant(part.matrix) * from(part.vector));
    return result;
  }

 private:
  struct Part {
    Term scale;
    AtomPtr vector;
    MatrixXd matrix;
  };

  Part& part_of(const Term& scale, const AtomPtr& x) {
    for (Part& part : parts_)
      if (part.vector->key == x->key && part.scale.key() == scale.key()) return part;
    return parts_.emplace_back(Part{scale, x, MatrixXd::Zero(rows_, x->rows)});
  }

  int rows_;
  std::vector<Part> parts_;
};

}  // namespace

Sum Reader::read(const Formula& formula) {
  const Node* node = &formula.node();
  auto& memo = in_norm_ ? memo_in_norms_ : memo_;
  if (const auto found = memo.find(node); found != memo.end()) return found->second;
  if (++depth_ > deepest) throw TooLong{fmt::format("formulas nested more than {} deep", deepest)};
  const std::string name = names_ == nullptr ? std::string() : names_->name_of(formula);
  const Sum result = name.empty() ? read_node(*node) : read_named(name, formula);
  --depth_;
  memo.insert({node, result});
  return result;
}

Sum Reader::read_named(const std::string& name, const Formula& formula) {
  const Sum inside = read_node(formula.node());
  if (is_made_of_parameters(formula))
    return formula.depends_on(Role::parameter) && !is_plain(inside) ? names_->constant(name, formula, true) : inside;
  const bool keeps = names_->keeps_motions() || in_norm_;
  if (!keeps || formula.has_rates() || formula.depends_on(Role::input)) return inside;
  if (formula.cols() == 3 && names_->keeps_motions())
    if (const std::optional<Attitude> turning = turning_of(formula)) return turning->matrix;
  const bool is_point = formula.is_vector() && formula.rows() > 1 && (inside.terms().size() > 1 || has_names(inside));
  return is_point ? names_->point(name, inside) : inside;
}

Sum Reader::read_node(const Node& node) {
  const auto arg = [&](std::size_t k) { return read(node.args[k]); };
  switch (node.kind) {
    case Kind::number:
      return constant(node.value);
    case Kind::symbol:
      return read_symbol(node);
    case Kind::rate:
      return symbols_.rate(arg(0));
    case Kind::add:
      return read_sum(node, 1);
    case Kind::subtract:
      return read_sum(node, -1);
    case Kind::negate:
      return -arg(0);
    case Kind::multiply:
      return read_product(node);
    case Kind::divide:
      return arg(0) * reciprocal(arg(1));
    case Kind::power:
      return read_power(node);
    case Kind::function:
      return read_function(node);
    case Kind::dot:
      return dot(arg(0), arg(1));
    case Kind::cross:
      return cross(arg(0), arg(1));
    case Kind::norm:
      return read_norm(node);
    case Kind::squared_norm: {
      const Sum vector = read_unturned(node.args[0]);
      return dot(vector, vector);
    }
    case Kind::hat:
      return hat(arg(0));
    case Kind::vee:
      return vee(arg(0));
    case Kind::turn:
      return read_turn(node).matrix;
    case Kind::transpose:
      return transpose(arg(0));
    case Kind::trace:
      return trace(arg(0));
    case Kind::component:
      return read_component(node);
    case Kind::block:
      return read_block(node);
    case Kind::stack:
      return read_stack(node);
    case Kind::less:
      return indicator("<", arg(0), arg(1));
    case Kind::less_equal:
      return indicator("<=", arg(0), arg(1));
    case Kind::select: {
      const Sum chosen = arg(0);
      return chosen * arg(1) + (1.0 - chosen) * arg(2);
    }
    case Kind::angular_velocity:
      return read_angular_velocity(node);
    case Kind::determinant:
      break;
  }
  throw NoVectorForm{"a determinant has no vector form"};
}

// Rotations as such.
Sum Reader::read_product(const Node& node) {
  const Formula &a = node.args[0], &b = node.args[1];
  const bool may_turn = a.rows() == 3 && a.cols() == 3 && b.cols() == 3 && a.depends_on(Role::coordinate);
  if (may_turn)
    if (const std::optional<Attitude> turning = turning_of_product(a * b)) return turning->matrix;
  const Sum left = read(a);
  return left * read(b);
}

// From left to right: names are made as they are met.
Sum Reader::read_sum(const Node& node, double sign) {
  Sum left = read(node.args[0]);
  return std::move(left) + sign * read(node.args[1]);
}

Sum Reader::read_symbol(const Node& node) const {
  const Symbol& symbol = node.symbol;
  const Model& model = symbols_.model();
  Leaf leaf;
  leaf.formula = Formula::symbol(symbol, node.rows, node.cols);
  switch (symbol.role) {
    case Role::coordinate: {
      const Place& place = symbols_.place(symbol.slot);
      if (place.space == Space::pose)
        throw NoVectorForm{fmt::format("{} is used as a matrix of 12 numbers", symbol.name)};
      return place.space == Space::rotation ? place.R : place.q;
    }
    case Role::momentum:
      return symbols_.place(symbol.slot).momentum;
    case Role::time:
      leaf.order = "7time";
      return textbook::symbol(leaf);
    case Role::input:
      leaf.order = fmt::format("5{:05}", symbol.slot);
      return textbook::symbol(leaf);
    default:
      leaf.order = fmt::format("6{:05}", symbol.slot);
      leaf.is_constant = true;
      const MatrixXd& value = model.parameters()[static_cast<std::size_t>(symbol.slot)].value;
      leaf.is_symmetric = value.rows() > 1 && value.rows() == value.cols() && value == value.transpose();
      if (leaf.is_symmetric && value.isDiagonal(0.0)) leaf.definition = diagonal_entries(symbol, node.rows);
      return textbook::symbol(leaf);
  }
}

Sum Reader::read_stack(const Node& node) {
  if (node.cols > 1 && std::all_of(node.args.begin(), node.args.end(), is_made_of_parameters)) return read_matrix(node);
  if (node.cols > 1) {
    Sum result(node.rows, node.cols);
    for (std::size_t j = 0; j < node.args.size(); ++j)
      result += read(node.args[j]) * transpose(unit(static_cast<int>(j), node.cols));
    return result;
  }
  if (std::all_of(node.args.begin(), node.args.end(), is_at_rest)) return read_list(node);
  LinearParts linear(node.rows);
  Sum others(node.rows, 1);
  for (int i = 0; i < node.rows; ++i) {
    const Sum entry = read(node.args[static_cast<std::size_t>(i)]);
    for (const Term& term : entry.terms())
      if (!linear.take(i, term)) others += sum_of(1, 1, {term}) * unit(i, node.rows);
  }
  return linear.sum() + others;
}

// A column of parameters and inputs is a vector of its own.
Sum Reader::read_list(const Node& node) const {
  Leaf leaf;
  leaf.formula = Formula::vector(node.args);
  leaf.is_constant = !leaf.formula.depends_on(Role::input);
  leaf.order = (leaf.is_constant ? "6" : "5") + leaf.formula.to_string();
  return textbook::symbol(leaf);
}

// diag(I) is one symbol.
Sum Reader::read_matrix(const Node& node) const {
  const Formula matrix = Formula::columns(node.args);
  Leaf leaf = symbols_.constant_matrix(matrix);
  leaf.formula = matrix;
  leaf.order = "6" + matrix.to_string();
  return textbook::symbol(leaf);
}

Sum Reader::read_component(const Node& node) {
  const Formula& whole = node.args[0];
  if (const Place* pose = pose_of(whole, symbols_)) {
    const Sum row = unit(node.i, 3);
    return node.j == 3 ? dot(row, pose->q) : inner(row, pose->R, unit(node.j, 3));
  }
  const Formula::Node& inside = whole.node();
  if (inside.kind == Kind::symbol && inside.symbol.role == Role::parameter && whole.cols() > 1) {
    return entry_of(inside.symbol, whole.rows(), whole.cols(), node.i, node.j);
  }
  const Sum value = read(whole);
  if (whole.is_vector()) return dot(unit(node.i, whole.rows()), value);
  if (whole.rows() == 1) return dot(unit(node.j, whole.cols()), transpose(value));
  return inner(unit(node.i, whole.rows()), value, unit(node.j, whole.cols()));
}

Sum Reader::read_block(const Node& node) {
  const Formula& whole = node.args[0];
  if (const Place* pose = pose_of(whole, symbols_)) {
    if (node.cols == 3) return pose->R;
    return node.j == 3 ? pose->q : pose->R * unit(node.j, 3);
  }
  const Node& inner = whole.node();
  if (inner.kind == Kind::transpose && node.cols == 1 && is_parameter(inner.args[0]))
    return row_of(inner.args[0], node);
  if (node.cols == 1 && node.rows == whole.rows()) return read(whole) * unit(node.j, whole.cols());
  throw NoVectorForm{fmt::format("a block of {} has no vector form", whole.brief())};
}

Sum Reader::read_norm(const Node& node) {
  const bool before = std::exchange(in_norm_, !node.args[0].has_rates());
  const Sum inside = read_unturned(node.args[0]);
  in_norm_ = before;
  return norm(inside);
}

Sum Reader::read_power(const Node& node) {
  const Sum base = read(node.args[0]), exponent = read(node.args[1]);
  return exponent.is_number() ? power(base, exponent.number()) : function("pow", {base, exponent});
}

Sum Reader::read_function(const Node& node) {
  std::vector<Sum> arguments;
  for (const Formula& argument : node.args) arguments.push_back(read(argument));
  return call(node.function, arguments);
}

Sum Reader::read_angular_velocity(const Node& node) const {
  const Place& place = symbols_.place(node.args[0].node().symbol.slot);
  return place.turns() ? place.omega : moment(place, place.v);
}

}  // namespace hamel::textbook
