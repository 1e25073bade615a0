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
constexpr std::uint64_t read_members = 4096;

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

void add_fields(fmt::memory_buffer& text, const double* numbers, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) fmt::format_to(std::back_inserter(text), ",{:.17g}", numbers[k]);
}

std::string first_line(const std::vector<std::string>& columns) {
  std::string line = "member";
  for (const std::string& column : columns) line += "," + csv_field(column);
  return line + ",failed\n";
}

}  // namespace

double SweepStatistics::deviation() const { return count > 1 ? std::sqrt(spread / static_cast<double>(count - 1)) : 0; }

SweepTable::SweepTable(SweepHeader header, std::size_t numbers_in_memory)
    : header_(std::move(header)), numbers_in_memory_(numbers_in_memory) {
  for (const std::string& name : header_.varied) statistics_.push_back({.name = name, .varies = true});
  std::size_t place = 0;
  for (const auto& [name, size] : header_.kept) {
    if (size == 1) {
      statistics_.push_back({.name = name});
      places_.push_back(place);
    }
    place += size;
  }
  rows_.reserve(std::min<std::size_t>(numbers_in_memory_, header_.members * statistics_.size()));
}

SweepTable::SweepTable(const SweepReader& file, std::size_t numbers_in_memory)
    : SweepTable(file.header(), numbers_in_memory) {
  add(file);
  finish(file.wall_seconds(), file.finished());
}

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
  for (std::uint64_t first = 0; first < file.rows(); first += read_members) {
    const SweepRows rows = file.read(first, read_members);
    add(rows.varied, rows.kept, rows.failed);
  }
  std::vector<MemberFailure> failures = file.failures();
  std::erase_if(failures, [&](const MemberFailure& failure) { return failure.member >= file.rows(); });
  add_failures(failures, [&](std::uint64_t member) { return VectorXd(file.read(member, 1).varied.row(0)); });
}

void SweepTable::add(const MemberRows& varied, const MemberRows& kept, const std::vector<bool>& failed) {
  const std::size_t width = statistics_.size(), first_kept = header_.varied.size();
  for (std::size_t k = 0; k < failed.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const bool has_room = is_whole() && rows_.size() + width <= numbers_in_memory_;
    for (std::size_t j = 0; j < width; ++j) {
      const double x = j < first_kept ? varied(i, static_cast<Eigen::Index>(j))
                                      : kept(i, static_cast<Eigen::Index>(places_[j - first_kept]));
      if (!failed[k]) add_number(statistics_[j], x);
      if (has_room) rows_.push_back(x);
    }
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
  if (!is_whole())
    throw std::runtime_error(
        fmt::format("{} members with {} columns are too many to be drawn at once, or written without --out: keep fewer "
                    "columns, or take fewer members",
                    members_, statistics_.size()));
}

void write_csv(const SweepTable& table, const std::string& path, bool overwrite) {
  table.need_whole();
  OutputFile file(path, overwrite);
  std::vector<std::string> names;
  for (const SweepStatistics& column : table.statistics()) names.push_back(column.name);
  file.write(first_line(names));
  for (std::uint64_t k = 0; k < table.members(); ++k) {
    fmt::memory_buffer text;
    fmt::format_to(std::back_inserter(text), "{}", k);
    for (std::size_t j = 0; j < names.size(); ++j) {
      const double x = table.at(k, j);
      add_fields(text, &x, 1);
    }
    fmt::format_to(std::back_inserter(text), ",{}\n", table.has_failed(k) ? 1 : 0);
    file.write({text.data(), text.size()});
  }
  file.publish();
}

void write_csv(const SweepReader& reader, const std::string& path, bool overwrite) {
  OutputFile file(path, overwrite);
  std::vector<std::string> names = reader.header().varied;
  for (const auto& [name, size] : reader.header().kept)
    for (std::size_t k = 0; k < size; ++k) names.push_back(size == 1 ? name : fmt::format("{} {}", name, k));
  file.write(first_line(names));
  for (std::uint64_t first = 0; first < reader.rows(); first += read_members) {
    const SweepRows rows = reader.read(first, read_members);
    fmt::memory_buffer text;
    for (std::size_t k = 0; k < rows.failed.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      fmt::format_to(std::back_inserter(text), "{}", first + k);
      add_fields(text, rows.varied.row(i).data(), static_cast<std::size_t>(rows.varied.cols()));
      add_fields(text, rows.kept.row(i).data(), static_cast<std::size_t>(rows.kept.cols()));
      fmt::format_to(std::back_inserter(text), ",{}\n", rows.failed[k] ? 1 : 0);
    }
    file.write({text.data(), text.size()});
  }
  file.publish();
}

}  // namespace hamel
