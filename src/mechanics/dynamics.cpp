#include "hamel/mechanics/dynamics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hamel/mechanics/scratch.hpp"
#include "mechanics/regularity.hpp"

namespace hamel {

void Workspace::Scratch::make_room(std::initializer_list<const Kernel*> kernels) {
  auto size = static_cast<std::size_t>(program.size());
  for (const Kernel* kernel : kernels)
    if (!kernel->empty()) size = std::max(size, kernel->program().scratch_size());
  program.resize(static_cast<Eigen::Index>(size));
}

void Dynamics::prepare(Workspace::Scratch& s) const {
  for (VectorXd* x : {&s.momentum, &s.force, &s.acceleration, &s.numbers}) *x = VectorXd::Zero(geometry_->ambient());
  s.rates = VectorXd::Zero(geometry_->rates());
  s.geometry = geometry_->workspace();
  s.constraint = constraints_.workspace();
}

std::string Dynamics::broken_decision(const Dynamics&, In) const { return {}; }

void Dynamics::check_configuration(const Model&, In q) const { check_independence(*geometry_, constraints_, q); }

bool Dynamics::is_finite_at(const System& system, const State& state, System::CheckScratch&) const {
  Workspace w(system);
  VectorXd p(system.ambient()), a(system.ambient());
  try {
    const Energy e = energy(w, state.t, state.q, state.v);
    momentum(w, state.t, state.q, state.v, p);
    acceleration(w, state.t, state.q, state.v, a);
    return std::isfinite(e.total) && std::isfinite(e.potential) && p.allFinite() && a.allFinite();
  } catch (const std::exception&) {
    return false;
  }
}

void Dynamics::check_velocity(const State&, double) const {}

void Dynamics::need_finite_acceleration(In a, double t) const {
  if (!a.allFinite())
    throw std::runtime_error(fmt::format(
        "{} has no finite acceleration at t = {:.6g}: the equations of motion are singular there", name_, t));
}

void Dynamics::field(Workspace&, double, In, Out) const {
  throw std::invalid_argument(fmt::format("{} is given by energies: its velocity is no function of its point", name_));
}

void Dynamics::restore(Workspace&, double, Out q) const {
  throw std::invalid_argument(
      fmt::format("{} is given by energies: a point alone ({} numbers) is not its state", name_, q.size()));
}

}  // namespace hamel
