#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <sstream>

#include "errata.hpp"

namespace hamel::errata {
namespace {

constexpr double disagrees = 1e-3, agrees = 1e-8;

const char* const introduction = R"(# Errata, checked by machine

Corrections to printed equations of four texts on geometric mechanics by Taeyoung Lee, Melvin Leok and N. Harris
McClamroch. The texts are excellent; hamel is built on them, and this list is a thank-you to their authors. It is
written by a program, and every correction that is called confirmed is computed each time the tests of hamel run.

**What was checked.** For each system hamel derives the motion from its energies alone (the model files in
[`models/`](../models)), without using any equation of motion of the texts. At a state drawn at random this motion is
put into the equation as printed and into the equation as corrected. The two numbers of the last column, printed /
corrected, are the largest components of what remains: the left one should be zero and is not, the right one is zero up
to rounding or, where derivatives are taken by differences, up to about 1e-11. Linearizations are compared with the derivative of the derived
motion at the equilibrium, claims of conservation with the derivative of the quantity along the motion, identities by
inserting random vectors and rotations. An equation whose terms do not fit together is shown by the sizes of its terms
(of an example where they are general), as matrices.

**What was not.** Rows that say *open* were found by reading and are not evaluated; the reason is given. A sign, a dot
or an index may have been lost on the way from print to the digital copies that were read; the corrected form holds in
any case. The problems at the ends of chapters are quoted from notes.

**How to repeat it.** `make errata` writes this page; the test `errata` evaluates it again and compares.

Notation: $S=\begin{bmatrix}0&-1\cr 1&0\end{bmatrix}$, $S(a)b=a\times b$, $P_i=I-q_iq_i^T$, $r_i=R^Te_i$, and $M^I$ for
the inverse of $M$ or a block of it.
)";

struct Count {
  int numbers = 0, sizes = 0, open = 0;
};

struct Row {
  std::string evidence;
  int Count::*column = &Count::numbers;
};

std::string short_number(double x) { return x == 0 ? "0" : fmt::format("{:.2g}", x); }

Row evaluate(const Chapter& chapter, const Entry& entry, std::vector<std::string>& failures) {
  const Evidence evidence = entry.check();
  if (!evidence.open.empty()) return {"*open*: " + evidence.open, &Count::open};
  if (!evidence.sizes.empty()) return {evidence.sizes, &Count::sizes};
  if (!(evidence.printed >= disagrees) || !(evidence.corrected <= agrees))
    failures.push_back(fmt::format("{}, {}: printed {}, corrected {}; expected at least {} and at most {}",
                                   chapter.title, entry.place, evidence.printed, evidence.corrected, disagrees,
                                   agrees));
  return {fmt::format("{} / {}", short_number(evidence.printed), short_number(evidence.corrected))};
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

std::string write_chapter(const Chapter& chapter, Count& count, std::vector<std::string>& failures) {
  std::string text = fmt::format(
      "\n## {}\n\n| place | printed | corrected | kind | evidence |\n|---|---|---|---|---|\n", chapter.title);
  for (const Entry& entry : chapter.entries) {
    const Row row = evaluate(chapter, entry, failures);
    ++(count.*row.column);
    text += fmt::format("| {} | {} | {} | {} | {} |\n", portable(entry.place), portable(entry.printed),
                        portable(entry.corrected), entry.kind, row.evidence);
  }
  return text;
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

Page write_page(const std::vector<Chapter>& chapters) {
  Page page;
  std::string tables;
  std::vector<std::pair<std::string, Count>> counts;  // by text, in order
  for (const Chapter& chapter : chapters) {
    Count count;
    tables += write_chapter(chapter, count, page.failures);
    if (counts.empty() || counts.back().first != chapter.text) counts.push_back({chapter.text, {}});
    counts.back().second.numbers += count.numbers;
    counts.back().second.sizes += count.sizes;
    counts.back().second.open += count.open;
  }
  Count total;
  std::string summary = "\n| text | shown by numbers | by sizes | open |\n|---|---|---|---|\n";
  for (const auto& [text, count] : counts) {
    summary += fmt::format("| {} | {} | {} | {} |\n", text, count.numbers, count.sizes, count.open);
    total.numbers += count.numbers, total.sizes += count.sizes, total.open += count.open;
  }
  summary += fmt::format("| all | {} | {} | {} |\n", total.numbers, total.sizes, total.open);
  page.confirmed = total.numbers + total.sizes;
  page.open = total.open;
  page.text = introduction + summary + tables;
  return page;
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
