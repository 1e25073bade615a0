#include "hamel/program/device_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
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

class DeviceFunction {
 public:
  DeviceFunction(const Code& code, std::span<const int> rows, const std::vector<bool>& zeros)
      : code_(code), rows_(rows), zeros_(zeros), divisors_(frequent_divisors(code)) {}

  std::string of(const std::string& name) {
    emit("static __device__ __forceinline__ void {}(const double* own", name);
    for (std::size_t g = 0; g < code_.input_sizes.size(); ++g)
      if (rows_[g] == as_argument) emit(", const double* i{}", g);
    for (std::size_t g = 0; g < code_.output_sizes.size(); ++g) emit(", double* o{}", g);
    text_ += ") {\n";
    for (uint32_t i = 0; i < code_.operations.size(); ++i) add(i);
    for (uint32_t i = 0; i < code_.outputs.size(); ++i) {
      const auto [group, index] = place_in(code_.output_sizes, i);
      emit("  o{}[{}] = {};\n", group, index, value(code_.outputs[i]));
    }
    return text_ + "}\n";
  }

 private:
  void add(uint32_t i) {
    const Operation& operation = code_.operations[i];
    std::array<std::string, 3> arguments;
    for (std::size_t k = 0; k < operation.arity; ++k) arguments[k] = value(operation.argument[k]);
    const auto known = known_value(operation.op, arguments);
    values_.push_back(known ? *known : fmt::format("v{}", i));
    if (!known) emit("  const double v{} = {};\n", i, value_of(operation, arguments));
    if (divisors_.contains(code_.first_operation() + i)) emit("  const double r{} = 1 / {};\n", i, values_.back());
  }

  std::string value_of(const Operation& operation, const std::array<std::string, 3>& arguments) const {
    if (const std::string rest = without_zeros(operation.op, arguments); !rest.empty()) return rest;
    if (operation.op != Op::divide || !divisors_.contains(operation.argument[1]))
      return formula(operation.op, arguments);
    return fmt::format("quotient({}, {}, r{})", arguments[0], arguments[1],
                       operation.argument[1] - code_.first_operation());
  }

  // Where some arguments are zero, for all members and all along, an operation may give a value that has a name,
  static std::optional<std::string> known_value(Op op, const std::array<std::string, 3>& arguments) {
    const auto& [a, b, c] = arguments;
    const bool has_product = a != zero && b != zero;
    if (op == Op::negate && a == zero) return zero;
    if (op == Op::multiply && !has_product) return zero;
    if (op == Op::add && (a == zero || b == zero)) return a == zero ? b : a;
    if (op == Op::subtract && b == zero) return a;
    if ((op == Op::multiply_add || op == Op::subtract_multiply) && !has_product) return c;
    if (op == Op::multiply_subtract && !has_product && c == zero) return zero;
    return std::nullopt;
  }
  // or become a shorter one; empty: it does not.
  static std::string without_zeros(Op op, const std::array<std::string, 3>& arguments) {
    const auto& [a, b, c] = arguments;
    const bool has_product = a != zero && b != zero;
    if (op == Op::subtract && a == zero) return formula(Op::negate, {b});
    if (op == Op::multiply_subtract && !has_product) return formula(Op::negate, {c});
    if ((op == Op::multiply_add || op == Op::multiply_subtract) && c == zero) return formula(Op::multiply, {a, b});
    if (op == Op::subtract_multiply && c == zero) return formula(Op::multiply, {"-(" + a + ")", b});
    return {};
  }

  std::string value(uint32_t value) const {
    if (value >= code_.first_operation()) return values_[value - code_.first_operation()];
    if (value < code_.first_input()) return code_.constants[value] == 0 ? zero : literal(code_.constants[value]);
    const auto [group, index] = place_in(code_.input_sizes, value - code_.first_input());
    if (rows_[group] == as_argument) return fmt::format("i{}[{}]", group, index);
    const std::size_t row = static_cast<std::size_t>(rows_[group]) + index;
    return row < zeros_.size() && zeros_[row] ? zero : fmt::format("N{}", row);
  }

  template <class... Parts>
  void emit(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Parts>(parts)...);
  }

  static constexpr const char* zero = "0.0";
  const Code& code_;
  std::span<const int> rows_;
  const std::vector<bool>& zeros_;
  std::set<uint32_t> divisors_;
  std::vector<std::string> values_;  // of operations, by their names
  std::string text_;
};

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

std::string device_function(const Program& program, const std::string& name, std::span<const int> rows,
                            const std::vector<bool>& zeros) {
  return DeviceFunction(program.code(), rows, zeros).of(name);
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
