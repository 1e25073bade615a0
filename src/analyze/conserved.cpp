#include "hamel/analyze/conserved.hpp"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "hamel/derive/formulation.hpp"
#include "hamel/integrate/integrate.hpp"
#include "hamel/mechanics/geometry.hpp"

namespace hamel {

namespace {

// F and its derivatives, one component after another.
class QuantityRate {
 public:
  QuantityRate(const Model& model, const Formula& formula) {
    Sheet sheet(model);
    LoweredModel& lowered = sheet.lowered;
    const MatrixXe F = lower(formula, model, lowered);
    std::vector<Expr> by_q, by_v, by_t;
    for (const Expr component : F.reshaped()) {
      for (const auto& [list, variables] : {std::pair{&by_q, lowered.q}, std::pair{&by_v, lowered.v}}) {
        const std::vector<Expr> derivatives = gradient(component, variables);
        list->insert(list->end(), derivatives.begin(), derivatives.end());
      }
      by_t.push_back(gradient(component, std::vector{lowered.t}).front());
    }
    size_ = F.size();
    kernel_ = Kernel("conserved", {lowered.q, lowered.v, {lowered.t}}, {by_q, by_v, by_t}, sheet.parameters);
  }

  // The largest |F_q . v + F_v . a + F_t| of a component, over the sum of the sizes of all products in it.
  double at(const State& state, const VectorXd& a, const VectorXd& a_size) const {
    const auto n = state.q.size();
    MatrixXd by_q(n, size_), by_v(n, size_);
    VectorXd by_t(size_), scratch(static_cast<Eigen::Index>(kernel_.program().scratch_size()));
    kernel_.run<3, 3>({state.q.data(), state.v.data(), &state.t}, {by_q.data(), by_v.data(), by_t.data()},
                      scratch.data());
    double worst = 0;
    for (Eigen::Index k = 0; k < size_; ++k) {
      const VectorXd drift = by_q.col(k).cwiseProduct(state.v);
      const double rate = drift.sum() + by_v.col(k).dot(a) + by_t(k);
      const double size = drift.lpNorm<1>() + by_v.col(k).cwiseAbs().dot(a_size) + std::abs(by_t(k));
      if (!std::isfinite(rate)) return rate;
      if (size > 0) worst = std::max(worst, std::abs(rate) / size);
    }
    return worst;
  }

 private:
  Eigen::Index size_;
  Kernel kernel_;
};

// None where the energies are not defined, as faster than light: no motion goes there.
std::optional<VectorXd> acceleration_at(const System& system, Workspace& w, const State& state) {
  VectorXd a(state.q.size());
  try {
    system.acceleration(w, state.t, state.q, state.v, a);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
  return a.allFinite() ? std::optional(a) : std::nullopt;
}

// States to ask, in whatever units: anywhere, and near the start.
class SampleStates {
 public:
  SampleStates(const System& system, const std::optional<State>& start, double length)
      : system_(system), start_(start), length_(length), w_(system) {}

  std::vector<State> run() {
    if (system_.constraints() > 0) return along_the_motion();
    constexpr int count = 4;
    for (int k = 0; k < count; ++k) add(0.1 * k, system_.space().random_point(random_));
    if (!start_) return states_;
    const State& start = *start_;
    for (int k = 0; k < count; ++k) {
      const VectorXd q = near(start.q);
      add(start.t, q);
      if (system_.has_energies()) states_.push_back({start.t, q, with_sizes(q, start.v)});
    }
    return states_;
  }

 private:
  std::vector<State> along_the_motion() {
    constexpr int count = 8;
    if (!start_)
      throw std::invalid_argument(
          fmt::format("{} has constraints: whether something is conserved is asked along a motion, which needs a start",
                      system_.name()));
    return integrate(system_, *start_, Rk45{.relative = 1e-12, .absolute = 1e-13},
                     {.t = start_->t + length_, .every = length_ / count})
        .states;
  }

  // With a velocity that is random, and one such that what it causes is of the size of the forces: v^2 = q a.
  void add(double t, const VectorXd& q) {
    if (!system_.has_energies()) {
      try {
        states_.push_back(system_.state(t, q));
      } catch (const std::runtime_error&) {  // the field is not defined there
      }
      return;
    }
    State state{t, q, system_.space().random_tangent(q, random_)};
    states_.push_back(state);
    auto a = acceleration_at(system_, w_, {t, q, VectorXd::Zero(q.size())});
    if (!a) return;
    each_factor([&](auto at) { (*a)(at) *= std::sqrt((*a)(at).norm() * q(at).norm()) / ((*a)(at).norm() + smallest); });
    state.v = with_sizes(q, *a);
    states_.push_back(state);
  }

  template <class Action>
  void each_factor(Action action) const {
    const Geometry& geometry = system_.geometry();
    for (int k = 0; k < geometry.factors(); ++k) action(Eigen::seq(geometry.offset(k), geometry.offset(k + 1) - 1));
  }

  // A random tangent vector, each factor of the size that it has in v, if any.
  VectorXd with_sizes(const VectorXd& q, const VectorXd& v) {
    VectorXd result = system_.space().random_tangent(q, random_);
    each_factor([&](auto at) {
      if (v(at).norm() > 0) result(at) *= v(at).norm() / (result(at).norm() + smallest);
    });
    return result;
  }

  VectorXd near(const VectorXd& q) {
    VectorXd change = system_.space().random_tangent(q, random_), result(q.size());
    each_factor([&](auto at) { change(at) *= 0.1 * (q(at).norm() > 0 ? q(at).norm() : 1); });
    system_.space().retract(q, change, result);
    return result;
  }

  static constexpr double smallest = std::numeric_limits<double>::min();
  const System& system_;
  const std::optional<State>& start_;
  double length_;
  Workspace w_;
  Random random_{1};
  std::vector<State> states_;
};

}  // namespace

// By central differences along the motion.
Conservation::RateOfVelocity Conservation::rate_of_field(const System& system, Workspace& w, const State& state) {
  double h = 1e-5;
  if (state.v.norm() > 0 && state.q.norm() > 0) h *= state.q.norm() / state.v.norm();
  const auto velocity = [&](double t) {
    const VectorXd q = state.q + t * state.v;
    VectorXd v(q.size());
    system.field(w, state.t + t, q, v);
    return v;
  };
  const VectorXd a = (velocity(h) - velocity(-h)) / (2 * h);
  return {a, VectorXd::Constant(a.size(), a.norm())};
}

// What cancels shows when all numbers that enter are changed by a fraction, also off the manifold.
std::optional<Conservation::RateOfVelocity> Conservation::rate_of_velocity(const System& system, Workspace& w,
                                                                           const State& state) {
  if (!system.has_energies()) try {
      return rate_of_field(system, w, state);
    } catch (const std::runtime_error&) {  // it is not defined beside that state
      return std::nullopt;
    }
  constexpr double fraction = 1e-6;
  Random random(1);
  State more = state, less = state;
  for (const auto& [up, down] : {std::pair{&more.q, &less.q}, std::pair{&more.v, &less.v}})
    for (Eigen::Index i = 0; i < up->size(); ++i) {
      const double change = random() % 2 == 0 ? fraction : -fraction;
      (*up)(i) *= 1 + change;
      (*down)(i) *= 1 - change;
    }
  const auto a = acceleration_at(system, w, state), above = acceleration_at(system, w, more),
             below = acceleration_at(system, w, less);
  if (!a || !above || !below) return std::nullopt;
  return RateOfVelocity{*a, a->cwiseAbs() + (*above - *below).cwiseAbs() / (2 * fraction)};
}

Conservation::Conservation(const System& system, const std::optional<State>& start, double length) : system_(system) {
  Workspace w(system);
  for (State& state : SampleStates(system, start, length).run())
    if (auto rate = rate_of_velocity(system, w, state)) {
      states_.push_back(std::move(state));
      accelerations_.push_back(std::move(*rate));
    }
  if (states_.empty())
    throw std::invalid_argument(
        fmt::format("whether something is conserved is asked at {}, and {} has no accelerations at any of them{}",
                    system.constraints() > 0 ? "states of the motion" : "random states", system.name(),
                    start ? "" : ": give a start"));
}

double Conservation::relative_rate(const Formula& quantity) const {
  const QuantityRate rate(system_.model(), quantity);
  double worst = 0;
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const double here = rate.at(states_[k], accelerations_[k].value, accelerations_[k].size);
    if (!std::isfinite(here)) return here;
    worst = std::max(worst, here);
  }
  return worst;
}

}  // namespace hamel
