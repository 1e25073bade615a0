// Noether's theorem, automatically: the conserved momenta of a model, found from its energies alone.
//
//   for (const ConservedMomentum& momentum : conserved_momenta(model).momenta) fmt::print("{}\n", momentum.name);
//
// Candidates are affine fields X(q) = A q + b tangent to each factor, shifts of angles among them, and rotations of the
// centre of mass that take all places along: without them, what is left of a rotation is one about the centre of mass.
// A combination of them with dL(X) = dF/dt, where F is linear plus quadratic in q, conserves J = X . dL/dq' - F. Being
// linear in the unknown coefficients, this is a null space, taken over random states of all sizes in units that suit
// the model; whether a term of the energy is zero is decided by its own rounding errors, so that units do not matter.
// Forces must do no work along X and constraints must not change. Time shifts are a candidate too: alone they say that
// energy is conserved, together with a field that a helical combination is. Each finding is held against other states;
// what they leave open is said.
#pragma once

#include <string>
#include <vector>

#include "hamel/mechanics/system.hpp"

namespace hamel {

struct ConservedMomentum {
  // What happens in one coordinate: X = A q + b and F = linear.q + q.(quadratic q)/2.
  struct Block {
    int coordinate, offset;  // which coordinate of the model, and where it begins in q
    MatrixXd A, quadratic;
    VectorXd b, linear;
  };
  // What moves places by the centre of mass: X has direction (weight . q) in addition, both as long as q.
  struct Coupling {
    VectorXd direction, weight;
  };

  std::string name;       // "angular momentum about e3 (q[0], q[1])"; "momentum (phi)" of a coordinate in R
  std::string generator;  // "rotation about e3 of q[0] + rotation about e3 of q[1]"
  std::string formula;    // in components of q and p = dL/dq'; empty where it would be very long
  std::vector<Block> blocks;
  std::vector<Coupling> couplings;
  double energy = 0;                   // J = X.p - F - energy E: zero but for helical combinations
  bool exact_for_variational = false;  // kept to rounding by the variational integrator, not only by the motion

  double value(const System& system, Workspace& w, const State& state) const;
  void field(In q, Out X) const;  // allocates nothing
  double gauge(In q) const;       // F
};

struct NoetherReport {
  std::vector<ConservedMomentum> momenta;
  bool energy_conserved = false;  // v . dL/dv - L; in a rotating frame this is the Jacobi integral
  int functional_rank = 0;        // how many of the momenta are independent as functions of the state
  double gap = 0;                 // smallest violation of a non-symmetry over largest violation of a symmetry, each
                                  // in units of its rounding errors
  std::vector<std::string> undecided;  // what could not be told with certainty, and why
};

// Inputs that have no law are zero, as in a run, unless they may be anything.
enum class InputsAre : std::uint8_t { zero, anything };
NoetherReport conserved_momenta(const Model& model, InputsAre inputs = InputsAre::zero);

// By its number from 1, its name or generator, or a part of these that no other has. Refuses others, and says what
// there is. Helical combinations do not count.
const ConservedMomentum& symmetry_named(const std::string& name, const std::vector<ConservedMomentum>& symmetries);

// Is the energy among what could not be told?
bool energy_is_undecided(const std::vector<std::string>& undecided);

}  // namespace hamel
