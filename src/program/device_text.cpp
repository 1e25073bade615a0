#include "hamel/program/device_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>

#include "hamel/graph/functions.hpp"
#include "hamel/graph/table.hpp"
#include "program/preamble.hpp"
#include "program/tape.hpp"

namespace hamel {
namespace {

using std::uint32_t;

// By the names that CUDA and math.h have for the builtins.
std::string without_builtins(std::string_view code) {
  constexpr std::string_view prefix = "__builtin_";
  std::string text(code);
  for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
    text.erase(at, prefix.size());
  return text;
}

struct GroupPlace {
  std::size_t group;
  uint32_t index;
};

GroupPlace place_in(const std::vector<uint32_t>& sizes, uint32_t index) {
  std::size_t group = 0;
  for (; index >= sizes[group]; ++group) index -= sizes[group];
  return {group, index};
}

std::string value_name(const Code& code, std::span<const int> rows, uint32_t value) {
  if (value >= code.first_operation()) return fmt::format("v{}", value - code.first_operation());
  if (value < code.first_input()) return literal(code.constants[value]);
  const auto [group, index] = place_in(code.input_sizes, value - code.first_input());
  if (rows[group] == as_argument) return fmt::format("i{}[{}]", group, index);
  return fmt::format("N{}", static_cast<uint32_t>(rows[group]) + index);
}

// Values that so many others are divided by that a reciprocal pays, to the bits of divisions (`quotient` of the
// preamble).
std::set<uint32_t> frequent_divisors(const Code& code) {
  constexpr int enough = 3;
  std::map<uint32_t, int> divisions;
  for (const Operation& operation : code.operations)
    if (operation.op == Op::divide) ++divisions[operation.argument[1]];
  std::set<uint32_t> frequent;
  for (const auto& [divisor, count] : divisions)
    if (count >= enough && divisor >= code.first_operation()) frequent.insert(divisor);
  return frequent;
}

std::string device_tables(std::span<const Program* const> programs) {
  std::set<double> keys;
  for (const Program* program : programs)
    for (const Operation& operation : program->code().operations)
      if (operation.op == Op::interp) keys.insert(program->code().constants[operation.argument[0]]);
  if (keys.empty()) return {};
  std::string text = without_builtins(table_code), choice;
  constexpr std::string_view on_the_host = "static inline";
  text.replace(text.find(on_the_host), on_the_host.size(), "static __device__ inline");
  for (const double key : keys) {
    const std::vector<double> rows = table_rows(key);
    const std::string array = fmt::format("table{}", static_cast<std::uint64_t>(key));
    text += fmt::format("static __device__ const double {}[][5] = {{", array);
    for (std::size_t i = 0; i < rows.size(); ++i)
      text += fmt::format("{}{}{}", i % 5 == 0 ? "{" : "", literal(rows[i]), i % 5 == 4 ? "}," : ",");
    text += "};\n";
    choice += fmt::format("  if (key == {}) return table_at({}, {}, x);\n", literal(key), rows.size() / 5 - 1, array);
  }
  return text + "static __device__ inline double table_value(double key, double x) {\n" + choice +
         "  return nan(\"\");\n}\n";
}

}  // namespace

std::string device_function(const Program& program, const std::string& name, std::span<const int> rows) {
  const Code& code = program.code();
  std::string text = fmt::format("static __device__ __forceinline__ void {}(const double* own", name);
  for (std::size_t g = 0; g < code.input_sizes.size(); ++g)
    if (rows[g] == as_argument) fmt::format_to(std::back_inserter(text), ", const double* i{}", g);
  for (std::size_t g = 0; g < code.output_sizes.size(); ++g)
    fmt::format_to(std::back_inserter(text), ", double* o{}", g);
  text += ") {\n";
  const std::set<uint32_t> divisors = frequent_divisors(code);
  for (uint32_t i = 0; i < code.operations.size(); ++i) {
    const Operation& operation = code.operations[i];
    std::array<std::string, 3> arguments;
    for (std::size_t k = 0; k < operation.arity; ++k) arguments[k] = value_name(code, rows, operation.argument[k]);
    if (operation.op == Op::divide && divisors.contains(operation.argument[1]))
      fmt::format_to(std::back_inserter(text), "  const double v{} = quotient({}, {}, r{});\n", i, arguments[0],
                     arguments[1], operation.argument[1] - code.first_operation());
    else
      fmt::format_to(std::back_inserter(text), "  const double v{} = {};\n", i, formula(operation.op, arguments));
    if (divisors.contains(code.first_operation() + i))
      fmt::format_to(std::back_inserter(text), "  const double r{0} = 1 / v{0};\n", i);
  }
  for (uint32_t i = 0; i < code.outputs.size(); ++i) {
    const auto [group, index] = place_in(code.output_sizes, i);
    fmt::format_to(std::back_inserter(text), "  o{}[{}] = {};\n", group, index,
                   value_name(code, rows, code.outputs[i]));
  }
  return text + "}\n";
}

std::string device_preamble(std::span<const Program* const> programs) {
  std::string text = device_tables(programs);
  for (const FunctionRow& row : functions())
    text += fmt::format("#define F_{}(a{}) ({})\n", row.name, row.arity > 1 ? ", b" : "", without_builtins(row.value));
  return text + R"(#define FUSED(a, b, c) fma(a, b, c)
#define EACH(i, n) _Pragma("unroll") for (int i = 0; i < (n); ++i)
static __device__ __forceinline__ bool is_finite(double x) { return fabs(x) <= 1.7976931348623157e308; }
// x / y by the reciprocal of y, to the same bits wherever x is zero or above 1e-290: after one correction the quotient is
// off by less than a unit in its last place, and from there the next is rounded correctly (Markstein 1990). Where x or
// 1 / y is infinite, nothing is left to correct, and what is left is no number.
static __device__ __forceinline__ double quotient(double x, double y, double reciprocal) {
  const double first = x * reciprocal, left = fma(-first, y, x);
  const double second = fma(left, reciprocal, first);
  return fabs(left) > 0 ? fma(fma(-second, y, x), reciprocal, second) : first;
}
)";
}

std::string number_macros(const std::vector<bool>& differs) {
  const auto own = std::count(differs.begin(), differs.end(), true);
  std::string text = fmt::format("#define OWN {}\n__constant__ double hamel_uniform[{}];\n", own,
                                 std::max<std::ptrdiff_t>(1, std::ssize(differs) - own));
  int next_own = 0, next_uniform = 0;
  for (std::size_t k = 0; k < differs.size(); ++k)
    text += differs[k] ? fmt::format("#define N{} own[{}]\n", k, next_own++)
                       : fmt::format("#define N{} hamel_uniform[{}]\n", k, next_uniform++);
  return text;
}

std::string device_literal(double value) { return literal(value); }

}  // namespace hamel
