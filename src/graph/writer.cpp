#include "graph/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "graph/c_definitions.hpp"
#include "graph/notation.hpp"
#include "hamel/graph/functions.hpp"
#include "hamel/graph/table.hpp"

namespace hamel {

namespace {

// How tightly an expression binds; one that binds less than its place demands is put in parentheses.
enum class Level { choice, sum, product, power, atom };

struct Piece {
  std::string text;
  std::uint32_t id = 0;
  Level demanded = Level::choice;
  bool is_node = false;
  bool is_juxtaposition = false;  // a LaTeX product: a space, or a dot before a digit
};

Piece text(std::string words) { return {std::move(words)}; }
Piece place(std::uint32_t id, Level demanded = Level::choice) { return {{}, id, demanded, true}; }

bool commutative(Op op) {
  const FunctionRow* row = find_function(op);
  return row != nullptr && row->symmetry == FunctionRow::Symmetry::commutes;
}

bool is_comparison(const Node& n) { return n.op == Op::less || n.op == Op::less_equal; }

bool takes_power_before_argument(Op op) {  // \sin^{2}\left(x\right)
  const FunctionRow* row = find_function(op);
  return row != nullptr && row->arity == 1 && row->has_latex_command();
}

std::string function_name(Op op, Notation notation) {
  const FunctionRow* row = find_function(op);
  if (notation == Notation::text || row == nullptr) return row == nullptr ? "pow" : std::string(row->name);
  return std::string(notation == Notation::c ? row->c_name : row->latex);
}

// Writes one formula from left to right; what is still to be written waits on a stack.
class Writer {
 public:
  Writer(const Graph& graph, Notation notation, const ReadingOrder& order, const Names& names)
      : graph_(graph), notation_(notation), order_(order), names_(names) {}

  std::string write(std::uint32_t node, Root root) {
    root == Root::by_name ? put(place(node)) : put_formula(node);
    while (!waiting_.empty()) {
      const Piece piece = std::move(waiting_.back());
      waiting_.pop_back();
      piece.is_node ? write_node(piece) : write_text(piece);
    }
    return std::move(out_);
  }

 private:
  bool latex() const { return notation_ == Notation::latex; }
  bool c() const { return notation_ == Notation::c; }
  bool is_named(std::uint32_t id) const { return names_.nodes.contains(id); }

  template <class... Pieces>
  void put(Pieces... pieces) {
    Piece list[] = {std::move(pieces)...};
    for (std::size_t i = sizeof...(pieces); i-- > 0;) waiting_.push_back(std::move(list[i]));
  }

  void write_text(const Piece& piece) {
    if (piece.is_juxtaposition) {
      juxtaposed_ = true;
      return;
    }
    const bool goes_on =
        !juxtaposed_ && (piece.text.starts_with('^') || piece.text.starts_with('}') || begins_with_digit(piece.text));
    const bool after_word = std::exchange(word_, is_word(piece.text) || (word_ && goes_on));
    if (std::exchange(juxtaposed_, false)) {
      out_ += begins_with_digit(piece.text) ? " \\cdot " : after_word || word_ ? " \\, " : " ";
    }
    out_ += piece.text;
  }

  static bool begins_with_digit(const std::string& part) {
    return !part.empty() && std::isdigit(static_cast<unsigned char>(part.front())) != 0;
  }

  // mass, not m: needs a space beside other factors.
  bool is_word(const std::string& name) const {
    return latex() && name.substr(0, name.find('_')).find("\\mathrm") != std::string::npos;
  }

  void write_node(const Piece& piece) {
    if (is_named(piece.id)) {
      write_text(text(names_.names[names_.nodes.position(piece.id)]));
    } else if (level(graph_.node(piece.id), piece.id) < piece.demanded) {
      put(text(latex() ? "\\left(" : "("), place(piece.id), text(latex() ? "\\right)" : ")"));
    } else {
      put_formula(piece.id);
    }
  }

  Level level(const Node& n, std::uint32_t id) const {
    switch (n.op) {
      case Op::constant:
        return number_level(graph_.constant_value(id));
      case Op::add:
      case Op::subtract:
      case Op::negate:
        return Level::sum;
      case Op::multiply:
        return is_square(n) && !c() ? Level::power : Level::product;
      case Op::divide:
        return Level::product;
      case Op::integer_power:
        if (c()) return is_product_in_c(n) ? Level::product : Level::atom;
        return Level::power;
      case Op::power:
        return c() ? Level::atom : Level::power;
      case Op::less:
      case Op::less_equal:
        return latex() ? Level::atom : Level::choice;
      case Op::select:
        return c() ? Level::choice : Level::atom;
      default: {
        const FunctionRow* row = find_function(n.op);
        return latex() && row != nullptr && row->latex.find('^') != std::string_view::npos ? Level::power : Level::atom;
      }
    }
  }

  Level number_level(double value) const {
    if (value < 0) return Level::sum;
    return latex() && printed_number(value, notation_).find('^') != std::string::npos ? Level::product : Level::atom;
  }

  void put_formula(std::uint32_t id) {
    const Node n = in_reading_order(graph_.node(id));
    // C keeps the order of operations, to the last bit; for people, a + (b + c) is a + b + c.
    const Level last_term = c() ? Level::product : Level::sum, last_factor = c() ? Level::power : Level::product;
    switch (n.op) {
      case Op::constant:
        return put(text(printed_number(graph_.constant_value(id), notation_)));
      case Op::variable:
        return put(text(printed_name(graph_.variable_name(id), notation_)));
      case Op::add:
        return put(place(n.a, Level::sum), text(" + "), place(n.b, last_term));
      case Op::subtract:
        return put(place(n.a, Level::sum), text(" - "), place(n.b, Level::product));
      case Op::negate:
        return put(text("-"), place(n.a, Level::product));
      case Op::multiply:
        if (is_square(n) && !c()) return put_power(n.a, text("2"));
        return put(place(n.a, Level::product), times(), place(n.b, last_factor));
      case Op::divide:
        if (latex()) return put(text("\\frac{"), place(n.a), text("}{"), place(n.b), text("}"));
        return put(place(n.a, Level::product), text("/"), place(n.b, Level::power));
      case Op::power:
        if (c()) return put_call(n);
        return put_power(n.a, place(n.b, latex() ? Level::choice : Level::atom));
      case Op::integer_power:
        return put_integer_power(n);
      case Op::less:
      case Op::less_equal:
        return put_comparison(n);
      case Op::select:
        return put_select(n);
      default:
        return put_call(n);
    }
  }

  // Commutative operands; of factors, numbers come first and sums last.
  Node in_reading_order(Node n) const {
    const auto rank = [&](std::uint32_t id) {
      const Node& operand = graph_.node(id);
      const bool is_factor = n.op == Op::multiply;
      const int kind = !is_factor || is_named(id)   ? 1
                       : operand.op == Op::constant ? 0
                                                    : 1 + (level(operand, id) == Level::sum);
      return std::pair(kind, order_.first_variable(id));
    };
    const bool commutes = n.op == Op::add || n.op == Op::multiply || commutative(n.op);
    if (commutes && rank(n.b) < rank(n.a)) std::swap(n.a, n.b);
    return n;
  }

  Piece times() const {
    Piece piece = text("*");
    piece.is_juxtaposition = latex();
    return piece;
  }

  void put_power(std::uint32_t base, Piece exponent) {
    const Node b = graph_.node(base);
    if (!latex()) return put(place(base, Level::atom), text("^"), std::move(exponent));
    if (takes_power_before_argument(b.op) && !is_named(base) && !exponent.is_node && exponent.text[0] != '-') {
      return put(text(function_name(b.op, notation_) + "^{"), std::move(exponent), text("}\\left("), place(b.a),
                 text("\\right)"));
    }
    put(place(base, Level::atom), text("^{"), std::move(exponent), text("}"));
  }

  void put_integer_power(const Node& n) {
    const auto exponent = static_cast<std::int32_t>(n.b);
    if (!c()) {
      const bool in_parentheses = exponent < 0 && !latex();
      return put_power(n.a, text(fmt::format(fmt::runtime(in_parentheses ? "({})" : "{}"), exponent)));
    }
    if (!is_product_in_c(n)) return put(text("pow("), place(n.a), text(fmt::format(", {}.0)", exponent)));
    if (exponent < 0) put(text(")"));
    for (int k = std::abs(exponent); k > 1; --k) put(text("*"), place(n.a, Level::power));
    put(place(n.a, Level::power));
    if (exponent < 0) put(text("1.0/("));
  }

  void put_condition(const Node& n) {
    const bool equal = n.op == Op::less_equal;
    put(place(n.a, Level::sum), text(equal ? (latex() ? " \\le " : " <= ") : " < "), place(n.b, Level::sum));
  }

  // The stack is filled from the end: what comes last is put first.
  void put_comparison(const Node& n) {
    if (latex()) put(text("\\right]"));
    if (c()) put(text(" ? 1.0 : 0.0"));
    put_condition(n);
    if (latex()) put(text("\\left["));
  }

  void put_select(const Node& n) {
    const Node condition = graph_.node(n.a);
    const bool is_plain = is_comparison(condition) && !is_named(n.a);
    if (latex()) {
      put(text(" \\\\ "), place(n.c), text(" & \\text{otherwise} \\end{cases}"));
      is_plain ? put_condition(condition) : put(place(n.a), text(" \\neq 0"));
      put(text("\\begin{cases} "), place(n.b), text(" & \\text{if } "));
    } else if (c()) {
      put(text(" ? "), place(n.b, Level::sum), text(" : "), place(n.c));
      is_plain ? put_condition(condition) : put(place(n.a, Level::sum), text(" != 0.0"));
    } else {
      put(text("select("), place(n.a), text(", "), place(n.b), text(", "), place(n.c), text(")"));
    }
  }

  void put_call(const Node& n) {
    const std::string function = function_name(n.op, notation_);
    if (const std::size_t argument = function.find('#'); argument != std::string::npos)
      return put(text(function.substr(0, argument)), place(n.a), text(function.substr(argument + 1)));
    put(text(latex() ? "\\right)" : ")"));
    if (arity(n.op) == 2) put(text(", "), place(n.b));
    put(text(function + (latex() ? "\\left(" : "(")), n.op == Op::interp ? table(n.a) : place(n.a));
  }

  // In C, its rows and how many pieces they are.
  Piece table(std::uint32_t id) const {
    const double key = graph_.constant_value(id);
    if (c()) return text(fmt::format("{}, {}", table_rows_in_c(key), table_rows(key).size() / 5 - 1));
    return text(printed_name(table_name(key), notation_));
  }

  const Graph& graph_;
  Notation notation_;
  const ReadingOrder& order_;
  const Names& names_;
  std::string out_;
  std::vector<Piece> waiting_;
  bool juxtaposed_ = false;
  bool word_ = false;  // the factor that is being written is one, or begins with one
};

}  // namespace

ReadingOrder::ReadingOrder(const Graph& graph, std::span<const Expr> roots) : reached_(graph) {
  reached_.insert_reachable(graph, roots);
  reached_.sort();
  for (const std::uint32_t id : reached_.ids()) {
    const Node& n = graph.node(id);
    const int count = arity(n.op);
    std::uint32_t first = n.op == Op::variable ? id : NodeSet::none;
    if (count > 0) first = std::min(first, first_variable(n.a));
    if (count > 1) first = std::min(first, first_variable(n.b));
    if (count > 2) first = std::min(first, first_variable(n.c));
    first_variable_.push_back(first);
  }
}

std::string written(const Graph& graph, Notation notation, const ReadingOrder& order, const Names& names,
                    std::uint32_t node, Root root) {
  return Writer(graph, notation, order, names).write(node, root);
}

}  // namespace hamel
