#include "hamel/record/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hamel/integrate/integrate.hpp"
#include "hamel/integrate/method.hpp"

namespace hamel {

namespace {

constexpr double reference_tolerance = 1e-13;

// What stays at rest, next to what moves, is not to be measured by its rounding.
void raise_small(VectorXd& sizes) {
  constexpr double small = 1e-6;
  if (sizes.size() > 0) sizes = sizes.cwiseMax(small * sizes.maxCoeff());
}

double relative(double difference, double size) { return size > 0 ? difference / size : difference; }

}  // namespace

Reference::Reference(const System& system, const State& start, double until, const std::atomic<bool>& stop) {
  offsets_ = {0};
  for (const Coordinate& coordinate : system.model().coordinates())
    offsets_.push_back(offsets_.back() + coordinate.space.ambient());
  point_sizes_ = rate_sizes_ = VectorXd::Zero(static_cast<Eigen::Index>(offsets_.size()) - 1);
  end_ = solve(system, start, until, reference_tolerance, stop);
  raise_small(point_sizes_), raise_small(rate_sizes_);
  error_ = distance(solve(system, start, until, 10 * reference_tolerance, stop));
}

State Reference::solve(const System& system, const State& start, double until, double tolerance,
                       const std::atomic<bool>& stop) {
  const auto watch = [&](const State& state) {
    for (Eigen::Index k = 0; k < point_sizes_.size(); ++k) {
      const auto first = offsets_[static_cast<std::size_t>(k)],
                 size = offsets_[static_cast<std::size_t>(k) + 1] - first;
      point_sizes_(k) = std::max(point_sizes_(k), state.q.segment(first, size).norm());
      rate_sizes_(k) = std::max(rate_sizes_(k), state.v.segment(first, size).norm());
    }
    return !stop;
  };
  const Trajectory run =
      integrate(system, start, method_named("rk45", 0, tolerance), {.t = until, .keep = false}, watch);
  return run.back();
}

double Reference::distance(const State& end) const {
  double largest = 0;
  for (Eigen::Index k = 0; k < point_sizes_.size(); ++k) {
    const auto first = offsets_[static_cast<std::size_t>(k)], size = offsets_[static_cast<std::size_t>(k) + 1] - first;
    const auto off = [&](const VectorXd& a, const VectorXd& b) {
      return (a.segment(first, size) - b.segment(first, size)).norm();
    };
    largest = std::max(
        {largest, relative(off(end.q, end_.q), point_sizes_(k)), relative(off(end.v, end_.v), rate_sizes_(k))});
  }
  return largest;
}

std::string Reference::text() const { return fmt::format("rk45, tolerance {}", reference_tolerance); }

}  // namespace hamel
