// What each operation is: its number of arguments, its name, its value on numbers.
#include <array>

#include "hamel/graph/apply.hpp"
#include "hamel/graph/functions.hpp"

namespace hamel {

namespace {

struct Description {
  std::string_view name;
  int arity;
};

constexpr std::array<Description, static_cast<std::size_t>(Op::subtract_multiply) + 1> descriptions{{
    {"constant", 0},
    {"variable", 0},
    {"add", 2},
    {"subtract", 2},
    {"multiply", 2},
    {"divide", 2},
    {"negate", 1},
    {"power", 2},
    {"integer_power", 1},
#define FUNCTION(name, arity, ...) {#name, arity},
#include "hamel/graph/functions.def"
    {"less", 2},
    {"less_equal", 2},
    {"select", 3},
    {"multiply_add", 3},
    {"multiply_subtract", 3},
    {"subtract_multiply", 3},
}};

constexpr auto first_function = static_cast<std::size_t>(Op::integer_power) + 1;

constexpr FunctionRow function_table[] = {
#define FUNCTION(name, arity, value, da, db, symmetry, shape, c, latex) \
  {Op::name, #name, arity, #value, FunctionRow::Symmetry::symmetry, FunctionRow::Shape::shape, c, latex},
#include "hamel/graph/functions.def"
};

}  // namespace

int arity(Op op) { return descriptions[static_cast<std::size_t>(op)].arity; }
std::string_view name(Op op) { return descriptions[static_cast<std::size_t>(op)].name; }

double apply(Op op, double a, double b, double c) { return apply_operation(op, a, b, c); }

std::span<const FunctionRow> functions() { return function_table; }

const FunctionRow* find_function(Op op) {
  const std::size_t row = static_cast<std::size_t>(op) - first_function;
  return row < std::size(function_table) ? &function_table[row] : nullptr;
}

const FunctionRow* find_function(std::string_view name) {
  for (const FunctionRow& row : function_table)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace hamel
