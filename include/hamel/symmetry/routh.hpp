// Routh's reduction, book 3.4.2: where the Lagrangian does not depend on a coordinate phi, a number or a point of a
// circle, its momentum p is constant, and the others move by the Lagrangian R = L - p phi'. With
//
//   L = a phi'^2/2 + b phi' + c,      phi' = (p - b)/a,      R = c - (p - b)^2/(2 a):
//
// a potential that is amended by p^2/(2 a), and terms that are linear in the rates.
//
//   const RouthReduction reduced = routh_reduction(system, start, "phi");
//   const ModelFile file = parse_model(reduced.text, "reduced");                  // a model of its own
//   reconstruct(system, start, reduced, states);                                  // the motion of all of it
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hamel/mechanics/system.hpp"

namespace hamel {

struct RouthReduction {
  std::size_t coordinate = 0;  // that is left out
  double momentum = 0;         // its momentum, a parameter of the reduced model
  std::string text;            // a model file without [run]; phi' is among its outputs
};

std::vector<std::string> cyclic_coordinates(const Model& model);

// At the momentum of the start, or at a given one. Refuses a coordinate that is not cyclic, and systems with more than
// energies: forces, constraints, a Hamiltonian, a field.
RouthReduction routh_reduction(const System& system, const State& start, const std::string& coordinate,
                               std::optional<double> momentum = {});

// States of the whole system from those of the reduced one, which begin at `start` and whose times increase; phi by the
// corrected trapezoidal rule, whose error is that of a method of order 4 with the steps between the states.
std::vector<State> reconstruct(const System& system, const State& start, const RouthReduction& reduction,
                               std::span<const State> reduced);

}  // namespace hamel
