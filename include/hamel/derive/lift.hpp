// Choosing variables in which the mass is sparse.
//
// The energies of chains, trees, rods and carts are written with points x_k = x_{k-1} + l_k q_k. In the ambient
// coordinates q the mass of such a system is a full matrix; in the points it is diagonal or local. So every shared
// affine point that carries inertia becomes a coordinate of its own, and takes the place of a coordinate of q that
// it determines: q_k = (x_k - x_{k-1}) / l_k. Only rates and increments are ever expressed in these variables; the
// state remains q, so no digits are lost in long sums.
#pragma once

#include <vector>

#include "hamel/derive/elimination.hpp"
#include "hamel/derive/point_places.hpp"
#include "hamel/model/lower.hpp"

namespace hamel {

struct Lifted {
  // All coordinates: the ambient q of the model, then the lifted points; and their rates.
  std::vector<Expr> Q, V;
  std::vector<Expr> point_values, point_rates;  // what the points and their rates are in terms of q and v

  // V = A z' and V' = A z'' + offset. For factors treated by their basis, z' are their quasi-velocities.
  using Row = std::vector<std::pair<int, Expr>>;
  std::vector<Row> A;
  std::vector<Expr> offset;
  std::vector<Unknown> z;  // the independent increments, with the factor each belongs to
  // The same with the ambient rates of those factors instead: index z.size() + i stands for the rate of q[i]. It holds
  // for finite increments too.
  std::vector<Row> E;
  std::vector<int>
      natural;  // where the natural velocity of each factor begins in eta (ambient rate, or quasi-velocity)

  // The energies and the rest of the model in terms of Q and V.
  std::vector<Expr> kinetic, potential, lagrangian;
  std::vector<std::pair<Expr, Expr>> forces;
  Expr rayleigh;
  std::vector<Expr> constraints;  // of the user

  PointPlaces places;
};

// Is a factor treated by its basis (groups), or in ambient coordinates with its constraints?
bool is_by_basis(const Manifold& factor);

// Why a factor cannot be part of the sparse path; empty for R^n, spheres, embedded manifolds, SO(3), SE(3).
std::string lifting_obstacle(const Manifold& factor);

Lifted lift(const Model& model, const LoweredModel& lowered);

}  // namespace hamel
