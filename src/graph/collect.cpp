#include "hamel/graph/collect.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "hamel/graph/differentiate.hpp"

namespace hamel {
namespace {

// sign * coefficient * body; the coefficient is constant during a run.
struct Term {
  bool negative;
  Expr coefficient, body;
};
using Sum = std::vector<Term>;

constexpr std::size_t longest_sum = 64, longest_expanded_sum = 12, longest_factor = 3;

const Expr one(1.0);

Expr signed_sum(Expr total, bool negative, Expr value) { return negative ? total - value : total + value; }

class Collection {
 public:
  Collection(std::span<const Expr> f, std::span<const Expr> constants, Expand expand)
      : graph_(Graph::current()), outputs_(f.begin(), f.end()), expand_(expand) {
    for (Expr e : constants) constants_.insert(e.id());
    for (Expr e : f) is_output_.insert(e.id());
  }

  std::vector<Expr> run() {
    const auto nodes = reachable(outputs_);
    count_uses(nodes);
    for (const auto id : nodes) sums_[id] = shared(id, sum_of(id));
    std::vector<Expr> result;
    for (Expr e : outputs_) result.push_back(value(sums_.at(e.id())));
    return result;
  }

 private:
  void count_uses(const std::vector<std::uint32_t>& nodes) {
    for (Expr e : outputs_) ++uses_[e.id()];
    for (const auto id : nodes) {
      const Node node = graph_.node(id);
      const int n = node.op == Op::integer_power ? 1 : arity(node.op);
      if (n > 0) ++uses_[node.a];
      if (n > 1) ++uses_[node.b];
      if (n > 2) ++uses_[node.c];
    }
    if (expand_ != Expand::nothing) find_nonlinear_uses(nodes);
  }

  void find_nonlinear_uses(const std::vector<std::uint32_t>& nodes) {
    std::unordered_set<std::uint32_t> varying;
    for (Expr e : outputs_) nonlinear_.insert(e.id());
    for (const auto id : nodes) {
      const Node node = graph_.node(id);
      const int n = node.op == Op::integer_power ? 1 : arity(node.op);
      const bool a = n > 0 && varying.contains(node.a), b = n > 1 && varying.contains(node.b);
      if (node.op == Op::variable ? !constants_.contains(id) : a || b || (n > 2 && varying.contains(node.c)))
        varying.insert(id);
      const bool linear = node.op == Op::add || node.op == Op::subtract || node.op == Op::negate ||
                          (node.op == Op::multiply && !(a && b)) || (node.op == Op::divide && !b);
      if (linear) continue;
      if (n > 0) nonlinear_.insert(node.a);
      if (n > 1) nonlinear_.insert(node.b);
      if (n > 2) nonlinear_.insert(node.c);
    }
  }

  // What several others use is computed once.
  Sum shared(std::uint32_t id, Sum sum) {
    if (sum.size() <= 1 || (uses_[id] <= 1 && sum.size() <= longest_sum)) return sum;
    if (expand_ != Expand::nothing && sum.size() <= longest_expanded_sum && !nonlinear_.contains(id)) return sum;
    if (expand_ == Expand::products && sum.size() <= longest_factor && !is_output_.contains(id)) return sum;
    return {single(sum)};
  }

  static bool is_constant(const Sum& sum) { return sum.empty() || (sum.size() == 1 && sum.front().body == one); }
  Expr value_of(std::uint32_t id) { return value(sums_.at(id)); }

  Term constant_term(Expr e) const {
    const Node& node = graph_.node(e.id());
    if (node.op == Op::negate) return {true, graph_.expr(node.a), one};
    if (node.op == Op::constant && e.value() < 0) return {true, Expr(-e.value()), one};
    return {false, e, one};
  }

  Sum sum_of(std::uint32_t id) {
    const Node node = graph_.node(id);
    const Expr self = graph_.expr(id);
    switch (node.op) {
      case Op::constant:
        return self.is_constant(0) ? Sum{} : Sum{constant_term(self)};
      case Op::variable:
        return {constants_.contains(id) ? Term{false, self, one} : Term{false, one, self}};
      case Op::add:
        return added(sums_.at(node.a), sums_.at(node.b), false);
      case Op::subtract:
        return added(sums_.at(node.a), sums_.at(node.b), true);
      case Op::negate:
        return negated(sums_.at(node.a));
      case Op::multiply:
        return multiplied(sums_.at(node.a), sums_.at(node.b));
      case Op::divide:
        return divided(sums_.at(node.a), sums_.at(node.b));
      default:
        return other(node);
    }
  }

  Sum other(const Node& node) {
    const int n = arity(node.op);
    if (node.op == Op::integer_power) {
      const Expr e = graph_.integer_power(value_of(node.a), static_cast<int>(node.b));
      return is_constant(sums_.at(node.a)) ? Sum{{false, e, one}} : Sum{{false, one, e}};
    }
    const Expr a = value_of(node.a), b = n > 1 ? value_of(node.b) : Expr(), c = n > 2 ? value_of(node.c) : Expr();
    const bool constant = is_constant(sums_.at(node.a)) && (n < 2 || is_constant(sums_.at(node.b))) &&
                          (n < 3 || is_constant(sums_.at(node.c)));
    const Expr e = graph_.make(node.op, a, b, c);
    if (e.is_constant(0)) return {};
    return constant ? Sum{constant_term(e)} : Sum{{false, one, e}};
  }

  static Sum negated(Sum sum) {
    for (Term& term : sum) term.negative = !term.negative;
    return sum;
  }

  // Terms with equal bodies become one.
  Sum added(Sum a, const Sum& b, bool subtract) {
    for (Term term : b) {
      term.negative = term.negative != subtract;
      const auto same = std::find_if(a.begin(), a.end(), [&](const Term& t) { return t.body == term.body; });
      if (same == a.end()) {
        a.push_back(term);
        continue;
      }
      const Expr left = same->negative ? -same->coefficient : same->coefficient;
      const Term total = constant_term(signed_sum(left, term.negative, term.coefficient));
      if (total.coefficient.is_constant(0))
        a.erase(same);
      else
        *same = {total.negative, total.coefficient, term.body};
    }
    return a;
  }

  Sum scaled(Sum sum, const Term& by) const {
    for (Term& term : sum) {
      term.negative = term.negative != by.negative;
      term.coefficient *= by.coefficient;
    }
    return sum;
  }

  Sum multiplied(const Sum& a, const Sum& b) {
    if (a.empty() || b.empty()) return {};
    if (is_constant(a)) return scaled(b, a.front());
    if (is_constant(b)) return scaled(a, b.front());
    if (expand_ == Expand::products && a.size() <= longest_factor && b.size() <= longest_factor)
      return distributed(a, b);
    const Term x = single(a), y = single(b);
    return {{x.negative != y.negative, x.coefficient * y.coefficient, x.body * y.body}};
  }

  Sum distributed(const Sum& a, const Sum& b) {
    Sum result;
    for (const Term& x : a)
      for (const Term& y : b)
        result = added(std::move(result), {{x.negative != y.negative, x.coefficient * y.coefficient, x.body * y.body}},
                       false);
    return result;
  }

  Sum divided(const Sum& a, const Sum& b) {
    if (a.empty()) return {};
    if (is_constant(b)) {
      Sum result = a;
      for (Term& term : result) {
        term.negative = term.negative != b.front().negative;
        term.coefficient /= b.front().coefficient;
      }
      return result;
    }
    const Term x = single(a), y = single(b);
    return {{x.negative != y.negative, x.coefficient / y.coefficient, x.body / y.body}};
  }

  // A sum as one term; a factor that all of its terms share stays outside.
  Term single(const Sum& sum) {
    if (sum.size() == 1) return sum.front();
    const bool common =
        std::all_of(sum.begin(), sum.end(), [&](const Term& t) { return t.coefficient == sum.front().coefficient; });
    if (!common) return {false, one, value(sum)};
    Expr body;
    for (const Term& term : sum) body = signed_sum(body, term.negative, term.body);
    return {false, sum.front().coefficient, body};
  }

  Expr value(const Sum& sum) {
    return expand_ == Expand::products && sum.size() > 2 ? expanded_value(sum) : factored_value(sum);
  }

  // -c, written such that the sign stays inside when it is multiplied: a negation would come out of the product.
  static Expr opposite(Expr c) { return c - 2.0 * c; }

  // Rows of a constant matrix times the same bodies: all in one order, and signs within the constants, so that
  // several rows can be computed at once.
  static Expr expanded_value(Sum sum) {
    std::sort(sum.begin(), sum.end(), [](const Term& a, const Term& b) { return a.body.id() < b.body.id(); });
    Expr total;
    for (const Term& term : sum) {
      if (term.coefficient == one)
        total = signed_sum(total, term.negative, term.body);
      else
        total += (term.negative ? opposite(term.coefficient) : term.coefficient) * term.body;
    }
    return total;
  }

  Expr factored_value(const Sum& sum) {
    std::vector<Expr> coefficients;
    for (const Term& term : sum)
      if (std::find(coefficients.begin(), coefficients.end(), term.coefficient) == coefficients.end())
        coefficients.push_back(term.coefficient);
    Expr total;
    for (Expr coefficient : coefficients) {
      Expr body;
      const bool leading = std::find_if(sum.begin(), sum.end(), [&](const Term& t) {
                             return t.coefficient == coefficient && !t.negative;
                           }) == sum.end();  // all negative: subtract the whole
      for (const Term& term : sum)
        if (term.coefficient == coefficient) body = signed_sum(body, term.negative != leading, term.body);
      total = signed_sum(total, leading, product(coefficient, body));
    }
    return total;
  }

  // The constant goes to the factor that was computed last: a multiplier that several components share.
  Expr product(Expr coefficient, Expr body) {
    if (coefficient == one) return body;
    const Node node = graph_.node(body.id());
    if (node.op != Op::multiply || expand_ == Expand::products) return coefficient * body;
    const Expr late = graph_.expr(std::max(node.a, node.b)), early = graph_.expr(std::min(node.a, node.b));
    return (coefficient * late) * early;
  }

  Graph& graph_;
  std::vector<Expr> outputs_;
  Expand expand_;
  std::unordered_set<std::uint32_t> constants_, is_output_, nonlinear_;
  std::unordered_map<std::uint32_t, int> uses_;
  std::unordered_map<std::uint32_t, Sum> sums_;
};

}  // namespace

std::vector<Expr> collect(std::span<const Expr> f, std::span<const Expr> constant_variables, Expand expand) {
  return Collection(f, constant_variables, expand).run();
}

}  // namespace hamel
