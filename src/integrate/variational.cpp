#include "hamel/integrate/variational.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "integrate/compensated.hpp"
#include "integrate/composition.hpp"
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

// The manifold bends away under long steps: how much each factor moved decides whether that has to be looked at.
struct CurvedFactor {
  int factor, begin, size;
};

std::vector<CurvedFactor> curved_factors(const Geometry& geometry) {
  std::vector<CurvedFactor> result;
  for (int f = 0; f < geometry.factors(); ++f)
    if (geometry.space(f).dimension() < geometry.space(f).ambient())
      result.push_back({f, geometry.offset(f), geometry.space(f).ambient()});
  return result;
}

class VariationalStepper : public FixedStep {
 public:
  VariationalStepper(const System& system, const Variational& method)
      : FixedStep(system, method.step),
        rule_(method.rule),
        substeps_(composition(method.order)),
        curved_(curved_factors(system.geometry())) {
    between_ = rate_between_ = VectorXd::Zero(system.ambient());
    now_ = before_ = first_ = {0, between_, between_};
  }

  void start(const State& state) final {
    restart_clock(state.t);
    now_ = before_ = first_ = state;
    harmless_ = std::numeric_limits<double>::infinity();
    for (const auto& [f, begin, size] : curved_)
      harmless_ = std::min(harmless_, short_way(state.q.segment(begin, size)) / 2);
    begin();
  }
  void current(State& state) final {
    find_velocity();
    state = now_;
  }
  void interpolate(double t, State& state) final {
    State& from = substeps_.size() == 1 ? before_ : first_;
    find_velocity();
    find_velocity_before(from);
    const double h = t_ - begin_, s = (t - begin_) / h;
    between_ = hermite(s, h, from.q, from.v, now_.q, now_.v);
    rate_between_ = hermite_rate(s, h, from.q, from.v, now_.q, now_.v);
    state.t = t;
    state.q.resize(between_.size());
    state.v.resize(between_.size());
    system_.space().project(between_, state.q);
    system_.space().tangent_project(state.q, rate_between_, state.v);
  }

 protected:
  virtual void begin() = 0;                                         // from now_
  virtual void solve(double t, double h, std::size_t substep) = 0;  // from before_ to now_
  // For methods that keep momenta: of now_, and of the state where the whole step began.
  virtual void find_velocity() {}
  virtual void find_velocity_before(State&) {}
  virtual double sum_of_state() const { return now_.q.sum() + now_.v.sum(); }
  // The matrix of the step relative to what it is for a step of no length: the smallest ratio of their pivots, or the
  // ratio of their determinants. It is 0 at a fold of the discrete Legendre transform, and negative beyond.
  virtual double fold_indicator(double t, double h, std::size_t substep) = 0;

  [[noreturn]] void did_not_converge(double h, double correction) const {
    throw StepError(
        t_, h,
        fmt::format("the variational step of {} at t = {:.9g} with step {:.6g} did not converge: last correction "
                    "{:.2e} after at most {} iterations; the step may turn a coordinate too far at once, try {:.3g}",
                    system_.name(), t_, h, correction, most_iterations, h / 2));
  }
  std::size_t substeps() const { return substeps_.size(); }
  void remember(Memory& memory) override {
    FixedStep::remember(memory);
    memory(now_, before_, first_, harmless_);
  }

  Quadrature rule_;
  State before_, now_;

 private:
  void advance(double h) final {
    if (substeps_.size() > 1) {
      first_.q = now_.q;
      first_.v = now_.v;
      first_.t = t_;
    }
    double t = t_;
    for (std::size_t k = 0; k < substeps_.size(); ++k) {
      before_.q.swap(now_.q);
      before_.v.swap(now_.v);
      before_.t = t;
      solve(t, substeps_[k] * h, k);
      if (!std::isfinite(sum_of_state()))
        throw StepError(
            t_, h,
            fmt::format("the variational step of {} leaves the finite numbers at t = {:.9g} with step {:.6g}; "
                        "try {:.3g}",
                        system_.name(), t_, h, h / 2));
      check_fold(t, substeps_[k] * h, k);
      t += substeps_[k] * h;
    }
    now_.t = t_ + h;
  }
  double evaluations_per_step() const override { return 2 * static_cast<double>(substeps_.size()); }

  // Beyond a fold of the discrete Legendre transform (a quarter turn, for the kinetic energy of points) the equations
  // of the step have solutions that have nothing to do with the motion.
  void check_fold(double t, double h, std::size_t substep) {
    constexpr double near_the_fold = 0.01;
    if ((now_.q - before_.q).lpNorm<Eigen::Infinity>() < harmless_) return;
    for (const auto& [factor, begin, size] : curved_) {
      const auto q0 = before_.q.segment(begin, size), q1 = now_.q.segment(begin, size);
      if ((q1 - q0).lpNorm<Eigen::Infinity>() < short_way(q0)) continue;
      if (fold_indicator(t, h, substep) > near_the_fold) return;
      throw StepError(
          t, h,
          fmt::format("the variational step of {} at t = {:.9g} with step {:.6g} turns {} too far for one step, to or "
                      "beyond a fold of the discrete Legendre transform (a quarter turn or less); try {:.3g}",
                      system_.name(), t, h, system_.model().coordinates()[at(factor)].name, h / 4));
    }
  }

  // No fold is nearer than this: an eighth of a turn of a unit vector moves some entry further.
  static double short_way(In q) { return 0.4 * std::min(1.0, q.lpNorm<Eigen::Infinity>()); }

  std::vector<double> substeps_;
  std::vector<CurvedFactor> curved_;
  State first_;          // where the whole step began
  double harmless_ = 0;  // change of every entry that is certainly short
  VectorXd between_, rate_between_;
};

// With the kernels of the constant-mass path: O(n). The unknown W is the mean rate over the step.
class ConstantMassStepper final : public VariationalStepper {
 public:
  ConstantMassStepper(const System& system, const Variational& method)
      : VariationalStepper(system, method), kernels_(system.step(method.rule)), histories_(substeps()) {
    P_ = P_next_ = P_before_ = P_lost_ = impulse_ = W_ = next_ = VectorXd::Zero(kernels_.increments);
    lambda_ = lambda_next_ = VectorXd::Zero(kernels_.multipliers);
    q_lost_ = way_ = VectorXd::Zero(system.ambient());
    for (int f = 0; f < system.geometry().factors(); ++f)
      has_groups_ = has_groups_ || system.geometry().is_given_by_basis(f);
    for (History& history : histories_) {
      history.lambda = lambda_;
      for (VectorXd& W : history.recent) W = W_;
    }
    std::size_t scratch = 1;
    for (const Kernel* kernel : {&kernels_.predict, &kernels_.start, &kernels_.newton, &kernels_.refine, &kernels_.way,
                                 &kernels_.finish, &kernels_.velocity, &kernels_.closed})
      if (!kernel->empty()) scratch = std::max(scratch, kernel->program().scratch_size());
    scratch_ = VectorXd::Zero(static_cast<Eigen::Index>(scratch));
  }

 private:
  static constexpr int extrapolated = 3;  // steps

  // What the same substep of earlier steps found.
  struct History {
    std::array<VectorXd, extrapolated> recent;  // W
    VectorXd lambda;
    double h = 0;
    int steps = 0;  // of this size, at most as many as are kept
  };

  void remember(Memory& memory) override {
    VariationalStepper::remember(memory);
    memory(P_, P_before_, P_lost_, q_lost_, is_known_);
    for (History& history : histories_) {
      for (VectorXd& W : history.recent) memory(W);
      memory(history.lambda, history.h, history.steps);
    }
  }

  void begin() override {
    q_lost_.setZero();
    P_lost_.setZero();
    clock_ = {now_.t, 0, 0};
    kernels_.start.run<3, 1>({now_.q.data(), now_.v.data(), clock_.data()}, {P_.data()}, scratch_.data());
    is_known_ = true;
    for (History& history : histories_) {
      history.steps = 0;
      history.lambda.setZero();
    }
  }

  void find_velocity() override {
    if (!is_known_) find_velocity(now_, P_);
    is_known_ = true;
  }
  void find_velocity_before(State& from) override { find_velocity(from, P_before_); }
  void find_velocity(State& state, const VectorXd& P) {
    clock_[0] = state.t;
    kernels_.velocity.run<3, 1>({state.q.data(), P.data(), clock_.data()}, {state.v.data()}, scratch_.data());
  }
  double sum_of_state() const override { return now_.q.sum() + P_.sum(); }

  void solve(double t, double h, std::size_t substep) override {
    if (substep == 0) P_before_ = P_;
    History& history = histories_[substep];
    clock_ = {t, h, 1 / h};
    lambda_.swap(history.lambda);
    if (kernels_.closed.empty())
      solve_by_newton(history, h);
    else
      solve_directly(h);
    kernels_.way.run<3, 1>({before_.q.data(), W_.data(), clock_.data()}, {way_.data()}, scratch_.data());
    add(before_.q, way_, q_lost_, now_.q);
    kernels_.finish.run<6, 1>(
        {before_.q.data(), now_.q.data(), W_.data(), lambda_.data(), work_.u.data(), clock_.data()}, {impulse_.data()},
        scratch_.data());
    add(P_, impulse_, P_lost_, P_next_);
    P_.swap(P_next_);
    is_known_ = false;
    lambda_.swap(history.lambda);
    remember(history, h);
  }

  void add(const VectorXd& before, const VectorXd& change, VectorXd& lost, VectorXd& after) const {
    if (has_groups_)
      add_compensated(before, change, lost, after);
    else
      after = before + change;
  }

  void solve_directly(double h) {
    kernels_.closed.run<4, 2>({before_.q.data(), P_.data(), work_.u.data(), clock_.data()}, {W_.data(), lambda_.data()},
                              scratch_.data());
    if (std::isfinite(W_.sum())) return;
    throw StepError(
        t_, h,
        fmt::format(
            "the variational step of {} at t = {:.9g} with step {:.6g} has no solution: a coordinate would turn "
            "by a quarter turn or more, beyond the fold of the discrete Legendre transform; try {:.3g}",
            system_.name(), t_, h, h / 4));
  }

  void solve_by_newton(History& history, double h) {
    guess(history, h);
    newton();
    const bool is_linear = !kernels_.refine.empty();
    if (!is_linear || kernels_.multipliers > 0) iterate(is_linear);
  }

  // By extrapolation from the last three steps where they had the same size, else from the velocity.
  void guess(History& history, double h) {
    if (h != history.h) history.steps = 0;
    if (history.steps == extrapolated) {
      W_ = 3 * (history.recent[0] - history.recent[1]) + history.recent[2];
      return;
    }
    find_velocity(before_, P_);
    kernels_.predict.run<2, 1>({before_.q.data(), before_.v.data()}, {W_.data()}, scratch_.data());
  }
  void remember(History& history, double h) {
    history.recent[2].swap(history.recent[1]);
    history.recent[1].swap(history.recent[0]);
    history.recent[0].swap(W_);
    history.h = h;
    history.steps = std::min(history.steps + 1, extrapolated);
  }

  void newton() {
    kernels_.newton.run<6, 2>({before_.q.data(), P_.data(), W_.data(), lambda_.data(), work_.u.data(), clock_.data()},
                              {next_.data(), lambda_next_.data()}, scratch_.data());
    lambda_.swap(lambda_next_);
    accept();
  }

  // The equation of momentum holds after one Newton step where it is linear; only the constraints are left.
  void refine() {
    kernels_.refine.run<4, 2>({before_.q.data(), W_.data(), lambda_.data(), clock_.data()},
                              {next_.data(), lambda_next_.data()}, scratch_.data());
    lambda_.swap(lambda_next_);
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

  // The last W is the first of its history by now.
  double fold_indicator(double t, double h, std::size_t substep) override {
    const Kernel& kernel = system_.step_pivots(rule_);
    const History& history = histories_[substep];
    const std::array clock{t, h, 1 / h};
    VectorXd scratch(static_cast<Eigen::Index>(kernel.program().scratch_size()));
    const auto pivots_at = [&](const VectorXd& W) {
      VectorXd pivots(kernels_.increments + kernels_.multipliers);
      kernel.run<6, 1>({before_.q.data(), P_.data(), W.data(), history.lambda.data(), work_.u.data(), clock.data()},
                       {pivots.data()}, scratch.data());
      return pivots;
    };
    const VectorXd rest = VectorXd::Zero(kernels_.increments);
    return pivots_at(history.recent[0]).cwiseQuotient(pivots_at(rest)).minCoeff();
  }

  const StepKernels& kernels_;
  std::vector<History> histories_;
  VectorXd P_, P_next_, P_before_, P_lost_, impulse_, W_, next_, lambda_, lambda_next_, way_, q_lost_, scratch_;
  std::array<double, 3> clock_{};
  double correction_ = 0;
  bool has_groups_ = false;  // points of the others are solved for: their rounding does not add up
  bool is_known_ = false;    // the velocity of now_
};

// On any manifold, with frozen bases: Newton's method with exact Jacobian, increments by retraction.
class ReducedStepper final : public VariationalStepper {
 public:
  ReducedStepper(const System& system, const Variational& method)
      : VariationalStepper(system, method),
        geometry_(system.geometry()),
        reduced_(system.reduced(method.rule)),
        w_(reduced_.workspace(geometry_)),
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
  void remember(Memory& memory) override {
    VariationalStepper::remember(memory);
    memory(p_, lambda_, w_.hamilton.mu);  // mu is where the next Legendre transform begins
  }

  void begin() override {
    system_.momentum(work_, now_.t, now_.q, now_.v, p_);
    lambda_.setZero();
    if (system_.has_hamiltonian() && !reduced_.hamilton().is_regular(work_.hamilton(), now_.t, now_.q, p_))
      throw std::invalid_argument(
          fmt::format("the variational integrator needs the Lagrangian of {}, and its Hamiltonian has none: it is "
                      "degenerate in mu at t = {:.6g}; use gauss, rk4 or rk45",
                      system_.name(), now_.t));
  }

  void solve(double t, double h, std::size_t) override {
    geometry_.bases(before_.q, frame0_);
    reduced_.constraint(w_, before_.q);
    if (system_.constraints() > 0) G0_ = w_.G;
    v_ = h * before_.v;
    system_.space().retract(before_.q, v_, now_.q);
    // A Newton step costs little beside its bases; what is left of the error adds up over the substeps of a
    // composition.
    constexpr double care = 0.01;
    Convergence convergence(care * (before_.q.lpNorm<Eigen::Infinity>() + v_.lpNorm<Eigen::Infinity>()));
    double correction = 0;
    for (int iteration = 1; iteration <= most_iterations && std::isfinite(correction); ++iteration) {
      correction = newton(t, h);
      if (!convergence.reached(correction)) continue;
      finish(t, h);
      return;
    }
    did_not_converge(h, correction);
  }

  // Of a very short step the chord (q1 - q0)/h has few digits, but the same ones at both ends: what they leave of the
  // equation at the beginning is what the momentum at the end has too much.
  void finish(double t, double h) {
    reduced_.discrete_begin(w_, t, h, before_.q, now_.q, work_.u);
    r_ = p_ - w_.residual;
    r_.noalias() -= G0_.transpose() * lambda_;
    reduced_.discrete_end(w_, t, h, before_.q, now_.q, work_.u, p_);
    for (int f = 0; f < geometry_.factors(); ++f) {
      const MatrixXd& N = frame0_.N[at(f)];
      auto pulled = rhs_.head(N.cols());
      pulled.noalias() = N.transpose() * r_.segment(geometry_.offset(f), N.rows());
      p_.segment(geometry_.offset(f), N.rows()).noalias() += N * pulled;
    }
    system_.velocity(work_, t + h, now_.q, p_, now_.v);
  }

  // [ N0^T J N1   (G0 N0)^T ] [ increment of q1 ]   [ N0^T (p0 + D1 L_d - G0^T lambda) ]
  // [ G1 N1        0        ] [ of lambda       ] = [ -c(q1)                           ]
  double newton(double t, double h) {
    reduced_.discrete_begin(w_, t, h, before_.q, now_.q, work_.u);
    reduced_.constraint(w_, now_.q);
    geometry_.bases(now_.q, frame1_);
    r_ = p_ - w_.residual;
    r_.noalias() -= G0_.transpose() * lambda_;
    assemble();
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

  void assemble() {
    const int d = geometry_.dimension();
    const auto m = lambda_.size();
    for (int f = 0; f < geometry_.factors(); ++f) {
      const MatrixXd& N = frame1_.N[at(f)];
      const int col = geometry_.tangent_offset(f);
      JN_.middleCols(col, N.cols()).noalias() = w_.jacobian.middleCols(geometry_.offset(f), N.rows()) * N;
      if (m > 0) matrix_.block(d, col, m, N.cols()).noalias() = w_.G.middleCols(geometry_.offset(f), N.rows()) * N;
    }
    for (int f = 0; f < geometry_.factors(); ++f) {
      const MatrixXd& N = frame0_.N[at(f)];
      const int row = geometry_.tangent_offset(f), begin = geometry_.offset(f);
      matrix_.block(row, 0, N.cols(), d).noalias() = N.transpose() * JN_.middleRows(begin, N.rows());
      rhs_.segment(row, N.cols()).noalias() = N.transpose() * r_.segment(begin, N.rows());
      if (m > 0)
        matrix_.block(row, d, N.cols(), m).noalias() = N.transpose() * G0_.middleCols(begin, N.rows()).transpose();
    }
    rhs_.tail(m) = -w_.c;
  }

  double fold_indicator(double t, double h, std::size_t) override {
    return determinant(t, h, now_.q) / determinant(t, h, before_.q);
  }

  // Of D1 D2 L_d between the tangent spaces, bordered by the constraints. Bases that are the manifold's own (or none:
  // constraints), so that the sign means something: an orthonormal basis may turn over from one point to the next.
  double determinant(double t, double h, const VectorXd& q1) {
    const int a = geometry_.ambient();
    MatrixXd left(a, 0), right(a, 0), normal0(a, 0), normal1(a, 0);
    const auto append = [](MatrixXd& matrix, int row, const MatrixXd& block) {
      const auto old = matrix.cols();
      matrix.conservativeResize(Eigen::NoChange, old + block.cols());
      matrix.rightCols(block.cols()).setZero();
      matrix.block(row, old, block.rows(), block.cols()) = block;
    };
    geometry_.evaluate(before_.q, before_.v, frame0_);
    geometry_.evaluate(q1, before_.v, frame1_);
    for (int f = 0; f < geometry_.factors(); ++f) {
      const Manifold& space = geometry_.space(f);
      const int begin = geometry_.offset(f);
      if (space.rates() > space.dimension() && geometry_.is_given_by_basis(f)) return 1;  // nothing to compare
      if (geometry_.is_given_by_basis(f)) {
        append(left, begin, frame0_.frame[at(f)]);
        append(right, begin, frame1_.frame[at(f)]);
        continue;
      }
      append(left, begin, MatrixXd::Identity(space.ambient(), space.ambient()));
      append(right, begin, MatrixXd::Identity(space.ambient(), space.ambient()));
      append(normal0, begin, frame0_.frame[at(f)].transpose());
      append(normal1, begin, frame1_.frame[at(f)].transpose());
    }
    reduced_.discrete_begin(w_, t, h, before_.q, q1, work_.u);
    if (system_.constraints() > 0) {
      append(normal0, 0, G0_.transpose());
      reduced_.constraint(w_, q1);
      append(normal1, 0, w_.G.transpose());
    }
    const auto n = left.cols(), m = normal0.cols();
    MatrixXd matrix = MatrixXd::Zero(n + m, n + m);
    matrix.topLeftCorner(n, n) = left.transpose() * w_.jacobian * right;
    matrix.topRightCorner(n, m) = left.transpose() * normal0;
    matrix.bottomLeftCorner(m, n) = normal1.transpose() * right;
    return linear::determinant(matrix);
  }

  const Geometry& geometry_;
  const Reduced& reduced_;
  Reduced::Workspace w_;
  Geometry::Workspace frame0_, frame1_;
  VectorXd p_, r_, v_, rhs_, solution_, lambda_;
  MatrixXd G0_, matrix_, JN_;
  linear::Lu lu_;
};

}  // namespace

std::unique_ptr<Stepper> variational_stepper(const System& system, const Variational& method) {
  if (system.path() == Path::constant_mass) return std::make_unique<ConstantMassStepper>(system, method);
  return std::make_unique<ReducedStepper>(system, method);
}

}  // namespace hamel
