// Many motions in lanes, and what is seen of them.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "hamel/integrate/lane_runs.hpp"
#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s1.hpp"
#include "integrate/systems.hpp"

namespace hamel::test {

struct Recorder : LaneObserver {
  std::map<std::size_t, std::vector<State>> states;
  std::map<std::size_t, std::vector<Occurrence>> occurrences;
  std::set<std::size_t> finished, unusual;
  std::size_t most = std::numeric_limits<std::size_t>::max();  // outputs of a motion

  bool output(std::size_t motion, const State& state) override {
    states[motion].push_back(state);
    return states[motion].size() < most;
  }
  void ended(std::size_t motion, const std::vector<Occurrence>& all) override {
    finished.insert(motion);
    occurrences[motion] = all;
  }
  void is_unusual(std::size_t motion) override {
    states.erase(motion);
    unusual.insert(motion);
  }
};

inline bool same_bits(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

inline void expect_same_bits(const std::vector<State>& found, const std::vector<State>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].t, expected[i].t) << i;
    ASSERT_TRUE(same_bits(found[i].q, expected[i].q)) << i << " at t = " << found[i].t;
    ASSERT_TRUE(same_bits(found[i].v, expected[i].v)) << i << " at t = " << found[i].t;
    EXPECT_EQ(found[i].model, expected[i].model);
  }
}

// More motions than lanes, of which none is a copy of another.
struct Motions {
  std::vector<System> systems;
  std::vector<State> starts;

  std::vector<LaneMotion> all() const {
    std::vector<LaneMotion> result;
    for (std::size_t i = 0; i < systems.size(); ++i) result.push_back({&systems[i], &starts[i]});
    return result;
  }
};

inline Motions along(const Example& example, int count) {
  Motions result;
  for (int i = 0; i < count; ++i) {
    result.systems.push_back(example.system);
    result.starts.push_back(i == 0 ? example.start
                                   : advance(example, result.starts.back(), Gauss{.step = 0.02, .order = 8}, 1));
  }
  return result;
}

enum class Tier { interpreted, native };

// A pendulum on a spring, in the plane: masses, lengths and the straight way are of each lane.
struct HangingPendulum : Example {
  Formula bob, r;  // a point, and a parameter that nothing depends on
};
inline HangingPendulum hanging_pendulum() {
  Model model("hanging pendulum");
  const Formula m = model.parameter("m", 1.0), l = model.parameter("l", 0.9);
  const Formula r = model.parameter("r", 0.0);
  const Formula x = model.coordinate("x", Rn{2}), q = model.coordinate("q", S1{});
  const Formula bob = x + l * q;
  model.kinetic(0.7 * squared_norm(rate(x)) + m / 2 * squared_norm(rate(bob)));
  model.potential(9.81 * m * bob.y() + 3 * squared_norm(x));
  HangingPendulum example{{model.name(), derive(model), {}}, bob, r};
  example.start = example.system.state(0, Eigen::Vector4d(0.3, -0.1, 0.6, 0.8), Eigen::Vector3d(0.2, -0.5, 1.5));
  return example;
}

}  // namespace hamel::test
