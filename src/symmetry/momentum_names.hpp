// How conserved momenta are called and written.
#pragma once

#include "hamel/symmetry/noether.hpp"
#include "symmetry/candidates.hpp"

namespace hamel {

// From the coefficients of the unknowns of the candidates.
std::string generator_text(const Model& model, const Candidates& candidates, In coefficients);
std::string momentum_name(const Model& model, const Candidates& candidates, In coefficients);

// "rotation about e3" if these are the coefficients of a turn of the centre of mass alone, else empty.
std::string turn_alone(const Candidates& candidates, In coefficients);

// Does everything that moves do so by this rotation? In a plane, "rotation" is also one about e3.
bool is_common_rotation(const Candidates& candidates, In coefficients, const std::string& rotation);

// X . p - F - energy E, in components.
std::string momentum_formula(const Model& model, const ConservedMomentum& momentum);

}  // namespace hamel
