// Tables of numbers, and the smooth curves through them.
//
// The curve is the cubic spline with continuous second derivatives that has no knot at its second and its last but one
// point, so that it is a cubic exactly where the points are on one (a parabola through three points, a line through
// two). It is not defined outside of its points: the value there is not a number.
//
// A table is named by a number, its key, made from its name and its points; it is kept as long as the program runs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hamel/graph/expr.hpp"

namespace hamel {

double table_key(const std::string& name, std::span<const double> x, std::span<const double> y);
bool is_table(double key);
const std::string& table_name(double key);   // throws std::invalid_argument where there is no such table
std::vector<double> table_rows(double key);  // five numbers for each piece: where it begins and its coefficients; at
                                             // last, where the last one ends

double table_value(double key, double x);
double table_slope(double key, double x);
Expr table_slope(Expr key, Expr x);
double table_derivative(double key);  // the key of the derivative; 0 where it is 0 everywhere

extern const char* const table_code;  // C that evaluates rows: double table_at(int pieces, const double (*row)[5], x)

}  // namespace hamel
