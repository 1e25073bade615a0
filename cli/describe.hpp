// Models and states in words and as JSON.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "hamel/symmetry/noether.hpp"

namespace hamel::cli {

int degrees_of_freedom(const Model& model);

// {"q[1]": {"values": [...], "rates": [...]}, ...}; matrices by rows.
Json state_json(const Model& model, const State& state);
Json matrix_json(const MatrixXd& matrix);  // a number, a list, or a list of rows
std::string matrix_text(const MatrixXd& matrix);

// The part of q or v that belongs to a coordinate, in its shape.
MatrixXd part_of(const Model& model, const VectorXd& all, std::size_t coordinate);

}  // namespace hamel::cli
