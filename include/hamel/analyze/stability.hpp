// Is an equilibrium, or a steady motion, stable? A verdict with its reason: the first of these that applies.
//
//   an eigenvalue to the right                              unstable
//   all to the left                                         asymptotically stable
//   the others to the left, zeros as many as the family     asymptotically stable, modulo where in the family
//   energy (in a turning frame T2 + U - T0) strictly least  stable
//   least across the orbit of the symmetry                  stable modulo symmetry
//   least across a larger family of equilibria              stable as a set
//   energy less momentum definite on the momentum level     stable modulo symmetry (energy-momentum method)
//   a block of size > 1 that no symmetry explains           unstable: the linear equations grow like t
//   otherwise                                               inconclusive, and why
//
// A momentum level is that of all symmetries, also of those that do not commute with the motion; definite of either
// sign. Where a symmetry keeps the state as it is (a sleeping top), the steady motion may be seen from many frames: the
// best one is looked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamel/analyze/sampled.hpp"
#include "hamel/analyze/spectrum.hpp"
#include "hamel/symmetry/noether.hpp"

namespace hamel {

enum class Verdict : std::uint8_t {
  asymptotically_stable,
  asymptotically_stable_modulo_family,
  stable,
  stable_modulo_symmetry,
  stable_as_a_set,
  unstable,
  inconclusive
};
const char* name(Verdict verdict);  // "stable modulo symmetry"

struct Stability {
  Verdict verdict = Verdict::inconclusive;
  std::string reason;
  Spectrum spectrum;
  std::optional<Signature> stiffness;   // of K, where it is symmetric
  std::optional<Signature> on_level;    // of the energy less momentum, where that was asked
  int orbit = 0;                        // directions along which a symmetry moves it to others like it
  int family = 0;                       // directions along which there are others like it, for whatever reason
  std::vector<std::string> zero_modes;  // the symmetries that cause them
  std::optional<SampledLoop> sampled;   // where laws are sampled; the spectrum is that of its rates
};
Stability stability(const Linearization& linearization, const LinearModel& model,
                    const std::vector<ConservedMomentum>& symmetries);
// Of a loop that is closed at samples, by the eigenvalues of a step; `family` as that of the loop without samples.
Stability stability(const SampledLoop& loop, int family);

// A point and what is known about it: in balance by the smallest constant inputs that do it, or by its sampled laws.
struct Examined {
  LinearModel linear;
  Stability stability;
};
Examined examined(const Linearization& linearization, const State& state, const Generator& moving = {});

}  // namespace hamel
