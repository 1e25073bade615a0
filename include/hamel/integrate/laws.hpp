// The sampled laws of a model (Model::law with an interval), as a Control: `integrate` follows them unless it is given
// another one.
#pragma once

#include "hamel/integrate/integrate.hpp"

namespace hamel {

// Without a law where the model has none that is sampled. Refuses an interval that is no multiple of a fixed step.
Control sampled_laws(const System& system, const Method& method);

}  // namespace hamel
