// What each operation is: its number of arguments, its name, its value on numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "hamel/graph/expr.hpp"

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

double apply(Op op, double a, double b, double c) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::negate:
      return -a;
    case Op::power:
    case Op::integer_power:
      return std::pow(a, b);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::abs:
      return std::abs(a);
    case Op::min:
      return std::fmin(a, b);
    case Op::max:
      return std::fmax(a, b);
    case Op::less:
      return a < b ? 1.0 : 0.0;
    case Op::less_equal:
      return a <= b ? 1.0 : 0.0;
    case Op::select:
      return a != 0.0 ? b : c;
    case Op::constant:
    case Op::variable:
      break;
  }
  throw std::logic_error("apply() takes operations: constants and variables have no arguments");
}

}  // namespace hamel
