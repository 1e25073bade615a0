// How atoms are made: intern gives an atom its key and finds out what it is made of.
#pragma once

#include "textbook/algebra.hpp"

namespace hamel::textbook {

AtomPtr intern(Atom atom);
std::string key_of(const Core& core);
inline bool is_symbol(const AtomPtr& atom) { return atom->sort == Sort::symbol; }
// diag(a, b, c): a symbol that has no name
inline bool is_written_out(const AtomPtr& atom) {
  return is_symbol(atom) && atom->cols > 1 && atom->leaf.formula.node().kind == Kind::stack;
}
inline bool is_rotation(const AtomPtr& atom) { return is_symbol(atom) && atom->leaf.is_rotation; }
inline bool is_number(const Core& core) { return core.size() == 1 && core[0]->sort == Sort::number; }
inline bool are_inverse(const AtomPtr& a, const AtomPtr& b) {
  return is_rotation(a) && is_rotation(b) && a->leaf.order == b->leaf.order && a->transposed != b->transposed;
}
inline Core tail(const Core& core) { return {core.begin() + 1, core.end()}; }
bool precedes(const Core& a, const Core& b);  // the order in which factors of products are written

}  // namespace hamel::textbook
