// The data of a page, as viewer/src/data.ts reads it.
#pragma once

#include <string>
#include <vector>

#include "hamel/report/page.hpp"

namespace hamel {

// With these frames only. Safe inside <script>: it contains no "<".
std::string to_json(const Page& page, const std::vector<std::size_t>& frames);

// The frames that fit, given what the page has besides: `size_besides`, and the data with no more than two frames.
std::vector<std::size_t> fitting_frames(const Page& page, std::size_t size_besides, const PageLimits& limits);

std::size_t bytes_per_frame(const Page& page);

}  // namespace hamel
