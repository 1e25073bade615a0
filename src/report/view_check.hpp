// Refuses a view that asks for what is not there.
#pragma once

#include <string>
#include <vector>

#include "hamel/report/draw.hpp"

namespace hamel {

struct SeenNames {
  std::vector<std::string> all, points;
};

void check(const ViewOptions& options, const SeenNames& seen);

// Once it is drawn: is the camera to follow something that it can?
void check_follow(const Scene& scene);

}  // namespace hamel
