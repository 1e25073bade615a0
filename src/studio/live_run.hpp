// A run that is taken in slices, and of which a page can be made at any time. Memory is bounded: of more rows than fit,
// every second one is kept, then every fourth; what is said about conservation is said of all outputs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamel/language/model_file.hpp"
#include "hamel/record/record.hpp"
#include "hamel/record/watched.hpp"

namespace hamel::studio {

class LiveRun {
 public:
  // The system must outlive it.
  LiveRun(const ModelFile& file, const System& system, const NoetherReport& symmetries, const State& start,
          const Method& method, const Until& until);

  // Steps for so many milliseconds, at least one. False when nothing is left to do.
  bool advance(double milliseconds);
  bool finished() const { return !(run_->time() < until_.t); }
  const std::string& failure() const { return failure_; }
  double fraction() const;
  Record record() const;

 private:
  struct Row {
    State state;
    Energy energy;
    double manifold_error, constraint_error;
    VectorXd momenta, outputs;
  };
  bool watch(const State& state);
  void keep(const Sample& sample);
  RunSummary summary() const;

  const System& system_;
  Method method_;
  Until until_;
  Invariants invariants_;
  Monitor monitor_;
  RecordHeader header_;
  std::vector<Row> rows_;
  std::optional<Row> last_;  // of those that are not kept
  std::size_t most_rows_, stride_ = 1, seen_ = 0;
  std::optional<Integration> run_;
  double begin_, wall_seconds_ = 0;
  std::string failure_;
};

}  // namespace hamel::studio
