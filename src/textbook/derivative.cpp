#include "textbook/derivative.hpp"

#include <algorithm>

#include "hamel/graph/functions.hpp"
#include "hamel/graph/table.hpp"
#include "textbook/atoms.hpp"

namespace hamel::textbook {
namespace {

// Functions by their names, as the rows of functions.def call them.
Sum square(const Sum& a) { return power(a, 2); }
Sum operator/(const Sum& a, const Sum& b) { return a * reciprocal(b); }
Sum less_equal(const Sum& a, const Sum& b) { return indicator("<=", a, b); }
Sum select(const Sum& condition, const Sum& if_true, const Sum& if_false) {
  return condition * if_true + (1.0 - condition) * if_false;
}
Sum table_slope(const Sum& table, const Sum& x) {
  const double derivative = table_derivative(table.number());
  return derivative == 0 ? Sum(0.0) : function("interp", {derivative, x});
}
#define FUNCTION_1(name, ...) \
  [[maybe_unused]] Sum name(const Sum& a) { return call(#name, {a}); }
#define FUNCTION_2(name, ...) \
  [[maybe_unused]] Sum name(const Sum& a, const Sum& b) { return call(#name, {a, b}); }
#include "hamel/graph/functions.def"

// dy/da (k = 0) or dy/db (k = 1) of y = f(a, b).
Sum slope(const Atom& atom, std::size_t k) {
  const Sum &a = atom.sums[0], &b = atom.sums.back(), y = from(intern(atom)), d = 1.0;
  const FunctionRow* row = find_function(atom.function);
  switch (row == nullptr ? Op::constant : row->op) {
#define FUNCTION(name, arity, value, da, db, ...) \
  case Op::name:                                  \
    return k == 0 ? Sum(da) : Sum(db);
#include "hamel/graph/functions.def"
    default:
      throw NoVectorForm{"the derivative of " + atom.function + " is not known"};
  }
}

class Differentiation {
 public:
  explicit Differentiation(const Values& rates) : rates_(rates) {}

  Sum of(const Sum& f) const {
    Sum result(f.rows(), f.cols());
    for (const Term& term : f.terms()) {
      result += of_factors(term, f.rows(), f.cols());
      if (!term.core.empty()) result += scaled(term, of(term.core));
    }
    return result;
  }

 private:
  Sum of_factors(const Term& term, int rows, int cols) const {
    Sum result(rows, cols);
    for (std::size_t k = 0; k < term.factors.size(); ++k) {
      const auto& [atom, exponent] = term.factors[k];
      const Sum rate = of(*atom);
      if (rate.is_zero()) continue;
      Term rest = term;
      rest.coefficient *= exponent;
      rest.factors[k].exponent -= 1;
      if (rest.factors[k].exponent == 0) rest.factors.erase(rest.factors.begin() + static_cast<std::ptrdiff_t>(k));
      result += sum_of(rows, cols, {rest}) * rate;
    }
    return result;
  }

  Sum of(const Core& core) const {
    Sum result(core.front()->rows, core.back()->cols);
    for (std::size_t k = 0; k < core.size(); ++k) {
      Sum product = of(*core[k]);
      if (product.is_zero()) continue;
      const auto at = core.begin() + static_cast<std::ptrdiff_t>(k);
      if (k + 1 < core.size()) product = product * from(Core(at + 1, core.end()));
      if (k > 0) product = from(Core(core.begin(), at)) * product;
      result += product;
    }
    return result;
  }

  Sum of(const Atom& atom) const {
    switch (atom.sort) {
      case Sort::symbol:
        return of_symbol(atom);
      case Sort::cross:
        return cross(of(atom.cores[0]), from(atom.cores[1])) + cross(from(atom.cores[0]), of(atom.cores[1]));
      case Sort::hat:
        return hat(of(atom.cores[0]));
      case Sort::outer:
        return of(atom.cores[0]) * transpose(from(atom.cores[1])) + from(atom.cores[0]) * transpose(of(atom.cores[1]));
      case Sort::vee:
        return vee(of(atom.sums[0]));
      case Sort::dot:
        return dot(of(atom.cores[0]), from(atom.cores[1])) + dot(from(atom.cores[0]), of(atom.cores[1]));
      case Sort::triple:
        return of_triple(atom);
      case Sort::trace:
        return trace(of(atom.cores[0]));
      case Sort::norm: {
        Term one_over{1, {{intern(atom), -1}}, {}};
        return scaled(one_over, dot(atom.sums[0], of(atom.sums[0])));
      }
      case Sort::group:
        return of(atom.sums[0]);
      case Sort::function:
        return of_function(atom);
      default:
        return {atom.rows, atom.cols};
    }
  }

  Sum of_symbol(const Atom& atom) const {
    const auto found = rates_.find(atom.leaf.order);
    if (found == rates_.end() && atom.leaf.definition == nullptr) return {atom.rows, atom.cols};
    const Sum rate = found == rates_.end() ? of_name(atom) : found->second;
    return atom.transposed ? transpose(rate) : rate;
  }

  Sum of_name(const Atom& atom) const {
    const Definition& definition = *atom.leaf.definition;
    if (!atom.leaf.is_rotation) return atom.leaf.is_constant ? Sum(atom.rows, atom.cols) : of(definition.value);
    Values moving, resting;
    for (const auto& [point, rate] : definition.moves) {
      const auto found = rates_.find(key_of_symbol(point));
      const Sum none(rate.rows(), rate.cols());
      const bool turns = point.rows() == 3 && point.cols() == 3;
      resting.insert({key_of_symbol(rate), none});
      moving.insert({key_of_symbol(rate), found == rates_.end() ? none
                                          : turns               ? vee(transpose(point) * found->second)
                                                                : found->second});
    }
    const Sum turning = substitute(definition.turning, moving) - substitute(definition.turning, resting);
    Atom upright = atom;
    if (upright.transposed) {
      upright.transposed = false;
      std::swap(upright.rows, upright.cols);
    }
    return from(intern(upright)) * hat(turning);
  }

  Sum of_triple(const Atom& atom) const {
    const Sum a = from(atom.cores[0]), b = from(atom.cores[1]), c = from(atom.cores[2]);
    return dot(of(atom.cores[0]), cross(b, c)) + dot(of(atom.cores[1]), cross(c, a)) +
           dot(of(atom.cores[2]), cross(a, b));
  }

  Sum of_function(const Atom& atom) const {
    if (atom.function == "pow") return of_power(atom);
    Sum result(0.0);
    for (std::size_t k = 0; k < atom.sums.size(); ++k)
      if (const Sum rate = of(atom.sums[k]); !rate.is_zero()) result += rate * as_factor(slope(atom, k));
    return result;
  }

  Sum of_power(const Atom& atom) const {  // x^y
    const Sum &x = atom.sums[0], &y = atom.sums[1], whole = from(intern(atom));
    return y * reciprocal(x) * whole * of(x) + function("log", {x}) * whole * of(y);
  }

  const Values& rates_;
};

class Substitution {
 public:
  explicit Substitution(const Values& values) : values_(values) {}

  Sum of(const Sum& f) const {
    Sum result(f.rows(), f.cols());
    for (const Term& term : f.terms()) {
      Sum product(term.coefficient);
      for (const auto& [atom, exponent] : term.factors) product = product * power(of(*atom), exponent);
      if (f.is_scalar()) {
        result += product;
      } else if (term.core.empty()) {
        Sum identity(f.rows(), f.cols());
        identity.add({});
        result += product * identity;
      } else {
        const Sum core = f.rows() == 1 ? transpose(of(term.core)) : of(term.core);
        result += product * core;
      }
    }
    return result;
  }

 private:
  Sum of(const Core& core) const {
    Sum product = of(*core.back());
    for (auto atom = core.rbegin() + 1; atom != core.rend(); ++atom) product = of(**atom) * product;
    return product;
  }

  Sum of(const Atom& atom) const {
    switch (atom.sort) {
      case Sort::symbol:
        return of_symbol(atom);
      case Sort::number:
        return from(intern(atom));
      case Sort::cross:
        return cross(of(atom.cores[0]), of(atom.cores[1]));
      case Sort::hat:
        return hat(of(atom.cores[0]));
      case Sort::outer:
        return of(atom.cores[0]) * transpose(of(atom.cores[1]));
      case Sort::vee:
        return vee(of(atom.sums[0]));
      case Sort::dot:
        return dot(of(atom.cores[0]), of(atom.cores[1]));
      case Sort::triple:
        return dot(of(atom.cores[0]), cross(of(atom.cores[1]), of(atom.cores[2])));
      case Sort::trace:
        return trace(of(atom.cores[0]));
      case Sort::norm:
        return norm(of(atom.sums[0]));
      case Sort::group:
        return as_factor(of(atom.sums[0]));
      default:
        return of_function(atom);
    }
  }

  Sum of_symbol(const Atom& atom) const {
    const auto found = values_.find(atom.leaf.order);
    if (found == values_.end()) return from(intern(atom));
    return atom.transposed ? transpose(found->second) : found->second;
  }

  Sum of_function(const Atom& atom) const {
    std::vector<Sum> arguments;
    for (const Sum& sum : atom.sums) arguments.push_back(of(sum));
    if (atom.sort == Sort::comparison) return indicator(atom.function, arguments[0], arguments[1]);
    return call(atom.function, arguments);
  }

  const Values& values_;
};

bool mentions(const Atom& atom, const std::string& key);

bool mentions(const Core& core, const std::string& key) {
  return std::any_of(core.begin(), core.end(), [&](const AtomPtr& atom) { return mentions(*atom, key); });
}

bool mentions(const Sum& sum, const std::string& key) {
  return std::any_of(sum.terms().begin(), sum.terms().end(), [&](const Term& term) {
    return mentions(term.core, key) || std::any_of(term.factors.begin(), term.factors.end(),
                                                   [&](const Factor& f) { return mentions(*f.atom, key); });
  });
}

bool mentions(const Atom& atom, const std::string& key) {
  if (atom.sort == Sort::symbol) return atom.leaf.order == key;
  return std::any_of(atom.cores.begin(), atom.cores.end(), [&](const Core& core) { return mentions(core, key); }) ||
         std::any_of(atom.sums.begin(), atom.sums.end(), [&](const Sum& sum) { return mentions(sum, key); });
}

// g where w.(core) = g.d
Sum pullback(const Core& core, Sum w, const std::string& key) {
  for (std::size_t k = 0; k + 1 < core.size(); ++k) w = transpose(Core{core[k]}) * w;
  const AtomPtr& last = core.back();
  if (last->sort == Sort::symbol && last->leaf.order == key) return w;
  if (last->sort == Sort::cross) {
    const Core &x = last->cores[0], &y = last->cores[1];
    return mentions(x, key) ? pullback(x, cross(from(y), w), key) : pullback(y, cross(w, from(x)), key);
  }
  throw NoVectorForm{"a matrix product cannot be solved for a vector in it"};
}

Sum coefficient_in(const Atom& atom, const std::string& key) {
  if (atom.sort == Sort::symbol) return 1.0;
  if (atom.sort == Sort::dot) {
    const Core &a = atom.cores[0], &b = atom.cores[1];
    return mentions(a, key) ? pullback(a, from(b), key) : pullback(b, from(a), key);
  }
  if (atom.sort == Sort::triple) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Core &x = atom.cores[k], &y = atom.cores[(k + 1) % 3], &z = atom.cores[(k + 2) % 3];
      if (mentions(x, key)) return pullback(x, cross(from(y), from(z)), key);
    }
  }
  throw NoVectorForm{"a derivative has no vector form"};
}

}  // namespace

std::string key_of_symbol(const Sum& symbol) {
  const Term& term = symbol.terms().front();
  return (symbol.is_scalar() ? term.factors.front().atom : term.core.front())->leaf.order;
}

Sum derivative(const Sum& f, const Values& rates) { return Differentiation(rates).of(f); }
Sum substitute(const Sum& f, const Values& values) { return values.empty() ? f : Substitution(values).of(f); }
bool mentions(const Sum& f, const Sum& symbol) { return mentions(f, key_of_symbol(symbol)); }

Sum coefficient(const Sum& f, const Sum& d) {
  const std::string key = key_of_symbol(d);
  Sum result(d.rows(), d.cols());
  for (const Term& term : f.terms()) {
    const auto has_it = [&](const Factor& factor) { return mentions(*factor.atom, key); };
    const auto found = std::find_if(term.factors.begin(), term.factors.end(), has_it);
    if (found == term.factors.end()) continue;
    Term rest = term;
    rest.factors.erase(rest.factors.begin() + (found - term.factors.begin()));
    result += scaled(rest, coefficient_in(*found->atom, key));
  }
  return result;
}

Sum gradient(const Sum& f, const Sum& symbol, const Values& held) {
  Leaf leaf{.order = "2~"};
  leaf.formula = Formula::symbol({Role::quantity, "~", 0}, symbol.rows(), symbol.cols());
  const Sum d = textbook::symbol(leaf);
  Values rates = held;
  rates.insert_or_assign(key_of_symbol(symbol), d);
  return coefficient(derivative(f, rates), d);
}

Sum turning_gradient(const Sum& f, const Sum& rotation, const Values& held) {
  Leaf leaf{.order = "1~"};
  leaf.formula = Formula::symbol({Role::quantity, "~", 0}, 3, 1);
  const Sum d = symbol(leaf);
  Values rates = held;
  rates.insert_or_assign(key_of_symbol(rotation), rotation * hat(d));
  return coefficient(derivative(f, rates), d);
}

}  // namespace hamel::textbook
