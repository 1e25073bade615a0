// Which entries of a point are places.
#pragma once

#include "hamel/manifold/manifold.hpp"

namespace hamel {

inline bool is_flat(const Manifold& space) { return space.dimension() == space.ambient(); }
inline bool is_pose(const Manifold& space) { return space.name() == "SE3"; }

// All of R^n, the last three of a pose, none of others.
inline int first_place(const Manifold& space) {
  if (is_flat(space)) return 0;
  return is_pose(space) ? space.ambient() - 3 : space.ambient();
}

}  // namespace hamel
