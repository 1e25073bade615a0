#include "integrate/lie_rk_step.hpp"

#include <fmt/core.h>

#include <stdexcept>

namespace hamel {

ProductAction::ProductAction(const System& system) {
  Eigen::Index point = 0, rate = 0;
  for (const Manifold& factor : system.space().factors()) {
    std::unique_ptr<GroupAction> action = group_action(factor);
    if (!action)
      throw std::invalid_argument(fmt::format(
          "{} cannot be integrated by a Lie-group method: no group is known to act on its factor {} ({}); "
          "use {}rk4 with reprojection",
          system.name(), parts_.size() + 1, factor.name(), system.has_energies() ? "variational, or " : ""));
    parts_.push_back({factor, std::move(action), factor.ambient(), factor.rates(), point, rate, size_});
    point += factor.ambient();
    rate += factor.rates();
    size_ += parts_.back().action->algebra();
  }
  inner_ = outer_ = VectorXd::Zero(size_);
  velocity_ = VectorXd::Zero(point);
}

void ProductAction::generator(In q, In xi, Out A) const {
  for (const auto& [factor, action, points, rates, point, rate, element] : parts_)
    action->generator(q.segment(point, points), xi.segment(rate, rates), A.segment(element, action->algebra()));
}

void ProductAction::move(In A, Out q) {
  for (const auto& [factor, action, points, rates, point, rate, element] : parts_)
    action->move(A.segment(element, action->algebra()), q.segment(point, points));
}

void ProductAction::bracket(In A, In B, Out result) const {
  for (const auto& [factor, action, points, rates, point, rate, element] : parts_) {
    const int n = action->algebra();
    action->bracket(A.segment(element, n), B.segment(element, n), result.segment(element, n));
  }
}

void ProductAction::pull_back(In u, Out A) {
  bracket(u, A, inner_);
  bracket(u, inner_, outer_);
  A += outer_ / 12 - inner_ / 2;
}

void ProductAction::drop_isotropy(In q, Out xi) {
  for (const auto& [factor, action, points, rates, point, rate, element] : parts_) {
    if (rates == factor.dimension()) continue;
    factor.velocity(q.segment(point, points), xi.segment(rate, rates), velocity_.segment(point, points));
    factor.rates(q.segment(point, points), velocity_.segment(point, points), xi.segment(rate, rates));
  }
}

LieRkStep::LieRkStep(const System& system, LieScheme scheme, Eigen::Index partners)
    : y(VectorXd::Zero(system.ambient() + partners)),
      system_(system),
      scheme_(scheme),
      partners_(partners),
      action_(system),
      point_(y),
      middle_(y),
      u_(VectorXd::Zero(action_.size())),
      xi_(VectorXd::Zero(system.rates())) {
  k.fill(y);
  A_.fill(u_);
}

const VectorXd& LieRkStep::at_stage(std::size_t i, double h) {
  if (i == 0) return y;
  find_generator(i - 1);
  const double a = c[i] * h;
  if (scheme_ == LieScheme::commutator_free4 && i == 3) {
    u_ = h * A_[2] - h / 2 * A_[0];
    move_from(middle_);
  } else {
    u_ = a * A_[i - 1];
    move_from(y);
  }
  if (i == 1) q(middle_) = q(point_);
  xi(point_) = xi(y) + a * xi(k[i - 1]);
  return point_;
}

const VectorXd& LieRkStep::end(double h) {
  find_generator(stages - 1);
  if (scheme_ == LieScheme::rkmk4) {
    u_ = h / 6 * (A_[0] + 2 * A_[1] + 2 * A_[2] + A_[3]);
    move_from(y);
  } else {
    u_ = h / 12 * (3 * A_[0] + 2 * A_[1] + 2 * A_[2] - A_[3]);
    move_from(y);
    u_ = h / 12 * (3 * A_[3] + 2 * A_[1] + 2 * A_[2] - A_[0]);
    action_.move(u_, q(point_));
  }
  xi(point_) = xi(y) + h / 6 * (xi(k[0]) + 2 * xi(k[1]) + 2 * xi(k[2]) + xi(k[3]));
  if (partners_ > 0 && point_.allFinite()) action_.drop_isotropy(q(point_), xi(point_));
  return point_;
}

// A_i where stage i is; u_ has led there.
void LieRkStep::find_generator(std::size_t i) {
  VectorXd& x = i == 0 ? y : point_;
  if (partners_ == 0)
    system_.space().rates(q(x), q(k[i]), xi_);
  else
    xi_ = xi(x);
  action_.generator(q(x), xi_, A_[i]);
  if (i > 0 && scheme_ == LieScheme::rkmk4) action_.pull_back(u_, A_[i]);
}

void LieRkStep::move_from(VectorXd& x) {
  q(point_) = q(x);
  action_.move(u_, q(point_));
}

}  // namespace hamel
