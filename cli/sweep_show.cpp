#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
  print_failures(table);
}

// JSON has no infinity: what never happened is null.
Json json_number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json sweep_json(const SweepTable& table) {
  Json columns = Json::array(), failures = Json::array(), rows = Json::array();
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
  }
  return {{"model", table.header().model_name},
          {"members", table.members()},
          {"finished", table.is_finished()},
          {"failed", table.failed()},
          {"seconds", table.wall_seconds()},
          {"columns", columns},
          {"failures", failures},
          {"rows", rows}};
}

void publish(const std::string& path, bool overwrite, const std::string& text) {
  OutputFile file(path, overwrite);
  file.write(text);
  file.publish();
}

}  // namespace

std::size_t numbers_shown(const SweepHeader& header, const SweepShown& shown) {
  const bool is_drawn = !shown.picture.empty() || !shown.report.empty();
  if (is_drawn || (!shown.csv.empty() && shown.out.empty())) return SweepTable::most_numbers;
  const std::size_t numbers = (shown.json ? most_in_json : most_rows) * (header.varied.size() + header.kept.size());
  return std::min(numbers, SweepTable::most_numbers);
}

void show_sweep(const SweepTable& table, const SweepShown& shown) {
  if (shown.json)
    print_json(sweep_json(table));
  else
    print_sweep(table);
  if (!shown.csv.empty()) {
    if (shown.out.empty())
      write_csv(table, shown.csv, shown.overwrite);
    else
      write_csv(SweepReader(shown.out), shown.csv, shown.overwrite);
  }
  if (!shown.picture.empty()) {
    const std::vector<Picture> pictures = draw(table);
    if (pictures.empty()) throw std::runtime_error("there is nothing to draw: no column differs between members");
    publish(shown.picture, shown.overwrite, sheet(pictures));
  }
  if (!shown.report.empty()) publish(shown.report, shown.overwrite, sweep_html(table));
  if (shown.json) return;
  if (!shown.out.empty()) say("\nsweep    {}\n", shown.out);
  if (!shown.csv.empty()) say("table    {}\n", shown.csv);
  if (!shown.picture.empty()) say("picture  {}\n", shown.picture);
  if (!shown.report.empty()) say("report   {}\n", shown.report);
}

}  // namespace hamel::cli
