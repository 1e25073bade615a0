// The energies of a model and the points in them, as formulas that people read.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "hamel/model/model.hpp"

namespace hamel::cli {

struct NamedFormula {
  std::string text, latex;  // whole equations: T = ..., x = ...
};

std::vector<NamedFormula> energies_of(const Model& model);
std::vector<NamedFormula> points_of(const Model& model);
Json formulas_json(const std::vector<NamedFormula>& formulas);

}  // namespace hamel::cli
