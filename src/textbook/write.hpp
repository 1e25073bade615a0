// From sums back to formulas that read well: coefficients of parameters collected, common factors before them,
// fractions as fractions, minus signs in front.
#pragma once

#include <string>

#include "textbook/algebra.hpp"

namespace hamel::textbook {

struct Style {
  std::string quarter_turn = "S";  // what the matrix of S^1 is called; empty: it is written out
  Sum point{0.0};                  // of a sphere, on whose equations these are: q stands first in a cross product
  bool project = false;            // multiply the vectors by I - q q^T
  bool factors = false;            // R (a + b) for R a + R b, rho x (a + b) for rho x a + rho x b
};

Formula write(const Sum& sum, const Style& style = {});

}  // namespace hamel::textbook
