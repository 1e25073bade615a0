#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "command.hpp"
#include "console.hpp"
#include "hamel/record/output_file.hpp"
#include "hamel/report/sweep_picture.hpp"
#include "hamel/report/words.hpp"
#include "sweep.hpp"

namespace hamel::cli {

namespace {

constexpr std::uint64_t most_rows = 20, most_in_json = 100'000;
constexpr std::size_t most_failures = 5;

std::string number_or_never(double x) { return std::isfinite(x) ? brief(x) : "never"; }

void print_members(const SweepTable& table) {
  std::vector<std::vector<std::string>> rows(1, {"member"});
  for (const SweepStatistics& column : table.statistics()) rows[0].push_back(column.name);
  for (std::uint64_t k = 0; k < table.members(); ++k) {
    std::vector<std::string> row{std::to_string(k)};
    for (std::size_t j = 0; j < table.statistics().size(); ++j)
      row.push_back(table.has_failed(k) && !table.statistics()[j].varies ? "failed" : number_or_never(table.at(k, j)));
    rows.push_back(row);
  }
  print_table(rows);
}

void print_statistics(const SweepTable& table) {
  std::vector<std::vector<std::string>> rows{{"", "lowest", "mean", "highest", "deviation", "never"}};
  for (const SweepStatistics& column : table.statistics()) {
    const std::string never = column.never > 0 ? std::to_string(column.never) : "";
    if (column.count == 0)
      rows.push_back({column.name, "-", "-", "-", "-", never});
    else
      rows.push_back({column.name, brief(column.low), brief(column.mean), brief(column.high),
                      brief(column.deviation(), 3), never});
  }
  if (std::all_of(rows.begin() + 1, rows.end(), [](const auto& row) { return row.back().empty(); }))
    for (auto& row : rows) row.pop_back();
  print_table(rows);
}

std::string values_of(const SweepTable& table, std::size_t failure) {
  std::vector<std::string> parts;
  for (std::size_t j = 0; j < table.header().varied.size(); ++j)
    parts.push_back(fmt::format("{} = {}", table.header().varied[j],
                                brief(table.varied_of_failure(failure)(static_cast<Eigen::Index>(j)))));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void print_failures(const SweepTable& table) {
  if (table.failed() == 0) return;
  say("\n");
  say_paragraph(fmt::format("{} of {} members failed:", table.failed(), table.members()));
  for (std::size_t k = 0; k < std::min(table.failures().size(), most_failures); ++k) {
    const MemberFailure& failure = table.failures()[k];
    say_paragraph(fmt::format("  {} ({}): {}", failure.member, values_of(table, k), failure.why));
  }
  if (table.failed() > most_failures) say_paragraph("  ... ; --report and --out have more of them");
}

void print_sweep(const SweepTable& table) {
  const SweepHeader& header = table.header();
  std::vector<std::pair<std::string, std::string>> facts = {
      {"model", header.model_name},
      {"members", table.is_finished() ? std::to_string(table.members())
                                      : fmt::format("{} of {}", table.members(), header.members)}};
  for (std::size_t k = 0; k < header.quantities.size(); ++k)
    facts.emplace_back(header.quantities[k], header.vary_texts[k]);
  facts.emplace_back("time", fmt::format("{} s", brief(table.wall_seconds(), 3)));
  print_facts(facts);
  say("\n");
  if (table.members() <= most_rows && table.is_whole())
    print_members(table);
  else
    print_statistics(table);
  for (const auto& [name, size] : header.kept)
    if (size > 1) say_paragraph(fmt::format("{}: {} numbers of each member, in --json, --csv and --out", name, size));
  print_failures(table);
}

// JSON has no infinity: what never happened is null.
Json json_number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

// Of each series its outputs, a list for each member.
Json series_json(const SweepTable& table) {
  Json all = Json::object();
  std::size_t place = table.header().varied.size();
  for (const auto& [name, size] : table.header().kept) {
    for (std::uint64_t k = 0; table.has_series() && size > 1 && k < table.members(); ++k) {
      Json outputs = Json::array();
      for (const double x : table.row(k).subspan(place, size)) outputs.push_back(json_number(x));
      all[name].push_back(outputs);
    }
    place += table.has_series() || size == 1 ? size : 0;
  }
  return all;
}

Json sweep_json(const SweepTable& table) {
  Json columns = Json::array(), failures = Json::array(), rows = Json::array(), row_failed = Json::array();
  for (const SweepStatistics& column : table.statistics()) {
    Json entry = {{"name", column.name}, {"varies", column.varies}, {"count", column.count}, {"never", column.never}};
    if (column.count > 0) {
      entry["lowest"] = column.low;
      entry["mean"] = column.mean;
      entry["highest"] = column.high;
      entry["deviation"] = column.deviation();
    }
    columns.push_back(entry);
  }
  for (const MemberFailure& failure : table.failures())
    failures.push_back({{"member", failure.member}, {"why", failure.why}});
  for (std::uint64_t k = 0; table.is_whole() && table.members() <= most_in_json && k < table.members(); ++k) {
    Json row = Json::array();
    for (std::size_t j = 0; j < table.statistics().size(); ++j) row.push_back(json_number(table.at(k, j)));
    rows.push_back(row);
    row_failed.push_back(static_cast<bool>(table.has_failed(k)));
  }
  return {{"model", table.header().model_name},
          {"members", table.members()},
          {"finished", table.is_finished()},
          {"failed", table.failed()},
          {"seconds", table.wall_seconds()},
          {"columns", columns},
          {"failures", failures},
          {"failures_left_out", table.failed() - table.failures().size()},
          {"rows", rows},
          {"row_failed", row_failed},
          {"rows_left_out", table.members() - rows.size()},
          {"series", table.has_series() && !rows.empty() ? series_json(table) : Json(nullptr)}};
}

// Those of a sweep that is in a file are read from there.
bool needs_all_rows(const SweepShown& shown) {
  return !shown.picture.empty() || (!shown.csv.empty() && shown.out.empty());
}

bool shows_series(const SweepHeader& header, const SweepShown& shown) {
  if (!shown.csv.empty() && shown.out.empty()) return true;
  const std::size_t width = header.varied.size() + header.kept_width();
  return shown.json && header.members <= most_in_json && header.members * width <= SweepTable::most_numbers;
}

// How many of its numbers have to be in memory.
std::size_t numbers_shown(const SweepHeader& header, const SweepShown& shown) {
  if (needs_all_rows(shown) || !shown.report.empty() || shows_series(header, shown)) return SweepTable::most_numbers;
  const std::size_t numbers = (shown.json ? most_in_json : most_rows) * (header.varied.size() + header.kept.size());
  return std::min(numbers, SweepTable::most_numbers);
}

void put_csv(const auto& sweep, const SweepShown& shown) {
  if (shown.csv == to_stdout)
    write_csv(sweep, std::cout);
  else
    write_csv(sweep, shown.csv, shown.overwrite);
}

void publish(const std::string& path, bool overwrite, const std::string& text) {
  OutputFile file(path, overwrite);
  file.write(text);
  file.publish();
}

}  // namespace

SweepTable table_to_show(const SweepHeader& header, const SweepShown& shown) {
  SweepTable table(header, numbers_shown(header, shown), shows_series(header, shown));
  if (needs_all_rows(shown)) table.need_room_for_all();
  return table;
}

SweepTable table_to_show(const SweepReader& file, const SweepShown& shown) {
  SweepTable table = table_to_show(file.header(), shown);
  table.add(file);
  table.finish(file.wall_seconds(), file.finished());
  return table;
}

std::string show_sweep(const SweepTable& table, const SweepShown& shown) {
  if (shown.json)
    print_json(sweep_json(table));
  else if (shown.csv != to_stdout)
    print_sweep(table);
  if (!shown.csv.empty()) {
    if (shown.out.empty())
      put_csv(table, shown);
    else
      put_csv(SweepReader(shown.out), shown);
  }
  if (!shown.report.empty()) publish(shown.report, shown.overwrite, sweep_html(table));
  const std::vector<Picture> pictures = shown.picture.empty() ? std::vector<Picture>() : draw(table);
  if (!pictures.empty()) publish(shown.picture, shown.overwrite, sheet(pictures));
  if (!shown.json && shown.csv != to_stdout) {
    if (!shown.out.empty()) say("\nsweep    {}\n", shown.out);
    if (!shown.csv.empty()) say("table    {}\n", shown.csv);
    if (!pictures.empty()) say("picture  {}\n", shown.picture);
    if (!shown.report.empty()) say("report   {}\n", shown.report);
  }
  const bool lacks_picture = !shown.picture.empty() && pictures.empty();
  return lacks_picture ? fmt::format("{} was not written: no column differs between members", shown.picture) : "";
}

}  // namespace hamel::cli
