// The four kinds of dynamics.
#pragma once

#include <optional>

#include "hamel/derive/constant_mass.hpp"
#include "hamel/derive/energies.hpp"
#include "hamel/mechanics/dynamics.hpp"
#include "hamel/mechanics/hamilton.hpp"
#include "hamel/mechanics/reduced.hpp"
#include "hamel/mechanics/scratch.hpp"

namespace hamel {

// What the two with a Lagrangian share.
class LagrangianDynamics : public Dynamics {
 public:
  void set_parameters(In values) override;
  void prepare(Workspace::Scratch& s) const override;
  void momentum(Workspace& w, double t, In q, In v, Out p) const override;
  void force(Workspace& w, double t, In q, In v, Out f) const override;
  Energy energy(Workspace& w, double t, In q, In v) const override;
  double power(Workspace& w, double t, In q, In v) const override;
  void mu_rate(Workspace& w, double t, In q, In v, In p, Out rate) const override;
  void pi_rate(Workspace& w, double t, In q, In v, In p, Out rate) const override;
  std::vector<const Program*> energy_programs() const override;
  const Kernel& momentum_kernel() const { return energies_.momentum; }

 protected:
  LagrangianDynamics(std::string name, std::shared_ptr<const Geometry> geometry, Constraints constraints,
                     EnergyKernels energies)
      : Dynamics(std::move(name), std::move(geometry), std::move(constraints)), energies_(std::move(energies)) {}

  void check_range() const;
  // dL/dq + f - C^T lambda and p = dL/dv: the rate of p up to forces of the manifold, which P and B^T remove.
  void whole_force(Workspace& w, double t, In q, In v) const;

  EnergyKernels energies_;
};

class ConstantMassDynamics final : public LagrangianDynamics {
 public:
  ConstantMassDynamics(const Model& model, std::shared_ptr<const Geometry> geometry, Constraints constraints,
                       EnergyKernels energies, ConstantMass kernels);

  Path path() const override { return Path::constant_mass; }
  const char* kind() const override { return "constant mass"; }
  const ConstantMass& kernels() const { return kernels_; }
  bool has_finite_velocities() const;

  std::unique_ptr<Dynamics> copy() const override { return std::make_unique<ConstantMassDynamics>(*this); }
  void set_parameters(In values) override;
  std::string broken_decision(const Dynamics& first, In values) const override;
  void check_parameters(const Model& model) const override;
  // Without a Workspace.
  bool is_finite_at(const System& system, const State& state, System::CheckScratch& scratch) const override;
  void prepare(Workspace::Scratch& s) const override;
  void acceleration(Workspace& w, double t, In q, In v, Out a) const override;
  void velocity(Workspace& w, double t, In q, In p, Out v) const override;
  std::vector<const Program*> legendre_programs() const override;
  std::vector<const Program*> motion_programs() const override;

 private:
  void natural_velocity(In q, In v, Out eta) const;
  void ambient_velocity(In q, In eta, Out v) const;
  void ambient_acceleration(Workspace::Scratch& s, In q, In v, In eta_rate, Out a) const;
  int natural_size(int f) const;

  ConstantMass kernels_;
};

class ReducedDynamics final : public LagrangianDynamics {
 public:
  // Of what the constant-mass path refused, the reason is kept.
  ReducedDynamics(const Model& model, const std::shared_ptr<const Geometry>& geometry, const Constraints& constraints,
                  EnergyKernels energies, ConstantMass refused);

  Path path() const override { return Path::reduced; }
  const char* kind() const override { return "reduced"; }

  std::unique_ptr<Dynamics> copy() const override { return std::make_unique<ReducedDynamics>(*this); }
  void set_parameters(In values) override;
  std::string broken_decision(const Dynamics& first, In values) const override;
  void check_parameters(const Model& model) const override;
  void check_configuration(const Model& model, In q) const override;
  void prepare(Workspace::Scratch& s) const override;
  void acceleration(Workspace& w, double t, In q, In v, Out a) const override;
  void velocity(Workspace& w, double t, In q, In p, Out v) const override;
  std::vector<const Program*> legendre_programs() const override;
  std::vector<const Program*> motion_programs() const override;

 private:
  ConstantMass refused_;
  Reduced reduced_;
};

class ProjectionDynamics final : public Dynamics {
 public:
  ProjectionDynamics(const Model& model, const std::shared_ptr<const Geometry>& geometry,
                     const Constraints& constraints);

  Path path() const override { return Path::reduced; }
  const char* kind() const override { return "projection"; }
  bool has_hamiltonian() const override { return true; }
  const Hamilton& hamilton() const { return hamilton_; }

  std::unique_ptr<Dynamics> copy() const override { return std::make_unique<ProjectionDynamics>(*this); }
  void set_parameters(In values) override;
  void check_parameters(const Model&) const override {}
  void prepare(Workspace::Scratch& s) const override;
  void acceleration(Workspace& w, double t, In q, In v, Out a) const override;
  void momentum(Workspace& w, double t, In q, In v, Out p) const override;
  void velocity(Workspace& w, double t, In q, In p, Out v) const override;
  void force(Workspace& w, double t, In q, In v, Out f) const override;
  Energy energy(Workspace& w, double t, In q, In v) const override;
  double power(Workspace& w, double t, In q, In v) const override;
  void mu_rate(Workspace& w, double t, In q, In v, In p, Out rate) const override;
  void pi_rate(Workspace& w, double t, In q, In v, In p, Out rate) const override;
  std::vector<const Program*> legendre_programs() const override { return hamilton_.programs(); }
  std::vector<const Program*> motion_programs() const override { return hamilton_.programs(); }

 private:
  Hamilton hamilton_;
};

class FirstOrderDynamics final : public Dynamics {
 public:
  FirstOrderDynamics(const Model& model, const std::shared_ptr<const Geometry>& geometry,
                     const Constraints& constraints, const LoweredModel& lowered, const Parameters& parameters);

  Path path() const override { return Path::reduced; }
  const char* kind() const override { return "first order"; }
  bool has_energies() const override { return false; }
  const Kernel* motion() const { return allowed_ ? nullptr : &field_; }  // where nothing holds the field

  std::unique_ptr<Dynamics> copy() const override { return std::make_unique<FirstOrderDynamics>(*this); }
  void set_parameters(In values) override;
  void check_parameters(const Model& model) const override;
  void check_velocity(const State& state, double tolerance) const override;
  void prepare(Workspace::Scratch& s) const override;
  void field(Workspace& w, double t, In q, Out v) const override;
  void restore(Workspace& w, double t, Out q) const override;
  std::vector<const Program*> motion_programs() const override;

  void acceleration(Workspace&, double, In, In, Out) const override { refuse("acceleration"); }
  void momentum(Workspace&, double, In, In, Out) const override { refuse("momentum"); }
  void velocity(Workspace&, double, In, In, Out) const override { refuse("momentum"); }
  void force(Workspace&, double, In, In, Out) const override { refuse("force"); }
  Energy energy(Workspace&, double, In, In) const override { refuse("energy"); }
  double power(Workspace&, double, In, In) const override { refuse("power"); }
  void mu_rate(Workspace&, double, In, In, In, Out) const override { refuse("momentum"); }
  void pi_rate(Workspace&, double, In, In, In, Out) const override { refuse("momentum"); }

 private:
  [[noreturn]] void refuse(const char* what) const;

  int inputs_;
  Kernel field_;                    // (q, nothing, u, {t}) -> (f, nothing, nothing), as a motion of (q, xi)
  std::optional<Reduced> allowed_;  // the part of f that constraints allow: the velocity of that momentum, L = |v|^2/2
};

}  // namespace hamel
