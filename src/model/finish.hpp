// The last step of making a formula: what it is made of, from its arguments.
#pragma once

#include "hamel/model/formula.hpp"

namespace hamel {

Formula finish(Formula::Node node);

}  // namespace hamel
