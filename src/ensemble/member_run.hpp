// The seam between what members are and how they are run: some members of one system, which differ in parameters and
// starts, are run with one method, and whatever happens is told to an observer.
//
// Each member must be the run that Integration makes of it alone, to the bit. Members may be run in any order and side
// by side; what an observer is told about one member is in the order of time. Called by many threads, each with members
// and an observer of its own.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "hamel/integrate/lane_runs.hpp"

namespace hamel {

struct EnsembleMember {
  System system;  // all are made by System::with from one system, and share its programs
  State start;
  std::vector<Event> events;  // of this member
  bool is_checked = false;    // System::check has seen the start
};

class MemberObserver {
 public:
  virtual ~MemberObserver() = default;
  // An output, first the start; and the inputs that are held there. False: the run of this member ends.
  virtual bool output(std::size_t member, const State& state, In inputs) = 0;
  // After its last output. Why it could not go on is empty where it could; occurrences are in the order of time.
  virtual void ended(std::size_t member, const std::vector<Occurrence>& occurrences, const std::string& failure) = 0;
  // What was told about this member is void: it begins again.
  virtual void again(std::size_t member) = 0;
};

// Eight at a time where the method, the system and what is asked allow it; what is unusual, and all others, alone.
class MemberRuns {
 public:
  // Of members of this system, whose events have these formulas; `until` has no events of its own. In lanes it may have
  // fewer outputs.
  MemberRuns(const System& system, const Method& method, const Until& until, const Until& in_lanes,
             const Values& events);

  // Native code for so many members, where that pays.
  void prepare(const EnsembleMember& first, double members);
  // Throws what is no fault of a member: no memory, an interruption.
  void run(std::span<const EnsembleMember> members, MemberObserver& observer);

 private:
  Method method_;
  Until until_;
  LaneRuns lanes_;
};

}  // namespace hamel
