// A sweep to look at: its numbers where there is room for them, and statistics of all of them.
//
//   SweepTable table(header);
//   ensemble(..., [&](const EnsembleChunk& chunk) { table.add(chunk); });
//
// Memory does not grow beyond a bound: of more members than fit, only the statistics and what varied of the first ones
// that failed are there. Series have no statistics, and are there where that is asked for.
// Members that failed are counted, and have no part in the statistics.
#pragma once

#include <ostream>
#include <span>
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
  explicit SweepTable(SweepHeader header, std::size_t numbers_in_memory = most_numbers, bool has_series = false);
  explicit SweepTable(const SweepReader& file, std::size_t numbers_in_memory = most_numbers, bool has_series = false);

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
  bool is_whole() const { return rows_.size() == members_ * width_; }
  void need_whole() const;         // refuses what has only statistics
  void need_room_for_all() const;  // the same before the first member is there
  double at(std::uint64_t member, std::size_t column) const { return rows_[member * width_ + places_[column]]; }
  // All numbers of a member, with series where they are asked for, and the names of their columns.
  bool has_series() const { return has_series_; }
  std::span<const double> row(std::uint64_t member) const { return {&rows_[member * width_], width_}; }
  std::vector<std::string> columns() const;
  bool has_failed(std::uint64_t member) const { return is_failed_[member]; }

 private:
  void add(const MemberRows& varied, const MemberRows& kept, const std::vector<bool>& failed);
  template <class VariedOf>
  void add_failures(const std::vector<MemberFailure>& failures, VariedOf varied_of);

  [[noreturn]] void refuse_size(std::uint64_t members) const;

  SweepHeader header_;
  std::size_t numbers_in_memory_, width_ = 0;
  bool has_series_;
  std::vector<SweepStatistics> statistics_;
  std::vector<std::size_t> places_, kept_places_;  // of the columns: in a row here, and in one of what is kept
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
void write_csv(const SweepTable& table, std::ostream& out);
void write_csv(const SweepReader& file, std::ostream& out);

}  // namespace hamel
