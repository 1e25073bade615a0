// The four presentations of the flow, each as a vector field y' = F(t, y):
//
//   Form::velocity  (q, q')     Euler-Lagrange
//   Form::omega     (q, xi)     Euler-Lagrange in quasi-velocities: omega on S^1 and S^2, Omega on SO(3), ...
//   Form::mu        (q, mu)     Hamilton, mu = P dL/dq'
//   Form::pi        (q, pi)     Hamilton, pi = B^T dL/dq'
//
// In quasi-velocities and on the constant-mass path, F is one program.
//
// Of a first-order system all of them are the same: y = q.
#pragma once

#include "hamel/mechanics/system.hpp"

namespace hamel {

enum class Form { velocity, omega, mu, pi };

class Field {
 public:
  Field(const System& system, Form form);

  const System& system() const { return *system_; }
  Form form() const { return form_; }
  int size() const { return system_->ambient() + partners(); }
  int partners() const;  // of q in y: rates, quasi-velocities or momenta; none of a first-order system

  void operator()(Workspace& w, double t, In y, Out rate);
  std::vector<const Program*> programs() const;  // that it runs

  VectorXd pack(Workspace& w, const State& state);
  State unpack(Workspace& w, double t, In y);
  void unpack(Workspace& w, double t, In y, State& state);
  void velocity(Workspace& w, double t, In y, Out v);  // q' of y
  // Onto the (co)tangent bundle; of a first-order system onto the manifold and its constraints.
  void project(Workspace& w, double t, Out y);

 private:
  void run_motion(Workspace& w, double t, In y, Out rate);
  void momentum_from_rates(Workspace& w, In q, In pi, Out p);  // some p with B^T p = pi

  const System* system_;
  Form form_;
  const Kernel* motion_ = nullptr;  // where F is one program
  VectorXd scratch_, v_, a_, p_, f_, projected_, rates_;
};

}  // namespace hamel
