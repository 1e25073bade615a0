#include "hamel/integrate/variational.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "integrate/fixed_step.hpp"
#include "manifold/linear_algebra.hpp"

namespace hamel {
namespace {

constexpr int most_iterations = 50;
constexpr double well_guessed = 3e-9;  // relative; the error that a Newton step leaves is about the square of it

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// When to stop Newton's method. It converges quadratically, so each correction shrinks by the square of the factor
// that the one before did: the next one is what is left of the error.
class Convergence {
 public:
  explicit Convergence(double scale) : scale_(scale) {}

  bool reached(double correction) {
    constexpr double rounding = 1e-16, small = 1e-10;
    const bool stagnates = correction >= previous_ && correction <= small * scale_;
    const double rate = std::isfinite(previous_) ? std::min(correction / previous_, 1.0) : 1.0;
    previous_ = correction;
    return stagnates || rate * rate * correction <= rounding * scale_;
  }

 private:
  double scale_, previous_ = std::numeric_limits<double>::infinity();
};

// A factor that turns, and how long its chord is after a quarter turn.
struct Turning {
  int factor, begin, size;
  double squared_chord;
};

std::vector<Turning> turning_factors(const Geometry& geometry) {
  std::vector<Turning> result;
  for (int f = 0; f < geometry.factors(); ++f) {
    const Manifold& space = geometry.space(f);
    const int begin = geometry.offset(f), n = space.ambient();
    if ((space.name() == "SO3" && n == 9) || (space.name() == "SE3" && n == 12))
      result.push_back({f, begin, 9, 4});
    else if (space.has_exponential() && space.name() == fmt::format("S{}", n - 1))
      result.push_back({f, begin, n, 2});
  }
  return result;
}

class VariationalStepper : public FixedStep {
 public:
  VariationalStepper(const System& system, double step)
      : FixedStep(system, step), turning_(turning_factors(system.geometry())) {
    between_ = rate_between_ = VectorXd::Zero(system.ambient());
    for (const Turning& turning : turning_)
      harmless_ = std::min(harmless_, std::sqrt(turning.squared_chord / turning.size));
  }

  void start(const State& state) final {
    restart_clock(state.t);
    now_ = before_ = state;
    begin();
  }
  void current(State& state) final { state = now_; }
  void interpolate(double t, State& state) final {
    const double h = t_ - begin_, s = (t - begin_) / h;
    between_ = hermite(s, h, before_.q, before_.v, now_.q, now_.v);
    rate_between_ = hermite_rate(s, h, before_.q, before_.v, now_.q, now_.v);
    state.t = t;
    state.q.resize(between_.size());
    state.v.resize(between_.size());
    system_.space().project(between_, state.q);
    system_.space().tangent_project(state.q, rate_between_, state.v);
  }

 protected:
  virtual void begin() = 0;                    // from now_
  virtual void solve(double t, double h) = 0;  // from before_ to now_

  [[noreturn]] void did_not_converge(double h, double correction) const {
    throw std::runtime_error(
        fmt::format("the variational step of {} at t = {:.9g} with step {:.6g} did not converge: last correction "
                    "{:.2e} after at most {} "
                    "iterations; the step may turn a coordinate too far at once, try {:.3g}",
                    system_.name(), t_, h, correction, most_iterations, h / 2));
  }

  State before_, now_;

 private:
  void advance(double h) final {
    before_.q.swap(now_.q);
    before_.v.swap(now_.v);
    before_.t = t_;
    solve(t_, h);
    now_.t = t_ + h;
    if (!std::isfinite(now_.q.sum() + now_.v.sum()))
      throw std::runtime_error(
          fmt::format("the variational step of {} leaves the finite numbers at t = {:.9g} with step {:.6g}; "
                      "try {:.3g}",
                      system_.name(), t_, h, h / 2));
    check_turns(h);
  }
  double evaluations_per_step() const override { return 2; }

  // The discrete Legendre transform folds at a quarter turn or before it. Beyond there is a second solution of the
  // equations of the step, which has nothing to do with the motion.
  void check_turns(double h) const {
    if ((now_.q - before_.q).lpNorm<Eigen::Infinity>() < harmless_) return;
    for (const auto& [factor, begin, size, squared_chord] : turning_)
      if ((now_.q.segment(begin, size) - before_.q.segment(begin, size)).squaredNorm() >= squared_chord)
        throw std::runtime_error(
            fmt::format("the variational step of {} at t = {:.9g} with step {:.6g} turns {} by more than a "
                        "quarter turn, too far for one step; try {:.3g}",
                        system_.name(), t_, h, system_.model().coordinates()[at(factor)].name, h / 4));
  }

  std::vector<Turning> turning_;
  double harmless_ = std::numeric_limits<double>::infinity();  // change of every entry that turns nothing too far
  VectorXd between_, rate_between_;
};

// With the kernels of the constant-mass path: O(n). The unknown W is the mean rate over the step.
class ConstantMassStepper final : public VariationalStepper {
 public:
  ConstantMassStepper(const System& system, double step)
      : VariationalStepper(system, step), kernels_(system.constant_mass().step) {
    for (VectorXd* x : {&W_, &next_, &recent_[0], &recent_[1], &recent_[2]}) *x = VectorXd::Zero(kernels_.increments);
    lambda_ = lambda_next_ = VectorXd::Zero(kernels_.multipliers);
    std::size_t scratch = 1;
    for (const Kernel* kernel : {&kernels_.predict, &kernels_.newton, &kernels_.refine, &kernels_.finish})
      if (!kernel->empty()) scratch = std::max(scratch, kernel->program().scratch_size());
    scratch_ = VectorXd::Zero(static_cast<Eigen::Index>(scratch));
  }

 private:
  void begin() override {
    steps_of_this_size_ = 0;
    lambda_.setZero();
  }

  void solve(double t, double h) override {
    clock_ = {t, h, 1 / h};
    guess(h);
    newton();
    const bool is_linear = !kernels_.refine.empty();
    if (!is_linear || kernels_.multipliers > 0) iterate(is_linear);
    kernels_.finish.run<4, 2>({before_.q.data(), W_.data(), work_.u.data(), clock_.data()},
                              {now_.q.data(), now_.v.data()}, scratch_.data());
    ++steps_of_this_size_;
    last_h_ = h;
  }

  // By extrapolation from the last three steps where they had the same size, else from the velocity.
  void guess(double h) {
    if (h != last_h_) steps_of_this_size_ = 0;
    recent_[2].swap(recent_[1]);
    recent_[1].swap(recent_[0]);
    recent_[0].swap(W_);
    if (steps_of_this_size_ >= 3)
      W_ = 3 * (recent_[0] - recent_[1]) + recent_[2];
    else
      kernels_.predict.run<1, 1>({before_.v.data()}, {W_.data()}, scratch_.data());
  }

  void newton() {
    kernels_.newton.run<6, 2>(
        {before_.q.data(), before_.v.data(), W_.data(), lambda_.data(), work_.u.data(), clock_.data()},
        {next_.data(), lambda_next_.data()}, scratch_.data());
    lambda_.swap(lambda_next_);
    accept();
  }

  // The equation of momentum holds after one Newton step where it is linear; only the constraints are left.
  void refine() {
    kernels_.refine.run<3, 1>({before_.q.data(), W_.data(), clock_.data()}, {next_.data()}, scratch_.data());
    accept();
  }

  void accept() {
    correction_ = (next_ - W_).lpNorm<Eigen::Infinity>();
    W_.swap(next_);
  }

  void iterate(bool is_linear) {
    const double h = std::abs(clock_[1]);
    const double scale = before_.q.lpNorm<Eigen::Infinity>();
    if (is_linear && h * correction_ <= well_guessed * scale) return;
    Convergence convergence(scale);
    convergence.reached(h * correction_);
    for (int iteration = 2; iteration <= most_iterations && std::isfinite(correction_); ++iteration) {
      is_linear ? refine() : newton();
      if (convergence.reached(h * correction_)) return;
    }
    did_not_converge(clock_[1], h * correction_);
  }

  const StepKernels& kernels_;
  VectorXd W_, next_, lambda_, lambda_next_, scratch_;
  std::array<VectorXd, 3> recent_;  // W of the last steps
  std::array<double, 3> clock_{};
  double correction_ = 0, last_h_ = 0;
  int steps_of_this_size_ = 0;
};

// On any manifold, with frozen bases: Newton's method with exact Jacobian, increments by retraction.
class ReducedStepper final : public VariationalStepper {
 public:
  ReducedStepper(const System& system, double step)
      : VariationalStepper(system, step),
        geometry_(system.geometry()),
        frame0_(geometry_.workspace()),
        frame1_(geometry_.workspace()) {
    const int a = geometry_.ambient(), m = system.constraints(), n = geometry_.dimension() + m;
    p_ = r_ = v_ = VectorXd::Zero(a);
    rhs_ = solution_ = VectorXd::Zero(n);
    lambda_ = VectorXd::Zero(m);
    G0_ = MatrixXd::Zero(m, a);
    matrix_ = MatrixXd::Zero(n, n);
    JN_ = MatrixXd::Zero(a, geometry_.dimension());
    lu_ = linear::Lu(n);
  }

 private:
  void begin() override {
    system_.momentum(work_, now_.t, now_.q, now_.v, p_);
    lambda_.setZero();
    if (system_.has_hamiltonian() && !system_.reduced().hamilton().is_regular(work_.hamilton(), now_.t, now_.q, p_))
      throw std::invalid_argument(
          fmt::format("the variational integrator needs the Lagrangian of {}, and its Hamiltonian has none: it is "
                      "degenerate in mu at t = {:.6g}; "
                      "use rk4 or rk45",
                      system_.name(), now_.t));
  }

  void solve(double t, double h) override {
    Reduced::Workspace& w = work_.reduced_workspace();
    geometry_.bases(before_.q, frame0_);
    system_.reduced().constraint(w, before_.q);
    if (system_.constraints() > 0) G0_ = w.G;
    v_ = h * before_.v;
    system_.space().retract(before_.q, v_, now_.q);
    Convergence convergence(before_.q.lpNorm<Eigen::Infinity>() + v_.lpNorm<Eigen::Infinity>());
    double correction = 0;
    for (int iteration = 1; iteration <= most_iterations && std::isfinite(correction); ++iteration) {
      correction = newton(w, t, h);
      if (!convergence.reached(correction)) continue;
      system_.reduced().discrete_end(w, t, h, before_.q, now_.q, work_.u, p_);
      system_.velocity(work_, t + h, now_.q, p_, now_.v);
      return;
    }
    did_not_converge(h, correction);
  }

  // [ N0^T J N1   (G0 N0)^T ] [ increment of q1 ]   [ N0^T (p0 + D1 L_d - G0^T lambda) ]
  // [ G1 N1        0        ] [ of lambda       ] = [ -c(q1)                           ]
  double newton(Reduced::Workspace& w, double t, double h) {
    system_.reduced().discrete_begin(w, t, h, before_.q, now_.q, work_.u);
    system_.reduced().constraint(w, now_.q);
    geometry_.bases(now_.q, frame1_);
    r_ = p_ - w.residual;
    r_.noalias() -= G0_.transpose() * lambda_;
    assemble(w);
    linear::factorise(lu_, matrix_);
    linear::solve(lu_, rhs_, solution_);
    for (int f = 0; f < geometry_.factors(); ++f) {
      const MatrixXd& N = frame1_.N[at(f)];
      v_.segment(geometry_.offset(f), N.rows()).noalias() =
          N * solution_.segment(geometry_.tangent_offset(f), N.cols());
    }
    const double correction = v_.lpNorm<Eigen::Infinity>();
    if (!v_.allFinite()) return std::numeric_limits<double>::infinity();
    lambda_ += solution_.tail(lambda_.size());
    system_.space().retract(now_.q, v_, now_.q);
    return correction;
  }

  void assemble(const Reduced::Workspace& w) {
    const int d = geometry_.dimension();
    const auto m = lambda_.size();
    for (int f = 0; f < geometry_.factors(); ++f) {
      const MatrixXd& N = frame1_.N[at(f)];
      const int col = geometry_.tangent_offset(f);
      JN_.middleCols(col, N.cols()).noalias() = w.jacobian.middleCols(geometry_.offset(f), N.rows()) * N;
      if (m > 0) matrix_.block(d, col, m, N.cols()).noalias() = w.G.middleCols(geometry_.offset(f), N.rows()) * N;
    }
    for (int f = 0; f < geometry_.factors(); ++f) {
      const MatrixXd& N = frame0_.N[at(f)];
      const int row = geometry_.tangent_offset(f), begin = geometry_.offset(f);
      matrix_.block(row, 0, N.cols(), d).noalias() = N.transpose() * JN_.middleRows(begin, N.rows());
      rhs_.segment(row, N.cols()).noalias() = N.transpose() * r_.segment(begin, N.rows());
      if (m > 0)
        matrix_.block(row, d, N.cols(), m).noalias() = N.transpose() * G0_.middleCols(begin, N.rows()).transpose();
    }
    rhs_.tail(m) = -w.c;
  }

  const Geometry& geometry_;
  Geometry::Workspace frame0_, frame1_;
  VectorXd p_, r_, v_, rhs_, solution_, lambda_;
  MatrixXd G0_, matrix_, JN_;
  linear::Lu lu_;
};

}  // namespace

std::unique_ptr<Stepper> variational_stepper(const System& system, double step) {
  if (system.path() == Path::constant_mass && !system.constant_mass().step.newton.empty())
    return std::make_unique<ConstantMassStepper>(system, step);
  return std::make_unique<ReducedStepper>(system, step);
}

}  // namespace hamel
