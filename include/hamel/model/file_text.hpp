// How model files write names, texts and numbers.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "hamel/model/formula.hpp"

namespace hamel {

std::string primed(const std::string& name);             // of x[1], its rate x'[1]
std::string quoted_text(const std::string& text);        // "..."
std::string number_text(double value);                   // the shortest that is it
std::string numbers_text(const Eigen::MatrixXd& value);  // [1, 2]; [[1, 2], [3, 4]] by rows

// What stands in diag(...): the entries, or the vector whose components they are. Empty: the columns are no such
// matrix.
std::vector<Formula> diagonal_of(const Formula::Node& columns);

}  // namespace hamel
