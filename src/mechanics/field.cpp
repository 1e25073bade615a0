#include "hamel/mechanics/field.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace hamel {

Field::Field(const System& system, Form form) : system_(&system), form_(form) {
  for (VectorXd* x : {&v_, &a_, &p_, &f_, &projected_}) *x = VectorXd::Zero(system.ambient());
  rates_ = VectorXd::Zero(system.rates());
  if (form != Form::omega || system.is_first_order() || system.motion().empty()) return;
  motion_ = &system.motion();
  scratch_ = VectorXd::Zero(static_cast<Eigen::Index>(motion_->program().scratch_size()));
}

std::vector<const Program*> Field::programs() const {
  if (motion_ != nullptr) return {&motion_->program()};
  return system_->motion_programs();
}

int Field::partners() const {
  if (system_->is_first_order()) return 0;
  return form_ == Form::velocity || form_ == Form::mu ? system_->ambient() : system_->rates();
}

void Field::velocity(Workspace& w, double t, In y, Out v) {
  if (system_->is_first_order()) return system_->field(w, t, y, v);
  const auto q = y.head(system_->ambient());
  const auto partner = y.tail(partners());
  switch (form_) {
    case Form::velocity:
      v = partner;
      break;
    case Form::omega:
      system_->space().velocity(q, partner, v);
      break;
    case Form::mu:
      system_->velocity(w, t, q, partner, v);
      break;
    case Form::pi:
      momentum_from_rates(w, q, partner, p_);
      system_->velocity(w, t, q, p_, v);
      break;
  }
}

// xi -> B xi is onto the tangent space, so the covector is determined there: with the orthonormal basis N of each
// factor, p = N (Xi^T pi) where Xi are the rates of the columns of N.
void Field::momentum_from_rates(Workspace& w, In q, In pi, Out p) {
  const Geometry& geometry = system_->geometry();
  geometry.bases(q, w.geometry_workspace());
  p.setZero();
  for (int f = 0; f < geometry.factors(); ++f) {
    const Manifold& factor = geometry.space(f);
    const MatrixXd& N = w.geometry_workspace().N[static_cast<std::size_t>(f)];
    const auto point = q.segment(geometry.offset(f), factor.ambient());
    auto xi = rates_.segment(geometry.rates_offset(f), factor.rates());
    for (Eigen::Index j = 0; j < N.cols(); ++j) {
      factor.rates(point, N.col(j), xi);
      p.segment(geometry.offset(f), factor.ambient()) +=
          N.col(j) * xi.dot(pi.segment(geometry.rates_offset(f), factor.rates()));
    }
  }
}

void Field::project(Workspace& w, double t, Out y) {
  const Manifold& space = system_->space();
  auto q = y.head(system_->ambient());
  auto partner = y.tail(partners());
  if (system_->is_first_order()) return system_->restore(w, t, q);
  space.project(q, q);
  switch (form_) {
    case Form::velocity:
    case Form::mu:
      space.tangent_project(q, partner, v_);
      partner = v_;
      break;
    case Form::omega:
      space.velocity(q, partner, v_);
      space.rates(q, v_, partner);
      break;
    case Form::pi:
      momentum_from_rates(w, q, partner, p_);
      space.covector_to_rates(q, p_, partner);
      break;
  }
}

void Field::run_motion(Workspace& w, double t, In y, Out rate) {
  const int n = system_->ambient();
  motion_->run<4, 3>({y.data(), y.data() + n, w.u.data(), &t}, {rate.data(), rate.data() + n, w.multipliers.data()},
                     scratch_.data());
  // One by one, as a program stores them: a processor waits where several numbers are read that were just stored apart.
  if (!std::all_of(rate.begin(), rate.end(), [](double x) { return std::isfinite(x); }))
    throw std::runtime_error(fmt::format(
        "{} has no finite acceleration at t = {:.6g}: the equations of motion are singular there", system_->name(), t));
}

void Field::operator()(Workspace& w, double t, In y, Out rate) {
  if (motion_ != nullptr) return run_motion(w, t, y, rate);
  if (system_->is_first_order()) return system_->field(w, t, y, rate);
  const int n = system_->ambient();
  const auto q = y.head(n);
  auto q_rate = rate.head(n);
  auto partner_rate = rate.tail(partners());
  velocity(w, t, y, v_);
  q_rate = v_;
  switch (form_) {
    case Form::velocity:
      system_->acceleration(w, t, q, v_, partner_rate);
      return;
    case Form::omega:
      system_->acceleration(w, t, q, v_, a_);
      system_->space().rates_of_acceleration(q, v_, a_, partner_rate);
      return;
    case Form::mu:
    case Form::pi:
      break;
  }
  if (system_->has_hamiltonian()) {
    // mu' by the projection form; pi = B^T mu, so pi' = B'^T mu + B^T mu'.
    if (form_ == Form::mu) p_ = y.tail(n);
    system_->space().tangent_project(q, p_, projected_);
    system_->reduced().hamilton().flow(w.hamilton(), t, q, projected_, w.u, v_, f_, a_);
    if (form_ == Form::mu) {
      partner_rate = f_;
      return;
    }
    p_ = projected_;
  } else {
    // d/dt dL/dv = dL/dq + f - C^T lambda up to forces of the manifold, which P and B^T remove.
    system_->momentum(w, t, q, v_, p_);
    if (system_->constraints() > 0) system_->acceleration(w, t, q, v_, a_);
    system_->force(w, t, q, v_, f_);
    system_->add_reaction(w, q, f_);
    if (form_ == Form::mu) {
      system_->space().tangent_project(q, f_, projected_);
      system_->geometry().projected_rate(q, v_, p_, w.geometry_workspace(), a_);
      partner_rate = projected_ + a_;
      return;
    }
  }
  system_->space().covector_to_rates(q, f_, partner_rate);
  system_->geometry().basis_rate(q, v_, p_, w.geometry_workspace(), rates_);
  partner_rate += rates_;
}

VectorXd Field::pack(Workspace& w, const State& state) {
  const int n = system_->ambient();
  VectorXd y(size());
  y.head(n) = state.q;
  if (system_->is_first_order()) return y;
  auto partner = y.tail(partners());
  if (form_ == Form::velocity) {
    partner = state.v;
  } else if (form_ == Form::omega) {
    system_->space().rates(state.q, state.v, partner);
  } else {
    system_->momentum(w, state.t, state.q, state.v, p_);
    if (form_ == Form::mu)
      system_->space().tangent_project(state.q, p_, partner);
    else
      system_->space().covector_to_rates(state.q, p_, partner);
  }
  return y;
}

State Field::unpack(Workspace& w, double t, In y) {
  State state;
  unpack(w, t, y, state);
  return state;
}

void Field::unpack(Workspace& w, double t, In y, State& state) {
  state.t = t;
  state.q = y.head(system_->ambient());
  state.v.resize(system_->ambient());
  velocity(w, t, y, state.v);
}

}  // namespace hamel
