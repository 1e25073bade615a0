// The numbers of a scene: tracks that move are computed for all states by one program.
#pragma once

#include <span>
#include <vector>

#include "hamel/mechanics/system.hpp"
#include "hamel/model/lower.hpp"
#include "hamel/report/scene.hpp"

namespace hamel {

class Tracks {
 public:
  Tracks(const Model& model, const LoweredModel& lowered) : model_(model), lowered_(lowered) {}

  // Both give the index of a new track.
  int fixed(const Eigen::Vector3d& x);
  int moving(std::span<const Expr> x);

  std::vector<Track> along(std::span<const State> states) &&;

 private:
  void append(const std::vector<double>& values);

  const Model& model_;
  const LoweredModel& lowered_;
  std::vector<Track> tracks_;
  std::vector<std::size_t> moving_;  // which of them
  std::vector<Expr> outputs_;        // of these
};

}  // namespace hamel
