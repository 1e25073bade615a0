// What the literature says about the systems of models/: space, degrees of freedom, conserved momenta. Anybody can add
// to claims.txt.
#pragma once

#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "gallery/files.hpp"

namespace hamel::test {

struct Claim {
  std::string id, where, space;
  int degrees_of_freedom = 0;
  std::set<std::string> momenta = {};  // by name, without the coordinates
  bool energy = true;                  // conserved: of a rotating frame, the Jacobi integral
  double drift = 0;                    // of the energy in the run of the file, over the largest |T| + |U|
  Overrides smaller = {};              // a case in which momenta are found soon; space and degrees are its own
};
inline void PrintTo(const Claim& claim, std::ostream* out) { *out << claim.id << " of " << claim.where; }

const std::vector<Claim>& claims();
std::vector<Claim> claims_with_energies();  // not of those that are given by a field

}  // namespace hamel::test
