#include "ensemble/member_run.hpp"

#include <new>
#include <optional>

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
    until_.keep = false;
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
      while (run->advance()) {
      }
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

}  // namespace

void run_members(std::span<const EnsembleMember> members, const Method& method, const Until& until,
                 MemberObserver& observer) {
  for (std::size_t k = 0; k < members.size(); ++k) SingleRun(k, members[k], method, until, observer)();
}

void prepare_members(const EnsembleMember& first, const Method& method, const Until& until, double members) {
  const auto stepper = make_stepper(first.system, method);
  stepper->start(first.start);
  stepper->prepare(members * (until.t - first.start.t));
}

}  // namespace hamel
