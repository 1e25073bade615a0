// The rows of functions.def, at run time.
#pragma once

#include <span>
#include <string_view>

#include "hamel/graph/expr.hpp"

namespace hamel {

struct FunctionRow {
  enum class Symmetry : std::uint8_t { none, odd, even, commutes };
  enum class Shape : std::uint8_t { smooth, pieces, jumps };

  Op op;
  std::string_view name;
  int arity;
  std::string_view value;  // in C, of the arguments a and b
  Symmetry symmetry;
  Shape shape;
  std::string_view c_name;
  std::string_view latex;

  bool is_defined_in_c() const { return !c_name.starts_with("hamel_"); }
  bool has_latex_command() const { return latex.find('#') == std::string_view::npos; }
};

std::span<const FunctionRow> functions();
const FunctionRow* find_function(Op op);  // none for sums, products, comparisons, ...
const FunctionRow* find_function(std::string_view name);

}  // namespace hamel
