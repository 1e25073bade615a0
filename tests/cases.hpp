// Tests that are text files, so that anybody can add to them. A line that begins with # is a comment. In a file of
// cases each begins with a line "== name"; what stands before the first one belongs to all.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace hamel::test {

struct Line {
  std::string text;
  std::string where;  // "tests/gallery/claims.txt:12"
};

struct Case {
  std::string name, where;
  std::vector<Line> lines;  // without empty ones at their end
};

struct Cases {
  std::vector<Line> shared;
  std::vector<Case> all;
};

[[noreturn]] inline void refuse(const std::string& where, const std::string& what) {
  throw std::runtime_error(where + ": " + what);
}

inline std::vector<Line> read_lines(const std::string& path) {  // from the root of the repository
  std::ifstream in(HAMEL_SOURCE_DIR "/" + path);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::vector<Line> lines;
  int number = 1;
  for (std::string text; std::getline(in, text); ++number)
    if (!text.starts_with('#')) lines.push_back({text, path + ":" + std::to_string(number)});
  return lines;
}

inline Cases read_cases(const std::string& path) {
  Cases cases;
  for (const Line& line : read_lines(path)) {
    if (line.text.starts_with("== "))
      cases.all.push_back({line.text.substr(3), line.where, {}});
    else
      (cases.all.empty() ? cases.shared : cases.all.back().lines).push_back(line);
  }
  for (Case& one : cases.all)
    while (!one.lines.empty() && one.lines.back().text.empty()) one.lines.pop_back();
  return cases;
}

}  // namespace hamel::test
