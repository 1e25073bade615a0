#include "textbook/identities.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hamel/linear/product.hpp"
#include "textbook/atoms.hpp"

namespace hamel::textbook {
namespace {

using Eigen::MatrixXd;

// Rules that make two terms one, until none applies:
//
//   c sin^2 f + c cos^2 f = c      c - c sin^2 f = c cos^2 f      c - c cos^2 f = c sin^2 f
//   c cos^2 f - c sin^2 f = c cos(2 f)
//   c cos f cos g +- c sin f sin g = c cos(f -+ g)       c sin f cos g +- c cos f sin g = c sin(f +- g)
class Trigonometry {
 public:
  explicit Trigonometry(const Sum& sum) : sum_(sum) {}

  Sum run() {
    while (is_changed()) {
    }
    return sum_;
  }

 private:
  static bool is(const Factor& factor, const char* name) {
    return factor.atom->sort == Sort::function && factor.atom->function == name;
  }
  static bool is_angle(const Factor& f) { return f.exponent >= 1 && (is(f, "sin") || is(f, "cos")); }

  // Without one or two powers of a factor.
  static Term lowered(Term term, const AtomPtr& atom, double by) {
    const auto found = std::find_if(term.factors.begin(), term.factors.end(),
                                    [&](const Factor& f) { return f.atom->key == atom->key; });
    found->exponent -= by;
    if (found->exponent == 0) term.factors.erase(found);
    return term;
  }
  static Term times(const Term& term, const Sum& factor) { return scaled(term, factor).terms().front(); }
  static Sum other(const Factor& f) { return function(is(f, "sin") ? "cos" : "sin", f.atom->sums); }

  const Term* find(const Term& wanted) const {
    const std::string key = wanted.key();
    const auto found = std::find_if(sum_.terms().begin(), sum_.terms().end(), [&](const Term& term) {
      return term.factors.size() == wanted.factors.size() && term.key() == key;
    });
    return found == sum_.terms().end() ? nullptr : &*found;
  }
  // 1 or -1 where the term has this coefficient or its opposite, else 0
  static int sign(const Term* term, double coefficient) {
    if (term == nullptr) return 0;
    const double size = 1e-13 * std::abs(coefficient);
    if (std::abs(term->coefficient - coefficient) <= size) return 1;
    return std::abs(term->coefficient + coefficient) <= size ? -1 : 0;
  }

  void replace(const Term& one, const Term& two, const Sum& by) {
    Term first = one, second = two;
    first.coefficient = -first.coefficient;
    second.coefficient = -second.coefficient;
    sum_.add(first);
    sum_.add(second);
    sum_ += by;
  }

  bool is_changed() {
    const std::vector<Term> terms = sum_.terms();
    for (const Term& term : terms)
      for (const Factor& f : term.factors)
        if (is_angle(f) && ((f.exponent >= 2 && squares(term, f)) || pairs(term, f))) return true;
    return false;
  }

  bool squares(const Term& term, const Factor& f) {
    const Term rest = lowered(term, f.atom, 2), partner = times(rest, power(other(f), 2));
    if (const Term* found = find(partner); sign(found, term.coefficient) == 1) {
      replace(term, *found, sum_of(1, 1, {rest}));
      return true;
    }
    if (const Term* found = find(partner); sign(found, term.coefficient) == -1) {
      const double scale = is(f, "cos") ? 1 : -1;
      replace(term, *found, scale * scaled(rest, call("cos", {2.0 * f.atom->sums[0]})));
      return true;
    }
    if (const Term* found = find(rest); sign(found, term.coefficient) == -1) {
      Term left = partner;
      left.coefficient = -left.coefficient;
      replace(term, *found, sum_of(1, 1, {left}));
      return true;
    }
    return false;
  }

  bool pairs(const Term& term, const Factor& f) {
    for (const Factor& g : term.factors) {
      if (!is_angle(g) || !is(f, "sin") || g.atom->sums[0].key() == f.atom->sums[0].key()) continue;
      const Term rest = lowered(lowered(term, f.atom, 1), g.atom, 1);
      const Term* found = find(times(rest, other(f) * other(g)));
      const int same = sign(found, term.coefficient);
      if (same == 0) continue;
      const Sum &a = f.atom->sums[0], &b = g.atom->sums[0];
      const bool products = is(g, "sin");  // sin a sin b, or sin a cos b
      const Sum angle = products == (same > 0) ? a - b : a + b;
      const double scale = products ? same : 1;
      replace(term, *found, scale * scaled(rest, call(products ? "cos" : "sin", {angle})));
      return true;
    }
    return false;
  }

  Sum sum_;
};

// |v|^-2 (v.v) = 1
Sum with_cancelled_norms(const Sum& sum) {
  Sum result(1, 1);
  for (Term term : sum.terms()) {
    for (const Factor& f : std::vector<Factor>(term.factors)) {
      const bool square =
          f.atom->sort == Sort::dot && f.exponent >= 1 && key_of(f.atom->cores[0]) == key_of(f.atom->cores[1]);
      if (!square) continue;
      const AtomPtr length = norm(from(f.atom->cores[0])).terms().front().factors.front().atom;
      const auto found = std::find_if(term.factors.begin(), term.factors.end(),
                                      [&](const Factor& g) { return g.atom->key == length->key && g.exponent <= -2; });
      if (found == term.factors.end()) continue;
      term = scaled({1, {{f.atom, -1}, {length, 2}}, {}}, sum_of(1, 1, {term})).terms().front();
    }
    result.add(term);
  }
  return result;
}

bool has_angles(const Sum& sum) {
  return std::any_of(sum.terms().begin(), sum.terms().end(), [](const Term& term) {
    return std::any_of(term.factors.begin(), term.factors.end(), [](const Factor& f) {
      return f.atom->sort == Sort::function && (f.atom->function == "sin" || f.atom->function == "cos");
    });
  });
}

// A term as k x.(N y) with numbers N, where it is one.
struct Bilinear {
  Term scale{};
  AtomPtr x{}, y{};
  MatrixXd N{};
};

// x.y, x.(N y)
bool take_matrix(const Atom& atom, Bilinear& result) {
  const Core& chain = atom.cores[1];
  result.x = atom.cores[0][0];
  result.y = chain.back();
  if (!is_symbol(result.x) || !is_symbol(result.y) || chain.size() > 2) return false;
  if (chain.size() == 2 && chain[0]->sort != Sort::number) return false;
  result.N = chain.size() == 2 ? chain[0]->value : MatrixXd::Identity(result.x->rows, result.x->rows);
  return true;
}

bool is_component(const Factor& factor) {
  const Atom& atom = *factor.atom;
  return atom.sort == Sort::dot && atom.cores[1].size() == 1 && is_symbol(atom.cores[0][0]) &&
         atom.cores[1][0]->sort == Sort::number && (factor.exponent == 1 || factor.exponent == 2);
}

bool as_bilinear(const Term& term, Bilinear& result) {
  result.scale = {term.coefficient, {}, {}};
  std::vector<Factor> components;
  bool found = false;
  for (const Factor& factor : term.factors) {
    if (is_component(factor)) {
      components.push_back(factor);
    } else if (!found && factor.exponent == 1 && factor.atom->sort == Sort::dot) {
      found = take_matrix(*factor.atom, result);
      if (!found) return false;
    } else {
      result.scale.factors.push_back(factor);
    }
  }
  if (found) return components.empty();
  const bool square = components.size() == 1 && components[0].exponent == 2;
  const bool pair = components.size() == 2 && components[0].exponent == 1 && components[1].exponent == 1;
  if (!square && !pair) return false;
  const Atom &first = *components.front().atom, &second = *components.back().atom;
  result.x = first.cores[0][0];
  result.y = second.cores[0][0];
  result.N = linear::product(first.cores[1][0]->value, MatrixXd(second.cores[1][0]->value.transpose()));
  if (result.y->key < result.x->key) {
    std::swap(result.x, result.y);
    result.N.transposeInPlace();
  }
  return result.x->rows == result.y->rows;
}

// What sums of such terms with one scale and one pair of vectors come to, if that is a multiple of x.y.
class Isotropy {
 public:
  Sum of(const Sum& sum) {
    Sum result(1, 1);
    for (const Term& term : sum.terms()) {
      Bilinear form;
      if (as_bilinear(term, form))
        gather(form, term);
      else
        result.add(term);
    }
    for (const Group& group : groups_) result += total(group);
    return result;
  }

 private:
  struct Group {
    std::string key;
    Bilinear form;  // N with the numbers of the scales
    std::vector<Term> terms;
  };

  void gather(const Bilinear& form, const Term& term) {
    Bilinear whole = form;
    whole.N *= std::exchange(whole.scale.coefficient, 1.0);
    const std::string key = whole.scale.key() + form.x->key + " " + form.y->key;
    for (Group& group : groups_)
      if (group.key == key) {
        group.form.N += whole.N;
        group.terms.push_back(term);
        return;
      }
    groups_.push_back({key, whole, {term}});
  }

  static Sum total(const Group& group) {
    const auto& [scale, x, y, N] = group.form;
    if (N.rows() != N.cols()) return sum_of(1, 1, group.terms);
    const MatrixXd multiple = N(0, 0) * MatrixXd::Identity(N.rows(), N.cols());
    const double size = N.cwiseAbs().maxCoeff();
    if (group.terms.size() == 1 || (N - multiple).cwiseAbs().maxCoeff() > 1e-13 * std::max(size, 1e-300))
      return sum_of(1, 1, group.terms);
    return scaled(scale, N(0, 0) * dot(Core{x}, Core{y}));
  }

  std::vector<Group> groups_;
};

// The scalars before each vector or matrix.
Sum by_core(const Sum& sum) {
  struct Part {
    Core core;
    Sum scalar;
  };
  std::vector<Part> parts;
  for (const Term& term : sum.terms()) {
    const std::string key = key_of(term.core);
    auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return key_of(part.core) == key; });
    if (found == parts.end()) found = parts.insert(parts.end(), {term.core, Sum(1, 1)});
    found->scalar.add({term.coefficient, term.factors, {}});
  }
  Sum result(sum.rows(), sum.cols());
  for (const Part& part : parts) {
    const Sum scalar = with_identities(part.scalar);
    for (const Term& term : scalar.terms()) result.add({term.coefficient, term.factors, part.core});
  }
  return result;
}

// Matrices of numbers with one and the same scalar become one.
Sum merged_numbers(const Sum& sum) {
  if (sum.rows() != sum.cols()) return sum;
  struct Part {
    std::vector<Factor> factors;
    MatrixXd matrix;
  };
  std::vector<Part> parts;
  Sum result(sum.rows(), sum.cols());
  for (const Term& term : sum.terms()) {
    const bool is_one = term.core.empty(), is_number = term.core.size() == 1 && term.core[0]->sort == Sort::number;
    if (!is_one && !is_number) {
      result.add(term);
      continue;
    }
    const MatrixXd value = is_one ? MatrixXd::Identity(sum.rows(), sum.rows()) : term.core[0]->value;
    const std::string key = Term{1, term.factors, {}}.key();
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) {
      return Term{1, part.factors, {}}.key() == key;
    });
    if (found == parts.end())
      parts.push_back({term.factors, term.coefficient * value});
    else
      found->matrix += term.coefficient * value;
  }
  for (const Part& part : parts) result += scaled({1, part.factors, {}}, constant(part.matrix));
  return result;
}

}  // namespace

Sum with_identities(const Sum& sum) {
  if (sum.is_scalar()) {
    const Sum without_norms = with_cancelled_norms(sum);
    const Sum shorter = has_angles(without_norms) ? Trigonometry(without_norms).run() : without_norms,
              isotropic = Isotropy().of(shorter);
    return isotropic.terms().size() < shorter.terms().size() ? isotropic : shorter;  // which keeps the order
  }
  return by_core(merged_numbers(sum));
}

}  // namespace hamel::textbook
