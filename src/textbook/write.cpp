#include "textbook/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "textbook/atoms.hpp"
#include "textbook/collect.hpp"

namespace hamel::textbook {
namespace {

using Eigen::MatrixXd;

double tidy(double x) { return std::strtod(fmt::format("{:.14g}", x).c_str(), nullptr); }

MatrixXd tidy(const MatrixXd& value) {
  return value.unaryExpr([](double x) { return tidy(x); });
}

struct Ratio {
  double above, below;
};

// Halves, thirds, quarters, sixths and twelfths are fractions, other numbers decimals.
Ratio ratio_of(double x) {
  for (const double below : {1.0, 2.0, 3.0, 4.0, 6.0, 12.0}) {
    const double above = x * below;
    if (std::abs(above - std::round(above)) <= 1e-13 * std::abs(above) && (below == 1 || std::abs(above) <= 12))
      return {std::round(above), below};
  }
  // 1/0.972 rather than 1.0288...
  const double number = tidy(x), inverse = tidy(1 / x);
  if (fmt::format("{}", inverse).size() + 4 < fmt::format("{}", number).size()) return {1, inverse};
  return {number, 1};
}

// Of numbers too: 9.81*e3 is not [0, 0, 9.81].
Formula product_of(const Formula& a, const Formula& b) {
  if (!a.is_number() || !b.is_number() || b.is_scalar()) return a * b;
  Formula::Node node{};
  node.kind = Kind::multiply;
  node.rows = b.rows();
  node.cols = b.cols();
  node.args = {a, b};
  return Formula(std::make_shared<Formula::Node>(std::move(node)));
}

Formula product_of(const std::vector<Formula>& factors) {
  Formula result = factors.front();
  for (std::size_t k = 1; k < factors.size(); ++k) result = result * factors[k];
  return result;
}

// A positive scalar as a fraction of products.
struct Fraction {
  std::vector<Formula> above{}, below{};

  void number(double x) {
    const auto [p, q] = ratio_of(x);
    if (p != 1) above.insert(above.begin(), p);
    if (q != 1) below.insert(below.begin(), q);
  }
  void factor(const Formula& base, double exponent) {
    const double size = std::abs(exponent);
    const Formula raised = size == 1 ? base : size == 0.5 ? sqrt(base) : pow(base, size);
    (exponent > 0 ? above : below).push_back(raised);
  }
  Formula scalar() const { return times(above.empty() ? Formula(1.0) : product_of(above)); }
  Formula times(const Formula& numerator) const { return below.empty() ? numerator : numerator / product_of(below); }
};

Formula written(const std::string& name, const std::vector<Formula>& x) {
  if (name == "pow") return hamel::pow(x[0], x[1]);
  if (name == "<") return select(less(x[0], x[1]), 1.0, 0.0);
  if (name == "<=") return select(less_equal(x[0], x[1]), 1.0, 0.0);
  return hamel::call(name, x);
}

class Writer {
 public:
  explicit Writer(const Style& style) : style_(style) {}

  Formula write(const Sum& sum) const {
    return total(MatrixXd::Zero(sum.rows(), sum.cols()).eval(), collect(sum), sum);
  }

  // With the style for the sum itself, not for what is inside of it.
  Formula write_outermost(const Sum& sum) const {
    if (sum.is_zero()) return MatrixXd::Zero(sum.rows(), sum.cols()).eval();
    if (!style_.project) return with_nested(sum);
    const Formula P = projector(style_.point);
    const std::vector<Collected> terms = collect(sum);
    return terms.size() > 1 ? P * with_nested(sum) : signed_term(terms[0], P * vector_of(terms[0], sum));
  }

 private:
  Formula with_nested(const Sum& sum) const {
    std::vector<Collected> plain;
    Formula result = MatrixXd::Zero(sum.rows(), sum.cols()).eval();
    const auto flush = [&] {
      result = total(result, plain, sum);
      plain.clear();
    };
    for (const Nested& nested : nest(collect(sum))) {
      if (nested.kind == Nested::Kind::plain) {
        plain.push_back(nested.term);
        continue;
      }
      flush();
      result = is_negative(nested.term) ? add_turned(result, nested) : plus(result, nested.term, vector_of(nested));
    }
    flush();
    return result;
  }

  // - a x (b x c) = a x (c x b); Omega x (Omega x c) is left alone, - q x (q x c) on a sphere is not
  Formula add_turned(const Formula& result, Nested nested) const {
    const bool repeated = nested.a.key() == nested.b.key() && !is_on_sphere(nested.a);
    if (nested.kind == Nested::Kind::product && !nested.b.is_constant() && !repeated) {
      std::swap(nested.b, nested.c);
      nested.term.coefficient = -nested.term.coefficient;
    }
    return plus(result, nested.term, vector_of(nested));
  }

  static bool is_on_sphere(const Sum& vector) {
    const Core& core = vector.terms().front().core;
    return core.size() == 1 && core[0]->leaf.sphere == OnSphere::point;
  }

  Formula projector(const Sum& point) const {
    const Formula q = write(point);
    return Formula(MatrixXd::Identity(q.rows(), q.rows()).eval()) - q * transpose(q);
  }

  Formula vector_of(const Nested& nested) const {
    const Formula b = write(nested.b);
    const Formula vector = nested.kind == Nested::Kind::projection ? projector(nested.a) * b
                                                                   : cross(write(nested.a), cross(b, write(nested.c)));
    return nested.term.core.empty() ? vector : write(nested.term.core) * vector;
  }

  // The point of a sphere stands first in a cross product; so does a constant, if that saves a minus sign.
  Collected turned(const Collected& term) const {
    if (term.core.size() != 1 || term.core[0]->sort != Sort::cross) return term;
    const std::vector<Core>& arms = term.core[0]->cores;
    const bool at_point = !style_.point.is_number() && key_of(arms[1]) == key_of(style_.point.terms()[0].core);
    const bool saves_sign = is_negative(term) && arms[0][0]->has_rates && from(arms[1]).is_constant();
    if (!at_point && !saves_sign) return term;
    Atom atom = *term.core[0];
    std::swap(atom.cores[0], atom.cores[1]);
    return {-term.coefficient, term.others, {intern(std::move(atom))}};
  }

  Formula total(Formula result, const std::vector<Collected>& terms, const Sum& sum) const {
    if (!style_.factors || sum.cols() != 1 || sum.is_scalar()) return plain_total(result, terms, sum);
    std::vector<Collected> plain;
    for (const Applied& part : by_operator(terms)) {
      if (!part.inside.is_scalar()) continue;
      plain.push_back(part.term);
    }
    result = plain_total(result, plain, sum);
    for (const Applied& part : by_operator(terms)) {
      if (part.inside.is_scalar()) continue;
      const Collected scale = common_constants(part.inside);
      const Formula inside =
          write(divided(part.inside, is_negative(scale) ? -1 : 1, scale.coefficient.terms()[0].factors));
      const Formula first = write(part.matrix);
      result = plus(result, scale, part.is_cross ? cross(first, inside) : first * inside);
    }
    return result;
  }

  // What parameters all terms have in common, with the sign of the first one.
  static Collected common_constants(const Sum& sum) {
    Term common{std::copysign(1.0, sum.terms().front().coefficient), {}, {}};
    for (const Factor& factor : common_factors(sum))
      if (factor.atom->is_constant && factor.exponent > 0) common.factors.push_back(factor);
    return {sum_of(1, 1, {common}), {}, {}};
  }

  // Rates before the sines and cosines of angles; those of one angle side by side.
  static std::vector<Factor> in_order(std::vector<Factor> factors) {
    const auto rank = [](const Factor& f) {
      const bool angle = f.atom->sort == Sort::function && (f.atom->function == "sin" || f.atom->function == "cos");
      if (f.atom->leaf.is_acceleration) return std::string("z");
      return angle ? "f" + f.atom->sums[0].key() + (f.atom->function == "sin" ? "0" : "1") : std::string();
    };
    const bool has_angles =
        std::any_of(factors.begin(), factors.end(), [&](const Factor& f) { return rank(f).starts_with('f'); });
    if (has_angles)
      std::stable_sort(factors.begin(), factors.end(),
                       [&](const Factor& a, const Factor& b) { return rank(a) < rank(b); });
    return factors;
  }

  Formula plain_total(Formula result, const std::vector<Collected>& terms, const Sum& sum) const {
    for (const std::vector<Collected>& group : grouped(terms)) {
      if (group.size() == 1) {
        const Collected term = turned(group[0]);
        result = plus(result, term, vector_of(term, sum));
        continue;
      }
      // coefficient * (a - b + ...)
      const bool negative = is_negative(group[0]);
      Formula inside = MatrixXd::Zero(sum.rows(), sum.cols()).eval();
      for (const Collected& term : group) {
        const Formula vector = vector_of(term, sum);
        inside = is_negative(term) == negative ? inside + vector : inside - vector;
      }
      result = plus(result, group[0], inside);
    }
    return result;
  }

  Formula plus(const Formula& sum, const Collected& term, const Formula& vector) const {
    const Formula product = scaled_vector(term, vector);
    return is_negative(term) ? sum - product : sum + product;
  }

  Formula signed_term(const Collected& term, const Formula& vector) const {
    const Formula product = scaled_vector(term, vector);
    return is_negative(term) ? -product : product;
  }

  // 1 for scalars.
  Formula vector_of(const Collected& term, const Sum& sum) const {
    if (sum.is_scalar()) return 1.0;
    if (term.core.empty()) return MatrixXd::Identity(sum.rows(), sum.cols()).eval();
    const Formula vector = write(term.core);
    return sum.rows() == 1 ? transpose(vector) : vector;
  }

  Formula term_by_term(const Sum& constants) const {
    Formula result = 0.0;
    for (const Term& term : constants.terms()) result = plus(result, {sum_of(1, 1, {term}), {}, {}}, 1.0);
    return result;
  }

  // Without its sign.
  Formula scaled_vector(const Collected& term, const Formula& vector) const {
    Fraction fraction;
    const Split split = split_coefficient(term.coefficient);
    for (std::size_t k = 0; k <= split.common.size(); ++k) {
      if (k == split.place && split.rest.terms().size() > 1)
        fraction.above.push_back(split.rest.is_constant() ? term_by_term(split.rest) : write(split.rest));
      if (k < split.common.size()) fraction.factor(write(*split.common[k].atom), split.common[k].exponent);
    }
    for (const auto& [atom, exponent] : in_order(term.others)) fraction.factor(write(*atom), exponent);
    fraction.number(std::abs(split.number));
    const bool scalar = vector.is_scalar() && vector.is_number();
    if (scalar) return fraction.scalar();
    return fraction.above.empty() ? fraction.times(vector) : product_of(fraction.scalar(), vector);
  }

  Formula write(const Core& core) const {
    Formula result = write(*core.front());
    for (std::size_t k = 1; k < core.size(); ++k) result = result * write(*core[k]);
    return result;
  }

  Formula write(const Atom& atom) const {
    switch (atom.sort) {
      case Sort::symbol:
        return atom.transposed ? transpose(atom.leaf.formula) : atom.leaf.formula;
      case Sort::number:
        return write_number(atom);
      case Sort::cross:
        return cross(write(atom.cores[0]), write(atom.cores[1]));
      case Sort::hat:
        return hat(write(atom.cores[0]));
      case Sort::outer:
        return write(atom.cores[0]) * transpose(write(atom.cores[1]));
      case Sort::vee:
        return vee(write(atom.sums[0]));
      case Sort::dot:
        if (key_of(atom.cores[0]) == key_of(atom.cores[1])) return squared_norm(write(atom.cores[0]));
        if (const std::optional<Formula> entry = entry_of(atom.cores[0], atom.cores[1])) return *entry;
        if (const std::optional<Formula> entry = entry_of(atom.cores[1], atom.cores[0])) return *entry;
        return dot(write(atom.cores[0]), write(atom.cores[1]));
      case Sort::triple:
        return dot(write(atom.cores[0]), cross(write(atom.cores[1]), write(atom.cores[2])));
      case Sort::trace:
        return trace(write(atom.cores[0]));
      case Sort::norm:
        return norm(write(atom.sums[0]));
      case Sort::group:
        return write(atom.sums[0]);
      default: {
        std::vector<Formula> arguments;
        for (const Sum& sum : atom.sums) arguments.push_back(write(sum));
        return written(atom.function, arguments);
      }
    }
  }

  // b[1] for dot(b, [1, 0, 0, 0]): beyond space unit vectors have no names.
  std::optional<Formula> entry_of(const Core& vector, const Core& unit) const {
    constexpr Eigen::Index named = 3;
    if (unit.size() != 1 || unit[0]->sort != Sort::number || vector.size() != 1) return {};
    const MatrixXd& value = unit[0]->value;
    Eigen::Index i = 0, j = 0;
    if (value.rows() <= named || value.maxCoeff(&i, &j) != 1 || value.cwiseAbs().sum() != 1) return {};
    return write(*vector[0])[static_cast<int>(i)];
  }

  Formula write_number(const Atom& atom) const {
    const Formula number = tidy(atom.value);
    const bool turn =
        atom.value.rows() == 2 && atom.value.cols() == 2 && atom.value == MatrixXd(Eigen::Matrix2d{{0, -1}, {1, 0}});
    return turn && !style_.quarter_turn.empty() ? number.named(style_.quarter_turn) : number;
  }

  const Style& style_;
};

}  // namespace

Formula write(const Sum& sum, const Style& style) { return Writer(style).write_outermost(sum); }

}  // namespace hamel::textbook
