#include "hamel/derive/characteristic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "derive/steady_equations.hpp"
#include "hamel/derive/energies.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/graph/differentiate.hpp"
#include "hamel/linear/dense.hpp"

namespace hamel {
namespace {

constexpr double no_coefficient = 1e-12;  // rounding

// Nobody reads them, and sums of many masses would take for ever to multiply.
constexpr std::size_t most_products = 1000;
struct TooManyTerms {};

// Of the parameters, with whole powers that may be negative.
class Polynomial {
 public:
  using Powers = std::map<std::uint32_t, int>;  // by the id of a variable
  Polynomial() = default;
  explicit Polynomial(double number) {
    if (number != 0) terms_[{}] = number;
  }
  static Polynomial variable(std::uint32_t id) {
    Polynomial result;
    result.terms_[{{id, 1}}] = 1;
    return result;
  }

  bool is_zero() const { return terms_.empty(); }
  Polynomial operator+(const Polynomial& other) const {
    Polynomial result = *this;
    for (const auto& [powers, number] : other.terms_) result.add(powers, number);
    return result;
  }
  Polynomial operator*(const Polynomial& other) const {
    if (terms_.size() * other.terms_.size() > most_products) throw TooManyTerms();
    Polynomial result;
    for (const auto& [a, x] : terms_)
      for (const auto& [b, y] : other.terms_) {
        Powers both = a;
        for (const auto& [id, power] : b)
          if ((both[id] += power) == 0) both.erase(id);
        result.add(both, x * y);
      }
    return result;
  }
  std::optional<Polynomial> inverse() const {
    if (terms_.size() != 1) return std::nullopt;
    Polynomial result;
    Powers powers = terms_.begin()->first;
    for (auto& [id, power] : powers) power = -power;
    result.terms_[powers] = 1 / terms_.begin()->second;
    return result;
  }

  std::string text(const Graph& graph) const {
    std::string result;
    for (const auto& [powers, number] : terms_) {
      std::string term;
      for (const auto& [id, power] : powers)
        term += fmt::format("{}{}{}", term.empty() ? "" : "*", graph.variable_name(id),
                            power == 1 ? "" : fmt::format("^{}", power));
      const double size = std::abs(number);
      if (term.empty() || std::abs(size - 1) > no_coefficient)
        term = fmt::format("{:.10g}{}{}", size, term.empty() ? "" : "*", term);
      result += (result.empty() ? (number < 0 ? "-" : "") : number < 0 ? " - " : " + ") + term;
    }
    return result.empty() ? "0" : result;
  }
  double value(const std::map<std::uint32_t, double>& values) const {
    double result = 0;
    for (const auto& [powers, number] : terms_) {
      double term = number;
      for (const auto& [id, power] : powers) term *= std::pow(values.at(id), power);
      result += term;
    }
    return result;
  }

 private:
  void add(const Powers& powers, double number) {
    double& sum = terms_[powers];
    const double size = std::abs(sum) + std::abs(number);
    sum += number;
    if (std::abs(sum) <= no_coefficient * size) terms_.erase(powers);
  }
  std::map<Powers, double> terms_;
};

// An expression as a polynomial; none where it is no such thing.
class Reading {
 public:
  explicit Reading(const Graph& graph) : graph_(graph) {}

  std::optional<Polynomial> operator()(std::uint32_t id) {
    const auto known = read_.find(id);
    if (known != read_.end()) return known->second;
    return read_[id] = read(id);
  }

 private:
  std::optional<Polynomial> read(std::uint32_t id) {
    const Node node = graph_.node(id);
    if (node.op == Op::constant) return Polynomial(graph_.constant_value(id));
    if (node.op == Op::variable) return Polynomial::variable(id);
    const std::optional<Polynomial> a = (*this)(node.a);
    if (!a) return std::nullopt;
    if (node.op == Op::negate) return *a * Polynomial(-1);
    if (node.op == Op::integer_power) return power(*a, static_cast<std::int32_t>(node.b));
    if (node.op != Op::add && node.op != Op::subtract && node.op != Op::multiply && node.op != Op::divide)
      return std::nullopt;
    const std::optional<Polynomial> b = (*this)(node.b);
    if (!b) return std::nullopt;
    if (node.op == Op::add) return *a + *b;
    if (node.op == Op::subtract) return *a + *b * Polynomial(-1);
    if (node.op == Op::multiply) return *a * *b;
    const std::optional<Polynomial> inverse = b->inverse();
    if (!inverse) return std::nullopt;
    return *a * *inverse;
  }
  static std::optional<Polynomial> power(const Polynomial& base, int exponent) {
    const std::optional<Polynomial> factor = exponent < 0 ? base.inverse() : base;
    if (!factor) return std::nullopt;
    Polynomial result(1);
    for (int k = 0; k < std::abs(exponent); ++k) result = result * *factor;
    return result;
  }

  const Graph& graph_;
  std::map<std::uint32_t, std::optional<Polynomial>> read_;
};

using InS = std::vector<Polynomial>;  // by powers of s

InS product(const InS& a, const InS& b) {
  InS result(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) result[i + j] = result[i + j] + a[i] * b[j];
  return result;
}

// By Leibniz: of at most four rows.
InS determinant_of(const std::vector<std::vector<InS>>& rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  InS result;
  do {
    InS term = {Polynomial(1)};
    for (std::size_t i = 0; i < order.size(); ++i) term = product(term, rows[i][order[i]]);
    int swaps = 0;
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t j = i + 1; j < order.size(); ++j) swaps += order[i] > order[j] ? 1 : 0;
    result.resize(std::max(result.size(), term.size()));
    for (std::size_t k = 0; k < term.size(); ++k) result[k] = result[k] + term[k] * Polynomial(swaps % 2 == 0 ? 1 : -1);
  } while (std::next_permutation(order.begin(), order.end()));
  return result;
}

Exprs rounded_numbers(const VectorXd& x) {
  Exprs result;
  for (const double value : x)
    result.emplace_back(std::abs(value - std::round(value)) < 1e-14 ? std::round(value) : value);
  return result;
}

// left^T X right, X column by column
Expr sandwiched(const Exprs& left, const Exprs& X, const Exprs& right) {
  Expr result;
  for (std::size_t j = 0; j < right.size(); ++j)
    for (std::size_t i = 0; i < left.size(); ++i) result += left[i] * X[j * left.size() + i] * right[j];
  return result;
}

using Substitution = std::unordered_map<std::uint32_t, Expr>;

// q as it is, and all that moves or drives zero.
Substitution at_rest(const LoweredModel& lowered, const SteadyEquations& equations, double t, In q) {
  Substitution result;
  for (std::size_t i = 0; i < lowered.q.size(); ++i) {
    result[lowered.q[i].id()] = Expr(q(static_cast<Eigen::Index>(i)));
    result[lowered.v[i].id()] = Expr(0.0);
    result[equations.a[i].id()] = Expr(0.0);
  }
  for (const Expr u : lowered.u) result[u.id()] = Expr(0.0);
  result[lowered.t.id()] = Expr(t);
  return result;
}

// lambda = -R^+ F, where R = E^T C^T is made of numbers.
bool add_multipliers(Substitution& values, const SteadyEquations& equations, int natural) {
  const Exprs& lambda = equations.lambda;
  if (lambda.empty()) return true;
  const Exprs reactions = substitute(NaturalFrame::along(equations.reaction, lambda), values);
  MatrixXd R(natural, static_cast<Eigen::Index>(lambda.size()));
  for (Eigen::Index k = 0; k < R.size(); ++k) {
    const Expr entry = reactions[static_cast<std::size_t>(k)];
    if (!entry.is_constant()) return false;
    R.reshaped()(k) = entry.value();
  }
  const Exprs force = substitute(equations.driven, values);
  const MatrixXd solved = linear::pseudo_inverse(R);
  for (Eigen::Index i = 0; i < solved.rows(); ++i) {
    Expr sum;
    const Exprs row = rounded_numbers(4 * solved.row(i).transpose());
    for (std::size_t j = 0; j < row.size(); ++j) sum -= row[j] / 4.0 * force[j];
    values[lambda[static_cast<std::size_t>(i)].id()] = sum;
  }
  return true;
}

using Rows = std::vector<std::vector<InS>>;

// s^2 M + s (D + G) + K along the basis, where F is zero for all parameters.
std::optional<Rows> pencil_of(const LoweredModel& lowered, const SteadyEquations& equations, const Substitution& values,
                              const MatrixXd& natural, const MatrixXd& ambient) {
  const auto at_point = [&](const Exprs& of) { return substitute(of, values); };
  const auto along = [&](const Exprs& x) { return at_point(NaturalFrame::along(equations.F, x)); };
  const Exprs left_over = at_point(equations.F);
  const std::array<Exprs, 3> powers = {along(lowered.q), along(lowered.v), along(equations.a)};
  Reading reading(Graph::current());
  Rows rows;
  for (Eigen::Index i = 0; i < natural.cols(); ++i) {
    const Exprs left = rounded_numbers(natural.col(i));
    const std::optional<Polynomial> rest = reading(sandwiched(left, left_over, {Expr(1.0)}).id());
    if (!rest || !rest->is_zero()) return std::nullopt;  // an equilibrium for these parameters only
    rows.emplace_back();
    for (Eigen::Index j = 0; j < ambient.cols(); ++j) {
      InS entry;
      for (const Exprs& part : powers) {
        const std::optional<Polynomial> read = reading(sandwiched(left, part, rounded_numbers(ambient.col(j))).id());
        if (!read) return std::nullopt;
        entry.push_back(*read);
      }
      rows.back().push_back(entry);
    }
  }
  return rows;
}

CharacteristicPolynomial written(InS coefficients, const Parameters& parameters) {
  while (coefficients.size() > 1 && coefficients.back().is_zero()) coefficients.pop_back();
  std::map<std::uint32_t, double> values;
  for (std::size_t i = 0; i < parameters.variables.size(); ++i)
    values[parameters.variables[i].id()] = parameters.values(static_cast<Eigen::Index>(i));
  CharacteristicPolynomial result;
  for (const Polynomial& coefficient : coefficients) {
    result.coefficients.push_back(coefficient.text(Graph::current()));
    result.values.push_back(coefficient.value(values));
  }
  return result;
}

bool is_made_of_zeros_and_ones(In q) {
  return std::all_of(q.begin(), q.end(), [](double entry) { return entry == 0 || std::abs(entry) == 1; });
}

std::optional<CharacteristicPolynomial> in_symbols(const Model& model, double t, In q, const MatrixXd& natural,
                                                   const MatrixXd& ambient) {
  constexpr Eigen::Index largest = 4;
  if (ambient.cols() == 0 || ambient.cols() > largest || !model.hamiltonian_terms().empty()) return std::nullopt;
  if (!is_made_of_zeros_and_ones(q)) return std::nullopt;
  const Sheet sheet(model);
  const NaturalFrame frame(model, sheet.lowered);
  const SteadyEquations equations = steady_equations(model, sheet.lowered, frame);
  Substitution values = at_rest(sheet.lowered, equations, t, q);
  if (!add_multipliers(values, equations, frame.size())) return std::nullopt;
  const std::optional<Rows> rows = pencil_of(sheet.lowered, equations, values, natural, ambient);
  if (!rows) return std::nullopt;
  return written(determinant_of(*rows), sheet.parameters);
}

}  // namespace

std::optional<CharacteristicPolynomial> characteristic_polynomial(const Model& model, double t, In q,
                                                                  const MatrixXd& natural, const MatrixXd& ambient) {
  try {
    return in_symbols(model, t, q, natural, ambient);
  } catch (const TooManyTerms&) {
    return std::nullopt;
  }
}

}  // namespace hamel
