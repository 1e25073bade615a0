// Angular velocities as formulas of q and q'.
//
// The ambient formula of an energy is part of a variational method, so |q'|^2 is preferred to |q x q'|^2 and
// tr(R' J_d R'^T) to Omega.(J Omega), though they are equal on the manifold. Energies are therefore first written with
// auxiliary variables in place of the angular velocities; then their quadratic part can be seen.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "hamel/model/lower.hpp"

namespace hamel {

class AngularVelocity {
 public:
  AngularVelocity(const Model& model, const LoweredModel& lowered) : model_(model), lowered_(lowered) {}

  MatrixXe auxiliary(int coordinate);                       // variables that stand for omega
  std::vector<Expr> put_in(std::span<const Expr> f) const;  // omega as a formula in place of the variables
  Expr put_in_energy(Expr energy) const;

 private:
  struct Factor {
    int coordinate;
    std::vector<Expr> variables, values;
  };

  std::vector<Expr> values(int coordinate) const;
  Expr natural_energy(int coordinate, const MatrixXe& inertia) const;
  bool has_natural_energy(int coordinate, const MatrixXe& inertia) const;
  bool depends_on_parameters_only(const MatrixXe& inertia) const;
  std::vector<std::size_t> factors_in(Expr energy) const;
  // The natural energies of the blocks of the Hessian that have one; those blocks become zero.
  Expr take_natural_energy(const std::vector<std::size_t>& factors, MatrixXe& hessian) const;
  VectorXe part(const std::vector<Expr>& ambient, int coordinate, int begin, int size) const;

  const Model& model_;
  const LoweredModel& lowered_;
  std::unordered_map<int, std::size_t> factor_of_;  // by coordinate
  std::unordered_map<std::uint32_t, std::size_t> factor_of_variable_;
  std::vector<Factor> factors_;
  std::unordered_map<std::uint32_t, Expr> replacement_;
};

}  // namespace hamel
