// What every integrator is to `integrate`: something that can be started and stepped.
#pragma once

#include "hamel/mechanics/system.hpp"

namespace hamel {

class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual void start(const State& state) = 0;
  // One step, of the method's own size but not beyond `limit`. Returns the new time.
  virtual double step(double limit) = 0;
  // The state now; may cost a solve where the method keeps momenta.
  virtual void current(State& state) = 0;
  // Within the last step, on the manifold.
  virtual void interpolate(double t, State& state) = 0;
  virtual Workspace& workspace() = 0;  // set the inputs here
};

}  // namespace hamel
