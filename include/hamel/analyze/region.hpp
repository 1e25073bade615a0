// From where does a system come home to an equilibrium? Many starts beside it are followed, on a grid or drawn at
// random.
//
//   const Region region = region_of_attraction(linearization, linear, {.axes = {angle, rate}, .points = 41});
//   region.count(Fate::home)                                    // of region.starts.size()
//
// A start is q = exp(x), q' = d exp(x) x', with (x, x') a combination of the axes in the basis of the linear model. It
// is home when |x| <= ball and |x'| <= ball |lambda| (the slowest eigenvalue) at all outputs of the time `stay`; away
// when it has gone a hundred times as far as any start, or is not home in the time `until`; lost when it could not be
// followed, and given up when that took too many steps. What a region is known to be is what was counted: no proof.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hamel/analyze/linear_model.hpp"

namespace hamel {

struct RegionAxis {
  std::string name;
  VectorXd point, rate;  // x and x' for the value 1; empty: zero
  double low = -1, high = 1;
};

// By name: an entry of q ("q[1].x"), or x1, x2, ... of the basis; with ' its rate. Refuses what cannot change there.
RegionAxis region_axis(const Model& model, const LinearModel& linear, const std::string& name, double low, double high);
// What people would try: to tilt what turns first, and to push it.
std::vector<RegionAxis> usual_region_axes(const Model& model, const LinearModel& linear);

struct RegionOptions {
  std::vector<RegionAxis> axes;  // a grid has one or two
  int points = 41;               // of the grid, along each axis
  int sample = 0;                // instead of a grid: so many starts, evenly at random
  unsigned seed = 1;
  double ball = 0;                              // 0: a fiftieth of the farthest start
  double stay = 0, until = 0;                   // 0: 2 and 40 times the time in which the slowest error decays by e
  double seconds = 60;                          // of work: what is not known by then counts as not tried
  std::size_t steps = 20'000;                   // of one start; more are a start that is given up: it may be stiff
  unsigned threads = 0;                         // that follow starts; 0: as many as there are cores
  std::function<bool(double part)> go_on = {};  // asked after each start, by one thread at a time; false: stop
};

enum class Fate : std::uint8_t { home, away, lost, given_up, not_tried };
const char* name(Fate fate);

struct Region {
  struct Start {
    VectorXd at;  // along the axes
    Fate fate = Fate::not_tried;
    double time = 0;  // when it came into the ball for good
  };
  std::vector<RegionAxis> axes;
  int points = 0;  // of a grid, whose first axis changes fastest; 0: random
  double ball = 0, stay = 0, until = 0;
  std::vector<Start> starts;

  std::size_t count(Fate fate) const;
  std::string rule() const;  // in words
};

// Where a start is: its values along the axes.
State region_start(const System& system, const LinearModel& model, const std::vector<RegionAxis>& axes, In at);

// Refuses an equilibrium that is not asymptotically stable: nothing is attracted by it, or not by it alone.
Region region_of_attraction(const Linearization& linearization, const LinearModel& model, RegionOptions options);

}  // namespace hamel
