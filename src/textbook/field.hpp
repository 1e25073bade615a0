// First-order systems: what the field says of each coordinate, with the multipliers of constraints.
#pragma once

#include "hamel/textbook/textbook.hpp"

namespace hamel::textbook {

TextbookEquations field(const Model& model, Form form);

}  // namespace hamel::textbook
