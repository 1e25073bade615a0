// How a system moves, in numbers. There are four kinds, one file each in src/mechanics/:
//
//   constant_mass   the mass is constant in ambient coordinates and points: sparse, O(n)  derive/constant_mass.hpp
//   reduced         every Lagrangian on every manifold: dense                             reduced.hpp
//   projection      a given Hamiltonian                                                   hamilton.hpp
//   first_order     a given field, q' = f(t, q) - C^T lambda
//
// System is what people use; this is for those who make or step one.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hamel/mechanics/constraints.hpp"
#include "hamel/mechanics/geometry.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

class Dynamics {
 public:
  virtual ~Dynamics() = default;

  virtual Path path() const = 0;
  virtual const char* kind() const = 0;  // "constant mass"
  virtual bool has_energies() const { return true; }
  virtual bool has_hamiltonian() const { return false; }

  const std::string& name() const { return name_; }  // of the system
  const Geometry& geometry() const { return *geometry_; }
  const Constraints& constraints() const { return constraints_; }

  // The same with other values of the parameters, before anybody else sees it.
  virtual std::unique_ptr<Dynamics> copy() const = 0;
  virtual void set_parameters(In values) { constraints_.set_parameters(values); }
  // What was decided for the parameters of the first one and would be decided otherwise for these; empty: nothing.
  virtual std::string broken_decision(const Dynamics& first, In values) const;
  // Refuses parameters for which the equations are singular, or their numbers out of range.
  virtual void check_parameters(const Model& model) const = 0;
  // Refuses a configuration where the constraints are not independent, or leave a direction without inertia.
  virtual void check_configuration(const Model& model, In q) const;
  // Energies, momentum and acceleration; `system` is the one that has these dynamics.
  virtual bool is_finite_at(const System& system, const State& state, System::CheckScratch& scratch) const;
  // Refuses a velocity that the equations of motion do not allow.
  virtual void check_velocity(const State& state, double tolerance) const;

  virtual void prepare(Workspace::Scratch& s) const;  // its sizes

  // As in System.
  virtual void acceleration(Workspace& w, double t, In q, In v, Out a) const = 0;
  virtual void momentum(Workspace& w, double t, In q, In v, Out p) const = 0;
  virtual void velocity(Workspace& w, double t, In q, In p, Out v) const = 0;
  virtual void force(Workspace& w, double t, In q, In v, Out f) const = 0;
  virtual Energy energy(Workspace& w, double t, In q, In v) const = 0;
  virtual double power(Workspace& w, double t, In q, In v) const = 0;
  // Rates of the momenta mu = P p and pi = B^T p, where p belongs to v.
  virtual void mu_rate(Workspace& w, double t, In q, In v, In p, Out rate) const = 0;
  virtual void pi_rate(Workspace& w, double t, In q, In v, In p, Out rate) const = 0;

  // Where the velocity follows from the point.
  virtual void field(Workspace& w, double t, In q, Out v) const;
  virtual void restore(Workspace& w, double t, Out q) const;  // onto the manifold and the constraints

  // What computes energies and momenta; the velocities of momenta; and these, forces and accelerations.
  virtual std::vector<const Program*> energy_programs() const { return {}; }
  virtual std::vector<const Program*> legendre_programs() const { return {}; }
  virtual std::vector<const Program*> motion_programs() const = 0;

 protected:
  Dynamics(std::string name, std::shared_ptr<const Geometry> geometry, Constraints constraints)
      : name_(std::move(name)), geometry_(std::move(geometry)), constraints_(std::move(constraints)) {}
  Dynamics(const Dynamics&) = default;

  void need_finite_acceleration(In a, double t) const;

  std::string name_;
  std::shared_ptr<const Geometry> geometry_;
  Constraints constraints_;
};

}  // namespace hamel
