#include "model/lowering.hpp"

#include <bit>

#include "hamel/graph/functions.hpp"
#include "hamel/model/index.hpp"
#include "model/refuse.hpp"

namespace hamel {

namespace {

MatrixXe scalar(Expr value) { return MatrixXe::Constant(1, 1, value); }

template <class Function>
MatrixXe entrywise(const MatrixXe& a, Function function) {
  MatrixXe result(a.rows(), a.cols());
  for (Eigen::Index k = 0; k < a.size(); ++k) result(k) = function(a(k));
  return result;
}

template <class Function>
MatrixXe entrywise(const MatrixXe& a, const MatrixXe& b, Function function) {
  MatrixXe result(a.rows(), a.cols());
  for (Eigen::Index k = 0; k < a.size(); ++k) result(k) = function(a(k), b(k));
  return result;
}

MatrixXe matrix_product(const MatrixXe& a, const MatrixXe& b) {
  if (a.size() == 1) return entrywise(b, [&](Expr x) { return a(0) * x; });
  if (b.size() == 1) return entrywise(a, [&](Expr x) { return x * b(0); });
  MatrixXe result = MatrixXe::Constant(a.rows(), b.cols(), Expr());
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index j = 0; j < b.cols(); ++j)
      for (Eigen::Index k = 0; k < a.cols(); ++k) result(i, j) += a(i, k) * b(k, j);
  return result;
}

Expr dot_product(const MatrixXe& a, const MatrixXe& b) {
  Expr sum;
  for (Eigen::Index k = 0; k < a.size(); ++k) sum += a(k) * b(k);
  return sum;
}

MatrixXe vector(Expr x, Expr y, Expr z) {
  MatrixXe result(3, 1);
  result(0) = x;
  result(1) = y;
  result(2) = z;
  return result;
}

MatrixXe cross_product(const MatrixXe& a, const MatrixXe& b) {
  return vector(a(1) * b(2) - a(2) * b(1), a(2) * b(0) - a(0) * b(2), a(0) * b(1) - a(1) * b(0));
}

MatrixXe hat_matrix(const MatrixXe& a) {
  MatrixXe result = MatrixXe::Constant(3, 3, Expr());
  result(2, 1) = a(0);
  result(0, 2) = a(1);
  result(1, 0) = a(2);
  result(1, 2) = -a(0);
  result(2, 0) = -a(1);
  result(0, 1) = -a(2);
  return result;
}

// Rodrigues: I + sin(a) hat(n) + (1 - cos(a)) hat(n)^2 with n = axis / |axis|.
MatrixXe rotation_matrix(const MatrixXe& unit, Expr angle) {
  const MatrixXe skew = hat_matrix(unit), square = matrix_product(skew, skew);
  const Expr s = sin(angle), c = 1 - cos(angle);
  MatrixXe result(3, 3);
  for (Eigen::Index k = 0; k < 9; ++k) result(k) = (Expr(k % 4 == 0 ? 1.0 : 0.0) + s * skew(k)) + c * square(k);
  return result;
}

MatrixXe vee_vector(const MatrixXe& a) {
  return vector((a(2, 1) - a(1, 2)) / 2, (a(0, 2) - a(2, 0)) / 2, (a(1, 0) - a(0, 1)) / 2);
}

Expr trace_of(const MatrixXe& a) {
  Expr sum;
  for (Eigen::Index i = 0; i < a.rows(); ++i) sum += a(i, i);
  return sum;
}

// Expansion by rows; minors[S] is the determinant of the first |S| rows in the columns of the set S.
Expr determinant_of(const MatrixXe& a) {
  const auto n = static_cast<unsigned>(a.rows());
  std::vector<Expr> minors(std::size_t{1} << n);
  minors[0] = 1;
  for (unsigned set = 1; set < minors.size(); ++set) {
    const int row = std::popcount(set) - 1;
    int sign = row % 2 == 0 ? 1 : -1;
    for (unsigned column = 0; column < n; ++column) {
      if ((set >> column & 1U) == 0) continue;
      const Expr term = a(row, column) * minors[set & ~(1U << column)];
      minors[set] = sign > 0 ? minors[set] + term : minors[set] - term;
      sign = -sign;
    }
  }
  return minors.back();
}

Op operation(const std::string& function) {
  const FunctionRow* row = find_function(function);
  if (row == nullptr) refuse("unknown function {}", function);
  return row->op;
}

MatrixXe joined(const std::vector<const MatrixXe*>& parts, int rows, int cols) {
  MatrixXe result(rows, cols);
  Eigen::Index next = 0;
  for (const MatrixXe* part : parts)
    for (Eigen::Index k = 0; k < part->size(); ++k) result(next++) = (*part)(k);
  return result;
}

}  // namespace

Lowering::Lowering(const Model& model, LoweredModel& lowered)
    : model_(model), lowered_(lowered), omega_(model, lowered) {
  std::size_t next = 0;
  for (const Parameter& parameter : model.parameters()) {
    parameter_offsets_.push_back(next);
    next += static_cast<std::size_t>(parameter.value.size());
  }
  next = 0;
  for (std::size_t k = 0; k < model.inputs().size(); ++k) {
    input_offsets_.push_back(next);
    if (!model.follows_law(k)) next += at(model.inputs()[k].size);
  }
}

MatrixXe Lowering::matrix(const Formula& formula) {
  MatrixXe result = lower(formula);
  if (!formula.has_angular_velocity() && !formula.depends_on(Role::input)) return result;  // a law may have one
  const std::vector<Expr> entries = omega_.put_in(std::span(result.data(), static_cast<std::size_t>(result.size())));
  return Eigen::Map<const MatrixXe>(entries.data(), result.rows(), result.cols());
}

Expr Lowering::energy(const Formula& formula) {
  const Expr result = lower(formula)(0, 0);
  return formula.has_angular_velocity() ? omega_.put_in_energy(result) : result;
}

const MatrixXe& Lowering::lower(const Formula& formula) {
  struct Visit {
    const Node* node;
    std::size_t next_argument;
  };
  roots_.push_back(formula);
  std::vector<Visit> visits{{&formula.node(), 0}};
  while (!visits.empty()) {
    auto& [node, next] = visits.back();
    if (next == 0 && memo_.contains(node)) {
      visits.pop_back();
    } else if (const Formula* law = law_of(*node); law != nullptr && next == 0) {
      ++next;
      visits.push_back({&law->node(), 0});
    } else if (next < node->args.size()) {
      visits.push_back({&node->args[next++].node(), 0});
    } else {
      memo_.emplace(node, lower_node(*node));
      visits.pop_back();
    }
  }
  return memo_.at(&formula.node());
}

// Of an input whose place it takes.
const Formula* Lowering::law_of(const Node& node) const {
  if (node.kind != Kind::symbol || node.symbol.role != Role::input) return nullptr;
  const std::size_t slot = at(node.symbol.slot);
  const bool follows =
      slot < model_.inputs().size() && model_.inputs()[slot].name == node.symbol.name && model_.follows_law(slot);
  return follows ? &*model_.inputs()[slot].law : nullptr;
}

MatrixXe Lowering::symbol(const Symbol& symbol, int rows, int cols) const {
  const auto entries = [&](const std::vector<Expr>& all, std::size_t begin) -> MatrixXe {
    return Eigen::Map<const MatrixXe>(all.data() + begin, rows, cols);
  };
  const auto named = [&](const auto& declared) {
    return at(symbol.slot) < declared.size() && declared[at(symbol.slot)].name == symbol.name;
  };
  switch (symbol.role) {
    case Role::time:
      return scalar(lowered_.t);
    case Role::parameter:
      if (named(model_.parameters())) return entries(lowered_.parameters, parameter_offsets_[at(symbol.slot)]);
      break;
    case Role::input:
      if (named(model_.inputs())) return entries(lowered_.u, input_offsets_[at(symbol.slot)]);
      break;
    case Role::coordinate:
      if (named(model_.coordinates())) return entries(lowered_.q, at(lowered_.offsets[at(symbol.slot)]));
      break;
    case Role::momentum:
      if (!lowered_.mu.empty() && at(symbol.slot) < model_.coordinates().size())
        return entries(lowered_.mu, at(lowered_.offsets[at(symbol.slot)]));
      break;
    case Role::quantity:
      break;
  }
  refuse_unknown(symbol, model_.name());
}

// Of norm(a) and abs(a), by their squares where they are 0: |a|^p with p > 2 has two derivatives there, both 0.
Expr Lowering::power(const Formula& base, const Formula& exponent) {
  const auto lowered = [&](const Formula& f) -> const MatrixXe& { return memo_.at(&f.node()); };
  const bool rooted = base.node().kind == Kind::norm || base.node().function == "abs";
  const double p = exponent.is_number() ? exponent.node().value(0, 0) : 0;
  if (!rooted || !(p > 2)) return pow(lowered(base)(0), lowered(exponent)(0));
  const MatrixXe& a = lowered(base.node().args[0]);
  const Expr square = dot_product(a, a);
  return select(less(Expr(), square), pow(square, p / 2), Expr());
}

Expr Lowering::norm(const MatrixXe& a) {
  const Expr square = dot_product(a, a), root = sqrt(square);
  norms_.emplace(root.id(), square);
  return root;
}

// norm(a)*norm(a) is norm2(a), which has derivatives where a is 0; in m*norm(a)*norm(a) too.
MatrixXe Lowering::product(const MatrixXe& a, const MatrixXe& b) const {
  if (a.size() != 1 || b.size() != 1) return matrix_product(a, b);
  const Expr none;
  for (const auto& [factors, root] : {std::pair{a(0), b(0)}, {b(0), a(0)}})
    if (norms_.contains(root.id()))
      if (const Expr merged = without_root(factors, root); merged != none) return scalar(merged);
  return scalar(a(0) * b(0));
}

// factors * root, where root is among the factors; else 0.
Expr Lowering::without_root(Expr factors, Expr root, int depth) const {
  constexpr int deepest = 20;
  if (factors == root) return norms_.at(root.id());
  const Graph& graph = Graph::current();
  const hamel::Node node = graph.node(factors);
  if (depth == deepest || (node.op != Op::multiply && node.op != Op::divide && node.op != Op::negate)) return {};
  const Expr first = without_root(graph.expr(node.a), root, depth + 1), none;
  if (node.op == Op::negate) return -first;
  if (first != none) return node.op == Op::divide ? first / graph.expr(node.b) : first * graph.expr(node.b);
  return node.op == Op::divide ? none : graph.expr(node.a) * without_root(graph.expr(node.b), root, depth + 1);
}

MatrixXe Lowering::lower_node(const Node& node) {
  const auto arg = [&](std::size_t k) -> const MatrixXe& { return memo_.at(&node.args[k].node()); };
  switch (node.kind) {
    case Kind::number: {
      MatrixXe result(node.rows, node.cols);
      for (Eigen::Index k = 0; k < result.size(); ++k) result(k) = node.value(k);
      return result;
    }
    case Kind::symbol:
      if (const Formula* law = law_of(node)) return memo_.at(&law->node());
      return symbol(node.symbol, node.rows, node.cols);
    case Kind::rate:
      return entrywise(arg(0), [&](Expr x) { return lowered_.rate(x); });
    case Kind::add:
      return entrywise(arg(0), arg(1), [](Expr a, Expr b) { return a + b; });
    case Kind::subtract:
      return entrywise(arg(0), arg(1), [](Expr a, Expr b) { return a - b; });
    case Kind::negate:
      return entrywise(arg(0), [](Expr a) { return -a; });
    case Kind::multiply:
      return product(arg(0), arg(1));
    case Kind::divide:
      return entrywise(arg(0), [&](Expr a) { return a / arg(1)(0); });
    case Kind::power:
      return scalar(power(node.args[0], node.args[1]));
    case Kind::function:
      return scalar(
          Graph::current().make(operation(node.function), arg(0)(0), node.args.size() > 1 ? arg(1)(0) : Expr()));
    case Kind::dot:
      return scalar(dot_product(arg(0), arg(1)));
    case Kind::cross:
      return cross_product(arg(0), arg(1));
    case Kind::norm:
      return scalar(norm(arg(0)));
    case Kind::squared_norm:
      return scalar(dot_product(arg(0), arg(0)));
    case Kind::hat:
      return hat_matrix(arg(0));
    case Kind::vee:
      return vee_vector(arg(0));
    case Kind::turn: {
      const Expr length = norm(arg(0));
      return rotation_matrix(entrywise(arg(0), [&](Expr x) { return x / length; }), arg(1)(0));
    }
    case Kind::transpose:
      return arg(0).transpose();
    case Kind::trace:
      return scalar(trace_of(arg(0)));
    case Kind::determinant:
      return scalar(determinant_of(arg(0)));
    case Kind::component:
      return scalar(arg(0)(node.i, node.j));
    case Kind::block:
      return arg(0).block(node.i, node.j, node.rows, node.cols);
    case Kind::stack: {
      std::vector<const MatrixXe*> parts;
      for (std::size_t k = 0; k < node.args.size(); ++k) parts.push_back(&arg(k));
      return joined(parts, node.rows, node.cols);
    }
    case Kind::less:
      return scalar(less(arg(0)(0), arg(1)(0)));
    case Kind::less_equal:
      return scalar(less_equal(arg(0)(0), arg(1)(0)));
    case Kind::select:
      return entrywise(arg(1), arg(2), [&](Expr a, Expr b) { return select(arg(0)(0), a, b); });
    case Kind::angular_velocity:
      return omega_.auxiliary(node.args[0].node().symbol.slot);
  }
  throw std::logic_error("a formula of unknown kind");
}

}  // namespace hamel
