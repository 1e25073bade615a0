// A scene of a model at rest, anywhere.
#pragma once

#include <hamel/report/draw.hpp>

#include "hamel/report/view_options.hpp"

namespace hamel::test {

inline Scene scene_at_rest(const Model& model, const ViewOptions& options = {}) {
  VectorXd q;
  Random random(3);
  for (const Coordinate& coordinate : model.coordinates()) {
    const VectorXd part = coordinate.space.random_point(random);
    q.conservativeResize(q.size() + part.size());
    q.tail(part.size()) = part;
  }
  const State state{.t = 0, .q = q, .v = VectorXd::Zero(q.size())};
  return scene_of(model, std::vector(2, state), options);
}

}  // namespace hamel::test
