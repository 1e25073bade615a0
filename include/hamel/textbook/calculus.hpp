// Vector calculus on the formulas of a model: simplification, gradients, rates.
//
//   gradient(model, m / 2 * squared_norm(rate(l * q)), rate(q))     m*l^2*q'
//   gradient(model, m * g * dot(R * rho, e3), R)                    m*g*cross(rho, transpose(R)*e3)
//   rate_along_motion(model, dot(q[0], rate(q[1])))                 dot(q'[0], q'[1]) + dot(q[0], q''[1])
//
// Results hold on the manifolds: q.q = 1, q.q' = 0, R^T R = I. Rates of rotations are written with Omega. What has no
// vector form is refused with std::invalid_argument.
#pragma once

#include "hamel/model/model.hpp"

namespace hamel {

Formula simplified(const Model& model, const Formula& formula);

// Of a scalar; `variable` is a coordinate, its rate, or omega(R). For a rotation R: the vector g in the body with
// f' = g.Omega, where R' = R hat(Omega).
Formula gradient(const Model& model, const Formula& scalar, const Formula& variable);

Formula rate_along_motion(const Model& model, const Formula& formula);

}  // namespace hamel
