// The linear equations near an equilibrium, or near a steady motion in its own moving frame:
//
//   const LinearModel model = linearize(system, state);            // state.v = 0; refuses a point that is none
//   const auto [A, B] = model.first_order();                       // (x, x')' = A (x, x') + B u
//
//   M x'' + (D + G) x' + K x = B u        x: coordinates in a basis of the tangent space, constraints eliminated
//
// D is symmetric (damping), G is skew (gyroscopic). K is symmetric where there are no forces, or only potential ones;
// it has the multipliers of all constraints in it, those of spheres too: U_qq - lambda c_qq - F_q. Exact derivatives,
// nothing is differenced. A field is D x' + K x = B u with M = 0 and D = 1. Where a Hamiltonian is given, L is its
// Legendre transform, at the point and to second order.
//
// A steady motion is q(t) = exp(t xi) y with y at rest, where the field xi(q) = A q + b of a symmetry is given: V = y'
// + A y + b, and M, G, K are those of L(y, y' + A y + b). K is then the Hessian of U - T(xi), and x'M x'/2 + x K x/2
// the second variation of the energy less momentum.
//
// Columns of the basis are orthonormal; on groups, where the rates are as many as the dimensions, they belong to the
// rates (on SO(3) the body angular velocity), so that M is the inertia matrix of a body.
#pragma once

#include <functional>
#include <memory>

#include "hamel/derive/characteristic.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

struct ConservedMomentum;  // symmetry/noether.hpp
struct SteadyKernels;      // derive/steady.hpp
struct Scales;             // analyze/scales.hpp

// q -> turn q + shift
struct Displacement {
  MatrixXd turn;
  VectorXd shift;
};

// q' = A q + b. Empty: rest.
struct Generator {
  MatrixXd A;
  VectorXd b;

  bool is_rest() const { return b.size() == 0; }
  VectorXd velocity(In q) const { return is_rest() ? VectorXd::Zero(q.size()) : VectorXd(A * q + b); }
  Displacement displacement(double time) const;  // exp(time X); not of rest
};
Generator generator(const ConservedMomentum& momentum, int ambient, double rate = 1);
Generator operator+(const Generator& a, const Generator& b);

struct LinearModel {
  State at;
  VectorXd inputs;  // that it is kept in balance by
  Generator moving;
  MatrixXd basis;  // ambient x n
  VectorXd units;  // of the entries of q: a length that the system has of its own; 1 of directions and attitudes
  MatrixXd M, D, G, K, B;
  bool is_field = false;
  bool has_forces = false;  // or inputs that are not zero, or time: the energy need not be kept
  bool is_uniform = true;   // along a steady motion it stays the same, inputs too; known where it was asked to be one
  VectorXd multipliers;     // of the constraints of the factors, then of the user's
  VectorXd residual;        // what is left of the forces, along the basis
  double imbalance = 0;     // the same, relative to the sizes of what cancels

  int size() const { return static_cast<int>(K.rows()); }
  int order() const { return is_field ? 1 : 2; }
  struct FirstOrder {
    MatrixXd A, B;
  };
  FirstOrder first_order() const;  // of x, or of (x, x')
};

// Those of one system, at many places.
class Linearization {
 public:
  explicit Linearization(const System& system);

  const System& system() const { return system_; }
  // At any point, whether it balances or not. Refuses one where the constraints are not independent.
  LinearModel near(double t, In q, In u = VectorXd(), const Generator& moving = {}) const;
  // Refuses a point that is no equilibrium; says how far off it is, and which one is near.
  LinearModel at(const State& state, In u = VectorXd(), const Generator& moving = {}) const;

  // The lengths that the system has of its own, where q moves as it is told.
  using Moving = std::function<Generator(In q)>;
  const Scales& scales() const { return *scales_; }
  void measure(double t, In u, const Moving& moving);

  // d/dt dL/dv - dL/dq - f, at rest dU/dq - f, before constraints act, in natural coordinates
  // (mechanics/derivatives.hpp); all inputs given.
  VectorXd forces(double t, In q, In u, const Generator& moving = {}) const;
  bool is_conservative(In u) const;  // with these inputs
  // Is it true of the linear model there at other times, too? In units of its own rates.
  bool always(const LinearModel& model, const std::function<bool(double t)>& is_true) const;
  // The derivative of a conserved momentum by (x, x') there: one row.
  Eigen::RowVectorXd slope(const ConservedMomentum& momentum, const LinearModel& model) const;

 private:
  struct Frame {
    MatrixXd natural, ambient;  // the basis, in either kind of coordinates
  };
  Frame frame(In q, const MatrixXd& reactions) const;
  bool stays_the_same(const LinearModel& model) const;
  struct Balanced {
    VectorXd F, c, sizes;
    MatrixXd reactions;
  };
  struct Variations {
    MatrixXd by_point, by_velocity, by_acceleration, by_input;
  };
  Variations variations_at(const LinearModel& model, In v, In a) const;
  Variations variations(const LinearModel& model, In a) const;
  Balanced balance(double t, In q, In v, In a, In u) const;
  Balanced balance_or_nan(double t, In q, In v, In a, In u) const;

  System system_;
  std::shared_ptr<const SteadyKernels> kernels_;
  std::shared_ptr<const Scales> scales_;
  bool is_conservative_without_inputs_ = false;
};

// det(s^2 M + s (D + G) + K) in symbols, of a system at rest without inputs; see derive/characteristic.hpp.
std::optional<CharacteristicPolynomial> characteristic_polynomial(const System& system, const LinearModel& model);

LinearModel linearize(const System& system, const State& state, In u = VectorXd(), const Generator& moving = {});

}  // namespace hamel
