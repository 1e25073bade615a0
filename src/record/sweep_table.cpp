#include "hamel/record/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "hamel/graph/escape.hpp"
#include "hamel/record/output_file.hpp"

namespace hamel {
namespace {

constexpr std::size_t most_failures_in_memory = 1000;

// Welford's update.
void add_number(SweepStatistics& statistics, double x) {
  if (!std::isfinite(x)) {
    ++statistics.never;
    return;
  }
  statistics.low = statistics.count == 0 ? x : std::min(statistics.low, x);
  statistics.high = statistics.count == 0 ? x : std::max(statistics.high, x);
  ++statistics.count;
  const double off = x - statistics.mean;
  statistics.mean += off / static_cast<double>(statistics.count);
  statistics.spread += off * (x - statistics.mean);
}

// What varied, then what was kept: of series each output, or not at all.
std::vector<std::string> sweep_csv_names(const SweepHeader& header, bool has_series) {
  std::vector<std::string> names = header.varied;
  for (const auto& [name, size] : header.kept) {
    if (size == 1) names.push_back(name);
    for (std::size_t k = 0; has_series && size > 1 && k < size; ++k) names.push_back(fmt::format("{} {}", name, k));
  }
  return names;
}

std::string sweep_csv_head(const std::vector<std::string>& columns) {
  std::string line = "member";
  for (const std::string& column : columns) line += "," + csv_field(column);
  return line + ",failed\n";
}

using Numbers = std::span<const double>;

void add_sweep_csv_line(fmt::memory_buffer& text, std::uint64_t member, std::initializer_list<Numbers> all,
                        bool failed) {
  const auto to = std::back_inserter(text);
  fmt::format_to(to, "{}", member);
  for (const Numbers& numbers : all)
    for (const double x : numbers) fmt::format_to(to, ",{:.17g}", x);
  fmt::format_to(to, ",{}\n", failed ? 1 : 0);
}

// Hands out the text piece by piece.
template <class Put>
void put_csv(const SweepTable& table, Put put) {
  table.need_whole();
  put(sweep_csv_head(table.columns()));
  for (std::uint64_t k = 0; k < table.members(); ++k) {
    fmt::memory_buffer text;
    add_sweep_csv_line(text, k, {table.row(k)}, table.has_failed(k));
    put(std::string_view(text.data(), text.size()));
  }
}

template <class Put>
void put_csv(const SweepReader& reader, Put put) {
  put(sweep_csv_head(sweep_csv_names(reader.header(), true)));
  for (std::uint64_t first = 0; first < reader.rows(); first += reader.rows_at_once()) {
    const SweepRows rows = reader.read(first, reader.rows_at_once());
    fmt::memory_buffer text;
    const auto numbers_of = [](const MemberRows& all, Eigen::Index k) {
      return Numbers(all.row(k).data(), static_cast<std::size_t>(all.cols()));
    };
    for (std::size_t k = 0; k < rows.failed.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      add_sweep_csv_line(text, first + k, {numbers_of(rows.varied, i), numbers_of(rows.kept, i)}, rows.failed[k]);
    }
    put(std::string_view(text.data(), text.size()));
  }
}

template <class Sweep>
void put_csv_to_file(const Sweep& sweep, const std::string& path, bool overwrite) {
  OutputFile file(path, overwrite);
  put_csv(sweep, [&](std::string_view text) { file.write(text); });
  file.publish();
}

template <class Sweep>
void put_csv_to_stream(const Sweep& sweep, std::ostream& out) {
  put_csv(sweep, [&](std::string_view text) { out << text; });
  out.flush();
}

}  // namespace

double SweepStatistics::deviation() const { return count > 1 ? std::sqrt(spread / static_cast<double>(count - 1)) : 0; }

SweepTable::SweepTable(SweepHeader header, std::size_t numbers_in_memory, bool has_series)
    : header_(std::move(header)), numbers_in_memory_(numbers_in_memory), has_series_(has_series) {
  for (const std::string& name : header_.varied) {
    statistics_.push_back({.name = name, .varies = true});
    places_.push_back(width_++);
  }
  std::size_t kept = 0;
  for (const auto& [name, size] : header_.kept) {
    if (size == 1) {
      statistics_.push_back({.name = name});
      places_.push_back(width_);
    }
    if (size == 1 || has_series_)
      for (std::size_t k = 0; k < size; ++k) kept_places_.push_back(kept + k);
    width_ = header_.varied.size() + kept_places_.size();
    kept += size;
  }
  rows_.reserve(std::min<std::size_t>(numbers_in_memory_, header_.members * width_));
}

SweepTable::SweepTable(const SweepReader& file, std::size_t numbers_in_memory, bool has_series)
    : SweepTable(file.header(), numbers_in_memory, has_series) {
  add(file);
  finish(file.wall_seconds(), file.finished());
}

std::vector<std::string> SweepTable::columns() const { return sweep_csv_names(header_, has_series_); }

void SweepTable::add(const EnsembleChunk& chunk) {
  std::vector<bool> failed(chunk.size(), false);
  for (const MemberFailure& failure : chunk.failures) failed[failure.member - chunk.first] = true;
  add_failures(chunk.failures, [&](std::uint64_t member) {
    return VectorXd(chunk.varied.row(static_cast<Eigen::Index>(member - chunk.first)));
  });
  add(chunk.varied, chunk.kept, failed);
}

template <class VariedOf>
void SweepTable::add_failures(const std::vector<MemberFailure>& failures, VariedOf varied_of) {
  for (const MemberFailure& failure : failures) {
    if (failures_.size() == most_failures_in_memory) return;
    failures_.push_back(failure);
    failure_values_.push_back(varied_of(failure.member));
  }
}

void SweepTable::add(const SweepReader& file) {
  for (std::uint64_t first = 0; first < file.rows(); first += file.rows_at_once()) {
    const SweepRows rows = file.read(first, file.rows_at_once());
    add(rows.varied, rows.kept, rows.failed);
  }
  add_failures(file.failures(most_failures_in_memory),
               [&](std::uint64_t member) { return VectorXd(file.read(member, 1).varied.row(0)); });
}

void SweepTable::add(const MemberRows& varied, const MemberRows& kept, const std::vector<bool>& failed) {
  const std::size_t first_kept = header_.varied.size();
  const auto number = [&](std::size_t k, std::size_t place) {
    const auto i = static_cast<Eigen::Index>(k);
    return place < first_kept ? varied(i, static_cast<Eigen::Index>(place))
                              : kept(i, static_cast<Eigen::Index>(kept_places_[place - first_kept]));
  };
  for (std::size_t k = 0; k < failed.size(); ++k) {
    const bool has_room = is_whole() && rows_.size() + width_ <= numbers_in_memory_;
    for (std::size_t j = 0; !failed[k] && j < statistics_.size(); ++j)
      add_number(statistics_[j], number(k, places_[j]));
    for (std::size_t place = 0; has_room && place < width_; ++place) rows_.push_back(number(k, place));
    if (has_room) is_failed_.push_back(failed[k]);
    failed_ += failed[k] ? 1 : 0;
    ++members_;
    if (!has_room) rows_ = {}, is_failed_ = {};
  }
}

void SweepTable::finish(double wall_seconds, bool finished) {
  wall_seconds_ = wall_seconds;
  finished_ = finished;
}

void SweepTable::need_whole() const {
  if (!is_whole()) refuse_size(members_);
}

void SweepTable::need_room_for_all() const {
  if (static_cast<double>(header_.members) * static_cast<double>(width_) > static_cast<double>(numbers_in_memory_))
    refuse_size(header_.members);
}

void SweepTable::refuse_size(std::uint64_t members) const {
  throw std::runtime_error(
      fmt::format("{} members with {} columns are too many to be drawn at once, or written without --out: keep fewer "
                  "columns, or take fewer members",
                  members, width_));
}

void write_csv(const SweepTable& table, const std::string& path, bool overwrite) {
  put_csv_to_file(table, path, overwrite);
}
void write_csv(const SweepReader& file, const std::string& path, bool overwrite) {
  put_csv_to_file(file, path, overwrite);
}
void write_csv(const SweepTable& table, std::ostream& out) { put_csv_to_stream(table, out); }
void write_csv(const SweepReader& file, std::ostream& out) { put_csv_to_stream(file, out); }

}  // namespace hamel
