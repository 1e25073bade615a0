// A solution that runs are compared with where no invariant tells how good they are: models that are driven or damped,
// and fields.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "hamel/mechanics/system.hpp"

namespace hamel {

class Reference {
 public:
  // By rk45, with a small tolerance and a ten times larger one: their difference is what it can be trusted to.
  Reference(const System& system, const State& start, double until, const std::atomic<bool>& stop);

  // The largest difference of the point or the rate of a coordinate, relative to its largest size in the run.
  double distance(const State& end) const;
  double error() const { return error_; }
  std::string text() const;  // "rk45, tolerance 1e-13"

 private:
  State solve(const System& system, const State& start, double until, double tolerance, const std::atomic<bool>& stop);

  std::vector<Eigen::Index> offsets_;  // of the coordinates in q, and its length
  VectorXd point_sizes_, rate_sizes_;  // of each coordinate
  State end_;
  double error_ = 0;
};

}  // namespace hamel
