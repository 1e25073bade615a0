// Where a Gauss method is, and one step of it: stages by fixed-point or Newton iteration, projection on constraints
// that are not quadratic, the part of p that means nothing, and the error of a step.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "hamel/integrate/memory.hpp"
#include "hamel/integrate/stepper.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/mechanics/canonical.hpp"
#include "hamel/mechanics/parts.hpp"
#include "integrate/gauss_core.hpp"
#include "integrate/gauss_newton.hpp"
#include "integrate/invariant_keeper.hpp"
#include "integrate/parts.hpp"

namespace hamel {

enum class Iteration { fixed_point, newton };
enum class Stages { found, not_found, meaningless };

class GaussMotion {
 public:
  GaussMotion(const System& system, Workspace& work, int order)
      : system_(system),
        work_(work),
        canonical_(canonical(system)),
        equations_(canonical_.workspace()),
        a_(system.ambient()),
        core_(order / 2, 2 * a_),
        keeper_(canonical_.invariants(), a_),
        parts_(system.geometry()) {
    scale_ = defect_ = between_ = projected_ = begin_ = rate_ = VectorXd::Zero(2 * a_);
    v_ = p_ = p_rate_ = VectorXd::Zero(a_);
    const int m = canonical_.is_quadratic() ? 0 : canonical_.constraints();
    mu_ = kappa_ = move_ = turn_ = c_ = VectorXd::Zero(m);
    C0_ = C1_ = C_sum_ = MatrixXd::Zero(m, a_);
    normal_ = MatrixXd::Zero(m, m);
    normal_lu_ = linear::Lu(m);
  }

  void start(const State& state) {
    core_.y.head(a_) = state.q;
    system_.momentum(work_, state.t, state.q, state.v, p_);
    core_.y.tail(a_) = p_;
    core_.restart();
    evaluate(state.t);
  }

  // Nothing has moved yet.
  Stages find_stages(double t, double h, Iteration iteration) {
    set_scale(t, h);
    error_ = 0;
    trouble_.clear();
    try {
      if (canonical_.is_quadratic() ? !solve_stages(t, h, iteration) : !solve_projected(t, h, iteration))
        return Stages::not_found;
    } catch (const std::runtime_error& error) {  // no flow at a stage
      trouble_ = error.what();
      core_.forget_stages();
      return Stages::not_found;
    }
    if (core_.contraction() > suspicious_contraction) error_ = error_of_stages(h);
    return error_ <= meaningless_stages ? Stages::found : Stages::meaningless;
  }
  void finish(double t, double h) {
    core_.accept(h);
    if (!canonical_.is_quadratic()) core_.y = projected_;
    keeper_.keep(core_);
    evaluate(t + h);
  }

  // Relative; of order 2 s + 1 in the step, guessed from a defect of order s + 1. Stages that begin beside the state,
  // for the sake of the projection, are compared with the rate there.
  double error_of_stages(double h) {
    const double s = core_.stages();
    core_.defect_at_begin(rate_, h, defect_);
    return std::pow((defect_.array() / scale_.array()).abs().maxCoeff(), (2 * s + 1) / (s + 1));
  }

  bool has_newton() const { return 2 * a_ <= largest_newton; }

  void current(State& state) const {
    state.q = core_.y.head(a_);
    state.v = v_;
  }
  void interpolate(double s, double t, State& state) {
    core_.interpolate(s, between_);
    state.t = t;
    state.q.resize(a_);
    state.v.resize(a_);
    system_.space().project(between_.head(a_), state.q);
    canonical_.flow(1, equations_, &t, state.q.data(), between_.data() + a_, work_.u.data(), p_.data(), defect_.data());
    system_.space().tangent_project(state.q, p_, state.v);
  }

  void inputs_changed(double t) {
    core_.forget_stages();
    evaluate(t);
  }

  void remember(Memory& memory) {
    core_.remember(memory);
    memory(v_, p_rate_);
  }

  // Once a step, all of them; and the stages, of so many steps.
  std::vector<const Program*> programs() const {
    std::vector<const Program*> all = canonical_.step_programs();
    for (const Program* program : canonical_.flow_programs()) all.push_back(program);
    return all;
  }
  std::vector<ProgramUse> stages(double steps) const {
    constexpr int expected_iterations = 8;
    std::vector<ProgramUse> all;
    for (const Program* program : canonical_.flow_programs()) {
      all.push_back({program, steps * expected_iterations * core_.lanes()});
      if (canonical_.is_explicit()) all.back().lanes = core_.lanes();
    }
    return all;
  }

  std::string failure() const {
    if (!trouble_.empty()) return trouble_;
    if (error_ > 0) return fmt::format("its stages have a relative error of about {:.1e}", error_);
    return fmt::format("last change {:.2e} after {} iterations", core_.last_change(), core_.iterations());
  }

 private:
  auto flow() {
    return [this, n = core_.lanes()](const double* t, const double* Y, double* K) {
      canonical_.flow(n, equations_, t, Y, Y + a_ * n, work_.u.data(), K, K + a_ * n);
    };
  }
  void flow_at(double t, const VectorXd& y, double* v, double* p_rate) {
    canonical_.flow(1, equations_, &t, y.data(), y.data() + a_, work_.u.data(), v, p_rate);
  }

  // The velocity that belongs to p. The normal part of p means nothing, but grows; it is taken out before it costs
  // digits. What is found of it along the manifold is the rounding of the mass and its inverse, each time the same.
  void evaluate(double t) {
    flow_at(t, core_.y, v_.data(), p_rate_.data());
    if (system_.has_hamiltonian())
      system_.space().tangent_project(core_.y.head(a_), core_.y.tail(a_), p_);
    else
      system_.momentum(work_, t, core_.y.head(a_), v_, p_);
    const double size = p_.lpNorm<Eigen::Infinity>();
    p_ -= core_.y.tail(a_);
    if (p_.lpNorm<Eigen::Infinity>() <= too_large_normal_part * size) return;
    take_normal_part(p_);
    core_.move(a_, p_);
    flow_at(t, core_.y, v_.data(), p_rate_.data());
  }

  // Other constraints have normals of their own.
  void take_normal_part(VectorXd& p) {
    if (system_.constraints() > 0) return;
    auto part = defect_.head(a_);
    if (canonical_.normal_part().empty()) {
      system_.space().tangent_project(core_.y.head(a_), p, part);
      p -= part;
    } else {
      canonical_.normal_part().run<2, 1>({core_.y.data(), p.data()}, {part.data()}, equations_.scratch.data());
      p = part;
    }
  }

  // Numbers that belong together have the same unit. What is at rest where it is zero will have moved by the end of the
  // step, at least by what the rounding of others moves it.
  void set_scale(double t, double h) {
    constexpr double smallest = std::numeric_limits<double>::min();
    auto places = scale_.head(a_), ways = between_.head(a_);
    places.setZero();
    parts_.raise(places, core_.y.head(a_));
    ways = h * v_;
    parts_.raise(places, ways);
    if (places.minCoeff() == 0) {
      between_ = core_.y;
      between_.tail(a_) += h * p_rate_;
      flow_at(t + h, between_, p_.data(), defect_.data());
      ways = h * p_;
      parts_.raise(places, ways);
    }
    const double longest = ways.lpNorm<Eigen::Infinity>();
    for (int i = 0; i < a_; ++i)
      places(i) = std::max({places(i), parts_.is_curved(i) ? 0 : moved_by_rounding * longest, smallest});
    const double momentum = core_.y.tail(a_).lpNorm<Eigen::Infinity>();
    const double impulse = std::abs(h) * p_rate_.lpNorm<Eigen::Infinity>();
    scale_.tail(a_).setConstant(std::max({momentum, impulse, smallest}));
  }

  bool solve_stages(double t, double h, Iteration iteration) {
    rate_.head(a_) = v_;
    rate_.tail(a_) = p_rate_;
    return iterate(t, h, iteration);
  }

  bool iterate(double t, double h, Iteration iteration) {
    return iteration == Iteration::newton ? solve_by_newton(t, h) : core_.solve_stages(flow(), t, h, scale_, nullptr);
  }

  bool solve_by_newton(double t, double h) {
    if (!has_newton()) return false;
    if (!newton_) {
      newton_.emplace((core_.A() + core_.A_rest()).topLeftCorner(core_.stages(), core_.stages()));
      jacobian_ = MatrixXd::Zero(2 * a_, 2 * a_);
    }
    differentiate(t);
    jacobian_.array().rowwise() *= scale_.transpose().array();
    jacobian_.array().colwise() /= scale_.array();
    if (!jacobian_.allFinite()) return false;
    newton_->factorise(jacobian_, h);
    core_.forget_stages();
    return core_.solve_stages(flow(), t, h, scale_, [&](MatrixXd& Z, const MatrixXd& K, double step) {
      const int s = core_.stages();
      residual_.noalias() = step * core_.A().topLeftCorner(s, s) * K.topRows(s);
      residual_.noalias() += step * core_.A_rest().topLeftCorner(s, s) * K.topRows(s);
      residual_ -= Z.topRows(s);
      residual_.array().rowwise() /= scale_.transpose().array();
      if (!residual_.allFinite()) return std::numeric_limits<double>::infinity();
      newton_->solve(residual_, correction_);
      Z.topRows(s).array() += correction_.array().rowwise() * scale_.transpose().array();
      return correction_.lpNorm<Eigen::Infinity>();
    });
  }

  // df/dy where the step begins: from the graph, or by differences where no single program computes f.
  void differentiate(double t) {
    if (!derivative_) {
      derivative_.emplace(canonical_derivative(system_));
      if (!derivative_->empty())
        derivative_scratch_ = VectorXd::Zero(static_cast<Eigen::Index>(derivative_->program().scratch_size()));
    }
    const double* const y = core_.y.data();
    if (!derivative_->empty())
      return derivative_->run<4, 1>({y, y + a_, &t, work_.u.data()}, {jacobian_.data()}, derivative_scratch_.data());
    VectorXd x = core_.y, plus(2 * a_), minus(2 * a_);
    for (int i = 0; i < 2 * a_; ++i) {
      const double delta = 1e-6 * scale_(i), old = x(i);
      x(i) = old + delta;
      flow_at(t, x, plus.data(), plus.data() + a_);
      x(i) = old - delta;
      flow_at(t, x, minus.data(), minus.data() + a_);
      x(i) = old;
      jacobian_.col(i) = (plus - minus) / (2 * delta);
    }
  }

  // (q0 + C0^T mu, p0 + C0^T kappa) -> step -> + (C1^T mu, C1^T kappa), with mu and kappa such that c(q1) = 0 and p1
  // has no normal part: on the cotangent bundle again.
  bool solve_projected(double t, double h, Iteration iteration) {
    begin_ = core_.y;
    const bool found = find_projection(t, h, iteration);
    if (found) flow_at(t, core_.y, rate_.data(), rate_.data() + a_);
    core_.y = begin_;
    return found;
  }

  bool find_projection(double t, double h, Iteration iteration) {
    constexpr int most_iterations = 50;
    canonical_.constraint(equations_, begin_.head(a_), c_, C0_);
    double previous = std::numeric_limits<double>::infinity();
    mu_.setZero();
    kappa_.setZero();
    C1_ = C0_;
    for (int k = 0; k < most_iterations; ++k) {
      core_.y = begin_;
      core_.y.head(a_).noalias() += C0_.transpose() * mu_;
      core_.y.tail(a_).noalias() += C0_.transpose() * kappa_;
      if (!iterate(t, h, iteration)) return false;
      project_end(h);
      find_corrections(t + h);
      between_.head(a_).noalias() = C1_.transpose() * move_;
      between_.tail(a_).noalias() = C1_.transpose() * turn_;
      const double size = (between_.array() / scale_.array()).matrix().lpNorm<Eigen::Infinity>();
      if (size <= 1e-16 || (size >= previous && size <= 1e-12)) return true;
      if (!std::isfinite(size)) return false;
      previous = size;
      mu_ -= move_;
      kappa_ -= turn_;
    }
    return false;
  }

  void project_end(double h) {
    core_.end_of_step(h, projected_);
    for (int normals = 0; normals < 3; ++normals) {  // those at the end itself
      between_.head(a_) = projected_.head(a_);
      between_.head(a_).noalias() += C1_.transpose() * mu_;
      canonical_.constraint(equations_, between_.head(a_), c_, C1_);
    }
    projected_.head(a_) = between_.head(a_);
    projected_.tail(a_).noalias() += C1_.transpose() * kappa_;
  }

  // What is left of c, and of the normal part of p, at the end, in multiples of the normals.
  void find_corrections(double t) {
    C_sum_ = C0_ + C1_;
    normal_.noalias() = C1_ * C_sum_.transpose();
    linear::factorise(normal_lu_, normal_);
    linear::solve(normal_lu_, c_, move_);
    flow_at(t, projected_, defect_.data(), defect_.data() + a_);
    system_.momentum(work_, t, projected_.head(a_), defect_.head(a_), p_);
    p_ = projected_.tail(a_) - p_;
    c_.noalias() = C1_ * p_;
    linear::solve(normal_lu_, c_, turn_);
  }

  static constexpr int largest_newton = 400;
  const System& system_;
  Workspace& work_;
  const Canonical& canonical_;
  Canonical::Workspace equations_;
  int a_;
  GaussCore<double> core_;
  InvariantKeeper keeper_;
  Parts parts_;
  VectorXd scale_, defect_, between_, v_, p_, p_rate_;
  VectorXd rate_;  // where the stages begin
  VectorXd begin_, projected_, mu_, kappa_, move_, turn_, c_;
  MatrixXd C0_, C1_, C_sum_, normal_;
  linear::Lu normal_lu_;
  std::optional<GaussNewton> newton_;
  std::optional<Kernel> derivative_;
  MatrixXd jacobian_, residual_, correction_;
  VectorXd derivative_scratch_;
  double error_ = 0;     // of the last stages, where it was looked at
  std::string trouble_;  // that their flow had
};

}  // namespace hamel
