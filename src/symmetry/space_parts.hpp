// Which entries of a point are places.
#pragma once

#include "hamel/manifold/manifold.hpp"

namespace hamel {

// All of R^n, the last three of a pose, none of others.
inline int first_place(const Manifold& space) {
  if (space.is_flat()) return 0;
  return space.is_pose() ? space.ambient() - 3 : space.ambient();
}

}  // namespace hamel
