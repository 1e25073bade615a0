// One step of a Lie-group Runge-Kutta method of order 4 for y = (q, xi), between evaluations of the vector field:
//
//   for (std::size_t i = 0; i < step.stages; ++i) step.k[i] = field(t + step.c[i] * h, step.at_stage(i, h));
//   y = step.end(h);
//
//   rkmk4              q1 = exp(u) q0, where u' = dexp^-1_u A is integrated in the algebra; Munthe-Kaas, "High order
//                      Runge-Kutta methods on manifolds" (1999)
//   commutator_free4   two exponentials and no bracket; Celledoni, Marthinsen, Owren, "Commutator-free Lie group
//                      methods" (2003)
//
// Both on the classical tableau, by which the quasi-velocities advance as well.
#pragma once

#include <array>
#include <vector>

#include "hamel/integrate/method.hpp"
#include "hamel/mechanics/system.hpp"
#include "integrate/group_action.hpp"

namespace hamel {

// The product of the groups of all factors, acting on the configuration.
class ProductAction {
 public:
  explicit ProductAction(const System& system);  // refused where no group is known to act on a factor

  Eigen::Index size() const { return size_; }
  void generator(In q, In xi, Out A) const;
  void move(In A, Out q);
  void pull_back(In u, Out A);  // A := dexp^-1_u A = A - [u, A]/2 + [u, [u, A]]/12 + O(u^4)
  // What xi has in the isotropy algebra (omega along q, on S^2) moves nothing, and is zero but for the error.
  void drop_isotropy(In q, Out xi);

 private:
  struct Part {  // a factor, and where its numbers begin
    Manifold factor;
    std::unique_ptr<GroupAction> action;
    Eigen::Index points, rates, point, rate, element;
  };

  void bracket(In A, In B, Out result) const;

  std::vector<Part> parts_;
  Eigen::Index size_ = 0;
  VectorXd inner_, outer_, velocity_;
};

class LieRkStep {
 public:
  static constexpr std::size_t stages = 4;
  static constexpr std::array<double, stages> c = {0, 0.5, 0.5, 1};

  // y has the numbers of q and then as many partners, none for first-order systems.
  LieRkStep(const System& system, LieScheme scheme, Eigen::Index partners);

  const VectorXd& at_stage(std::size_t i, double h);  // needs the rates of those before it
  const VectorXd& end(double h);                      // needs all of them; not finite where there is none

  VectorXd y;                      // where the step begins
  std::array<VectorXd, stages> k;  // the rates

 private:
  auto q(VectorXd& x) const { return x.head(system_.ambient()); }
  auto xi(VectorXd& x) const { return x.tail(partners_); }
  void find_generator(std::size_t i);
  void move_from(VectorXd& x);

  const System& system_;
  LieScheme scheme_;
  Eigen::Index partners_;
  ProductAction action_;
  VectorXd point_, middle_, u_, xi_;
  std::array<VectorXd, stages> A_;  // elements of the algebra
};

}  // namespace hamel
