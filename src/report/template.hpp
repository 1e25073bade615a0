// The page without its data, built from viewer/.
#pragma once

#include <string_view>

namespace hamel {

std::string_view page_template();

}  // namespace hamel
