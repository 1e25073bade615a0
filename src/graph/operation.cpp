// What each operation is: its number of arguments, its name, its value on numbers.
#include <array>

#include "graph/apply.hpp"

namespace hamel {

namespace {

struct Description {
  std::string_view name;
  int arity;
};

constexpr std::array<Description, static_cast<std::size_t>(Op::select) + 1> descriptions{{
    {"constant", 0}, {"variable", 0},   {"add", 2},           {"subtract", 2}, {"multiply", 2}, {"divide", 2},
    {"negate", 1},   {"power", 2},      {"integer_power", 1}, {"sqrt", 1},     {"exp", 1},      {"log", 1},
    {"sin", 1},      {"cos", 1},        {"tan", 1},           {"asin", 1},     {"acos", 1},     {"atan2", 2},
    {"sinh", 1},     {"cosh", 1},       {"tanh", 1},          {"abs", 1},      {"min", 2},      {"max", 2},
    {"less", 2},     {"less_equal", 2}, {"select", 3},
}};

}  // namespace

int arity(Op op) { return descriptions[static_cast<std::size_t>(op)].arity; }
std::string_view name(Op op) { return descriptions[static_cast<std::size_t>(op)].name; }

double apply(Op op, double a, double b, double c) { return apply_operation(op, a, b, c); }

}  // namespace hamel
