#include "program/preamble.hpp"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "hamel/graph/functions.hpp"
#include "hamel/graph/table.hpp"

namespace hamel {

std::string literal(double value) { return fmt::format("{:a}", value); }  // exact; constants are finite

std::string formula(Op op, const std::array<std::string, 3>& x) {
  const auto& [a, b, c] = x;
  switch (op) {
    case Op::add:
      return a + " + " + b;
    case Op::subtract:
      return a + " - " + b;
    case Op::multiply:
      return a + " * " + b;
    case Op::divide:
      return a + " / " + b;
    case Op::negate:
      return "-(" + a + ")";
    case Op::power:
      return "pow(" + a + ", " + b + ")";
    case Op::less:
      return a + " < " + b;
    case Op::less_equal:
      return a + " <= " + b;
    case Op::select:
      return a + " != 0 ? " + b + " : " + c;
    default:
      return fmt::format("F_{}({}{})", name(op), a, arity(op) > 1 ? ", " + b : "");
  }
}

// Operations that C has for vectors too; the others become functions that go lane by lane.
bool is_vector_operation(Op op) {
  return op == Op::add || op == Op::subtract || op == Op::multiply || op == Op::divide || op == Op::negate;
}

std::string lane_function(Op op, int lanes) { return fmt::format("n{}_{}", lanes, static_cast<int>(op)); }

namespace {

// The functions of functions.def, as macros: their arguments are names and numbers.
std::string function_macros() {
  std::string text;
  for (const FunctionRow& row : functions())
    text += fmt::format("#define F_{}(a{}) ({})\n", row.name, row.arity > 1 ? ", b" : "", row.value);
  return text;
}

std::vector<Op> lane_operations() {
  std::vector<Op> result = {Op::power, Op::less, Op::less_equal, Op::select};
  for (const FunctionRow& row : functions()) result.push_back(row.op);
  return result;
}

// The tables that programs look into, and the function that finds them by their keys.
std::string emit_tables(std::span<const Program::Tape* const> tapes) {
  std::set<double> keys;
  for (const Program::Tape* tape : tapes)
    for (const Operation& operation : tape->code.operations)
      if (operation.op == Op::interp) keys.insert(tape->code.constants[operation.argument[0]]);
  if (keys.empty()) return {};
  std::string text, choice;
  for (const double key : keys) {
    const std::vector<double> rows = table_rows(key);
    const std::string array = fmt::format("table{}", static_cast<std::uint64_t>(key));
    text += fmt::format("static const double {}[][5] = {{", array);
    for (const double number : rows) text += literal(number) + ",";
    text += "};\n";
    choice += fmt::format("  if (key == {}) return table_at({}, {}, x);\n", literal(key), rows.size() / 5 - 1, array);
  }
  return table_code + text + "static double table_value(double key, double x) {\n" + choice +
         "  return __builtin_nan(\"\");\n}\n";
}

}  // namespace

std::string emit_preamble(std::span<const Program::Tape* const> tapes, int lanes) {
  std::string text = "double pow(double, double);\n" + emit_tables(tapes) + function_macros();
  text += "typedef double rows __attribute__((vector_size(32), aligned(8), may_alias));\n";
  if (lanes == 1) return text;
  const std::string number = fmt::format("n{}", lanes);
  text +=
      fmt::format("typedef double {} __attribute__((vector_size({}), aligned(8), may_alias));\n", number, 8 * lanes);
  text += "#define ALL(type, x) ((x) - (type){0})\n";  // x - 0 is x, also for -0
  const std::array<const char*, 3> parameters = {"{0} a", "{0} a, {0} b", "{0} a, {0} b, {0} c"};
  for (const Op op : lane_operations())
    text += fmt::format("static inline {0} {1}({2}) {{ for (int i = 0; i < {3}; ++i) a[i] = {4}; return a; }}\n",
                        number, lane_function(op, lanes),
                        fmt::format(fmt::runtime(parameters[static_cast<std::size_t>(arity(op) - 1)]), number), lanes,
                        formula(op, {"a[i]", "b[i]", "c[i]"}));
  return text;
}

}  // namespace hamel
