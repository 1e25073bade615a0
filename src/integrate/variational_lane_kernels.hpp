// The kernels of a variational step in eight lanes.
#pragma once

#include <vector>

#include "hamel/derive/constant_mass.hpp"
#include "integrate/lane_kernel.hpp"
#include "integrate/variational_lane_text.hpp"

namespace hamel {

struct LaneStepKernels {
  LaneStepKernels(const StepKernels& k, LaneParameters parameters)
      : predict(k.predict, parameters),
        newton(k.newton, parameters),
        refine(k.refine, parameters),
        way(k.way, parameters),
        finish(k.finish, parameters),
        velocity(k.velocity, parameters),
        closed(k.closed, parameters) {}

  void set(int lane, const StepKernels& member) {
    predict.set(lane, member.predict);
    newton.set(lane, member.newton);
    refine.set(lane, member.refine);
    way.set(lane, member.way);
    finish.set(lane, member.finish);
    velocity.set(lane, member.velocity);
    closed.set(lane, member.closed);
  }
  std::vector<const Program*> programs() const {
    std::vector<const Program*> result;
    for (const LaneKernel* kernel : {&predict, &newton, &refine, &way, &finish, &velocity, &closed})
      if (!kernel->empty()) result.push_back(&kernel->program());
    return result;
  }

  LaneStepPrograms in_a_step() const {
    const auto found = [](const LaneKernel& kernel) { return kernel.empty() ? nullptr : &kernel.program(); };
    return {.newton = closed.empty() ? found(newton) : nullptr,
            .refine = closed.empty() ? found(refine) : nullptr,
            .way = found(way),
            .finish = found(finish),
            .closed = found(closed)};
  }

  LaneKernel predict, newton, refine, way, finish, velocity, closed;
};

}  // namespace hamel
