// The data of a page, as viewer/src/data.ts reads it.
#pragma once

#include <string>
#include <vector>

#include "hamel/report/page.hpp"

namespace hamel {

// With these frames only. Safe inside <script>: it contains no "<".
std::string to_json(const Page& page, const std::vector<std::size_t>& frames);

std::size_t bytes_per_frame(const Page& page);

}  // namespace hamel
