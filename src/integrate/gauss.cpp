#include "hamel/integrate/gauss.hpp"

#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <stdexcept>

#include "hamel/mechanics/canonical.hpp"
#include "integrate/fixed_step.hpp"
#include "integrate/gauss_core.hpp"
#include "integrate/gauss_newton.hpp"
#include "integrate/invariant_keeper.hpp"
#include "manifold/linear_algebra.hpp"

namespace hamel {
namespace {

constexpr int expected_iterations = 8;

// Where the motion is, and one step of it.
template <int lanes>
class GaussMotion {
 public:
  GaussMotion(const System& system, Workspace& work, int order)
      : system_(system),
        work_(work),
        canonical_(system.canonical()),
        equations_(canonical_.workspace()),
        a_(system.ambient()),
        core_(order / 2, 2 * a_),
        keeper_(canonical_.invariants(), a_) {
    scale_ = defect_ = between_ = VectorXd::Zero(2 * a_);
    v_ = p_ = p_rate_ = VectorXd::Zero(a_);
    const int m = canonical_.is_quadratic() ? 0 : canonical_.constraints();
    mu_ = kappa_ = c_ = VectorXd::Zero(m);
    C0_ = C1_ = MatrixXd::Zero(m, a_);
  }

  void start(const State& state) {
    core_.y.head(a_) = state.q;
    system_.momentum(work_, state.t, state.q, state.v, p_);
    core_.y.tail(a_) = p_;
    core_.restart();
    evaluate(state.t);
  }

  // False if the stages cannot be found; nothing has moved then.
  bool try_stages(double t, double h) {
    set_scale(h);
    error_ = 0;
    if (canonical_.is_quadratic() ? !solve_stages(t, h) : !solve_projected(t, h)) return false;
    // The iteration may converge where the stages have nothing to do with the motion any more, after many turns.
    constexpr int suspicious = 15;
    constexpr double meaningless = 0.01;
    if (core_.iterations() >= suspicious) error_ = error_of_stages(h);
    return error_ <= meaningless;
  }
  void finish(double t, double h) {
    core_.accept(h);
    if (!canonical_.is_quadratic()) core_.y = projected_;
    keeper_.keep(core_);
    evaluate(t + h);
  }

  // Relative; of order 2 s + 1 in the step, guessed from a defect of order s + 1.
  double error_of_stages(double h) {
    const double s = core_.stages();
    between_.head(a_) = v_;
    between_.tail(a_) = p_rate_;
    core_.defect_at_begin(between_, h, defect_);
    return std::pow((defect_.array() / scale_.array()).abs().maxCoeff(), (2 * s + 1) / (s + 1));
  }

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
    canonical_.template flow<1>(equations_, &t, state.q.data(), between_.data() + a_, work_.u.data(), p_.data(),
                                defect_.data());
    system_.space().tangent_project(state.q, p_, state.v);
  }

  void inputs_changed(double t) {
    core_.forget_stages();
    evaluate(t);
  }

  void remember(Memory& memory) {
    core_.remember(memory);
    memory(v_, p_rate_, newton_steps_);
  }

  // Once a step, all of them; and the stages, of so many steps.
  std::vector<const Program*> programs() const {
    std::vector<const Program*> all = canonical_.step_programs();
    for (const Program* program : canonical_.flow_programs()) all.push_back(program);
    return all;
  }
  std::vector<ProgramUse> stages(double steps) const {
    std::vector<ProgramUse> all;
    for (const Program* program : canonical_.flow_programs()) {
      all.push_back({program, steps * expected_iterations * lanes});
      if (canonical_.is_explicit()) all.back().lanes = lanes;
    }
    return all;
  }

  std::string failure() const {
    if (error_ > 0) return fmt::format("its stages have a relative error of about {:.1e}", error_);
    return fmt::format("last change {:.2e} after {} iterations", core_.last_change(), core_.iterations());
  }
  int iterations() const { return core_.iterations(); }

 private:
  auto flow() {
    return [this](const double* t, const double* Y, double* K) {
      canonical_.template flow<lanes>(equations_, t, Y, Y + a_ * lanes, work_.u.data(), K, K + a_ * lanes);
    };
  }

  // The velocity that belongs to p. The normal part of p means nothing, but grows; it is taken out before it costs
  // digits. What is found of it along the manifold is the rounding of the mass and its inverse, each time the same.
  void evaluate(double t) {
    constexpr double too_large = 0.1;
    canonical_.template flow<1>(equations_, &t, core_.y.data(), core_.y.data() + a_, work_.u.data(), v_.data(),
                                p_rate_.data());
    if (system_.has_hamiltonian())
      system_.space().tangent_project(core_.y.head(a_), core_.y.tail(a_), p_);
    else
      system_.momentum(work_, t, core_.y.head(a_), v_, p_);
    const double size = p_.template lpNorm<Eigen::Infinity>();
    p_ -= core_.y.tail(a_);
    if (p_.template lpNorm<Eigen::Infinity>() <= too_large * size) return;
    if (system_.constraints() == 0) {
      system_.space().tangent_project(core_.y.head(a_), p_, defect_.head(a_));
      p_ -= defect_.head(a_);
    }
    core_.move(a_, p_);
    canonical_.template flow<1>(equations_, &t, core_.y.data(), core_.y.data() + a_, work_.u.data(), v_.data(),
                                p_rate_.data());
  }

  // By factors: numbers that belong together have the same unit.
  void set_scale(double h) {
    const Geometry& geometry = system_.geometry();
    constexpr double smallest = std::numeric_limits<double>::min();
    const double momentum = core_.y.tail(a_).template lpNorm<Eigen::Infinity>();
    const double impulse = std::abs(h) * p_rate_.template lpNorm<Eigen::Infinity>();
    for (int f = 0; f < geometry.factors(); ++f) {
      const int begin = geometry.offset(f), n = geometry.space(f).ambient();
      const double place = core_.y.segment(begin, n).template lpNorm<Eigen::Infinity>();
      const double way = std::abs(h) * v_.segment(begin, n).template lpNorm<Eigen::Infinity>();
      scale_.segment(begin, n).setConstant(std::max({place, way, smallest}));
    }
    scale_.tail(a_).setConstant(std::max({momentum, impulse, smallest}));
  }

  bool solve_stages(double t, double h) {
    if (newton_steps_ == 0 && core_.solve_stages(flow(), t, h, scale_, nullptr)) return true;
    newton_steps_ = newton_steps_ == 0 ? patience : newton_steps_ - 1;
    return solve_by_newton(t, h);
  }

  bool solve_by_newton(double t, double h) {
    constexpr int largest_system = 400;
    if (2 * a_ > largest_system) return false;
    if (!newton_) {
      newton_.emplace(core_.A().topLeftCorner(core_.stages(), core_.stages()));
      jacobian_ = MatrixXd::Zero(2 * a_, 2 * a_);
    }
    differentiate(t);
    if (!jacobian_.allFinite()) return false;
    newton_->factorise(jacobian_, h);
    core_.forget_stages();
    const bool found = core_.solve_stages(flow(), t, h, scale_, [&](auto& Z, const auto& K, double step) {
      const int s = core_.stages();
      residual_.noalias() = step * core_.A().topLeftCorner(s, s) * K.topRows(s);
      residual_.noalias() += step * core_.A_rest().topLeftCorner(s, s) * K.topRows(s);
      residual_ -= Z.topRows(s);
      if (!residual_.allFinite()) return std::numeric_limits<double>::infinity();
      newton_->solve(residual_, correction_);
      Z.topRows(s) += correction_;
      return (correction_.cwiseAbs().colwise().maxCoeff().array() / scale_.transpose().array()).maxCoeff();
    });
    return found;
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
      return derivative_->template run<4, 1>({y, y + a_, &t, work_.u.data()}, {jacobian_.data()},
                                             derivative_scratch_.data());
    VectorXd x = core_.y, plus(2 * a_), minus(2 * a_);
    const auto evaluate_at = [&](VectorXd& result) {
      canonical_.template flow<1>(equations_, &t, x.data(), x.data() + a_, work_.u.data(), result.data(),
                                  result.data() + a_);
    };
    for (int i = 0; i < 2 * a_; ++i) {
      const double delta = 1e-6 * scale_(i), old = x(i);
      x(i) = old + delta;
      evaluate_at(plus);
      x(i) = old - delta;
      evaluate_at(minus);
      x(i) = old;
      jacobian_.col(i) = (plus - minus) / (2 * delta);
    }
  }

  // (q0 + C0^T mu, p0 + C0^T kappa) -> step -> + (C1^T mu, C1^T kappa), with mu and kappa such that c(q1) = 0 and p1
  // has no normal part: on the cotangent bundle again.
  bool solve_projected(double t, double h) {
    constexpr int most_iterations = 50;
    const VectorXd y0 = core_.y;
    canonical_.constraint(equations_, y0.head(a_), c_, C0_);
    double previous = std::numeric_limits<double>::infinity();
    mu_.setZero();
    kappa_.setZero();
    C1_ = C0_;
    bool found = false;
    for (int iteration = 0; iteration < most_iterations && !found; ++iteration) {
      core_.y.head(a_) = y0.head(a_) + C0_.transpose() * mu_;
      core_.y.tail(a_) = y0.tail(a_) + C0_.transpose() * kappa_;
      if (!solve_stages(t, h)) break;
      core_.end_of_step(h, projected_);
      for (int normals = 0; normals < 3; ++normals) {  // those at the end itself
        between_.head(a_) = projected_.head(a_) + C1_.transpose() * mu_;
        canonical_.constraint(equations_, between_.head(a_), c_, C1_);
      }
      between_.tail(a_) = projected_.tail(a_) + C1_.transpose() * kappa_;
      projected_ = between_;
      const MatrixXd normal = C1_ * (C0_ + C1_).transpose();
      const VectorXd move = linear::solve(normal, c_);
      const VectorXd turn = linear::solve(normal, C1_ * normal_part(t + h, projected_));
      const double size = std::max(move.lpNorm<Eigen::Infinity>(),
                                   turn.lpNorm<Eigen::Infinity>() / (1 + y0.tail(a_).lpNorm<Eigen::Infinity>()));
      found = size <= 1e-16 || (size >= previous && size <= 1e-12);
      if (!std::isfinite(size)) break;
      previous = size;
      if (found) break;
      mu_ -= move;
      kappa_ -= turn;
    }
    core_.y = y0;
    return found;
  }

  VectorXd normal_part(double t, const VectorXd& y) {
    canonical_.template flow<1>(equations_, &t, y.data(), y.data() + a_, work_.u.data(), defect_.data(),
                                defect_.data() + a_);
    system_.momentum(work_, t, y.head(a_), defect_.head(a_), p_);
    return y.tail(a_) - p_;
  }

  static constexpr int patience = 100;  // steps, until the fixed-point iteration is tried again
  const System& system_;
  Workspace& work_;
  const Canonical& canonical_;
  Canonical::Workspace equations_;
  int a_;
  GaussCore<double, lanes> core_;
  InvariantKeeper keeper_;
  VectorXd scale_, defect_, between_, v_, p_, p_rate_, mu_, kappa_, c_, projected_, derivative_scratch_;
  MatrixXd C0_, C1_, jacobian_, residual_, correction_;
  std::optional<GaussNewton> newton_;
  int newton_steps_ = 0;
  double error_ = 0;  // of the last stages, where it was looked at
  std::optional<Kernel> derivative_;
};

[[noreturn]] void did_not_converge(const System& system, int order, double t, double h, const std::string& failure) {
  throw StepError(
      t, h,
      fmt::format("the step of gauss{} of {} at t = {:.9g} with step {:.6g} failed: {}; the step may be too long for "
                  "this motion, try {:.3g}",
                  order, system.name(), t, h, failure, h / 2));
}

std::vector<ProgramUse> with_stages(std::vector<ProgramUse> uses, const std::vector<ProgramUse>& stages) {
  uses.insert(uses.end(), stages.begin(), stages.end());
  return uses;
}

template <int lanes>
class FixedGauss final : public FixedStep {
 public:
  FixedGauss(const System& system, const Gauss& method)
      : FixedStep(system, method.step), order_(method.order), motion_(system, work_, method.order) {}

  void start(const State& state) override {
    restart_clock(state.t);
    motion_.start(state);
  }
  void current(State& state) override {
    motion_.current(state);
    state.t = t_;
  }
  void interpolate(double t, State& state) override { motion_.interpolate((t - begin_) / (t_ - begin_), t, state); }

 private:
  std::vector<const Program*> programs() const override { return motion_.programs(); }
  std::vector<ProgramUse> uses(double duration) const override {
    return with_stages(Stepper::uses(duration), motion_.stages(expected_evaluations(duration)));
  }
  void remember(Memory& memory) override {
    FixedStep::remember(memory);
    motion_.remember(memory);
  }
  void advance(double h) override {
    if (!motion_.try_stages(t_, h)) did_not_converge(system_, order_, t_, h, motion_.failure());
    motion_.finish(t_, h);
  }
  double evaluations_per_step() const override { return 1; }
  void inputs_changed() override { motion_.inputs_changed(t_); }

  int order_;
  GaussMotion<lanes> motion_;
};

// The step follows the motion: nothing of long-time conservation is promised then, as for every variable step.
template <int lanes>
class AdaptiveGauss final : public Stepper {
 public:
  AdaptiveGauss(const System& system, const Gauss& method)
      : Stepper(system), method_(method), motion_(system, work_, method.order) {}

  void start(const State& state) override {
    begin_ = t_ = state.t;
    motion_.start(state);
    const double speed = state.v.norm(), size = state.q.norm();
    VectorXd a(system_.ambient());
    system_.acceleration(work_, state.t, state.q, state.v, a);
    const double rate = std::max(speed / size, std::sqrt(a.norm() / size));
    h_ = rate > 0 ? 0.1 / rate : 0.1;
    rejected_ = 0;
  }

  double step(double limit) override {
    while (true) {
      const double left = limit - t_, h = left <= 1.01 * h_ ? left : h_;
      if (h < left && !(t_ + h / 16 > t_)) did_not_converge(system_, method_.order, t_, h, motion_.failure());
      const bool found = motion_.try_stages(t_, h);
      const double error = found ? motion_.error_of_stages(h) : std::numeric_limits<double>::infinity();
      if (error <= method_.tolerance) {
        const double natural = h_;
        h_ = std::max(h * factor(error), h < natural ? natural : 0.0);
        begin_ = t_;
        motion_.finish(t_, h);
        t_ = h == left ? limit : t_ + h;
        return t_;
      }
      ++rejected_;
      h_ = h * (found ? std::min(factor(error), 0.9) : 0.5);
    }
  }

  void current(State& state) override {
    motion_.current(state);
    state.t = t_;
  }
  void interpolate(double t, State& state) override { motion_.interpolate((t - begin_) / (t_ - begin_), t, state); }
  std::size_t rejected() const override { return rejected_; }

 private:
  double factor(double error) const {
    constexpr double safety = 0.9, smallest = 0.2, largest = 3;
    return std::clamp(safety * std::pow(method_.tolerance / error, 1.0 / (method_.order + 1)), smallest, largest);
  }
  void inputs_changed() override { motion_.inputs_changed(t_); }
  double expected_evaluations(double duration) const override { return duration / h_; }
  std::vector<const Program*> programs() const override { return motion_.programs(); }
  std::vector<ProgramUse> uses(double duration) const override {
    return with_stages(Stepper::uses(duration), motion_.stages(expected_evaluations(duration)));
  }
  void remember(Memory& memory) override {
    Stepper::remember(memory);
    memory.same("tolerance", method_.tolerance);
    memory(t_, begin_, h_, rejected_);
    motion_.remember(memory);
  }

  Gauss method_;
  GaussMotion<lanes> motion_;
  double t_ = 0, begin_ = 0, h_ = 0;
  std::size_t rejected_ = 0;
};

template <int lanes>
std::unique_ptr<Stepper> make(const System& system, const Gauss& method) {
  if (method.tolerance > 0) return std::make_unique<AdaptiveGauss<lanes>>(system, method);
  return std::make_unique<FixedGauss<lanes>>(system, method);
}

}  // namespace

std::unique_ptr<Stepper> gauss_stepper(const System& system, const Gauss& method) {
  if (method.order == 2) return make<1>(system, method);
  return method.order <= 8 ? make<4>(system, method) : make<8>(system, method);
}

}  // namespace hamel
