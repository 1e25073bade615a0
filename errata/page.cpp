#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <regex>
#include <sstream>

#include "errata.hpp"
#include "introduction.hpp"

namespace hamel::errata {
namespace {

constexpr double disagrees = 1e-3, agrees = 1e-8;

struct Count {
  int numbers = 0, sizes = 0, words = 0, read = 0;
  int rows() const { return numbers + sizes + words + read; }
};

std::string short_number(double x) { return x == 0 ? "0" : fmt::format("{:.2g}", x); }

bool needs_remark(List list) { return list == theory || list == result || list == glyph; }

class Writer {
 public:
  Page write(const std::vector<Chapter>& chapters, std::set<std::string> found_right);

 private:
  std::string evidence(const Chapter& chapter, const Entry& entry);
  std::string row(const Chapter& chapter, const Entry& entry);
  std::string table(const Chapter& chapter, List list);
  std::string part(const std::vector<Chapter>& chapters, List list);

  std::array<Count, 5> counts;  // by list
  std::vector<std::string> failures;
};

std::string Writer::evidence(const Chapter& chapter, const Entry& entry) {
  Count& count = counts.at(entry.list);
  const auto fail = [&](const std::string& why) {
    failures.push_back(fmt::format("{} {}, {}: {}", chapter.text, chapter.title, entry.place, why));
  };
  if (needs_remark(entry.list) == entry.remark.empty())
    fail(entry.remark.empty() ? "a row of this list says what follows" : "a row of this list has no remark");
  if (!entry.check) return ++count.read, "by reading";
  const Evidence evidence = entry.check();
  if (!evidence.sizes.empty()) return ++count.sizes, evidence.sizes;
  if (!(evidence.printed >= disagrees) || !(evidence.corrected <= agrees))
    fail(fmt::format("printed {}, corrected {}; expected at least {} and at most {}", evidence.printed,
                     evidence.corrected, disagrees, agrees));
  if (!evidence.words.empty()) return ++count.words, evidence.words;
  return ++count.numbers, fmt::format("{} / {}", short_number(evidence.printed), short_number(evidence.corrected));
}

// Backslashes before punctuation are markdown's, even in formulas: \{ may reach the reader as {.
std::string portable(std::string formula) {
  for (const auto& [from, to] : {std::pair{R"(\\)", R"(\cr )"},
                                 {R"(\{)", R"(\lbrace{})"},
                                 {R"(\})", R"(\rbrace{})"},
                                 {R"(\,)", R"(\thinspace )"},
                                 {R"(\ )", R"(\enspace )"}})
    for (std::size_t at = 0; (at = formula.find(from, at)) != std::string::npos; at += std::string(to).size())
      formula.replace(at, 2, to);
  return formula;
}

std::string heading_of(List list) {
  switch (list) {
    case theory:
    case result:
      return "| place | printed | should read | consequence | evidence | source |\n|---|---|---|---|---|---|\n";
    case slip:
      return "| place | printed | should read | evidence | source |\n|---|---|---|---|---|\n";
    case notation:
      return "| place | printed | better | source |\n|---|---|---|---|\n";
    case glyph:
      return "| place | printed | should read | glyph | evidence | source |\n|---|---|---|---|---|---|\n";
  }
  return {};
}

std::string Writer::row(const Chapter& chapter, const Entry& entry) {
  const std::string shown = evidence(chapter, entry), source = entry.source == Source::print ? "print" : "conversion";
  std::vector<std::string> cells = {entry.place, entry.printed, entry.corrected, entry.remark, shown, source};
  if (entry.list == slip) cells = {entry.place, entry.printed, entry.corrected, shown, source};
  if (entry.list == notation) cells = {entry.place, entry.printed, entry.corrected, source};
  return portable(fmt::format("| {} |\n", fmt::join(cells, " | ")));
}

std::string Writer::table(const Chapter& chapter, List list) {
  std::string rows;
  for (const Entry& entry : chapter.entries)
    if (entry.list == list) rows += row(chapter, entry);
  return rows.empty() ? "" : fmt::format("\n**{} {}**\n\n{}{}", chapter.text, chapter.title, heading_of(list), rows);
}

std::string Writer::part(const std::vector<Chapter>& chapters, List list) {
  std::string tables;
  for (const Chapter& chapter : chapters) tables += table(chapter, list);
  return tables;
}

// Of the equations that the tests have, those without a row but for notation.
std::string said_right(const std::vector<Chapter>& chapters, std::set<std::string> numbers) {
  for (const Chapter& chapter : chapters)
    for (const Entry& entry : chapter.entries)
      if (chapter.text == book && entry.list != notation)
        for (const std::string& number : equation_numbers(entry.place)) numbers.erase(number);
  std::map<int, int> by_chapter;
  for (const std::string& number : numbers) ++by_chapter[std::stoi(number)];
  std::vector<std::string> parts;
  for (const auto& [chapter, count] : by_chapter) parts.push_back(fmt::format("{} in chapter {}", count, chapter));
  return fmt::format(found_right_text, fmt::arg("count", numbers.size()), fmt::arg("chapters", fmt::join(parts, ", ")));
}

Page Writer::write(const std::vector<Chapter>& chapters, std::set<std::string> found_right) {
  const std::string a = list_a + ("\n### A1. General theory\n" + part(chapters, theory)) +
                        ("\n### A2. Examples and problems\n" + part(chapters, result));
  const std::string b = list_b + part(chapters, slip), c = list_c + part(chapters, notation),
                    d = list_d + part(chapters, glyph);
  Page page;
  page.failures = failures;
  std::string summary =
      "\n| list | rows | shown by numbers | by sizes | by an example | by reading |\n|---|---|---|---|---|---|\n";
  constexpr std::array names = {"A1: general theory", "A2: results of examples", "B: slips", "C: notation",
                                "D: to be compared with the print"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Count& count = counts.at(i);
    summary += fmt::format("| {} | {} | {} | {} | {} | {} |\n", names.at(i), count.rows(), count.numbers, count.sizes,
                           count.words, count.read);
    page.confirmed += count.rows() - count.read, page.read += count.read;
  }
  page.text = opening + said_right(chapters, std::move(found_right)) + how_checked + summary + a + b + c + d;
  return page;
}

// 12, 0.5, 3e-16
const std::regex& a_number() {
  static const std::regex expression(R"(\d+(\.\d+)?(e[-+]?\d+)?)");
  return expression;
}

std::vector<double> numbers_of(const std::string& line) {
  std::vector<double> numbers;
  for (auto it = std::sregex_iterator(line.begin(), line.end(), a_number()); it != std::sregex_iterator(); ++it)
    numbers.push_back(std::stod(it->str()));
  return numbers;
}

bool same_number(double a, double b) {
  const double size = std::max(std::abs(a), std::abs(b));
  return size <= agrees || std::abs(a - b) <= 0.05 * size;
}

bool same_line(const std::string& a, const std::string& b) {
  if (a == b) return true;
  if (std::regex_replace(a, a_number(), "#") != std::regex_replace(b, a_number(), "#")) return false;
  const std::vector<double> x = numbers_of(a), y = numbers_of(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_number);
}

}  // namespace

std::vector<Entry> joined(std::vector<Entry> entries, const std::vector<Entry>& more) {
  entries.insert(entries.end(), more.begin(), more.end());
  return entries;
}

Page write_page(const std::vector<Chapter>& chapters, const std::set<std::string>& found_right) {
  return Writer().write(chapters, found_right);
}

std::string first_difference(const std::string& committed, const std::string& written) {
  std::istringstream old_lines(committed), new_lines(written);
  for (std::string a, b;;) {
    const bool more_a = static_cast<bool>(std::getline(old_lines, a)),
               more_b = static_cast<bool>(std::getline(new_lines, b));
    if (!more_a && !more_b) return "";
    if (more_a != more_b) return "it has another number of lines";
    if (!same_line(a, b)) return fmt::format("\n  {}\n  {}", a, b);
  }
}

}  // namespace hamel::errata
