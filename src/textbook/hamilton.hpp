// Hamilton's equations of a given Hamiltonian H(q, mu) on R^n, S^1 and S^2, in the projection form of
// mechanics/hamilton.hpp.
#pragma once

#include "hamel/textbook/textbook.hpp"

namespace hamel::textbook {

TextbookEquations hamilton(const Model& model, Form form);

}  // namespace hamel::textbook
