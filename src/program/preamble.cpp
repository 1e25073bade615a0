#include "program/preamble.hpp"

#include <fmt/format.h>

#include <functional>
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
    case Op::multiply_add:
      return fmt::format("FUSED({}, {}, {})", a, b, c);
    case Op::multiply_subtract:
      return fmt::format("FUSED({}, {}, -({}))", a, b, c);
    case Op::subtract_multiply:
      return fmt::format("FUSED(-({}), {}, {})", a, b, c);
    default:
      return fmt::format("F_{}({}{})", name(op), a, arity(op) > 1 ? ", " + b : "");
  }
}

// Operations that C has for vectors of four too; the others become functions.
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
  std::vector<Op> result = {Op::add,
                            Op::subtract,
                            Op::multiply,
                            Op::divide,
                            Op::negate,
                            Op::power,
                            Op::less,
                            Op::less_equal,
                            Op::select,
                            Op::multiply_add,
                            Op::multiply_subtract,
                            Op::subtract_multiply};
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

// Vectors of four numbers; a b + c, rounded once where the processor can.
constexpr const char* four_numbers = R"(#if defined __FMA__ || defined __FP_FAST_FMA
#define FUSED(a, b, c) __builtin_fma(a, b, c)
#else
#define FUSED(a, b, c) ((a) * (b) + (c))
#endif
typedef double n4 __attribute__((vector_size(32), aligned(8), may_alias));
static inline n4 fused4(n4 a, n4 b, n4 c) {
#ifdef __FMA__
  return __builtin_ia32_vfmaddpd256(a, b, c);
#elif defined __FP_FAST_FMA
  for (int i = 0; i < 4; ++i) a[i] = __builtin_fma(a[i], b[i], c[i]);
  return a;
#else
  return a * b + c;
#endif
}
static inline n4 minus_fused4(n4 a, n4 b, n4 c) { return fused4(-a, b, c); }
static inline n4 fused_minus4(n4 a, n4 b, n4 c) { return fused4(a, b, -c); }
static inline n4 sqrt4(n4 a) {
#ifdef __AVX__
  return __builtin_ia32_sqrtpd256(a);
#else
  for (int i = 0; i < 4; ++i) a[i] = __builtin_sqrt(a[i]);
  return a;
#endif
}
static inline n4 all4(double x) { return x - (n4){0}; }
#define ALL_n4(x) ((x) - (n4){0})
)";
// Eight numbers are one vector where the processor has such, else two.
constexpr const char* eight_numbers = R"(#ifdef __AVX512F__
typedef double n8 __attribute__((vector_size(64), aligned(8), may_alias));
static inline n8 fused8(n8 a, n8 b, n8 c) { return __builtin_ia32_vfmaddpd512_mask(a, b, c, -1, 4); }
#if defined __has_builtin && !defined __clang__
#if __has_builtin(__builtin_ia32_vfnmaddpd512_mask) && __has_builtin(__builtin_ia32_vfmsubpd512_mask)
#define FUSED_WITH_SIGNS /* which gcc does not find by itself */
#endif
#endif
#ifdef FUSED_WITH_SIGNS
static inline n8 minus_fused8(n8 a, n8 b, n8 c) { return __builtin_ia32_vfnmaddpd512_mask(a, b, c, -1, 4); }
static inline n8 fused_minus8(n8 a, n8 b, n8 c) { return __builtin_ia32_vfmsubpd512_mask(a, b, c, -1, 4); }
#else
static inline n8 minus_fused8(n8 a, n8 b, n8 c) { return fused8(-a, b, c); }
static inline n8 fused_minus8(n8 a, n8 b, n8 c) { return fused8(a, b, -c); }
#endif
#ifdef __clang__
static inline n8 sqrt8(n8 a) { return __builtin_ia32_sqrtpd512(a, 4); }
#else
static inline n8 sqrt8(n8 a) { return __builtin_ia32_sqrtpd512_mask(a, a, -1, 4); }
#endif
static inline n8 all8(double x) { return x - (n8){0}; }
#else
typedef struct { n4 low, high; } __attribute__((may_alias)) n8;
static inline n8 all8(double x) { return (n8){all4(x), all4(x)}; }
#endif
static inline n8 same8(n8 x) { return x; }
#define ALL_n8(x) _Generic((x), double: all8, default: same8)(x)
)";

// What a function does with vectors: lane by lane, but for what the processor has.
std::string vector_body(Op op, int lanes) {
  if (is_vector_operation(op)) return fmt::format("return {};", formula(op, {"a", "b", "c"}));
  switch (op) {
    case Op::multiply_add:
      return fmt::format("return fused{}(a, b, c);", lanes);
    case Op::multiply_subtract:
      return fmt::format("return fused_minus{}(a, b, c);", lanes);
    case Op::subtract_multiply:
      return fmt::format("return minus_fused{}(a, b, c);", lanes);
    case Op::sqrt:
      return fmt::format("return sqrt{}(a);", lanes);
    default:
      return fmt::format("for (int i = 0; i < {}; ++i) a[i] = {}; return a;", lanes,
                         formula(op, {"a[i]", "b[i]", "c[i]"}));
  }
}

std::string body_of_halves(Op op) {
  constexpr std::array<const char*, 3> arguments = {"a.{0}", "a.{0}, b.{0}", "a.{0}, b.{0}, c.{0}"};
  const auto half = [&](const char* which) {
    return fmt::format("{}({})", lane_function(op, 4),
                       fmt::format(fmt::runtime(arguments[static_cast<std::size_t>(arity(op) - 1)]), which));
  };
  return fmt::format("return (n8){{{}, {}}};", half("low"), half("high"));
}

std::string lane_functions(int lanes, const std::function<std::string(Op)>& body) {
  constexpr std::array<const char*, 3> parameters = {"n{0} a", "n{0} a, n{0} b", "n{0} a, n{0} b, n{0} c"};
  std::string text;
  for (const Op op : lane_operations())
    text +=
        fmt::format("static inline n{} {}({}) {{ {} }}\n", lanes, lane_function(op, lanes),
                    fmt::format(fmt::runtime(parameters[static_cast<std::size_t>(arity(op) - 1)]), lanes), body(op));
  return text;
}

}  // namespace

const char* const lane_choices = R"(
typedef long long mask __attribute__((vector_size(sizeof(number))));
#define ROW(p, i) (*(loose_number*)((p) + 8 * (i)))
static inline number pick(mask which, number a, number b) {
  return (number)((which & (mask)a) | (~which & (mask)b));
}
#if defined __AVX512F__ && defined __clang__
static inline number larger(number a, number b) { return __builtin_ia32_maxpd512(b, a, 4); }
static inline number smaller(number a, number b) { return __builtin_ia32_minpd512(b, a, 4); }
#elif defined __AVX512F__
static inline number larger(number a, number b) { return __builtin_ia32_maxpd512_mask(b, a, a, -1, 4); }
static inline number smaller(number a, number b) { return __builtin_ia32_minpd512_mask(b, a, a, -1, 4); }
#elif defined __AVX__
static inline number larger(number a, number b) { return __builtin_ia32_maxpd256(b, a); }
static inline number smaller(number a, number b) { return __builtin_ia32_minpd256(b, a); }
#else
static inline number larger(number a, number b) { return pick((mask)(a < b), b, a); }
static inline number smaller(number a, number b) { return pick((mask)(b < a), b, a); }
#endif
static inline number size_of(number a) { return (number)((mask)a & 0x7fffffffffffffffLL); }
static inline mask is_finite(number a) { return (mask)(a - a == 0.0); }
static inline int any(mask which) {
#if defined __AVX512F__
  return __builtin_ia32_cmpq512_mask(which, which ^ which, 4, -1) != 0;
#elif defined __AVX__
  return !__builtin_ia32_ptestz256(which, which);
#else
  long long bits = 0;
  for (int k = 0; k < WIDTH; ++k) bits |= which[k];
  return bits != 0;
#endif
}
#ifdef __AVX512F__
#define root(a) sqrt8(a)
#define fused(a, b, c) fused8(a, b, c)
#else
#define root(a) sqrt4(a)
#define fused(a, b, c) fused4(a, b, c)
#endif
// Four at a time: no number waits for the one before it.
#define EACH_OF_FOUR(i, m, n)               \
  for (long i_##m = 0; i_##m < (n); i_##m += 4) \
    _Pragma("GCC unroll 4") for (long m = 0, i = i_##m; m < 4 && i < (n); ++m, ++i)
#define FOUR(x) number x[4] = {ALL(0.0), ALL(0.0), ALL(0.0), ALL(0.0)}
#define SUM(x) ((x[0] + x[1]) + (x[2] + x[3]))
#define LARGEST(x) larger(larger(x[0], x[1]), larger(x[2], x[3]))
)";

std::string emit_preamble(std::span<const Program::Tape* const> tapes, int lanes) {
  std::string text = "double pow(double, double);\n" + emit_tables(tapes) + function_macros() + four_numbers;
  if (lanes == 1) return text;
  text += lane_functions(4, [](Op op) { return vector_body(op, 4); });
  if (lanes == 4) return text;
  return text + eight_numbers + "#ifdef __AVX512F__\n" + lane_functions(8, [](Op op) { return vector_body(op, 8); }) +
         "#else\n" + lane_functions(8, body_of_halves) + "#endif\n";
}

}  // namespace hamel
