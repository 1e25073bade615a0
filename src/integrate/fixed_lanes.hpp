// Lanes with steps of one size, of which whole ones may be one piece of native code.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "hamel/program/lane_text.hpp"
#include "integrate/lane_clocks.hpp"
#include "integrate/lane_kernel.hpp"
#include "integrate/lane_marks.hpp"

namespace hamel {

template <class Motion>  // which has clocks
class FixedLanes : public MarkedLanes<Motion> {
 public:
  using typename LaneStepper::Lanes, typename LaneStepper::Times, typename LaneStepper::Taken;

  double time(int lane) const final { return now_.clocks[lane].t; }
  double next_time(int lane, double limit) const final { return now_.clocks[lane].next(limit).end; }

  Taken steps(Lanes which, const Times& limits, const Times& targets) final {
    const double count = native_.exists() ? whole_steps(which, limits, targets) : 0;
    return count < 1 ? one_step(which, limits) : run_natively(which, count);
  }
  Taken one_step(Lanes which, const Times& limits) final {
    const bool is_whole = native_.exists() && whole_steps(which, limits, limits) >= 1;
    return is_whole ? run_natively(which, 1) : Taken{this->step(which, limits), 1, which};
  }
  double time_at_mark(int lane) const final { return marked_.clocks[lane].t; }

  void watch(const Kernel& events) final {
    if (!can_watch(events.program())) return;
    events_.emplace(events, parameters_);
    marked_ = now_;
    find_native_code();
  }
  void watch(int lane, const Kernel& events) final {
    if (events_) events_->set(lane, events);
  }
  bool looks_at_events() const final { return events_ && native_.exists(); }
  bool has_native_steps() const final { return native_.exists(); }

 protected:
  FixedLanes(Motion motion, LaneParameters parameters)
      : MarkedLanes<Motion>(std::move(motion)), parameters_(parameters) {}
  using MarkedLanes<Motion>::now_, MarkedLanes<Motion>::marked_;

  // Can native steps look at these events? They get their constants as one more number to read, and where a motion was
  // before its last step as more that they change.
  virtual bool can_watch(const Program& /*events*/) const { return false; }
  virtual void find_native_code() {}
  virtual void add_places(Motion& /*motion*/, std::vector<double*>& /*out*/) {}
  const Program* events() const { return events_ ? &events_->program() : nullptr; }

  // What native code gets: numbers that a step reads, and those that it changes.
  virtual void add_numbers(std::vector<const double*>& in, std::vector<double*>& out) = 0;
  // How many steps it can take, none of them the last one before a limit or a target.
  virtual double whole_steps(Lanes which, const Times& limits, const Times& targets) const {
    return now_.clocks.whole_steps(which, limits, targets);
  }
  // In these lanes of a motion.
  virtual void whole_steps_are_taken(Motion& /*motion*/, Lanes /*which*/) {}
  // One of any size, for methods whose native code needs nothing from earlier steps.
  Lanes step_natively(Lanes which, const LaneSteps& steps) {
    for (std::size_t k = 0; k < steps.ends.size(); ++k) {  // origin + 0 h is the end
      clock_[0].lane[k] = steps.t.lane[k];
      clock_[1].lane[k] = steps.h.lane[k];
      clock_[2].lane[k] = steps.ends[k].end;
      clock_[3].lane[k] = -1;
    }
    Eight done;
    return run_text(which, 1, done).unusual;
  }
  virtual LaneStepWork work() const { return {this->evaluations_per_step(), this->evaluations_per_step(), 0.4e-6}; }

  LaneCode native_;  // its text ends with fixed_lane_text

 private:
  bool compile_whole_steps(double steps) final { return native_.pays(steps, work()) && native_.compile(); }

  Taken run_natively(Lanes which, double count) {
    now_.clocks.write(clock_);
    Eight done;
    const Taken taken = run_text(which, count, done);
    now_.clocks.take_whole(which, done);
    whole_steps_are_taken(now_, which);
    if (events_) move_mark(which, done);
    return taken;
  }
  // To where the last step began, which native code has put there.
  void move_mark(Lanes which, const Eight& done) {
    for (std::size_t k = 0; k < which.size(); ++k) {
      which[k] = which[k] && done.lane[k] > 1;
      if (which[k]) marked_.clocks[static_cast<int>(k)].take_whole(static_cast<long long>(done.lane[k]) - 1);
    }
    whole_steps_are_taken(marked_, which);
  }
  Taken run_text(Lanes which, double count, Eight& done) {
    const Eight taken = as_numbers(which);
    Eight unusual, suspicious;
    suspicious.lane.fill(1);
    in_.assign({clock_.data(), taken.lane.data(), &count});
    out_.assign({unusual.lane.data(), done.lane.data()});
    add_numbers(in_, out_);
    if (events_) {
      in_.push_back(events_->constants());
      out_.push_back(suspicious.lane.data());
      add_places(marked_, out_);
    }
    native_(in_.data(), out_.data());
    return {lanes_of(unusual), static_cast<std::size_t>(count), which & lanes_of(suspicious)};
  }

  LaneParameters parameters_;
  std::optional<LaneKernel> events_;
  LaneBlock clock_ = LaneBlock(4);
  std::vector<const double*> in_;
  std::vector<double*> out_;
};

}  // namespace hamel
