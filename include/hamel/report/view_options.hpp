// How a model file wants to be drawn.
#pragma once

#include "hamel/language/model_file.hpp"
#include "hamel/report/draw.hpp"

namespace hamel {

ViewOptions view_options(const ViewSettings& view);

// Refuses a [view] that names what is not drawn, before there is a motion to be drawn.
void check_view(const ModelFile& file);

}  // namespace hamel
