// The discrete Lagrangian of a step, in numbers: by kernels (derive/reduced.hpp), or through the inverse Legendre
// transform of a Hamiltonian.
#pragma once

#include <utility>
#include <variant>

#include "hamel/derive/reduced.hpp"
#include "hamel/mechanics/hamilton.hpp"

namespace hamel {

class DiscreteMap {
 public:
  DiscreteMap(int ambient, DiscreteKernels kernels) : ambient_(ambient), by_(std::move(kernels)) {}
  DiscreteMap(int ambient, Hamilton hamilton) : ambient_(ambient), by_(std::move(hamilton)) {}

  struct Workspace {
    VectorXd scratch, residual;
    MatrixXd jacobian;
    Hamilton::Workspace hamilton;
  };
  Workspace workspace() const;

  void set_parameters(In values);
  std::vector<const Program*> programs() const;

  // Is there a Lagrangian at this point and momentum?
  bool exists(Workspace& w, double t, In q, In p) const;
  // -D1 L_d - f_d^- and its derivative with respect to q1 into w.residual and w.jacobian.
  void begin(Workspace& w, double t, double h, In q0, In q1, In u) const;
  void end(Workspace& w, double t, double h, In q0, In q1, In u, Out p1) const;  // D2 L_d + f_d^+

 private:
  int ambient_;
  std::variant<DiscreteKernels, Hamilton> by_;
};

}  // namespace hamel
