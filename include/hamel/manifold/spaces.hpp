// Configuration spaces by name, in C++ and in model files.
//
//   Rn(3), S1(), S2(), Sphere(3), SO3(), SE3() are classes; SO2(), SE2(), SO(4), SL(2) and Stiefel(4, 2) below are made
//   of LieGroup and Embedded. space_by_name("SE", {2}) is what "SE2" and "SE(2)" in a model file stand for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hamel/manifold/factors.hpp"
#include "hamel/manifold/stiefel.hpp"

namespace hamel {

Manifold SO(int n);                      // rotations of R^n, as n x n matrices; SO(3) has a class of its own
Manifold SE(int n);                      // displacements of R^n: [R x; 0 1]; SE(3) has a class of its own
Manifold SL(int n);                      // matrices of determinant 1
inline Manifold SO2() { return SO(2); }  // g' = g hat(xi)
inline Manifold SE2() { return SE(2); }  // xi = (omega, v): R' = omega R S, x' = R v
inline Manifold SL2() { return SL(2); }  // X = [xi_1 xi_2; xi_3 -xi_1]

struct SpaceRow {
  std::string_view name;
  std::string_view form;  // as it is written, for messages
  int arguments;
  int least, most;  // of each argument
  Manifold (*make)(std::span<const int> arguments);
};

std::span<const SpaceRow> space_rows();
const SpaceRow* find_space(std::string_view name);
// Throws std::invalid_argument, which says what there is.
Manifold space_by_name(std::string_view name, std::span<const int> arguments);

}  // namespace hamel
