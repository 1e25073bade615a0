// Solving a sparse linear system whose entries are expressions, by writing out its elimination.
//
// The unknowns are accelerations (primal) and multipliers (dual) of  [ M C^T ; C' 0 ] : structurally symmetric,
// zero on the dual diagonal. The order is chosen from the pattern alone: first what has a diagonal mass and few
// constraints (this leaves the tridiagonal system for the tensions of a chain), then by minimum degree, hubs last.
// A multiplier is a pivot only after the accelerations that its own constraint acts on, so no pivot can vanish at
// some states and not at others. Entries that fold to zero are no entries: cancellations of the structure cost nothing.
#pragma once

#include <functional>
#include <stdexcept>
#include <vector>

#include "hamel/graph/differentiate.hpp"
#include "hamel/graph/expr.hpp"

namespace hamel {

struct Unknown {
  bool dual = false;
  int block = -1;  // primal: the factor it belongs to; dual: the factor whose constraint it is, -1 for a constraint
                   // between factors, which waits for all accelerations
};

// The structure has no safe pivot: some acceleration has no inertia of its own.
class NoPivot : public std::runtime_error {
 public:
  explicit NoPivot(int index) : std::runtime_error("no safe pivot"), unknown(index) {}
  int unknown;
};

// The solution of A x = b. Entries of equal position are added up. With `symmetric`, A equals its transpose and
// each product is written once. The pivots, if asked for, are in the order of elimination. What early pivots have made
// of the diagonal of a factor's multipliers may be simplified. Where an acceleration has less left than this part of
// its own entry on the diagonal, or that is not positive, its pivot is made zero, and the solution is not finite.
using SimplifyPivot = std::function<Expr(Expr, int factor)>;
constexpr double least_inertia = 1e-8;  // so many digits are lost
// Of dense matrices an elimination takes the cube of its size, and long straight code is slow to compile.
constexpr std::size_t most_dense_unknowns = 24, most_dense_operations = 20'000;
struct EliminationOptions {
  std::vector<Expr>* pivots = nullptr;
  SimplifyPivot simplify = {};
  double least_inertia = 0;  // 0: no pivot is looked at
};
std::vector<Expr> eliminate(const std::vector<Unknown>& unknowns, const SparseEntries& A, std::vector<Expr> b,
                            bool symmetric, const EliminationOptions& options = {});

}  // namespace hamel
