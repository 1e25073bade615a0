// Which way is up?
#pragma once

#include <Eigen/Core>
#include <optional>

#include "report/sampler.hpp"

namespace hamel {

// The direction, in the space of the given places (three expressions each), that those parts of the potential energy
// which are affine in q would have the places leave. None where there is no such part, or it moves no place.
std::optional<Eigen::Vector3d> against_gravity(const LoweredModel& lowered, const Sampler& sampler,
                                               std::span<const Expr> places);

}  // namespace hamel
