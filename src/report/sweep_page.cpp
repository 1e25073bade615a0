// The page of a sweep: plain HTML, drawings in it.
#include <fmt/format.h>

#include <algorithm>

#include "hamel/graph/escape.hpp"
#include "hamel/report/sweep_picture.hpp"
#include "hamel/report/words.hpp"

namespace hamel {

namespace {

constexpr const char* sweep_style = R"(
body{font:16px/1.5 system-ui,sans-serif;color:#222;background:#f6f6f4;margin:0}
main{max-width:1460px;margin:0 auto;padding:28px 24px 60px}
h1{font-size:28px;margin:0 0 4px}h2{font-size:19px;margin:34px 0 10px}
p.note{color:#666;margin:0 0 18px}
p.warning{background:#fdf0d5;border-left:4px solid #e0a030;padding:8px 14px}
.pictures{display:flex;flex-wrap:wrap;gap:18px}
.pictures figure{margin:0;background:#fff;border:1px solid #ddd;border-radius:6px;flex:1 1 560px;max-width:720px}
.pictures figure.wide{flex-basis:860px;max-width:1000px}
.pictures svg{display:block;width:100%;height:auto;border-radius:6px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;background:#fff;border:1px solid #ddd;font-size:14.5px}
th,td{padding:5px 13px;text-align:right;border-bottom:1px solid #eee;white-space:nowrap}
th:first-child,td:first-child{text-align:left}th{color:#555;font-weight:600}
table.facts td{text-align:left;white-space:normal}
pre{background:#fff;border:1px solid #ddd;padding:14px;overflow-x:auto;font-size:13.5px}
)";

std::string cells(const std::vector<std::string>& entries, const char* tag) {
  std::string row = "<tr>";
  for (const std::string& entry : entries) row += fmt::format("<{0}>{1}</{0}>", tag, xml_text(entry));
  return row + "</tr>\n";
}

std::string sweep_facts(const SweepTable& table) {
  const SweepHeader& header = table.header();
  std::string rows;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) rows += cells({name, value}, "td");
  };
  add("members",
      fmt::format("{}{}", table.members(), table.is_finished() ? "" : fmt::format(" of {}", header.members)));
  add("failed", table.failed() > 0 ? std::to_string(table.failed()) : "");
  for (std::size_t k = 0; k < header.quantities.size(); ++k) add(header.quantities[k], header.vary_texts[k]);
  for (const auto& [name, value] : header.settings)
    if (name != "first member" && value != "0") add(name, value);
  add("time of work", brief(table.wall_seconds(), 3) + " s");
  add("hamel", header.hamel_version);
  return "<table class=\"facts\">" + rows + "</table>\n";
}

std::string statistics_table(const SweepTable& table) {
  const bool has_never = std::any_of(table.statistics().begin(), table.statistics().end(),
                                     [](const SweepStatistics& column) { return column.never > 0; });
  std::vector<std::string> names{"", "lowest", "mean", "highest", "deviation"};
  if (has_never) names.emplace_back("never");
  std::string rows = cells(names, "th");
  for (const SweepStatistics& column : table.statistics()) {
    std::vector<std::string> row{column.name, "-", "-", "-", "-"};
    if (column.count > 0)
      row = {column.name, brief(column.low), brief(column.mean), brief(column.high), brief(column.deviation(), 3)};
    if (has_never) row.push_back(column.never > 0 ? std::to_string(column.never) : "");
    rows += cells(row, "td");
  }
  return "<div class=\"scroll\"><table>" + rows + "</table></div>\n";
}

std::string failures_table(const SweepTable& table) {
  constexpr std::size_t most = 50;
  if (table.failures().empty()) return "";
  std::vector<std::string> names{"member"};
  names.insert(names.end(), table.header().varied.begin(), table.header().varied.end());
  names.emplace_back("why");
  std::string rows = cells(names, "th");
  const std::size_t shown = std::min(table.failures().size(), most);
  for (std::size_t k = 0; k < shown; ++k) {
    const MemberFailure& failure = table.failures()[k];
    std::vector<std::string> row{std::to_string(failure.member)};
    for (std::size_t j = 0; j < table.header().varied.size(); ++j)
      row.push_back(brief(table.varied_of_failure(k)(static_cast<Eigen::Index>(j))));
    row.push_back(failure.why);
    rows += cells(row, "td");
  }
  return fmt::format(
      "<h2>Members that failed</h2>\n<p class=\"note\">{} of {}{}</p>\n<div "
      "class=\"scroll\"><table>{}</table></div>\n",
      table.failed(), table.members(), table.failed() > shown ? fmt::format(", the first {} of them:", shown) : "",
      rows);
}

}  // namespace

std::string sweep_html(const SweepTable& table) {
  const SweepHeader& header = table.header();
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\">\n<title>{0}: "
      "sweep</title>\n<style>{1}</style></head><body><main>\n"
      "<h1>{0}</h1>\n<p class=\"note\">a sweep of {2} members</p>\n",
      xml_text(header.model_name), sweep_style, header.members);
  if (!table.is_finished())
    text += fmt::format("<p class=\"warning\">This sweep is not finished: {} of {} members are done.</p>\n",
                        table.members(), header.members);
  if (table.is_whole()) {
    text += "<div class=\"pictures\">\n";
    for (const Picture& picture : draw(table))
      text += fmt::format("<figure{}>{}</figure>\n", picture.title == "each against each" ? " class=\"wide\"" : "",
                          picture.svg);
    text += "</div>\n";
  } else {
    text += "<p class=\"note\">There are too many numbers to draw them all; their statistics are below.</p>\n";
  }
  text += "<h2>Numbers</h2>\n" + statistics_table(table) + failures_table(table);
  text += "<h2>The sweep</h2>\n" + sweep_facts(table);
  text += fmt::format("<h2>The model</h2>\n<details><summary>the model file</summary><pre>{}</pre></details>\n", [&] {
    std::string lines;
    std::size_t begin = 0;
    while (begin < header.model_text.size()) {
      const std::size_t end = std::min(header.model_text.find('\n', begin), header.model_text.size());
      lines += xml_text(header.model_text.substr(begin, end - begin)) + "\n";
      begin = end + 1;
    }
    return lines;
  }());
  return text + "</main></body></html>\n";
}

}  // namespace hamel
