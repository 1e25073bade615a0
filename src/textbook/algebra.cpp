#include "textbook/algebra.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "textbook/atoms.hpp"

namespace hamel::textbook {
namespace {

constexpr double cancelled = 1e-13;  // what is left of a sum of two numbers, relative to them

void multiply_in(std::vector<Factor>& factors, const Factor& factor) {
  const auto same = [&](const Factor& f) { return f.atom->key == factor.atom->key; };
  const auto found = std::find_if(factors.begin(), factors.end(), same);
  if (found == factors.end()) {
    factors.push_back(factor);
    return;
  }
  found->exponent += factor.exponent;
  if (found->exponent == 0) factors.erase(found);
}

template <class Function>
Sum for_each_pair(int rows, int cols, const Sum& a, const Sum& b, Function product) {
  Sum result(rows, cols);
  for (const Term& s : a.terms())
    for (const Term& t : b.terms()) result += scaled(s, scaled(t, product(s.core, t.core)));
  return result;
}

template <class Function>
Sum for_each_term(int rows, int cols, const Sum& a, Function image) {
  Sum result(rows, cols);
  for (const Term& term : a.terms()) result += scaled(term, image(term.core));
  return result;
}

bool is_row(const Sum& a) { return a.rows() == 1 && a.cols() > 1; }
bool is_column(const Sum& a) { return a.cols() == 1 && a.rows() > 1; }

Sum chain_product(const Core& a, const Core& b, int rows, int cols) {
  Sum result(rows, cols);
  result.add({1, {}, b});
  for (auto atom = a.rbegin(); atom != a.rend(); ++atom)
    result = for_each_term(rows, cols, result, [&](const Core& core) { return prepend(*atom, core); });
  return result;
}

bool is_positive(const Factor& f) { return f.atom->sort == Sort::norm || std::fmod(f.exponent, 2) == 0; }

Sum outer(const Sum& column, const Sum& row) {
  return for_each_pair(column.rows(), row.cols(), column, row, [&](const Core& a, const Core& b) {
    if (is_number(a) && is_number(b)) return constant(a[0]->value * b[0]->value.transpose());
    Atom atom{.sort = Sort::outer, .rows = column.rows(), .cols = row.cols()};
    atom.cores = {a, b};
    return from(intern(std::move(atom)));
  });
}

bool is_integer(double x) { return x == std::round(x); }

// Sums of monomials in dot products and symbols are multiplied out; so is what contains rates, kinetic energy above
// all.
bool is_polynomial(const Sum& a) {
  return std::all_of(a.terms().begin(), a.terms().end(), [](const Term& term) {
    return std::all_of(term.factors.begin(), term.factors.end(), [](const Factor& f) {
      const Sort sort = f.atom->sort;
      return f.exponent > 0 && is_integer(f.exponent) &&
             (sort == Sort::dot || sort == Sort::triple || sort == Sort::symbol || f.atom->is_constant);
    });
  });
}

bool is_multiplied_out(const Sum& a, const Sum& b) {
  constexpr std::size_t longest = 64;
  if (a.terms().size() < 2 || b.terms().size() < 2 || a.has_rates() || b.has_rates()) return true;
  return a.terms().size() * b.terms().size() <= longest && is_polynomial(a) && is_polynomial(b);
}

Sum as_column(const Sum& row) { return sum_of(row.cols(), 1, row.terms()); }

}  // namespace

std::string key_of(const Core& core) {
  std::string key;
  for (const AtomPtr& atom : core) key += (key.empty() ? "" : " ") + atom->key;
  return key;
}

std::string Term::key() const {
  std::vector<std::string> parts;
  for (const auto& [atom, exponent] : factors) parts.push_back(fmt::format("{}^{}", atom->key, exponent));
  std::sort(parts.begin(), parts.end());
  std::string key;
  for (const std::string& part : parts) key += part + "*";
  return key + "|" + key_of(core);
}

Sum::Sum(double number) : Sum(1, 1) { add({number, {}, {}}); }

bool Sum::is_number() const {
  return is_scalar() && (is_zero() || (terms_.size() == 1 && terms_[0].factors.empty() && terms_[0].core.empty()));
}

double Sum::number() const { return is_zero() ? 0 : terms_[0].coefficient; }

bool Sum::is_constant() const {
  return std::all_of(terms_.begin(), terms_.end(), [](const Term& term) {
    return std::all_of(term.factors.begin(), term.factors.end(), [](const Factor& f) { return f.atom->is_constant; }) &&
           std::all_of(term.core.begin(), term.core.end(), [](const AtomPtr& a) { return a->is_constant; });
  });
}

bool Sum::has_rates() const {
  return std::any_of(terms_.begin(), terms_.end(), [](const Term& term) {
    return std::any_of(term.factors.begin(), term.factors.end(), [](const Factor& f) { return f.atom->has_rates; }) ||
           std::any_of(term.core.begin(), term.core.end(), [](const AtomPtr& a) { return a->has_rates; });
  });
}

std::string Sum::key() const {
  std::vector<std::string> parts;
  for (const Term& term : terms_) parts.push_back(fmt::format("{:.12g}{}", term.coefficient, term.key()));
  std::sort(parts.begin(), parts.end());
  std::string key;
  for (const std::string& part : parts) key += (key.empty() ? "" : " + ") + part;
  return key;
}

void Sum::add(Term term) {
  if (term.coefficient == 0) return;
  std::string key = term.key();
  const auto found = index_.find(key);
  if (found == index_.end()) {
    if (terms_.size() == longest_sum) throw TooLong{fmt::format("more than {} terms", longest_sum)};
    index_.emplace(std::move(key), terms_.size());
    terms_.push_back(std::move(term));
    return;
  }
  const std::size_t at = found->second;
  double& coefficient = terms_[at].coefficient;
  const double largest = std::max(std::abs(coefficient), std::abs(term.coefficient));
  coefficient += term.coefficient;
  if (std::abs(coefficient) > cancelled * largest) return;
  terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(at));
  index_.erase(found);
  for (auto& [name, position] : index_)
    if (position > at) --position;
}

Sum& Sum::operator+=(const Sum& other) {
  for (const Term& term : other.terms_) add(term);
  return *this;
}

Sum sum_of(int rows, int cols, const std::vector<Term>& terms) {
  Sum sum(rows, cols);
  for (const Term& term : terms) sum.add(term);
  return sum;
}

Sum scaled(const Term& scale, const Sum& sum) {
  if (scale.coefficient == 1 && scale.factors.empty()) return sum;
  Sum result(sum.rows(), sum.cols());
  for (const Term& term : sum.terms()) {
    Term product{scale.coefficient * term.coefficient, scale.factors, term.core};
    for (const Factor& factor : term.factors) multiply_in(product.factors, factor);
    result.add(std::move(product));
  }
  return result;
}

Sum from(const AtomPtr& atom) {
  Sum sum(atom->rows, atom->cols);
  if (sum.is_scalar())
    sum.add({1, {{atom, 1}}, {}});
  else
    sum.add({1, {}, {atom}});
  return sum;
}

Sum from(const Core& core) {
  Sum sum(core.front()->rows, core.back()->cols);
  sum.add({1, {}, core});
  return sum;
}

Sum operator+(Sum a, const Sum& b) { return a += b; }

Sum operator-(const Sum& a) { return scaled({-1, {}, {}}, a); }

Sum operator-(Sum a, const Sum& b) { return a += -b; }

Sum operator*(const Sum& a, const Sum& b) {
  if (a.is_scalar() || b.is_scalar()) {
    const auto& [scale, other] = a.is_scalar() ? std::tie(a, b) : std::tie(b, a);
    if (other.is_scalar() && !is_multiplied_out(a, b)) return as_factor(a) * as_factor(b);
    Sum result(other.rows(), other.cols());
    for (const Term& term : scale.terms()) result += scaled(term, other);
    return result;
  }
  if (is_row(a) && is_column(b)) return dot(as_column(a), b);
  if (is_column(a) && is_row(b)) return outer(a, b);
  if (is_row(a)) return transpose(transpose(b) * as_column(a));
  return for_each_pair(a.rows(), b.cols(), a, b, [&](const Core& left, const Core& right) {
    return chain_product(left, right, a.rows(), b.cols());
  });
}

// What divides every term: the factors of the first, with the least exponents of one sign.
std::vector<Factor> common_factors(const Sum& sum) {
  std::vector<Factor> common;
  for (const Factor& candidate : sum.terms().front().factors) {
    double exponent = candidate.exponent;
    for (const Term& term : sum.terms()) {
      const auto found = std::find_if(term.factors.begin(), term.factors.end(),
                                      [&](const Factor& f) { return f.atom->key == candidate.atom->key; });
      const double other = found == term.factors.end() ? 0 : found->exponent;
      if (other * exponent <= 0)
        exponent = 0;
      else
        exponent = std::copysign(std::min(std::abs(exponent), std::abs(other)), exponent);
    }
    if (exponent != 0) common.push_back({candidate.atom, exponent});
  }
  return common;
}

Sum divided(const Sum& sum, double number, const std::vector<Factor>& factors) {
  Term inverse{1 / number, factors, {}};
  for (Factor& factor : inverse.factors) factor.exponent = -factor.exponent;
  return scaled(inverse, sum);
}

Sum as_factor(const Sum& a) {
  if (a.terms().size() < 2) return a;
  const double number = a.terms().front().coefficient;
  const std::vector<Factor> common = common_factors(a);
  Atom atom{.sort = Sort::group};
  atom.sums = {divided(a, number, common)};
  return scaled({number, common, {}}, from(intern(std::move(atom))));
}

Sum power(const Sum& base, double exponent) {
  if (base.is_number()) return std::pow(base.number(), exponent);
  if (exponent == 1) return base;
  if (base.terms().size() > 1 && base.has_rates() && is_integer(exponent) && exponent > 1 && exponent <= 4)
    return base * power(base, exponent - 1);
  if (base.terms().size() > 1 && is_integer(exponent)) return power(as_factor(base), exponent);
  if (!is_integer(exponent)) {
    Atom atom{.sort = Sort::group};
    atom.sums = {base};
    Sum result(1, 1);
    result.add({1, {{intern(std::move(atom)), exponent}}, {}});
    return result;
  }
  Term term = base.terms().front();
  term.coefficient = std::pow(term.coefficient, exponent);
  for (Factor& factor : term.factors) factor.exponent *= exponent;
  return sum_of(1, 1, {term});
}

Sum reciprocal(const Sum& a) { return power(a, -1); }

Sum dot(const Sum& a, const Sum& b) {
  if (a.is_scalar()) return a * b;
  return for_each_pair(1, 1, a, b, [](const Core& left, const Core& right) { return dot(left, right); });
}

Sum cross(const Sum& a, const Sum& b) {
  return for_each_pair(3, 1, a, b, [](const Core& left, const Core& right) { return cross(left, right); });
}

Sum hat(const Sum& a) {
  return for_each_term(3, 3, a, [](const Core& core) {
    if (core.size() == 1 && core[0]->sort == Sort::number) {
      const Eigen::VectorXd& w = core[0]->value;
      return constant(Eigen::Matrix3d{{0, -w(2), w(1)}, {w(2), 0, -w(0)}, {-w(1), w(0), 0}});
    }
    Atom atom{.sort = Sort::hat, .rows = 3, .cols = 3};
    atom.cores = {core};
    return from(intern(std::move(atom)));
  });
}

Sum transpose(const Sum& a) {
  if (a.is_scalar()) return a;
  if (is_row(a) || is_column(a)) return sum_of(a.cols(), a.rows(), a.terms());
  return for_each_term(a.cols(), a.rows(), a, [&](const Core& core) {
    if (!core.empty()) return transpose(core);
    Sum identity(a.rows(), a.cols());
    identity.add({});
    return identity;
  });
}

Sum trace(const Sum& a) {
  return for_each_term(1, 1, a, [&](const Core& core) { return trace(core, a.rows()); });
}

Sum norm(const Sum& a) {
  if (a.is_zero()) return 0.0;
  if (a.is_scalar()) return function("abs", {a});
  const Term& first = a.terms().front();
  const bool single = a.terms().size() == 1;
  const double scale = single ? std::abs(first.coefficient) : 1;
  const Sum inside = first.coefficient < 0 ? -a : a;
  if (single && first.factors.empty() && first.core.size() == 1 && first.core[0]->leaf.sphere == OnSphere::point)
    return scale;
  if (single && first.factors.empty() && is_number(first.core)) return scale * first.core[0]->value.norm();
  if (single && !first.factors.empty() && !first.core.empty() &&
      std::all_of(first.factors.begin(), first.factors.end(), is_positive))  // |c v| = c |v|
    return scaled({scale, first.factors, {}}, norm(from(first.core)));
  Atom atom{.sort = Sort::norm};
  atom.sums = {single ? scaled({1 / scale, {}, {}}, inside) : inside};
  return scale * from(intern(std::move(atom)));
}

Sum function(const std::string& name, const std::vector<Sum>& arguments) {
  Atom atom{.sort = Sort::function};
  atom.sums = arguments;
  atom.function = name;
  return from(intern(std::move(atom)));
}

Sum call(const std::string& name, const std::vector<Sum>& arguments) {
  if (name == "sqrt") return power(arguments[0], 0.5);
  if (name != "sin" && name != "cos") return function(name, arguments);
  std::vector<Term> terms = arguments[0].terms();  // in one order, whatever they were added in
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.key() < b.key(); });
  const Sum angle = sum_of(1, 1, terms);
  const bool odd = name == "sin";
  if (angle.is_zero()) return odd ? 0.0 : 1.0;
  if (angle.terms().front().coefficient > 0) return function(name, {angle});
  return odd ? -function(name, {-angle}) : function(name, {-angle});
}

Sum indicator(const std::string& comparison, const Sum& a, const Sum& b) {
  Atom atom{.sort = Sort::comparison};
  atom.sums = {a, b};
  atom.function = comparison;
  return from(intern(std::move(atom)));
}

}  // namespace hamel::textbook
