// How a model file wants to be drawn.
#pragma once

#include "hamel/language/model_file.hpp"
#include "hamel/report/draw.hpp"

namespace hamel {

ViewOptions view_options(const ViewSettings& view);

}  // namespace hamel
