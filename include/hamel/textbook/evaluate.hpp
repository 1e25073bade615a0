// Numbers of a formula, node by node: what tests hold printed equations against.
#pragma once

#include <Eigen/Core>
#include <map>
#include <string>

#include "hamel/model/formula.hpp"

namespace hamel {

// Values of symbols and of rates of symbols, by what they print as: "q[1]", "q'[1]", "omega[1]".
using FormulaValues = std::map<std::string, Eigen::MatrixXd>;

// Throws std::invalid_argument where a value is missing or has the wrong shape.
Eigen::MatrixXd evaluate(const Formula& formula, const FormulaValues& values);

}  // namespace hamel
