// From typed formulas to the scalar graph.
//
// Everything is in the ambient coordinates: q and its rate v, factor after factor; matrices column by column.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hamel/graph/differentiate.hpp"
#include "hamel/graph/expr.hpp"
#include "hamel/model/model.hpp"

namespace hamel {

struct LoweredModel {
  std::vector<Expr> q, v;        // ambient coordinates and their rates
  std::vector<Expr> mu;          // ambient momenta, if a Hamiltonian is given
  std::vector<Expr> u;           // inputs, one after another
  std::vector<Expr> parameters;  // entries of all parameters, one after another, column by column
  Expr t;
  std::vector<int> offsets;  // where each coordinate begins in q; the ambient dimension at the end

  // The Lagrangian is the sum of these: every summand of every energy is a term of its own.
  std::vector<Expr> kinetic;      // T
  std::vector<Expr> potential;    // U (enters L with a minus)
  std::vector<Expr> lagrangian;   // L
  std::vector<Expr> hamiltonian;  // H(q, mu, t), instead of all of these
  std::vector<Expr> field;        // f(t, q, u) of q' = f, instead of energies

  std::vector<std::pair<Expr, Expr>> forces;  // (component of a force, the rate that it works on)
  std::vector<MatrixXe> points;               // the named points of the model, in its order
  Expr rayleigh;                              // sum of the dissipation functions
  std::vector<Expr> constraints;
  std::vector<std::string> constraint_names;  // one per scalar constraint: "loop[2]"

  TimeDerivative rate;  // remembers the rate of every node that was differentiated
};

// In the current graph.
LoweredModel lower(const Model& model);
std::size_t lowered_models();  // how many of them, in this process

// One formula, with the variables of a lowered model: rows x cols.
MatrixXe lower(const Formula& formula, const Model& model, LoweredModel& lowered);
// Several: what they share is lowered once.
std::vector<MatrixXe> lower(const std::vector<Formula>& formulas, const Model& model, LoweredModel& lowered);

// Values of all parameters in the order of LoweredModel::parameters.
Eigen::VectorXd parameter_values(const Model& model);

}  // namespace hamel
