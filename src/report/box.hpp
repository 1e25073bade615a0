// The box that has the inertia of a rigid body.
#pragma once

#include <Eigen/Core>

namespace hamel {

struct InertiaBox {
  Eigen::Vector3d size;
  Eigen::Matrix3d axes;  // principal axes in the body frame, one per column, right-handed
};

// J is about the origin of the body frame, c the centre of mass. Without a mass the longest side is 1.
InertiaBox inertia_box(double mass, const Eigen::Matrix3d& J, const Eigen::Vector3d& c);

}  // namespace hamel
