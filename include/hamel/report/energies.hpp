// The energies of a model and the points in them, as formulas that people read.
#pragma once

#include <string>
#include <vector>

#include "hamel/model/model.hpp"

namespace hamel {

struct NamedFormula {
  std::string text, latex;  // whole equations: T = ..., x = ...
};

std::vector<NamedFormula> energies_of(const Model& model);
std::vector<NamedFormula> points_of(const Model& model);

}  // namespace hamel
