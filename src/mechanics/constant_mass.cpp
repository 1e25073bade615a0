#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hamel/derive/lift.hpp"
#include "hamel/model/index.hpp"
#include "mechanics/kinds.hpp"
#include "mechanics/regularity.hpp"

namespace hamel {

ConstantMassDynamics::ConstantMassDynamics(const Model& model, std::shared_ptr<const Geometry> geometry,
                                           Constraints constraints, EnergyKernels energies, ConstantMass kernels)
    : LagrangianDynamics(model.name(), std::move(geometry), std::move(constraints), std::move(energies)),
      kernels_(std::move(kernels)) {}

void ConstantMassDynamics::set_parameters(In values) {
  LagrangianDynamics::set_parameters(values);
  kernels_.set_parameters(values);
}

std::string ConstantMassDynamics::broken_decision(const Dynamics& first, In values) const {
  return kernels_.broken_decision(dynamic_cast<const ConstantMassDynamics&>(first).kernels_, values);
}

void ConstantMassDynamics::check_parameters(const Model&) const {
  check_range();
  if (!has_finite_velocities())
    throw std::domain_error(fmt::format(
        "the equations of motion of {} are singular for these parameters; derive the model with them anew to see why",
        name_));
}

// Without inertia, a momentum has no finite velocity.
bool ConstantMassDynamics::has_finite_velocities() const {
  const VectorXd &q = geometry_->trial_point(), &p = geometry_->trial_tangent();
  VectorXd eta(kernels_.natural.back());
  VectorXd scratch(static_cast<Eigen::Index>(kernels_.velocity.program().scratch_size()));
  const double t = 0;
  kernels_.velocity.run<3, 1>({q.data(), p.data(), &t}, {eta.data()}, scratch.data());
  return eta.allFinite();
}

bool ConstantMassDynamics::is_finite_at(const System& system, const State& state, System::CheckScratch& scratch) const {
  const auto& [t, q, v] = state;
  auto& [tangent, program, u, multipliers, momentum, eta, eta_rate] = scratch;
  const std::size_t room =
      std::max({energies_.energy.program().scratch_size(), energies_.momentum.program().scratch_size(),
                kernels_.acceleration.program().scratch_size()});
  program.resize(static_cast<Eigen::Index>(room));
  u.setZero(system.inputs());
  multipliers.resize(constraints_.size());
  momentum.resize(geometry_->ambient());
  eta.resize(kernels_.natural.back());
  eta_rate.resize(kernels_.natural.back());
  Eigen::Vector4d energy;
  energies_.energy.run<4, 1>({q.data(), v.data(), u.data(), &t}, {energy.data()}, program.data());
  energies_.momentum.run<3, 1>({q.data(), v.data(), &t}, {momentum.data()}, program.data());
  if (kernels_.natural_is_ambient)
    eta = v;
  else
    natural_velocity(q, v, eta);
  kernels_.acceleration.run<4, 2>({q.data(), eta.data(), u.data(), &t}, {eta_rate.data(), multipliers.data()},
                                  program.data());
  return std::isfinite(energy(1)) && std::isfinite(energy(2)) && momentum.allFinite() && eta_rate.allFinite();
}

void ConstantMassDynamics::prepare(Workspace::Scratch& s) const {
  LagrangianDynamics::prepare(s);
  s.eta = s.eta_rate = VectorXd::Zero(kernels_.natural.back());
  s.make_room({&kernels_.acceleration, &kernels_.velocity});
}

void ConstantMassDynamics::acceleration(Workspace& w, double t, In q, In v, Out a) const {
  Workspace::Scratch& s = w.scratch();
  const auto run = [&](const double* eta, double* eta_rate) {
    kernels_.acceleration.run<4, 2>({q.data(), eta, w.u.data(), &t}, {eta_rate, w.multipliers.data()},
                                    s.program.data());
  };
  if (kernels_.natural_is_ambient) {
    run(v.data(), a.data());
  } else {
    natural_velocity(q, v, s.eta);
    run(s.eta.data(), s.eta_rate.data());
    ambient_acceleration(s, q, v, s.eta_rate, a);
  }
  need_finite_acceleration(a, t);
}

void ConstantMassDynamics::velocity(Workspace& w, double t, In q, In p, Out v) const {
  Workspace::Scratch& s = w.scratch();
  double* eta = kernels_.natural_is_ambient ? v.data() : s.eta.data();
  kernels_.velocity.run<3, 1>({q.data(), p.data(), &t}, {eta}, s.program.data());
  if (!kernels_.natural_is_ambient) ambient_velocity(q, s.eta, v);
}

int ConstantMassDynamics::natural_size(int f) const { return kernels_.natural[at(f + 1)] - kernels_.natural[at(f)]; }

void ConstantMassDynamics::natural_velocity(In q, In v, Out eta) const {
  for (int f = 0; f < geometry_->factors(); ++f) {
    const Manifold& factor = geometry_->space(f);
    const int begin = geometry_->offset(f), n = factor.ambient();
    auto out = eta.segment(kernels_.natural[at(f)], natural_size(f));
    if (is_by_basis(factor))
      factor.rates(q.segment(begin, n), v.segment(begin, n), out);
    else
      out = v.segment(begin, n);
  }
}

void ConstantMassDynamics::ambient_velocity(In q, In eta, Out v) const {
  for (int f = 0; f < geometry_->factors(); ++f) {
    const Manifold& factor = geometry_->space(f);
    const int begin = geometry_->offset(f), n = factor.ambient();
    const auto in = eta.segment(kernels_.natural[at(f)], natural_size(f));
    auto out = v.segment(begin, n);
    if (is_by_basis(factor))
      factor.velocity(q.segment(begin, n), in, out);
    else
      out = in;
  }
}

void ConstantMassDynamics::ambient_acceleration(Workspace::Scratch& s, In q, In v, In eta_rate, Out a) const {
  ambient_velocity(q, eta_rate, a);
  geometry_->curvature(q, v, s.geometry, s.numbers);
  for (int f = 0; f < geometry_->factors(); ++f) {
    if (!is_by_basis(geometry_->space(f))) continue;
    const int begin = geometry_->offset(f), n = geometry_->space(f).ambient();
    a.segment(begin, n) += s.numbers.segment(begin, n);
  }
}

std::vector<const Program*> ConstantMassDynamics::legendre_programs() const { return {&kernels_.velocity.program()}; }

std::vector<const Program*> ConstantMassDynamics::motion_programs() const {
  std::vector<const Program*> all{&energies_.force.program(), &kernels_.acceleration.program(),
                                  &kernels_.velocity.program()};
  for (const Program* program : constraints_.programs()) all.push_back(program);
  return all;
}

}  // namespace hamel
