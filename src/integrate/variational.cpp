#include "hamel/integrate/variational.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

namespace hamel {
namespace {

constexpr int most_iterations = 50;
constexpr double converged = 1e-15;          // relative correction: nothing left to gain
constexpr double stagnated = 1e-10;          // below this a correction that stops decreasing is rounding
constexpr double quadratically_small = 1e-9;  // |c| at which one more Newton step reaches rounding

std::size_t at(int i) { return static_cast<std::size_t>(i); }

[[noreturn]] void did_not_converge(const System& system, double t, double h, int iterations, double residual) {
  throw std::runtime_error(fmt::format(
      "the variational step of {} at t = {:.9g} with step {:.6g} did not converge: residual {:.2e} after {} iterations; "
      "the step may turn a coordinate too far at once, try {:.3g}",
      system.name(), t, h, residual, iterations, h / 2));
}

// Cubic Hermite interpolation, projected.
void interpolate_step(const System& system, const State& begin, const State& end, double t, State& state) {
  const double h = end.t - begin.t, s = (t - begin.t) / h;
  state.t = t;
  const VectorXd q = (1 + 2 * s) * (1 - s) * (1 - s) * begin.q + s * (1 - s) * (1 - s) * h * begin.v +
                     s * s * (3 - 2 * s) * end.q + s * s * (s - 1) * h * end.v;
  const VectorXd v = 6 * s * (s - 1) / h * (begin.q - end.q) + (1 - s) * (1 - 3 * s) * begin.v + s * (3 * s - 2) * end.v;
  state.q.resize(q.size());
  state.v.resize(v.size());
  system.space().project(q, state.q);
  system.space().tangent_project(state.q, v, state.v);
}

class Base : public Stepper {
 public:
  Base(const System& system, double step) : system_(system), h_(step), work_(system) {}

  void start(const State& state) override {
    now_ = before_ = state;
    begin();
  }
  double step(double limit) override {
    // A step that would end within rounding of the limit ends there.
    const double left = limit - now_.t;
    const double h = left < h_ * (1 + 1e-9) ? left : h_;
    before_.t = now_.t;
    before_.q.swap(now_.q);
    before_.v.swap(now_.v);
    advance(h);
    now_.t = h == left ? limit : before_.t + h;
    return now_.t;
  }
  void current(State& state) override { state = now_; }
  void interpolate(double t, State& state) override { interpolate_step(system_, before_, now_, t, state); }
  Workspace& workspace() override { return work_; }

 protected:
  virtual void begin() = 0;
  virtual void advance(double h) = 0;  // from before_ to now_

  const System& system_;
  double h_;
  Workspace work_;
  State before_, now_;
};

// With the kernels of the constant-mass path: O(n).
class ConstantMassStepper final : public Base {
 public:
  ConstantMassStepper(const System& system, double step) : Base(system, step), kernels_(system.constant_mass().step) {
    W_ = previous_ = VectorXd::Zero(kernels_.increments);
    next_ = VectorXd::Zero(kernels_.increments);
    lambda_ = lambda_next_ = VectorXd::Zero(kernels_.multipliers);
    std::size_t scratch = 1;
    for (const Kernel* kernel : {&kernels_.predict, &kernels_.newton, &kernels_.refine, &kernels_.finish})
      if (!kernel->empty()) scratch = std::max(scratch, kernel->program().scratch_size());
    scratch_ = VectorXd::Zero(static_cast<Eigen::Index>(scratch));
  }

 private:
  void begin() override {
    steps_ = 0;
    lambda_.setZero();
  }

  void advance(double h) override {
    clock_ = {before_.t, h, 1 / h};
    guess(h);
    newton();
    if (kernels_.multipliers > 0 || kernels_.refine.empty()) {
      if (kernels_.refine.empty())
        iterate_newton();
      else
        refine();
    }
    kernels_.finish.run<4, 2>({before_.q.data(), W_.data(), work_.u.data(), clock_.data()}, {now_.q.data(), now_.v.data()},
                              scratch_.data());
    if (!now_.q.allFinite() || !now_.v.allFinite()) did_not_converge(system_, before_.t, h, 1, residual_[0]);
    ++steps_;
    last_h_ = h;
  }

  // From the last two steps where they had the same size, else from the velocity.
  void guess(double h) {
    if (steps_ >= 2 && h == last_h_) {
      next_ = 2 * W_ - previous_;
      previous_.swap(W_);
      W_.swap(next_);
      return;
    }
    if (steps_ > 0 && h != last_h_) steps_ = 0;
    previous_.swap(W_);
    kernels_.predict.run<1, 1>({before_.v.data()}, {W_.data()}, scratch_.data());
  }

  void newton() {
    kernels_.newton.run<6, 3>({before_.q.data(), before_.v.data(), W_.data(), lambda_.data(), work_.u.data(), clock_.data()},
                              {next_.data(), lambda_next_.data(), residual_.data()}, scratch_.data());
    W_.swap(next_);
    lambda_.swap(lambda_next_);
  }

  void refine() {
    for (int iteration = 2; iteration <= most_iterations; ++iteration) {
      kernels_.refine.run<3, 2>({before_.q.data(), W_.data(), clock_.data()}, {next_.data(), residual_.data()}, scratch_.data());
      if (!std::isfinite(residual_[0])) break;
      W_.swap(next_);
      if (residual_[0] <= quadratically_small) return;
    }
    did_not_converge(system_, clock_[0], clock_[1], most_iterations, residual_[0]);
  }

  void iterate_newton() {
    double previous = residual_[1];
    for (int iteration = 2; iteration <= most_iterations; ++iteration) {
      newton();
      const double size = 1 + W_.lpNorm<Eigen::Infinity>(), correction = residual_[1];
      if (!std::isfinite(correction)) break;
      if (correction <= converged * size || (correction >= previous && correction <= stagnated * size)) return;
      previous = correction;
    }
    did_not_converge(system_, clock_[0], clock_[1], most_iterations, residual_[1]);
  }

  const StepKernels& kernels_;
  VectorXd W_, previous_, next_, lambda_, lambda_next_, scratch_;
  std::array<double, 3> clock_{};
  std::array<double, 2> residual_{};
  int steps_ = 0;
  double last_h_ = 0;
};

// On any manifold, with frozen bases: Newton's method with exact Jacobian, increments by retraction.
class ReducedStepper final : public Base {
 public:
  ReducedStepper(const System& system, double step)
      : Base(system, step), geometry_(system.geometry()), frame0_(geometry_.workspace()), frame1_(geometry_.workspace()) {
    const int a = geometry_.ambient(), n = geometry_.dimension() + system.constraints();
    p_ = r_ = v_ = q_next_ = VectorXd::Zero(a);
    rhs_ = solution_ = VectorXd::Zero(n);
    lambda_ = VectorXd::Zero(system.constraints());
    G0_ = MatrixXd::Zero(system.constraints(), a);
    matrix_ = MatrixXd::Zero(n, n);
    JN_ = MatrixXd::Zero(a, geometry_.dimension());
    lu_ = Eigen::PartialPivLU<MatrixXd>(n);
  }

 private:
  void begin() override {
    system_.momentum(work_, now_.t, now_.q, now_.v, p_);
    lambda_.setZero();
  }

  void advance(double h) override {
    const double t = before_.t;
    const In& q0 = before_.q;
    Reduced::Workspace& w = work_.reduced_workspace();
    const int m = system_.constraints();
    geometry_.bases(q0, frame0_);
    system_.reduced().constraint(w, q0);
    if (m > 0) G0_ = w.G;
    v_ = h * before_.v;
    system_.space().retract(q0, v_, now_.q);
    double previous = std::numeric_limits<double>::infinity(), correction = previous;
    for (int iteration = 1; iteration <= most_iterations; ++iteration) {
      correction = newton(w, t, h);
      const double size = h * (1 + before_.v.lpNorm<Eigen::Infinity>());
      if (!std::isfinite(correction)) break;
      if (correction <= converged * size || (correction >= previous && correction <= stagnated * size)) {
        finish(w, t, h);
        return;
      }
      previous = correction;
    }
    did_not_converge(system_, t, h, most_iterations, correction);
  }

  double newton(Reduced::Workspace& w, double t, double h) {
    const int d = geometry_.dimension(), m = system_.constraints();
    system_.reduced().discrete_begin(w, t, h, before_.q, now_.q, work_.u);
    system_.reduced().constraint(w, now_.q);
    geometry_.bases(now_.q, frame1_);
    r_ = p_ - w.residual;
    if (m > 0) r_.noalias() -= G0_.transpose() * lambda_;
    for (int f = 0; f < geometry_.factors(); ++f) {
      const MatrixXd& N = frame1_.N[at(f)];
      JN_.middleCols(geometry_.tangent_offset(f), N.cols()).noalias() = w.jacobian.middleCols(geometry_.offset(f), N.rows()) * N;
      if (m > 0)
        matrix_.block(d, geometry_.tangent_offset(f), m, N.cols()).noalias() = w.G.middleCols(geometry_.offset(f), N.rows()) * N;
    }
    for (int f = 0; f < geometry_.factors(); ++f) {
      const MatrixXd& N = frame0_.N[at(f)];
      const int row = geometry_.tangent_offset(f);
      matrix_.block(row, 0, N.cols(), d).noalias() = N.transpose() * JN_.middleRows(geometry_.offset(f), N.rows());
      rhs_.segment(row, N.cols()).noalias() = N.transpose() * r_.segment(geometry_.offset(f), N.rows());
      if (m > 0)
        matrix_.block(row, d, N.cols(), m).noalias() = N.transpose() * G0_.middleCols(geometry_.offset(f), N.rows()).transpose();
    }
    rhs_.tail(m) = -w.c;
    lu_.compute(matrix_);
    solution_ = lu_.solve(rhs_);
    for (int f = 0; f < geometry_.factors(); ++f) {
      const MatrixXd& N = frame1_.N[at(f)];
      v_.segment(geometry_.offset(f), N.rows()).noalias() = N * solution_.segment(geometry_.tangent_offset(f), N.cols());
    }
    lambda_ += solution_.tail(m);
    const double correction = v_.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(correction)) return correction;
    system_.space().retract(now_.q, v_, q_next_);
    now_.q.swap(q_next_);
    return correction;
  }

  void finish(Reduced::Workspace& w, double t, double h) {
    system_.reduced().discrete_end(w, t, h, before_.q, now_.q, work_.u, p_);
    system_.velocity(work_, t + h, now_.q, p_, now_.v);
  }

  const Geometry& geometry_;
  Geometry::Workspace frame0_, frame1_;
  VectorXd p_, r_, v_, q_next_, rhs_, solution_, lambda_;
  MatrixXd G0_, matrix_, JN_;
  Eigen::PartialPivLU<MatrixXd> lu_;
};

}  // namespace

std::unique_ptr<Stepper> variational_stepper(const System& system, double step) {
  if (!system.constant_mass().step.newton.empty() && system.path() == Path::constant_mass)
    return std::make_unique<ConstantMassStepper>(system, step);
  return std::make_unique<ReducedStepper>(system, step);
}

}  // namespace hamel
