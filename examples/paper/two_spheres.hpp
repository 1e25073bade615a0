// The six examples of T. Lee, M. Leok, N. H. McClamroch, "Lagrangian mechanics and variational integrators on
// two-spheres" (2009): their energies and where they start. Where the paper leaves something open or misprints it, the
// settings are those that reproduce its figures; each is told beside the number.
#pragma once

#include <hamel/hamel.hpp>
#include <string>

namespace hamel::two_spheres {

struct Example {
  std::string name;
  System system;
  State start;
  double end;                 // of the simulation
  double unit_of_energy = 1;  // in which the paper gives its energies
};

Example double_pendulum();
Example three_bodies();
Example coupled_pendula();
Example elastic_rod();
Example magnetic_dipoles();
Example molecules(int divisions = 3);  // 642 of them

// Equation (3.20), with (3.19), for y = (q1, q2, omega1, omega2) and l = g = 1. Off the spheres, where Runge-Kutta
// methods soon are, equations that agree on them differ; to compare with the paper takes its own.
void double_pendulum_as_printed(double t, In y, Out rate);

}  // namespace hamel::two_spheres
