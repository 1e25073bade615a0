#include "graph/rules.hpp"

#include <utility>

#include "hamel/graph/table.hpp"

namespace hamel {

namespace {

// An adjoint that enters a branch is masked: it counts only where the branch is taken. Masks stay outermost, as
// select(c, pulled back, 0), so that an infinite slope of a branch that is not taken meets no 0 * infinity.
struct Mask {
  Expr condition;
  bool wanted;  // counts where the condition is not 0 (true), or where it is 0 (false)
  Expr inside;
};

bool is_mask(const Node& n) { return n.op == Op::select && (n.b == 0 || n.c == 0); }

Mask mask_of(const Graph& graph, const Node& n) {
  const bool wanted = n.c == 0;
  return {graph.expr(n.a), wanted, graph.expr(wanted ? n.b : n.c)};
}

Expr masked(const Mask& m) { return m.wanted ? select(m.condition, m.inside, 0) : select(m.condition, 0, m.inside); }

// Masks do not nest: the conditions are joined instead.
Expr masked_again(const Graph& graph, const Mask& outer) {
  const Node n = graph.node(outer.inside.id());
  if (!is_mask(n)) return masked(outer);
  const Mask inner = mask_of(graph, n);
  const Expr holds = inner.wanted ? inner.condition : select(inner.condition, 0, 1);
  const Expr both = outer.wanted ? select(outer.condition, holds, 0) : select(outer.condition, 0, holds);
  return masked({both, true, inner.inside});
}

Expr square(Expr a) { return a * a; }

Expr product_rule(const Node& n, Expr a, Expr b, Expr adjoint, int k) {
  if (n.a == n.b) return k == 0 ? 2 * adjoint * a : Expr();
  return adjoint * (k == 0 ? b : a);
}

Expr power_rule(Expr base, Expr exponent, Expr y, Expr adjoint, int k) {
  return k == 0 ? adjoint * (exponent * pow(base, exponent - 1)) : adjoint * (y * log(base));
}

struct Change {
  Expr a, b, y, d;
};

Expr function_rule(Op op, const Change& of, int k) {
  const auto [a, b, y, d] = of;
  switch (op) {
#define FUNCTION(name, arity, value, da, db, ...) \
  case Op::name:                                  \
    return k == 0 ? Expr(da) : Expr(db);
#include "hamel/graph/functions.def"
    default:
      return {};
  }
}

Expr plain_rule(const Graph& graph, const Node& n, Expr y, Expr adjoint, int k) {
  const Expr a = graph.expr(n.a);
  switch (n.op) {
    case Op::add:
      return adjoint;
    case Op::subtract:
      return k == 0 ? adjoint : -adjoint;
    case Op::multiply:
      return product_rule(n, a, graph.expr(n.b), adjoint, k);
    case Op::divide: {
      if (k == 1 && a.is_constant(1)) return -(adjoint * (y * y));  // one division for all derivatives
      const Expr share = adjoint / graph.expr(n.b);
      return k == 0 ? share : -(share * y);
    }
    case Op::negate:
      return -adjoint;
    case Op::power:
      return power_rule(a, graph.expr(n.b), y, adjoint, k);
    case Op::integer_power: {
      const auto exponent = static_cast<std::int32_t>(n.b);
      return adjoint * (exponent * pow(a, exponent - 1));
    }
    case Op::select:
      if (k == 0) return {};
      return k == 1 ? select(a, adjoint, 0) : select(a, 0, adjoint);
    case Op::less:
    case Op::less_equal:
    case Op::constant:
    case Op::variable:
      return {};  // comparisons are flat; constants and variables have no arguments
    default:
      return function_rule(n.op, {a, arity(n.op) > 1 ? graph.expr(n.b) : Expr(), y, adjoint}, k);
  }
}

}  // namespace

Expr pull_back(const Graph& graph, const Node& node, Expr y, Expr adjoint, int k) {
  const Node n = graph.node(adjoint.id());
  if (!is_mask(n)) return plain_rule(graph, node, y, adjoint, k);
  Mask mask = mask_of(graph, n);
  mask.inside = plain_rule(graph, node, y, mask.inside, k);
  return masked_again(graph, mask);
}

Expr accumulate(const Graph& graph, Expr a, Expr b) {
  const Node n = graph.node(a.id()), m = graph.node(b.id());
  if (n.op != Op::select || m.op != Op::select || n.a != m.a) return a + b;
  return select(graph.expr(n.a), graph.expr(n.b) + graph.expr(m.b), graph.expr(n.c) + graph.expr(m.c));
}

Expr push_forward(const Graph& graph, const Node& node, Expr y, const Tangents& d) {
  const Expr a = graph.expr(node.a);
  switch (node.op) {
    case Op::add:
      return d.a + d.b;
    case Op::subtract:
      return d.a - d.b;
    case Op::divide:
      return a.is_constant(1) ? -(y * y) * d.b : (d.a - y * d.b) / graph.expr(node.b);
    case Op::select:
      return select(a, d.b, d.c);
    default:
      break;
  }
  Expr sum;
  if (d.a != Expr()) sum = plain_rule(graph, node, y, d.a, 0);
  if (d.b != Expr()) sum = accumulate(graph, sum, plain_rule(graph, node, y, d.b, 1));
  return sum;
}

}  // namespace hamel
