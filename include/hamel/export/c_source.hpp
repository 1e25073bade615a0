// The vector field of a form as C99, to be compiled anywhere: it includes nothing but <math.h>.
//
//   void hamel_<name>(double t, const double *y, const double *u, const double *parameters, double *rate);
//
// y is (q, partner of q) as in derive/form.hpp; rate is y'. The mass matrix is solved in the file. The defaults of
// the parameters are the array hamel_<name>_parameters.
#pragma once

#include <string>

#include "hamel/derive/form.hpp"
#include "hamel/model/model.hpp"

namespace hamel {

// Throws std::invalid_argument where the form has no such formulas: a Lagrangian that is not quadratic in the
// velocities has no momentum forms here, and see equations().
std::string c_source(const Model& model, Form form);

std::string c_function_name(const Model& model);  // hamel_<name>

}  // namespace hamel
