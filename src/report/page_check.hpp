// Refuses a page that cannot be shown: numbers that are not finite, series of the wrong length, tracks that are not
// there.
#pragma once

#include "hamel/report/page.hpp"

namespace hamel {

void check(const Page& page);

}  // namespace hamel
