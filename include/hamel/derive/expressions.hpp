// Small things that every derivation of mechanics does with expressions.
#pragma once

#include <utility>
#include <vector>

#include "hamel/graph/differentiate.hpp"
#include "hamel/model/index.hpp"

namespace hamel {

using Exprs = std::vector<Expr>;

Expr sum(const Exprs& terms);
Exprs sums(Exprs a, const Exprs& b);  // entry by entry

Exprs values_of(const SparseEntries& entries);

// A dense matrix, column by column, from its entries.
Exprs dense(const SparseEntries& entries, int rows, int cols);

// The generalised force of forces that work on rates, and of a dissipation function: d/dv of their power, with the
// forces held fixed.
Exprs applied_force(const std::vector<std::pair<Expr, Expr>>& forces, Expr rayleigh, const Exprs& v);

}  // namespace hamel
