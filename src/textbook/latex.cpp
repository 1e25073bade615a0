// Formulas as LaTeX.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "hamel/graph/escape.hpp"
#include "hamel/graph/functions.hpp"
#include "hamel/model/file_text.hpp"
#include "hamel/textbook/textbook.hpp"

namespace hamel {
namespace {

enum Precedence { comparison, sum, sign, times, product, exponent, atom };  // times: a x b, a . b

struct Text {
  std::string text;
  Precedence precedence;
  bool begins_with_word = false, ends_with_word = false;  // mass, not m: needs a space beside other factors
};

Text in_parentheses(const std::string& text) { return {"\\left(" + text + "\\right)", atom}; }

Text enclosed_text(const Text& part, Precedence least) {
  return part.precedence < least ? in_parentheses(part.text) : part;
}
std::string enclosed(const Text& part, Precedence least) { return enclosed_text(part, least).text; }

// m g l, mass \, g \, l, 2 \cdot 3: numbers side by side need a sign between them.
Text beside(const Text& left, const Text& right, Precedence precedence) {
  const bool digits = std::isdigit(static_cast<unsigned char>(right.text.front())) != 0;
  const bool words = left.ends_with_word || right.begins_with_word;
  return {left.text +
              (digits  ? " \\cdot "
               : words ? " \\, "
                       : " ") +
              right.text,
          precedence, left.begins_with_word, right.ends_with_word};
}

bool is_greek(std::string_view name) {
  constexpr std::array<std::string_view, 34> names = {
      "alpha", "beta",  "gamma",  "delta", "epsilon", "zeta",  "eta",     "theta", "iota", "kappa", "lambda", "mu",
      "nu",    "xi",    "pi",     "rho",   "sigma",   "tau",   "upsilon", "phi",   "chi",  "psi",   "omega",  "Gamma",
      "Delta", "Theta", "Lambda", "Xi",    "Pi",      "Sigma", "Upsilon", "Phi",   "Psi",  "Omega"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string letter(const std::string& name) {
  if (is_greek(name)) return "\\" + name;
  return name.size() == 1 ? name : "\\mathrm{" + latex_word(name) + "}";
}

std::string subscript(const std::string& text) {
  if (text.empty()) return "";
  return text.size() == 1 ? "_" + text : "_{" + text + "}";
}

// "q''[1]" is \ddot{q}_1, "m_cart" m_{\mathrm{cart}}, "q2" q_2, "mu_q[1]" \mu_{q_1}.
std::string name_text(std::string name) {
  for (const auto& [part, symbol] : {std::pair("rotation(", "R"), std::pair("position(", "x")})
    if (name.starts_with(part)) {  // of a pose
      const std::size_t end = name.find(')');
      const std::string pose = name.substr(std::string_view(part).size(), end - std::string_view(part).size());
      return name_text(symbol + name.substr(end + 1)) + subscript(name_text(pose));
    }
  std::string index;
  const std::size_t primes = static_cast<std::size_t>(std::count(name.begin(), name.end(), '\''));
  std::erase(name, '\'');
  if (const std::size_t bracket = name.find('['); bracket != std::string::npos) {
    index = name.substr(bracket + 1, name.size() - bracket - 2);
    name.resize(bracket);
  }
  std::string below;
  if (const std::size_t bar = name.find('_'); bar != std::string::npos && bar > 0 && bar + 1 < name.size()) {
    below = name_text(name.substr(bar + 1));
    name.resize(bar);
  }
  std::size_t digits = name.size();
  while (digits > 1 && std::isdigit(static_cast<unsigned char>(name[digits - 1])) != 0) --digits;
  if (digits < name.size()) below = name.substr(digits) + (below.empty() ? "" : "," + below);
  std::string base = letter(name.substr(0, digits));
  if (primes > 0) base = (primes == 1 ? "\\dot{" : "\\ddot{") + base + "}";
  if (!index.empty()) {
    const bool named = !below.empty() && std::isdigit(static_cast<unsigned char>(below[0])) == 0;
    below = below.empty() ? index : below + (named ? subscript(index) : "," + index);
  }
  return base + subscript(below);
}

Text named(const std::string& name) {
  const std::string text = name_text(name);
  const bool word = text.substr(0, text.find('_')).find("\\mathrm") != std::string::npos;
  return {text, atom, word, word};
}

Text number_text(double value) {
  std::string text = fmt::format("{}", value);
  if (const std::size_t e = text.find('e'); e != std::string::npos) {
    const int power = std::stoi(text.substr(e + 1));
    return {fmt::format("{} \\times 10^{{{}}}", text.substr(0, e), power), product};
  }
  return {text, value < 0 ? sign : atom};
}

Text matrix_text(const Eigen::MatrixXd& value) {
  if (value.size() == 1) return number_text(value(0, 0));
  if (value.isZero(0.0)) return {"0", atom};
  const bool unit = value.cols() == 1 && value.size() <= 3 && (value.array() != 0.0).count() == 1 && value.sum() == 1;
  if (unit) {
    Eigen::Index axis = 0;
    value.col(0).maxCoeff(&axis);
    return {fmt::format("e_{}", axis + 1), atom};
  }
  if (value.rows() == value.cols() && value.isIdentity(0.0)) return {"I", atom};
  std::string rows;
  const bool diagonal = value.rows() == value.cols() && value.isDiagonal(0.0);
  if (diagonal) {
    for (const double x : value.diagonal()) rows += (rows.empty() ? "" : ", ") + number_text(x).text;
    return {"\\operatorname{diag}\\left(" + rows + "\\right)", atom};
  }
  for (Eigen::Index i = 0; i < value.rows(); ++i) {
    if (i > 0) rows += " \\\\ ";
    for (Eigen::Index j = 0; j < value.cols(); ++j) rows += (j > 0 ? " & " : "") + number_text(value(i, j)).text;
  }
  return {"\\begin{bmatrix} " + rows + " \\end{bmatrix}", atom};
}

class Latex {
 public:
  Text print(const Formula& formula) const {
    const Formula::Node& node = formula.node();
    if (!node.label.empty()) return named(node.label);
    switch (node.kind) {
      case Kind::number:
        return matrix_text(node.value);
      case Kind::symbol:
        return named(node.symbol.name);
      case Kind::rate:
        return rate_text(node.args[0]);
      case Kind::add: {
        const std::string left = enclosed(print(node.args[0]), sum), right = enclosed(print(node.args[1]), sum);
        return {left + (right.front() == '-' ? " - " + right.substr(1) : " + " + right), sum};
      }
      case Kind::subtract:
        return {enclosed(print(node.args[0]), sum) + " - " + enclosed(print(node.args[1]), times), sum};
      case Kind::negate:
        return negated_text(enclosed_text(print(node.args[0]), times));
      case Kind::multiply:
        return product_text(node);
      case Kind::divide:
        return {"\\frac{" + print(node.args[0]).text + "}{" + print(node.args[1]).text + "}", product};
      case Kind::power:
        return power_text(node);
      case Kind::dot:
        return {factor(node.args[0]) + " \\cdot " + factor(node.args[1]), times};
      case Kind::cross:
        return {factor(node.args[0]) + " \\times " + factor(node.args[1]), times};
      case Kind::norm:
        return {"\\lVert " + print(node.args[0]).text + " \\rVert", atom};
      case Kind::squared_norm:
        return {"\\lVert " + print(node.args[0]).text + " \\rVert^2", exponent};
      case Kind::hat:
        return hat_text(node.args[0]);
      case Kind::vee:
        return raised_text(print(node.args[0]), "\\vee");
      case Kind::turn:
        return {"\\exp" + in_parentheses(angle_text(node.args[1], hat_text(node.args[0]))).text, atom};
      case Kind::transpose:
        return raised_text(print(node.args[0]), "T");
      case Kind::trace:
        return {"\\operatorname{tr}\\left(" + print(node.args[0]).text + "\\right)", atom};
      case Kind::determinant:
        return {"\\det\\left(" + print(node.args[0]).text + "\\right)", atom};
      case Kind::function:
        return function_text(node);
      case Kind::component:
        return component_text(node);
      case Kind::block:
        return block_text(node);
      case Kind::stack:
        return stack_text(node);
      case Kind::less:
        return {enclosed(print(node.args[0]), sum) + " < " + enclosed(print(node.args[1]), sum), comparison};
      case Kind::less_equal:
        return {enclosed(print(node.args[0]), sum) + " \\le " + enclosed(print(node.args[1]), sum), comparison};
      case Kind::select:
        return select_text(node);
      case Kind::angular_velocity:
        return {(node.args[0].node().symbol.turning() == Turning::none ? "\\xi_{" : "\\omega_{") +
                    print(node.args[0]).text + "}",
                atom};
    }
    return {"?", atom};
  }

 private:
  // Of a product with a dot or a cross: products stand without parentheses.
  std::string factor(const Formula& formula) const { return enclosed(print(formula), product); }

  Text product_text(const Formula::Node& node) const {
    const Text first = print(node.args[0]), second = print(node.args[1]);
    // m g l q x e3: a scalar before a cross product
    if (node.args[0].is_scalar() && node.args[1].node().kind == Kind::cross)
      return beside(enclosed_text(first, product), second, times);
    const bool negative = first.precedence == sign;  // -a b, of which the minus is that of the product
    return beside(negative ? first : enclosed_text(first, product), enclosed_text(second, product),
                  negative ? sign : product);
  }

  Text power_text(const Formula::Node& node) const {
    const std::string raised = print(node.args[1]).text;
    return raised_text(print(node.args[0]), raised.size() == 1 ? raised : "{" + raised + "}");
  }

  static Text negated_text(const Text& text) { return {"-" + text.text, sign, false, text.ends_with_word}; }

  static Text raised_text(const Text& base, const std::string& exponent_text) {
    Text text = enclosed_text(base, atom);
    text.text += "^" + exponent_text;
    text.precedence = exponent;
    return text;
  }

  static bool has_name(const Formula& formula) {
    return !formula.node().label.empty() || formula.node().kind == Kind::symbol;
  }
  static std::string name_of(const Formula& formula) {
    return formula.node().label.empty() ? formula.node().symbol.name : formula.node().label;
  }

  Text rate_text(const Formula& argument) const {
    if (has_name(argument)) return named(primed(name_of(argument)));
    if (argument.node().kind == Kind::block) return named(primed(argument.to_string()));
    return {"\\frac{d}{dt}\\left(" + print(argument).text + "\\right)", product};
  }

  std::string angle_text(const Formula& angle, const Text& axis) const {
    const bool one = angle.is_number() && angle.node().value(0, 0) == 1;
    return one ? axis.text : beside(enclosed_text(print(angle), product), axis, product).text;
  }

  Text hat_text(const Formula& argument) const {
    const Text text = print(argument);
    const std::string& name = text.text;
    const bool is_axis = argument.is_number() && name.starts_with("e_");
    if (!has_name(argument) && !is_axis) return {"\\left(" + name + "\\right)^\\wedge", exponent};
    const std::size_t bar = name.find('_');
    return {"\\hat{" + name.substr(0, bar) + "}" + (bar == std::string::npos ? "" : name.substr(bar)), atom,
            text.begins_with_word, text.ends_with_word};
  }

  std::string list(const Formula::Node& node) const {
    std::string text;
    for (const Formula& arg : node.args) text += (text.empty() ? "" : ", ") + print(arg).text;
    return text;
  }

  Text function_text(const Formula::Node& node) const {
    const FunctionRow* row = find_function(node.function);
    if (row == nullptr) return {"\\operatorname{" + node.function + "}\\left(" + list(node) + "\\right)", atom};
    const std::string text(row->latex);
    if (row->has_latex_command()) return {text + "\\left(" + list(node) + "\\right)", atom};
    const std::size_t argument = text.find('#');
    return {text.substr(0, argument) + list(node) + text.substr(argument + 1),
            text.find('^') == std::string::npos ? atom : exponent};
  }

  Text component_text(const Formula::Node& node) const {
    const Formula& whole = node.args[0];
    const int first = whole.first_index();
    if (has_name(whole) && name_of(whole).find('[') == std::string::npos) {
      const std::string index = whole.is_vector() ? fmt::format("[{}]", node.i + first)
                                                  : fmt::format("[{}{}]", node.i + first, node.j + first);
      return named(name_of(whole) + index);
    }
    const std::string text = enclosed(print(whole), atom);
    return {fmt::format("{{{}}}_{{{}{}}}", text, node.i + first,
                        whole.is_vector() ? "" : fmt::format("{}", node.j + first)),
            atom};
  }

  // Rotation and position of a pose.
  Text block_text(const Formula::Node& node) const {
    const std::string whole = print(node.args[0]).text;
    const bool pose = node.args[0].node().kind == Kind::symbol && node.args[0].node().symbol.is_pose();
    if (pose && node.cols == 3) return {"R" + subscript(whole), atom};
    if (pose && node.j == 3) return {"x" + subscript(whole), atom};
    const Formula::Node& inner = node.args[0].node();
    if (inner.kind == Kind::transpose && has_name(inner.args[0]))  // a row
      return named(fmt::format("{}[{}]", name_of(inner.args[0]), node.j + node.args[0].first_index()));
    return {fmt::format("{} e_{}", whole, node.j + 1), product};
  }

  Text stack_text(const Formula::Node& node) const {
    if (const std::vector<Formula> diagonal = node.cols > 1 ? diagonal_of(node) : std::vector<Formula>();
        !diagonal.empty()) {
      std::string entries;
      for (const Formula& entry : diagonal) entries += (entries.empty() ? "" : ", ") + print(entry).text;
      return {"\\operatorname{diag}" + in_parentheses(entries).text, atom};
    }
    const bool by_entries = node.cols > 1 && std::all_of(node.args.begin(), node.args.end(), has_entries);
    std::string text;
    if (by_entries)
      for (int i = 0; i < node.rows; ++i) text += (i == 0 ? "" : " \\\\ ") + row_text(node, i);
    const char* separator = node.cols == 1 ? " \\\\ " : " & ";
    if (!by_entries)
      for (const Formula& arg : node.args) text += (text.empty() ? "" : separator) + print(arg).text;
    return {"\\begin{bmatrix} " + text + " \\end{bmatrix}", atom};
  }

  static bool has_entries(const Formula& column) {
    return column.node().label.empty() && (column.node().kind == Kind::stack || column.node().kind == Kind::number);
  }

  std::string row_text(const Formula::Node& matrix, int i) const {
    std::string text;
    for (const Formula& column : matrix.args) text += (text.empty() ? "" : " & ") + print(entry(column, i)).text;
    return text;
  }

  static Formula entry(const Formula& column, int i) {
    const Formula::Node& node = column.node();
    return node.kind == Kind::number ? Formula(node.value(i, 0)) : node.args[static_cast<std::size_t>(i)];
  }

  Text select_text(const Formula::Node& node) const {
    const auto is = [](const Formula& f, double x) {
      return f.is_scalar() && f.is_number() && f.node().value(0, 0) == x;
    };
    const std::string condition = print(node.args[0]).text;
    if (is(node.args[1], 1) && is(node.args[2], 0)) return {"\\left[" + condition + "\\right]", atom};
    return {"\\begin{cases} " + print(node.args[1]).text + " & " + condition + " \\\\ " + print(node.args[2]).text +
                " & \\text{otherwise} \\end{cases}",
            atom};
  }
};

}  // namespace

std::string latex(const Formula& formula) { return Latex().print(formula).text; }

}  // namespace hamel
