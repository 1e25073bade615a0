// Systems of the book on R^n, S^1 and S^2, by their energies. Sections are the book's; e2 (planar) or e3 points up.
#pragma once

#include <hamel/model/model.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace hamel::test {

inline constexpr double g = 9.81;
inline constexpr double m1 = 1.3, m2 = 0.7, L1 = 0.9, L2 = 1.4;  // of two links
inline constexpr double m = 1.2, L = 0.9;                        // of a single body
inline constexpr double kappa = 2.5;                             // springs between pendulums
inline constexpr double Omega = 1.7;                             // of rotating frames
inline constexpr double R_torus = 2.0, r_torus = 0.6;
inline constexpr double J_base = 0.5;  // of the robot
inline constexpr double m_rod = 1.0, L_rod = 1.2, J_rod = 0.48, kappa_string = 40.0;
inline constexpr double m_cart = 2.1;

Model planar_pendulum();                  // 4.6.1
Model particle_rotating_hoop();           // 4.6.2
Model particle_rotating_hoop_in_space();  // the same, by its position in space at time t
Model two_elastic_planar_pendulums();     // 4.6.3
Model double_planar_pendulum();           // 4.6.4
Model particle_on_torus();                // 4.6.5
Model furuta_pendulum();                  // 4.6.6
Model revolute_robot();                   // 4.6.7
Model spherical_pendulum();               // 5.6.1
Model particle_rotating_sphere();         // 5.6.2
Model particle_rotating_sphere_in_space();
Model spherical_pendulum_three_strings();  // 5.6.3
Model two_elastic_spherical_pendulums();   // 5.6.4
Model double_spherical_pendulum();         // 5.6.5
Model horizontal_pendulum_on_cart();       // 9.2
Model planar_spherical_pendulum();         // 9.3
Model spherical_pendulum_on_cart();        // 9.4

// Chains of n links; a point mass at the outboard end of each.
double chain_mass(int i);
double chain_length(int i);
Model chain_pendulum(int n);             // 10.2
Model controlled_chain_pendulum(int n);  // with a torque tau at the base and a force d at the tip as inputs
Model chain_pendulum_on_cart(int n);     // 10.3, with a force u on the cart as input
Model free_free_chain(int n);            // 10.4
inline constexpr double m_end = 0.8;     // at its first end

// Uniform rods with bending energy c (1 - q_{i-1}.q_i), clamped along rod_clamp.
Model fixed_free_elastic_rod(int n);  // 10.5
double rod_stiffness(int i);
inline const Eigen::Vector3d rod_clamp{0.36, 0.48, 0.8};

// All of the above.
struct Exhibit {
  std::string name;
  Model (*model)();
  bool constant_mass;  // does it take that path?
};
const std::vector<Exhibit>& gallery();
inline void PrintTo(const Exhibit& exhibit, std::ostream* out) { *out << exhibit.name; }

}  // namespace hamel::test
