// The four presentations of the flow:
//
//   Form::velocity  (q, q')     Euler-Lagrange
//   Form::omega     (q, xi)     Euler-Lagrange in quasi-velocities: omega on S^1 and S^2, Omega on SO(3), ...
//   Form::mu        (q, mu)     Hamilton, mu = P dL/dq'
//   Form::pi        (q, pi)     Hamilton, pi = B^T dL/dq'
//
// Of a first-order system, q' = f(t, q), all of them are the same.
#pragma once

namespace hamel {

enum class Form { velocity, omega, mu, pi };

}  // namespace hamel
