// What Gauss methods are as text, for lanes and for GPUs, in the words of both: `number`, `FUNCTION` and `TABLE` (what
// stands before one), larger(a, b), size_of(a), exactly_fused(a, b, c) for a b + c rounded once, EACH(i, n); NQ, NY and
// STAGES numbers.
#pragma once

#include <string>

#include "hamel/derive/quadratic_invariants.hpp"
#include "integrate/parts.hpp"

namespace hamel {

// gauss_c, gauss_b, gauss_b_rest, gauss_A, gauss_A_rest, gauss_A_whole; gauss_begin, where a step begins, and
// gauss_next, the nodes of a next one of the same size, in the polynomials of the nodes.
std::string gauss_tableau_text(int stages);

// add(before, change, &lost) as add_compensated, largest(x, n); raise(scale, x) and IS_CURVED(i) as Parts has them.
std::string gauss_arithmetic_text(const Parts& parts, int ambient);

// keep_invariants(y0, lost0, y, lost) after a step from y0 to y, as InvariantKeeper.
std::string gauss_keeper_text(const std::vector<QuadraticInvariant>& invariants);

}  // namespace hamel
