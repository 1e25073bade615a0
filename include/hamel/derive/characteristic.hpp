// det(s^2 M + s (D + G) + K) of a linear model in the symbols of the parameters, where its point is an equilibrium
// whatever they are: books argue by the signs of its coefficients.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamel/model/model.hpp"

namespace hamel {

struct CharacteristicPolynomial {
  std::vector<std::string> coefficients;  // of s^0, s^1, ...: "m[1]*m[2]*g^2*l[1]*l[2]"
  std::vector<double> values;             // at the values of the parameters
};
// `natural` and `ambient` are the basis of the tangent space (analyze/linear_model.hpp). None where coefficients are no
// polynomials, where the point depends on parameters, or where it has more than four degrees of freedom.
std::optional<CharacteristicPolynomial> characteristic_polynomial(const Model& model, double t, In q,
                                                                  const MatrixXd& natural, const MatrixXd& ambient);

}  // namespace hamel
