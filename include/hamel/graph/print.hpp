// Expressions as text, LaTeX and C, with as few parentheses as the grammar allows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hamel/graph/expr.hpp"

namespace hamel {

enum class Notation { text, latex, c };

std::string print(Expr f, Notation notation = Notation::text);

// Several expressions with what they share named: "s1 = ...; s2 = ...". Never recurses, so deep graphs print.
struct Listing {
  std::vector<std::pair<std::string, std::string>> shared;  // name, formula; in order of use
  std::vector<std::string> formulas;                        // one per expression
};
Listing print_shared(std::span<const Expr> f, Notation notation = Notation::text, const std::string& prefix = "s");

// What C must define before it can use these expressions: functions that its library does not have, and tables.
std::vector<std::string> c_definitions(std::span<const Expr> f);

}  // namespace hamel
