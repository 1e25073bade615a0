// How conserved momenta are called and written.
#pragma once

#include "hamel/mechanics/noether.hpp"
#include "mechanics/candidates.hpp"

namespace hamel {

// From the coefficients of the unknowns of the candidates.
std::string generator_text(const Model& model, const Candidates& candidates, In coefficients);
std::string momentum_name(const Model& model, const Candidates& candidates, In coefficients);

// X . p - F - energy E, in components.
std::string momentum_formula(const Model& model, const ConservedMomentum& momentum);

}  // namespace hamel
