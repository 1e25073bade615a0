// Natural tangent coordinates x, dq = E(q) x, as expressions: ambient ones of factors that are given by constraints,
// those of the basis of groups and orbits.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "hamel/derive/elimination.hpp"
#include "hamel/derive/expressions.hpp"
#include "hamel/model/lower.hpp"

namespace hamel {

class NaturalFrame {
 public:
  NaturalFrame(const Model& model, const LoweredModel& lowered);

  int size() const { return static_cast<int>(eta.size()); }
  Exprs along_points(const Exprs& f) const;            // f_q E, column by column
  Exprs to_natural(const Exprs& covector) const;       // E^T
  Exprs reaction(const Exprs& multipliers) const;      // C^T lambda, ambient
  static Exprs along(const Exprs& f, const Exprs& x);  // f_x, column by column

  Exprs eta;                                           // rates of x: ambient ones, or variables of their own
  Exprs velocity;                                      // q' = E eta
  Exprs constraints;                                   // of the factors, then the user's
  std::unordered_map<std::uint32_t, Expr> in_natural;  // q' of the factors that have a basis

 private:
  void add_factor(const Coordinate& coordinate, int begin);

  Exprs q_, v_;
  std::vector<std::vector<std::pair<int, Expr>>> E_;  // by rows
};

// The natural rates of all factors, then the multipliers of those that are given by constraints.
std::vector<Unknown> natural_unknowns(const Model& model);
// The upper half of a symmetric matrix, twice.
SparseEntries mirrored(const SparseEntries& matrix);

}  // namespace hamel
