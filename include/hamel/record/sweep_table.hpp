// A sweep to look at: its numbers where there is room for them, and statistics of all of them.
//
//   SweepTable table(header);
//   ensemble(..., [&](const EnsembleChunk& chunk) { table.add(chunk); });
//
// Memory does not grow beyond a bound: of more members than fit, only the statistics and what varied of the first ones
// that failed are there. Series are left out.
// Members that failed are counted, and have no part in the statistics.
#pragma once

#include <string>
#include <vector>

#include "hamel/record/sweep_file.hpp"

namespace hamel {

struct SweepStatistics {
  std::string name;
  bool varies = false;                             // what varied, not what was kept
  std::uint64_t count = 0;                         // of finite numbers
  std::uint64_t never = 0;                         // of infinite ones: events that did not happen
  double low = 0, high = 0, mean = 0, spread = 0;  // spread: sum of squared differences from the mean
  double deviation() const;
};

class SweepTable {
 public:
  static constexpr std::size_t most_numbers = 16'000'000;
  explicit SweepTable(SweepHeader header, std::size_t numbers_in_memory = most_numbers);
  explicit SweepTable(const SweepReader& file, std::size_t numbers_in_memory = most_numbers);

  void add(const EnsembleChunk& chunk);
  void add(const SweepReader& file);  // all that it has
  void finish(double wall_seconds, bool finished);

  const SweepHeader& header() const { return header_; }
  std::uint64_t members() const { return members_; }  // so far
  bool is_finished() const { return finished_; }
  double wall_seconds() const { return wall_seconds_; }
  std::uint64_t failed() const { return failed_; }
  const std::vector<MemberFailure>& failures() const { return failures_; }  // the first of them
  const VectorXd& varied_of_failure(std::size_t k) const { return failure_values_[k]; }
  const std::vector<SweepStatistics>& statistics() const { return statistics_; }  // by column

  // The numbers, a row for each member and a column for each of the statistics; what varied comes first.
  bool is_whole() const { return rows_.size() == members_ * statistics_.size(); }
  void need_whole() const;  // refuses what has only statistics
  double at(std::uint64_t member, std::size_t column) const { return rows_[member * statistics_.size() + column]; }
  bool has_failed(std::uint64_t member) const { return is_failed_[member]; }

 private:
  void add(const MemberRows& varied, const MemberRows& kept, const std::vector<bool>& failed);
  template <class VariedOf>
  void add_failures(const std::vector<MemberFailure>& failures, VariedOf varied_of);

  SweepHeader header_;
  std::size_t numbers_in_memory_;
  std::vector<SweepStatistics> statistics_;
  std::vector<std::size_t> places_;  // of what is kept, in its row
  std::vector<double> rows_;
  std::vector<bool> is_failed_;
  std::vector<MemberFailure> failures_;
  std::vector<VectorXd> failure_values_;
  std::uint64_t members_ = 0, failed_ = 0;
  double wall_seconds_ = 0;
  bool finished_ = false;
};

// member, what varied, what was kept, failed: a line for each member, with 17 digits. Complete or not at all.
void write_csv(const SweepTable& table, const std::string& path, bool overwrite = false);
void write_csv(const SweepReader& file, const std::string& path, bool overwrite = false);  // of any size, with series

}  // namespace hamel
