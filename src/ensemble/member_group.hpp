// Members by their numbers: the rows that vary, the systems and starts that follow from them, and groups of them that
// one thread runs together.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "ensemble/member_run.hpp"
#include "ensemble/watch.hpp"
#include "hamel/ensemble/ensemble.hpp"

namespace hamel {

// Of those that one thread runs together, the last ones leave lanes empty: the more, the fewer do. But each thread has
// work, and a group of large systems, or of many, is not large; nor is one whose rows are wide, down to full lanes.
struct GroupSize {
  static constexpr std::size_t fewest = 64, most = 256;
  // `rows`: for which there is room, in the groups of all threads together.
  static std::size_t of(const System& system, bool varies_parameters, std::uint64_t members, unsigned threads,
                        double rows);
};

struct Stopped {};  // thrown where somebody asked to stop

inline std::span<double> row_of(MemberRows& rows, std::size_t k) {
  return {rows.row(static_cast<Eigen::Index>(k)).data(), static_cast<std::size_t>(rows.cols())};
}

// From the row of a member to its system. Refuses parameters that the model does not have, or that cannot change.
class MemberMaker {
 public:
  MemberMaker(const Members& members, const Vary& vary);

  bool varies_parameters() const { return !parameters_.empty(); }
  System system(std::span<const double> row) const;  // all but those that vary are shared
  bool are_the_same(std::span<const double> row, std::span<const double> other) const;  // to the bit

 private:
  using Shape = std::pair<Eigen::Index, Eigen::Index>;
  struct VariedParameter {
    std::string name;
    std::size_t column;
    Shape shape;
    std::size_t size() const { return static_cast<std::size_t>(shape.first * shape.second); }
    Eigen::Map<const MatrixXd> value(std::span<const double> row) const {
      return {row.data() + column, shape.first, shape.second};
    }
  };
  void need_different_places() const;
  void need_same_if_fixed(std::span<const double> row) const;
  Shape shape_of(const Varied& varied) const;  // of a number, or of all entries of a parameter

  const Members& members_;
  std::vector<VariedParameter> parameters_;
};

// A member that can be started, to plan with. Refuses the sweep where none of some thousands can.
EnsembleMember first_member(const Members& members, const Vary& vary, const MemberMaker& make);

// Members first, first + 1, ..., by one thread.
class MemberGroup : public MemberObserver {
 public:
  MemberGroup(const Members& members, const Vary& vary, const WatchPlan& plan, const MemberMaker& make, MemberRuns runs,
              std::size_t most, const std::atomic<bool>* stop);

  EnsembleChunk operator()(std::uint64_t first, std::size_t count);

 private:
  const System& system_of(std::size_t k);  // neighbours on a grid often share it
  void add(std::size_t k);
  void need_no_stop() const;
  void again(std::size_t member) override;
  bool output(std::size_t member, const State& state, In inputs) override;
  void ended(std::size_t member, const std::vector<Occurrence>& occurrences, const std::string& failure) override;

  const Members& members_;
  const Vary& vary_;
  const WatchPlan& plan_;
  const MemberMaker& make_;
  MemberRuns runs_;
  const std::atomic<bool>* stop_;
  std::vector<Watch> watches_;
  EnsembleChunk chunk_;
  System system_;
  std::vector<double> system_row_;  // that it was made of; empty: of none yet
  std::vector<EnsembleMember> running_;
  std::vector<std::size_t> places_;  // of those that run, in the chunk
};

}  // namespace hamel
