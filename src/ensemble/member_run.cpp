#include "ensemble/member_run.hpp"

#include <new>
#include <optional>

#include "hamel/graph/interruption.hpp"
#include "hamel/integrate/laws.hpp"
#include "hamel/integrate/stepper.hpp"
#include "hamel/program/native.hpp"

namespace hamel {

namespace {

class SingleRun {
 public:
  SingleRun(std::size_t number, const EnsembleMember& member, const Method& method, const Until& until,
            MemberObserver& observer)
      : number_(number), member_(member), method_(method), until_(until), observer_(observer) {
    until_.events = member.events;
    inputs_ = VectorXd::Zero(member.system.inputs());
  }

  void operator()() {
    std::optional<Integration> run;
    std::string failure;
    try {
      run.emplace(
          member_.system, member_.start, method_, until_,
          [this](const State& state) { return observer_.output(number_, state, inputs_); }, control());
      while (run->advance()) check_interruption();
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& error) {
      failure = error.what();
    }
    static const std::vector<Occurrence> none;
    observer_.ended(number_, run ? run->trajectory().occurrences : none, failure);
  }

 private:
  Control control() {
    const Control laws = sampled_laws(member_.system, method_);
    if (!laws.law) return {};
    return {[this, laws](double t, const State& state, VectorXd& u) {
              laws.law(t, state, u);
              inputs_ = u;
            },
            laws.every};
  }

  std::size_t number_;
  const EnsembleMember& member_;
  const Method& method_;
  Until until_;
  MemberObserver& observer_;
  VectorXd inputs_;
};

// Tells about lanes, and finds out which motions have to be run alone.
class LaneWatch : public LaneObserver {
 public:
  LaneWatch(std::span<const EnsembleMember> members, MemberObserver& observer)
      : observer_(observer), inputs_(VectorXd::Zero(members.front().system.inputs())) {}

  bool output(std::size_t motion, const State& state) override { return observer_.output(motion, state, inputs_); }
  void ended(std::size_t motion, const std::vector<Occurrence>& occurrences) override {
    observer_.ended(motion, occurrences, {});
  }
  void is_unusual(std::size_t motion) override { unusual_.push_back(motion); }
  const std::vector<std::size_t>& unusual() const { return unusual_; }

 private:
  MemberObserver& observer_;
  VectorXd inputs_;
  std::vector<std::size_t> unusual_;
};

}  // namespace

MemberRuns::MemberRuns(const System& system, const Method& method, const Until& until, const Until& in_lanes,
                       const Values& events)
    : method_(method), until_(until), lanes_(system, method, in_lanes, LaneParameters::own, events) {
  until_.keep = false;
}

void MemberRuns::prepare(const EnsembleMember& first, double members) {
  lanes_.prepare(members, {&first.system, &first.start});
  if (lanes_.exist()) return;
  const auto stepper = make_stepper(first.system, method_);
  stepper->start(first.start);
  stepper->prepare(members * (until_.t - first.start.t));
}

void MemberRuns::run(std::span<const EnsembleMember> members, MemberObserver& observer) {
  if (members.empty()) return;
  if (!lanes_.exist()) {
    for (std::size_t k = 0; k < members.size(); ++k) SingleRun(k, members[k], method_, until_, observer)();
    return;
  }
  std::vector<LaneMotion> motions;
  for (const EnsembleMember& member : members)
    motions.push_back({&member.system, &member.start, &member.events, member.is_checked});
  LaneWatch watch(members, observer);
  lanes_.run(motions, watch);
  for (const std::size_t k : watch.unusual()) {
    observer.again(k);
    SingleRun(k, members[k], method_, until_, observer)();
  }
}

}  // namespace hamel
