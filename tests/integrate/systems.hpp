// Mechanical systems to integrate, each with a start.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "hamel/integrate/stepper.hpp"

namespace hamel::test {

struct Example {
  std::string name;
  System system;
  State start;
};

Example double_pendulum(Path path = Path::automatic);  // two spheres; gravity, masses and lengths of no special ratio
Example chain(int links, Path path = Path::automatic);
Example coupled_planar(Path path = Path::automatic);   // S^1 x S^1 x R^2: pendula on a cart, and a spring
Example rotating_sphere(Path path = Path::automatic);  // a particle on a sphere, seen from a rotating frame
Example relativistic();                                // L = -m c^2 sqrt(1 - |v|^2/c^2) - U
Example free_body(const Eigen::Vector3d& inertia);
Example heavy_top();                                   // symmetric, about a fixed point
Example body_pendulum();                               // 3-D pendulum, generic inertia
Example floating_body();                               // SE(3), centre of mass off the origin, in a potential
Example torus();                                       // a particle on the quartic torus in R^3
Example torus_of_angles();                             // the same as S^1 x S^1: the mass depends on q
Example slider_crank(Path path = Path::automatic);     // S^1 x R with a constraint
Example damped_pendulum(Path path = Path::automatic);  // Rayleigh dissipation
Example driven_pendulum(Path path = Path::automatic);  // explicit time, and an input
Example group_se2();                                   // SE(2) as a matrix group
Example orbit_of_rotations();                          // S^2 as a homogeneous space
Example hamiltonian_pendulum();
Example lagrangian_pendulum(Path path = Path::automatic);  // the same by its Lagrangian
Example degenerate_hamiltonian();                          // regular on T*S^2, but not in the ambient momentum

// So many steps; a negative step goes back in time.
State advance(const Example& example, const State& start, const Method& method, int steps);
inline State advance(const Example& example, const State& start, double step, int steps) {
  return advance(example, start, Variational{step}, steps);
}

// All of them, by name: those with an energy, and those with constraints, dissipation or explicit time.
struct Case {
  const char* name;
  std::function<Example()> make;
};
inline std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
std::vector<Case> conservative_cases();
std::vector<Case> all_cases();

// Every method of the table, with this step or tolerance; those that can choose their steps also do. Compositions are
// left out of rules other than the trapezoidal one: they are made of steps of order 2, which are there.
struct NamedMethod {
  std::string name;  // as part of the name of a test
  Method method;
  MethodInfo info;
};
inline std::ostream& operator<<(std::ostream& out, const NamedMethod& m) { return out << m.name; }
std::vector<NamedMethod> methods_of_the_table(double step, double tolerance);
// Is it a method for this system?
bool is_for(const MethodInfo& method, const Case& c);

// The largest difference of positions and velocities.
double distance(const State& a, const State& b);

// A very accurate state at a later time, by rk45.
State reference(const Example& example, double duration);

// Sum of q x p over the coordinates on S^2 and over the columns of attitudes: angular momentum in space.
Eigen::Vector3d angular_momentum(const System& system, const State& state);

}  // namespace hamel::test
