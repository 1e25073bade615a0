// The momentum p and its rate r of a motion with velocity v and acceleration a, where a Hamiltonian is given, and how
// they change with these (derive/steady.hpp). Empty where it is not.
#pragma once

#include "hamel/derive/steady.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

struct Fibre {
  VectorXd p, r, weights;
  MatrixXd p_q, p_v, r_q, r_v;  // r_a = p_v
};
// Refuses a point where the momentum does not follow from the velocity.
Fibre fibre_at(const System& system, const SteadyKernels& kernels, double t, In q, In v, In a);

// Refuses a Hamiltonian that is degenerate in its momenta wherever one looks.
void need_regular_fibre(const System& system, const SteadyKernels& kernels);

}  // namespace hamel
