// The modes of a page, as viewer/src/data.ts reads them.
#pragma once

#include <nlohmann/json.hpp>

#include "hamel/report/modes_part.hpp"

namespace hamel {

nlohmann::ordered_json json_of(const ModesPart& part);

}  // namespace hamel
