// Lanes with steps of one size along the field of (q, xi).
#pragma once

#include "integrate/fixed_lanes.hpp"
#include "integrate/lane_hermite.hpp"

namespace hamel {

struct FieldMotion {
  LaneBlock y;
  LaneClocks clocks;
};

class FieldLanes : public FixedLanes<FieldMotion> {
 public:
  void start(int lane, const System& member, const State& state) final {
    now_.clocks[lane].restart(state.t);
    field_.start(lane, member, state, now_.y);
  }
  void current(int lane, State& state) final { field_.current(lane, time(lane), now_.y, state); }

  bool can_interpolate() const final { return true; }
  void interpolate(int lane, double t, State& state) final {
    between_(field_, lane, t, marked_.y, now_.y, now_.clocks, projects_, state);
  }

 protected:
  // Does its interpolant?
  enum class Projects { no, yes };
  FieldLanes(const System& system, double step, LaneParameters parameters, Projects projects)
      : FixedLanes({LaneBlock(Field(system, Form::omega).size()), LaneClocks(step)}, parameters),
        field_(system, parameters),
        between_(field_.size()),
        projects_(projects == Projects::yes) {}

  void forget_last_step() { between_.forget(); }

  std::vector<const Program*> programs() const final { return {&field_.program()}; }

  LaneField field_;

 private:
  void add_numbers(std::vector<const double*>& in, std::vector<double*>& out) final {
    in.insert(in.end(), {field_.inputs(), field_.constants()});
    add_places(now_, out);
  }
  void add_places(FieldMotion& motion, std::vector<double*>& out) final { out.push_back(motion.y.data()); }
  void whole_steps_are_taken(FieldMotion& /*motion*/, Lanes /*which*/) final { forget_last_step(); }

  LaneHermite between_;
  bool projects_;
};

}  // namespace hamel
