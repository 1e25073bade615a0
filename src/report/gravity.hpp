// Which way is up?
#pragma once

#include <Eigen/Core>
#include <optional>

#include "report/sampler.hpp"

namespace hamel {

using Vector3e = Eigen::Matrix<Expr, 3, 1>;

// Gravity is what the potential energy has of terms that change at the same rate wherever all points are shifted by the
// same vector; up is the gradient. Where the energy is not written in points, it may be a sum of theirs: U = sum w_i .
// x_i plus a constant, and up is the sum of the w_i. None where there is no such term.
std::optional<Eigen::Vector3d> against_gravity(const Model& model, LoweredModel& lowered, const Sampler& sampler,
                                               std::span<const Vector3e> places);

}  // namespace hamel
