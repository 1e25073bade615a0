// Formulas as text, in the syntax of model files, with as few parentheses as the grammar allows.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "hamel/model/file_text.hpp"
#include "hamel/model/formula.hpp"

namespace hamel {

namespace {

enum Precedence { comparison, sum, sign, product, exponent, atom };

struct Text {
  std::string text;
  Precedence precedence;
};

std::string enclosed(const Text& part, Precedence least) {
  return part.precedence < least ? "(" + part.text + ")" : part.text;
}

bool prints_as_letters(const Formula& vector) {
  const Formula::Node& node = vector.node();
  const bool listed =
      node.kind == Kind::symbol && (node.symbol.role == Role::parameter || node.symbol.role == Role::input);
  const bool is_xi = node.kind == Kind::angular_velocity && node.args[0].node().symbol.turning() == Turning::none;
  return vector.rows() <= 3 && !listed && !is_xi;
}

Text scalar_number(double value) { return {fmt::format("{}", value), value < 0 ? sign : atom}; }

std::string bracketed(const Eigen::MatrixXd& row) {
  std::string text;
  for (const double value : row.reshaped()) text += fmt::format("{}{}", text.empty() ? "" : ", ", value);
  return "[" + text + "]";
}

Text number_text(const Eigen::MatrixXd& value) {
  if (value.size() == 1) return scalar_number(value(0, 0));
  if (value.cols() == 1) {
    const bool unit = (value.array() == 0.0).count() == value.size() - 1 && value.sum() == 1.0;
    Eigen::Index axis = 0;
    if (unit) value.col(0).maxCoeff(&axis);
    return {unit && value.size() <= 3 ? fmt::format("e{}", axis + 1) : bracketed(value), atom};
  }
  if (value.rows() == value.cols() && value.isIdentity(0.0)) return {fmt::format("I{}", value.rows()), atom};
  if (value.rows() == value.cols() && value.isDiagonal(0.0)) {
    const std::string list = bracketed(value.diagonal());
    return {"diag(" + list.substr(1, list.size() - 2) + ")", atom};
  }
  std::string rows;
  for (Eigen::Index i = 0; i < value.rows(); ++i) rows += (i == 0 ? "" : ", ") + bracketed(value.row(i));
  return {"[" + rows + "]", atom};
}

std::string_view function_name(Kind kind) {
  switch (kind) {
    case Kind::dot:
      return "dot";
    case Kind::cross:
      return "cross";
    case Kind::norm:
      return "norm";
    case Kind::squared_norm:
      return "norm2";
    case Kind::hat:
      return "hat";
    case Kind::vee:
      return "vee";
    case Kind::turn:
      return "turn";
    case Kind::transpose:
      return "transpose";
    case Kind::trace:
      return "trace";
    case Kind::determinant:
      return "det";
    case Kind::select:
      return "if";
    case Kind::stack:
      return "columns";
    default:
      return "omega";
  }
}

// A formula is a DAG: written out, it can be exponentially long.
struct Limits {
  int nodes, depth;
};
constexpr Limits generous{20000, 2000}, tight{60, 30};

class Printer {
 public:
  explicit Printer(Limits limits) : limits_(limits) {}

  Text print(const Formula& formula) {
    const Formula::Node& node = formula.node();
    if (!node.label.empty()) return {node.label, atom};
    if (++nodes_ > limits_.nodes || depth_ >= limits_.depth) return {"...", atom};
    ++depth_;
    Text text = print(node);
    --depth_;
    return text;
  }

 private:
  Text print(const Formula::Node& node) {
    switch (node.kind) {
      case Kind::number:
        return number_text(node.value);
      case Kind::symbol:
        return {node.symbol.name, atom};
      case Kind::rate:
        return print_rate(node.args[0]);
      case Kind::add:
        return print_sum(node);
      case Kind::subtract:
        return {infix(node, sum, " - ", product), sum};
      case Kind::negate:
        return {"-" + enclosed(print(node.args[0]), product), sign};
      case Kind::multiply:
        return {infix(node, sign, "*", product), product};
      case Kind::divide:
        return {infix(node, sign, "/", exponent), product};
      case Kind::power:
        return {infix(node, atom, "^", atom), exponent};
      case Kind::less:
        return {infix(node, sum, " < ", sum), comparison};
      case Kind::less_equal:
        return {infix(node, sum, " <= ", sum), comparison};
      case Kind::function:
        return print_call(node.function, node);
      case Kind::angular_velocity:
        return print_call(node.args[0].node().symbol.turning() == Turning::none ? "xi" : "omega", node);
      case Kind::component:
        return print_component(node);
      case Kind::block:
        return print_block(node);
      case Kind::stack:
        return print_stack(node);
      case Kind::transpose:
        return print_transpose(node);
      default:
        return print_call(function_name(node.kind), node);
    }
  }

  std::string infix(const Formula::Node& node, Precedence left, const char* sign_text, Precedence right) {
    std::string text = enclosed(print(node.args[0]), left);
    return text + sign_text + enclosed(print(node.args[1]), right);
  }

  Text print_sum(const Formula::Node& node) {
    std::string text = enclosed(print(node.args[0]), sum);
    const std::string right = enclosed(print(node.args[1]), sum);
    const bool negative = right.front() == '-';
    return {text + (negative ? " - " + right.substr(1) : " + " + right), sum};
  }

  Text print_rate(const Formula& argument) {
    const Formula::Node& node = argument.node();
    if (!node.label.empty()) return {primed(node.label), atom};
    if (node.kind == Kind::symbol) return {primed(node.symbol.name), atom};
    return {enclosed(print(argument), atom) + "'", atom};
  }

  std::string print_list(const Formula::Node& node) {
    std::string list;
    for (const Formula& arg : node.args) list += (list.empty() ? "" : ", ") + print(arg).text;
    return list;
  }

  Text print_stack(const Formula::Node& node) {
    if (node.cols == 1) return {"[" + print_list(node) + "]", atom};
    const std::vector<Formula> diagonal = diagonal_of(node);
    if (diagonal.empty()) return print_call(function_name(node.kind), node);
    std::string list;
    for (const Formula& entry : diagonal) list += (list.empty() ? "" : ", ") + print(entry).text;
    return {"diag(" + list + ")", atom};
  }

  // A matrix is a list of its rows.
  Text print_transpose(const Formula::Node& node) {
    const Formula::Node& columns = node.args[0].node();
    const bool is_list = columns.kind == Kind::stack && columns.cols > 1 && columns.label.empty();
    return is_list ? Text{"[" + print_list(columns) + "]", atom} : print_call(function_name(node.kind), node);
  }

  Text print_call(std::string_view name, const Formula::Node& node) {
    return {fmt::format("{}({})", name, print_list(node)), atom};
  }

  Text print_component(const Formula::Node& node) {
    const Formula& whole = node.args[0];
    const std::string text = enclosed(print(whole), atom);
    const int first = whole.first_index();
    if (!whole.is_vector()) return {fmt::format("{}[{},{}]", text, node.i + first, node.j + first), atom};
    if (prints_as_letters(whole)) return {fmt::format("{}.{}", text, "xyz"[node.i]), atom};
    return {fmt::format("{}[{}]", text, node.i + first), atom};
  }

  Text print_block(const Formula::Node& node) {
    const Formula& whole = node.args[0];
    const bool pose = whole.node().kind == Kind::symbol && whole.node().symbol.is_pose();
    if (pose && node.cols == 3) return print_call("rotation", node);
    if (pose && node.j == 3) return print_call("position", node);
    if (whole.node().kind == Kind::transpose)  // a row of a matrix, as model files write it
      return {fmt::format("{}[{}]", enclosed(print(whole.node().args[0]), atom), node.j + whole.first_index()), atom};
    return {fmt::format("column({}, {})", print(whole).text, node.j + whole.first_index()), atom};
  }

  Limits limits_;
  int nodes_ = 0, depth_ = 0;
};

}  // namespace

std::string Formula::to_string() const { return Printer(generous).print(*this).text; }

std::string Formula::brief() const {
  constexpr std::size_t longest = 80;
  const std::string text = Printer(tight).print(*this).text;
  if (text.size() <= longest) return text;
  std::size_t end = longest - 3;
  while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // between two UTF-8 characters
  return text.substr(0, end) + "...";
}

std::string Formula::quoted() const {
  if (is_scalar()) return brief() + " (scalar)";
  return fmt::format("{} ({}x{})", brief(), rows(), cols());
}

}  // namespace hamel
