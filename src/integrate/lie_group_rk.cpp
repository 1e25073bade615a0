// Lie-group Runge-Kutta methods of order 4, for the motion (q, xi) wherever a group acts on every factor: R^n, S^1,
// S^2, S^n, SO(3), SE(3), matrix groups, homogeneous spaces and their products.
//
//   rkmk4              q1 = exp(u) q0, where u' = dexp^-1_u A is integrated in the algebra; Munthe-Kaas, "High order
//                      Runge-Kutta methods on manifolds" (1999)
//   commutator_free4   two exponentials and no bracket; Celledoni, Marthinsen, Owren, "Commutator-free Lie group
//                      methods" (2003)
//
// Both on the classical tableau, by which the quasi-velocities advance as well. The factors are kept to rounding;
// holonomic constraints are not: they drift with the error of the method. Neither symplectic nor symmetric.
#include <fmt/core.h>

#include <array>
#include <stdexcept>
#include <vector>

#include "hamel/mechanics/field.hpp"
#include "integrate/fixed_step.hpp"
#include "integrate/group_action.hpp"
#include "integrate/method_row.hpp"

namespace hamel {
namespace {

struct Part {  // a factor, and where its numbers begin
  std::unique_ptr<GroupAction> action;
  Eigen::Index points, rates, point, rate, element;

  template <class V>
  auto of_points(V& q) const {
    return q.segment(point, points);
  }
  template <class V>
  auto of_rates(V& xi) const {
    return xi.segment(rate, rates);
  }
  template <class V>
  auto of_algebra(V& A) const {
    return A.segment(element, action->algebra());
  }
};

// The product of the groups of all factors, acting on the configuration.
class ProductAction {
 public:
  explicit ProductAction(const System& system) {
    Eigen::Index point = 0, rate = 0;
    for (const Manifold& factor : system.space().factors()) {
      std::unique_ptr<GroupAction> action = group_action(factor);
      if (!action)
        throw std::invalid_argument(fmt::format(
            "{} cannot be integrated by a Lie-group method: no group is known to act on its factor {} ({}); "
            "use {}rk4 with reprojection",
            system.name(), parts_.size() + 1, factor.name(), system.has_energies() ? "variational, or " : ""));
      parts_.push_back({std::move(action), factor.ambient(), factor.rates(), point, rate, size_});
      point += factor.ambient();
      rate += factor.rates();
      size_ += parts_.back().action->algebra();
    }
    inner_ = outer_ = VectorXd::Zero(size_);
  }

  Eigen::Index size() const { return size_; }

  void generator(In q, In xi, Out A) const {
    for (const Part& p : parts_) p.action->generator(p.of_points(q), p.of_rates(xi), p.of_algebra(A));
  }
  void move(In A, Out q) {
    for (Part& p : parts_) p.action->move(p.of_algebra(A), p.of_points(q));
  }
  // A := dexp^-1_u A = A - [u, A]/2 + [u, [u, A]]/12 + O(u^4)
  void pull_back(In u, Out A) {
    bracket(u, A, inner_);
    bracket(u, inner_, outer_);
    A += outer_ / 12 - inner_ / 2;
  }

 private:
  void bracket(In A, In B, Out result) const {
    for (const Part& p : parts_) p.action->bracket(p.of_algebra(A), p.of_algebra(B), p.of_algebra(result));
  }

  std::vector<Part> parts_;
  Eigen::Index size_ = 0;
  VectorXd inner_, outer_;
};

class LieRkStepper final : public FixedStep {
 public:
  LieRkStepper(const System& system, const LieRk& method)
      : FixedStep(system, method.step), scheme_(method.scheme), action_(system), field_(system, Form::omega) {
    for (VectorXd* x : {&y_, &before_, &stage_, &middle_, &rate_}) *x = VectorXd::Zero(field_.size());
    for (VectorXd& k : k_) k = VectorXd::Zero(field_.size());
    for (VectorXd& A : A_) A = VectorXd::Zero(action_.size());
    u_ = VectorXd::Zero(action_.size());
    xi_ = VectorXd::Zero(system.rates());
  }

  void start(const State& state) override {
    restart_clock(state.t);
    before_ = y_ = field_.pack(work_, state);
    rate_is_known_ = false;
  }
  void current(State& state) override { field_.unpack(work_, time(), y_, state); }
  void interpolate(double t, State& state) override {
    const double h = time() - begin_of_step(), s = (t - begin_of_step()) / h;
    stage_ = hermite(s, h, before_, k_[0], y_, rate());
    field_.project(work_, t, stage_);
    field_.unpack(work_, t, stage_, state);
  }

 private:
  double evaluations_per_step() const override { return 4; }
  std::vector<const Program*> programs() const override { return field_.programs(); }
  void remember(Memory& memory) override {
    FixedStep::remember(memory);
    memory(y_, before_, k_[0], rate_, rate_is_known_);
  }
  void inputs_changed() override { rate_is_known_ = false; }

  auto q(VectorXd& y) const { return y.head(system_.ambient()); }
  auto xi(VectorXd& y) const { return y.tail(field_.partners()); }  // empty for first-order systems

  // A_i at y, whose rate is k_i.
  void generator(std::size_t i, VectorXd& y) {
    if (field_.partners() == 0)
      system_.space().rates(q(y), q(k_[i]), xi_);
    else
      xi_ = xi(y);
    action_.generator(q(y), xi_, A_[i]);
  }

  const VectorXd& rate() {  // now
    if (!rate_is_known_) field_(work_, time(), y_, rate_);
    rate_is_known_ = true;
    return rate_;
  }

  void advance(double h) override {
    k_[0] = rate();
    generator(0, y_);
    if (scheme_ == LieScheme::rkmk4)
      munthe_kaas(h);
    else
      commutator_free(h);
    xi(stage_) = xi(y_) + h / 6 * (xi(k_[0]) + 2 * xi(k_[1]) + 2 * xi(k_[2]) + xi(k_[3]));
    if (!stage_.allFinite())
      throw StepError(time(), h,
                      fmt::format("{} of {} leaves the finite numbers at t = {:.9g} with step {:.6g}; try {:.3g}",
                                  LieRk::row().name({h, scheme_}), system_.name(), time(), h, h / 2));
    drop_isotropy(stage_);
    before_.swap(y_);
    y_.swap(stage_);
    rate_is_known_ = false;
  }

  // The classical method for u' = dexp^-1_u A in the algebra, begun at 0.
  void munthe_kaas(double h) {
    for (std::size_t i = 1; i < 4; ++i) {
      const double a = i < 3 ? h / 2 : h;
      u_ = a * A_[i - 1];
      q(stage_) = q(y_);
      action_.move(u_, q(stage_));
      evaluate(i, a);
      action_.pull_back(u_, A_[i]);
    }
    u_ = h / 6 * (A_[0] + 2 * A_[1] + 2 * A_[2] + A_[3]);
    q(stage_) = q(y_);
    action_.move(u_, q(stage_));
  }

  void commutator_free(double h) {
    for (std::size_t i = 1; i < 3; ++i) {
      u_ = h / 2 * A_[i - 1];
      q(stage_) = q(y_);
      action_.move(u_, q(stage_));
      if (i == 1) middle_ = stage_;
      evaluate(i, h / 2);
    }
    u_ = h * A_[2] - h / 2 * A_[0];
    q(stage_) = q(middle_);
    action_.move(u_, q(stage_));
    evaluate(3, h);
    q(stage_) = q(y_);
    u_ = h / 12 * (3 * A_[0] + 2 * A_[1] + 2 * A_[2] - A_[3]);
    action_.move(u_, q(stage_));
    u_ = h / 12 * (3 * A_[3] + 2 * A_[1] + 2 * A_[2] - A_[0]);
    action_.move(u_, q(stage_));
  }

  // Completes stage i at the point that q has reached, a after the beginning of the step.
  void evaluate(std::size_t i, double a) {
    xi(stage_) = xi(y_) + a * xi(k_[i - 1]);
    field_(work_, time() + a, stage_, k_[i]);
    generator(i, stage_);
  }

  // What xi has in the isotropy algebra (omega along q, on S^2) moves nothing, and is zero but for the error.
  void drop_isotropy(VectorXd& y) {
    if (field_.partners() == 0 || system_.rates() == system_.space().dimension()) return;
    system_.space().velocity(q(y), xi(y), q(middle_));
    system_.space().rates(q(y), q(middle_), xi(y));
  }

  LieScheme scheme_;
  ProductAction action_;
  Field field_;
  VectorXd y_, before_, stage_, middle_, rate_, u_, xi_;
  std::array<VectorXd, 4> k_;  // rates of y = (q, xi)
  std::array<VectorXd, 4> A_;  // elements of the algebra
  bool rate_is_known_ = false;
};

}  // namespace

const MethodRow<LieRk>& LieRk::row() {
  static const MethodRow<LieRk> row{
      .variants = {{.step = 0}, {.step = 0, .scheme = LieScheme::commutator_free4}},
      .name = [](const LieRk& m) -> std::string { return m.scheme == LieScheme::rkmk4 ? "rkmk4" : "commutator_free4"; },
      .info =
          [](const LieRk&) {
            return MethodInfo{.order = 4, .is_explicit = true, .keeps_manifold = true, .needs_group = true};
          },
      .parts = {number("step", &LieRk::step),
                word("scheme", &LieRk::scheme,
                     {{"rkmk4", LieScheme::rkmk4}, {"commutator_free4", LieScheme::commutator_free4}})},
      .check = check_step<LieRk>,
      .stepper = [](const System& system, const LieRk& m) -> std::unique_ptr<Stepper> {
        return std::make_unique<LieRkStepper>(system, m);
      }};
  return row;
}

}  // namespace hamel
