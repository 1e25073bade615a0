// All of hamel.
//
//   Model       what you write: energies in vectors and rotation matrices          model/model.hpp
//   S2(), ...   where it moves                                                     manifold/spaces.hpp
//   derive      their equations of motion, a System                                mechanics/system.hpp
//   integrate   the motion, a Trajectory                                           integrate/integrate.hpp
//
//   conserved_momenta   what is conserved, and why                                 symmetry/noether.hpp
//   equilibria          where it can rest; linearize, stability                    analyze/equilibria.hpp
//   ensemble            many members of it: what varies, what is kept, where         ensemble/ensemble.hpp
//   textbook_equations  the equations of motion, to read                           textbook/textbook.hpp
//   equations           the same in components, as formulas                        derive/equations.hpp
//   c_source            the same as C                                              export/c_source.hpp
//   Field, Derivatives  vector fields of the four forms; how the motion varies     mechanics/field.hpp, derivatives.hpp
#pragma once

#include "hamel/analyze/equilibria.hpp"
#include "hamel/derive/equations.hpp"
#include "hamel/ensemble/ensemble.hpp"
#include "hamel/export/c_source.hpp"
#include "hamel/integrate/integrate.hpp"
#include "hamel/integrate/stepper.hpp"
#include "hamel/manifold/spaces.hpp"
#include "hamel/mechanics/derivatives.hpp"
#include "hamel/mechanics/field.hpp"
#include "hamel/mechanics/system.hpp"
#include "hamel/model/model.hpp"
#include "hamel/symmetry/noether.hpp"
#include "hamel/textbook/textbook.hpp"
