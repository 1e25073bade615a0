// Configuration spaces by name, in C++ and in model files.
//
//   Rn(3), S1(), S2(), Sphere(3), SO3(), SE3() are classes; SO2(), SE2(), SO(4), SL(2) and Stiefel(4, 2) below are made
//   of LieGroup and Embedded. One table has the names of all: space_by_name("SE", {2}) is what SE2 and SE(2) in a
//   model file stand for.
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

// A row of the table of spaces: one of numbers, as SE2 and Stiefel(4, 2), or of matrices, as group(A, B).
struct SpaceRow {
  std::string_view name;
  std::string_view forms;    // all of them, for messages: R1, R2, ...
  std::string_view example;  // R3
  std::string_view needs;    // a number
  std::size_t arguments;     // how many; of matrices, at least
  int least, most;           // of each number
  Manifold (*make)(std::span<const int> numbers) = nullptr;
  Manifold (*make_of_matrices)(std::vector<MatrixXd> matrices, const std::string& text) = nullptr;

  bool is_of_matrices() const { return make_of_matrices != nullptr; }
  bool is_numbered() const { return !is_of_matrices() && arguments == 1; }  // R3 is R(3)
};

std::span<const SpaceRow> space_rows();
const SpaceRow* find_space(std::string_view name);  // nullptr where there is none
// Both throw std::invalid_argument, which says what there is.
Manifold space_by_name(std::string_view name, std::span<const int> numbers);
Manifold space_by_name(std::string_view name, std::vector<MatrixXd> matrices, const std::string& text);

// The one of numbers whose name() this is: "S2", "Stiefel(4, 2)". None where there is no such space.
std::optional<Manifold> space_called(const std::string& name);

}  // namespace hamel
