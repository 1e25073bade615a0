#include "language/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

#include "hamel/model/lower.hpp"
#include "language/builtins.hpp"

namespace hamel {

namespace {

constexpr long long most_evaluations = 4'000'000;
constexpr int deepest_evaluation = 2000;
constexpr int largest_index = 10'000'000;

std::string shape_of(const Formula& a) {
  if (a.is_scalar()) return "a scalar";
  if (a.is_vector()) return fmt::format("a vector of length {}", a.rows());
  return fmt::format("a {}x{} matrix", a.rows(), a.cols());
}

// What the algebra of formulas refuses happened at this place.
template <class Action>
auto placed(const Syntax& syntax, Action action) {
  try {
    return action();
  } catch (const std::logic_error& refusal) {  // invalid_argument, domain_error
    throw SourceError(syntax.place, refusal.what());
  }
}

const Formula& single(const Value& value, const Syntax& syntax) {
  if (!value.is_family()) return value.formula();
  const Family& family = value.family();
  throw SourceError(syntax.place, fmt::format("{0} is a family of {1} values: say which one, such as {0}[{2}]",
                                              family.name, family.members.size(), family.first));
}

// Made of numbers and parameters only.
bool is_fixed(const Formula& a) {
  return !a.depends_on(Role::coordinate) && !a.depends_on(Role::momentum) && !a.depends_on(Role::input) &&
         !a.depends_on(Role::time);
}

// What functions of other languages are called here.
std::string spelled_here(const std::string& function) {
  static const std::map<std::string, std::string> spellings = {{"tr", "trace(A)"},
                                                               {"sgn", "sign(x)"},
                                                               {"fmod", "mod(a, b)"},
                                                               {"ceil", "-floor(-x)"},
                                                               {"round", "floor(x + 0.5)"},
                                                               {"ln", "log(x)"},
                                                               {"arcsin", "asin(x)"},
                                                               {"arccos", "acos(x)"},
                                                               {"arctan", "atan(x)"},
                                                               {"pow", "a^b"},
                                                               {"inv", "transpose(R), the inverse of a rotation"}};
  const auto found = spellings.find(function);
  return found == spellings.end() ? std::string() : "; write " + found->second;
}

template <class Function>
Value mapped(const Value& value, Function function) {
  if (!value.is_family()) return function(value.formula());
  auto result = std::make_shared<Family>(value.family());
  for (Value& member : result->members) member = mapped(member, function);
  return result;
}

}  // namespace

Eigen::MatrixXd constant_value(const Formula& formula) {
  if (formula.is_number()) return formula.node().value;
  Graph graph;
  const Graph::Scope scope(graph);
  const Model none("constants");
  LoweredModel lowered;
  const MatrixXe lowest = lower(formula, none, lowered);
  Eigen::MatrixXd result(lowest.rows(), lowest.cols());
  for (Eigen::Index k = 0; k < lowest.size(); ++k) result(k) = lowest(k).value();
  return result;
}

Formula Evaluator::formula(const Syntax& syntax) { return single(evaluate(syntax), syntax); }
Value Evaluator::value(const Syntax& syntax) { return evaluate(syntax); }

Formula Evaluator::sum_of_terms(const Syntax& syntax, const TermAction& action) {
  if (syntax.kind == SyntaxKind::sum) {
    std::optional<Formula> total;
    loop(syntax.binders, [&] {
      const Formula term = sum_of_terms(syntax.parts[0], action);
      total = total ? placed(syntax, [&] { return *total + term; }) : term;
    });
    return total.value_or(0.0);
  }
  if (syntax.kind == SyntaxKind::binary && (syntax.text == "+" || syntax.text == "-")) {
    const Formula a = sum_of_terms(syntax.parts[0], action), b = sum_of_terms(syntax.parts[1], action);
    return placed(syntax, [&] { return syntax.text == "+" ? a + b : a - b; });
  }
  const Formula term = formula(syntax);
  action(syntax, term);
  return term;
}

Eigen::MatrixXd Evaluator::constant(const Syntax& syntax) {
  const bool before = std::exchange(constant_, true);
  const Formula result = formula(syntax);
  constant_ = before;
  const Eigen::MatrixXd numbers = placed(syntax, [&] { return constant_value(result); });
  if (!numbers.allFinite()) throw SourceError(syntax.place, "this is not a finite number");
  return numbers;
}

int Evaluator::integer(const Syntax& syntax, const char* what) {
  const NameScope::Structure structure(names_, what);
  const Eigen::MatrixXd number = constant(syntax);
  if (number.size() != 1 || number(0) != std::floor(number(0)))
    throw SourceError(syntax.place, fmt::format("{} must be a whole number, got {}", what,
                                                number.size() == 1 ? fmt::format("{}", number(0)) : "a vector"));
  if (std::abs(number(0)) > largest_index)
    throw SourceError(syntax.place, fmt::format("{} must be at most {}, got {}", what, largest_index, number(0)));
  return static_cast<int>(number(0));
}

std::vector<std::vector<int>> Evaluator::rows_of_list(const Syntax::Binder& binder) {
  const Syntax& list = binder.domain.front();
  const NameScope::Structure structure(names_, "a list of indices");
  const Eigen::MatrixXd numbers = constant(list);
  if (static_cast<std::size_t>(numbers.cols()) != binder.names.size())
    throw SourceError(
        list.place, fmt::format("the list has {} number{} in a row, but there {} {} ind{} to take them", numbers.cols(),
                                numbers.cols() == 1 ? "" : "s", binder.names.size() == 1 ? "is" : "are",
                                binder.names.size(), binder.names.size() == 1 ? "ex" : "ices"));
  std::vector<std::vector<int>> rows;
  for (Eigen::Index i = 0; i < numbers.rows(); ++i) {
    std::vector<int> row;
    for (const double number : numbers.row(i)) {
      if (number != std::floor(number) || std::abs(number) > largest_index)
        throw SourceError(list.place, fmt::format("the indices of a list must be whole numbers, got {}", number));
      row.push_back(static_cast<int>(number));
    }
    rows.push_back(row);
  }
  return rows;
}

std::vector<std::vector<int>> Evaluator::index_tuples(const Syntax::Binder& binder) {
  if (binder.domain.size() == 1) return rows_of_list(binder);
  const int first = integer(binder.domain[0], "the begin of a range");
  const int last = integer(binder.domain[1], "the end of a range");
  const long long count = std::max(0LL, static_cast<long long>(last) - first + 1);
  if ((binder.ordered ? count * (count - 1) / 2 : count) > most_evaluations)
    throw SourceError(binder.place, fmt::format("the range has {} members: too many", count));
  std::vector<std::vector<int>> tuples;
  for (int i = first; i <= last; ++i) {
    if (!binder.ordered) tuples.push_back({i});
    for (int j = i + 1; binder.ordered && j <= last; ++j) tuples.push_back({i, j});
  }
  return tuples;
}

Value Evaluator::evaluate(const Syntax& syntax) {
  if (++evaluations_ > most_evaluations)
    throw SourceError(syntax.place, fmt::format("the model has more than {} operations: too many", most_evaluations));
  if (++depth_ > deepest_evaluation)
    throw SourceError(
        syntax.place,
        fmt::format("definitions and functions refer to each other more than {} operations deep", deepest_evaluation));
  Value result = evaluate_kind(syntax);
  --depth_;
  return result;
}

Value Evaluator::evaluate_kind(const Syntax& syntax) {
  switch (syntax.kind) {
    case SyntaxKind::number:
      return Formula(syntax.value);
    case SyntaxKind::name:
      return named(syntax);
    case SyntaxKind::negate:
      return negated(syntax);
    case SyntaxKind::binary:
      return binary(syntax);
    case SyntaxKind::rate:
      return rate_of(evaluate(syntax.parts[0]), syntax);
    case SyntaxKind::index:
      return indexed(syntax);
    case SyntaxKind::member:
      return member(syntax);
    case SyntaxKind::call:
      return call(syntax);
    case SyntaxKind::list:
      return list(syntax);
    case SyntaxKind::sum:
      return sum(syntax);
  }
  throw std::logic_error("syntax of unknown kind");
}

Value Evaluator::named(const Syntax& syntax) {
  for (auto local = locals_.rbegin(); local != locals_.rend(); ++local)
    if (local->first == syntax.text) return local->second;
  const auto& constants = builtin_constants();
  if (const auto found = constants.find(syntax.text); found != constants.end()) {
    if (constant_ && syntax.text == "t")
      throw SourceError(syntax.place, "time cannot be used here: a constant is needed");
    return found->second;
  }
  return names_.value(syntax.text, syntax.place, constant_);
}

Formula Evaluator::negated(const Syntax& syntax) {
  const Formula a = formula(syntax.parts[0]);
  return -a;
}

Formula Evaluator::binary(const Syntax& syntax) {
  const Formula a = formula(syntax.parts[0]);
  if (syntax.text == "^" && syntax.parts[1].kind == SyntaxKind::name && syntax.parts[1].text == "T" && !a.is_scalar())
    throw SourceError(syntax.place, fmt::format("a transpose is written transpose({})", a.brief()));
  const Formula b = formula(syntax.parts[1]);
  return placed(syntax, [&] {
    switch (syntax.text.front()) {
      case '+':
        return a + b;
      case '-':
        return a - b;
      case '*':
        return a * b;
      case '/':
        return a / b;
      case '^':
        if (!a.is_scalar())
          throw std::invalid_argument(
              fmt::format("cannot raise {} to a power{}", a.quoted(), a.is_vector() ? "; did you mean norm2?" : ""));
        return pow(a, b);
      default:
        throw std::invalid_argument(fmt::format("a comparison ({}) is only allowed in if(...)", syntax.text));
    }
  });
}

Formula Evaluator::compared_numbers(const Syntax& syntax, const Formula& a, const Formula& b) {
  const double x = constant_value(a)(0), y = constant_value(b)(0);
  const std::string& op = syntax.text;
  const bool holds = op == "<"    ? x < y
                     : op == "<=" ? x <= y
                     : op == ">"  ? x > y
                     : op == ">=" ? x >= y
                     : op == "==" ? x == y
                                  : x != y;
  return holds ? 1.0 : 0.0;
}

Formula Evaluator::comparison(const Syntax& syntax, const Formula& a, const Formula& b) {
  if (a.is_scalar() && b.is_scalar() && a.is_number() && b.is_number()) return compared_numbers(syntax, a, b);
  if (syntax.text == "==" || syntax.text == "!=")
    throw std::invalid_argument(
        fmt::format("{} compares indices and numbers only, got {} and {}", syntax.text, a.quoted(), b.quoted()));
  if (syntax.text == "<") return less(a, b);
  if (syntax.text == "<=") return less_equal(a, b);
  return syntax.text == ">" ? less(b, a) : less_equal(b, a);
}

Formula Evaluator::condition(const Syntax& syntax) {
  constexpr std::string_view operators = "<>=!";
  if (syntax.kind != SyntaxKind::binary || operators.find(syntax.text.front()) == std::string_view::npos)
    throw SourceError(syntax.place, "the condition of if must be a comparison, such as a < b");
  Formula a = formula(syntax.parts[0]), b = formula(syntax.parts[1]);
  if ((syntax.text == "==" || syntax.text == "!=") && a.is_scalar() && b.is_scalar() && is_fixed(a) && is_fixed(b)) {
    const NameScope::Structure structure(names_, "a choice");
    a = constant(syntax.parts[0]);  // a parameter in an equality is a number, as in a size
    b = constant(syntax.parts[1]);
  }
  return placed(syntax, [&] { return comparison(syntax, a, b); });
}

// A branch that an index excludes is not even looked at: if(i == 1, 0, x[i-1]).
Value Evaluator::choice(const Syntax& syntax) {
  if (syntax.parts.size() != 3)
    throw SourceError(syntax.place,
                      fmt::format("if needs 3 arguments, if(condition, then, otherwise), got {}", syntax.parts.size()));
  const Formula test = condition(syntax.parts[0]);
  if (test.is_number()) return evaluate(syntax.parts[test.is_zero() ? 2 : 1]);
  const Formula yes = formula(syntax.parts[1]), no = formula(syntax.parts[2]);
  return placed(syntax, [&] { return select(test, yes, no); });
}

int Evaluator::in_range(const Syntax& index, int first, int last, const std::string& what) {
  const int i = integer(index, "an index");
  if (i < first || i > last)
    throw SourceError(index.place, last < first
                                       ? fmt::format("{} has no members yet", what)
                                       : fmt::format("{} has no [{}]: its indices are {} to {}", what, i, first, last));
  return i;
}

Value Evaluator::member_of(const Family& family, const Syntax& syntax) {
  if (syntax.parts.size() != 2)
    throw SourceError(syntax.place, fmt::format("{} takes one index, got {}", family.name, syntax.parts.size() - 1));
  const int last = family.first + static_cast<int>(family.members.size()) - 1;
  return family
      .members[static_cast<std::size_t>(in_range(syntax.parts[1], family.first, last, family.name) - family.first)];
}

Formula Evaluator::component(const Formula& whole, const Syntax& syntax) {
  const std::string name = whole.brief();
  const std::size_t indices = syntax.parts.size() - 1;
  if (indices > 2 || (whole.is_vector() && indices == 2))
    throw SourceError(
        syntax.place,
        fmt::format("{} is {}: {}", name, shape_of(whole),
                    whole.is_vector() ? "it takes one index" : "it takes two indices, as in [i, j], or one for a row"));
  const int i = in_range(syntax.parts[1], 1, whole.rows(), name);
  if (indices == 2) return whole(i - 1, in_range(syntax.parts[2], 1, whole.cols(), "a row of " + name) - 1);
  if (whole.is_scalar()) return whole;  // a family or a list of one
  return whole.is_vector() ? whole[i - 1] : transpose(whole).column(i - 1);
}

Value Evaluator::rate_of(const Value& value, const Syntax& syntax) {
  return placed(syntax, [&] { return mapped(value, [](const Formula& a) { return rate(a); }); });
}

// x'[k] is the rate of x[k]: that of all x would be taken anew for every k.
Value Evaluator::indexed(const Syntax& syntax) {
  const Syntax& indexed_part = syntax.parts[0];
  const bool of_rate = indexed_part.kind == SyntaxKind::rate;
  const Value inner = evaluate(of_rate ? indexed_part.parts[0] : indexed_part);
  if (of_rate && inner.is_family()) return rate_of(member_of(inner.family(), syntax), indexed_part);
  const Value whole = of_rate ? rate_of(inner, indexed_part) : inner;
  if (whole.is_family()) return member_of(whole.family(), syntax);
  return component(whole.formula(), syntax);
}

Formula Evaluator::member(const Syntax& syntax) {
  const Formula whole = formula(syntax.parts[0]);
  const std::size_t i = std::string_view("xyz").find(syntax.text);
  if (syntax.text.size() != 1 || i == std::string_view::npos)
    throw SourceError(syntax.place,
                      fmt::format("unknown component .{}; the components are .x, .y and .z", syntax.text));
  if (!whole.is_vector() || static_cast<int>(i) >= whole.rows() || whole.is_scalar())
    throw SourceError(syntax.place,
                      fmt::format("{} is {} and has no component .{}", whole.brief(), shape_of(whole), syntax.text));
  return whole[static_cast<int>(i)];
}

// Scalars make a vector; vectors are the rows of a matrix.
Formula Evaluator::list(const Syntax& syntax) {
  std::vector<Formula> entries;
  for (const Syntax& part : syntax.parts) entries.push_back(formula(part));
  return placed(syntax, [&] {
    if (entries.front().is_scalar()) return Formula::vector(entries);
    return transpose(Formula::columns(entries));
  });
}

Formula Evaluator::sum(const Syntax& syntax) {
  std::vector<Formula> terms;
  loop(syntax.binders, [&] { terms.push_back(formula(syntax.parts[0])); });
  if (terms.empty()) return 0.0;
  Formula total = terms.front();
  for (std::size_t k = 1; k < terms.size(); ++k) total = placed(syntax, [&] { return total + terms[k]; });
  return total;
}

Value Evaluator::call_own(const NameScope::Function& function, const Syntax& syntax) {
  const std::vector<std::string>& arguments = *function.arguments;
  if (arguments.size() != syntax.parts.size())
    throw SourceError(syntax.place, fmt::format("{} needs {} argument{}, got {}", syntax.text, arguments.size(),
                                                arguments.size() == 1 ? "" : "s", syntax.parts.size()));
  std::vector<std::pair<std::string, Value>> inner;
  for (std::size_t k = 0; k < arguments.size(); ++k) inner.emplace_back(arguments[k], evaluate(syntax.parts[k]));
  std::swap(locals_, inner);
  Value result = evaluate(*function.body);
  std::swap(locals_, inner);
  return result;
}

Value Evaluator::call(const Syntax& syntax) {
  const std::string& name = syntax.text;
  if (name == "if") return choice(syntax);
  if (const NameScope::Function* own = names_.function(name)) return call_own(*own, syntax);
  const auto& known = builtins();
  const auto found = known.find(name);
  if (found == known.end()) {
    std::vector<std::string> names = names_.function_names();
    for (const auto& entry : known) names.push_back(entry.first);
    names.insert(names.end(), {"sum", "if"});
    const std::string familiar = spelled_here(name);
    throw SourceError(syntax.place, fmt::format("unknown function {}{}", name,
                                                familiar.empty() ? suggestion(name, names) : familiar));
  }
  const Builtin& function = found->second;
  if (syntax.parts.size() < function.least || syntax.parts.size() > function.most)
    throw SourceError(syntax.place, fmt::format("{} needs {} argument{}, got {}: write {}", name, function.least,
                                                function.least == 1 ? "" : "s", syntax.parts.size(), function.form));
  if (syntax.parts.size() == 1) {
    const Value argument = evaluate(syntax.parts[0]);
    return placed(syntax,
                  [&] { return mapped(argument, [&](const Formula& a) { return function.apply(model_, {a}); }); });
  }
  std::vector<Formula> arguments;
  for (const Syntax& part : syntax.parts) arguments.push_back(formula(part));
  if (name == "repeat" && is_fixed(arguments[1])) {
    const NameScope::Structure structure(names_, "the length of a list");
    arguments[1] = constant(syntax.parts[1]);
  }
  return placed(syntax, [&] { return function.apply(model_, arguments); });
}

}  // namespace hamel
