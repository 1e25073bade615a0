#include "console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "hamel/graph/escape.hpp"

namespace hamel::cli {

namespace {

constexpr int standard_output = 1, standard_error = 2;

std::string styled(const std::string& text, const char* code, int descriptor) {
  return has_colors(descriptor) ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

// As they are seen: UTF-8 continuation bytes take no room.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t size) {
  return text + std::string(size - std::min(size, width(text)), ' ');
}

// Whatever a model file or a record says, nothing of it steers the terminal.
std::string visible_lines(std::string_view text) {
  std::string result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result += (begin == 0 ? "" : "\n") + visible(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

}  // namespace

bool has_colors(int descriptor) {
  const char* refused = std::getenv("NO_COLOR");
  return (refused == nullptr || *refused == '\0') && isatty(descriptor) == 1;
}

std::string bold(const std::string& text) { return styled(text, "1", standard_output); }
std::string dim(const std::string& text) { return styled(text, "2", standard_output); }

void print_error(const std::string& message) {
  fmt::print(stderr, "{} {}\n", styled("error:", "1;31", standard_error), visible_lines(message));
}

void print_note(const std::string& message) {
  fmt::print(stderr, "{} {}\n", styled("note:", "1;36", standard_error), visible_lines(message));
}

void print_facts(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::size_t longest = 0;
  for (const auto& fact : facts) longest = std::max(longest, width(fact.first));
  for (const auto& [name, value] : facts) fmt::print("{}  {}\n", bold(padded(name, longest)), visible(value));
}

void print_table(std::vector<std::vector<std::string>> rows) {
  std::vector<std::size_t> widths;
  for (auto& row : rows) {
    for (std::string& cell : row) cell = visible(cell);
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width(row[k]));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string line;
    for (std::size_t k = 0; k < rows[i].size(); ++k)
      line += k + 1 == rows[i].size() ? rows[i][k] : padded(rows[i][k], widths[k] + 2);
    fmt::print("{}\n", i == 0 ? bold(line) : line);
  }
}

std::string brief(double value, int digits) { return fmt::format("{:.{}g}", value + 0.0, digits); }  // never -0

}  // namespace hamel::cli
