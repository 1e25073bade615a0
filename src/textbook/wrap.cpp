// Long formulas in several lines.
#include <algorithm>

#include "hamel/textbook/textbook.hpp"

namespace hamel {
namespace {

constexpr std::string_view line_indentation = "    ";

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// Where the columns end: the number of bytes that fit.
std::size_t bytes_in(std::string_view text, std::size_t columns) {
  std::size_t bytes = 0;
  while (bytes < text.size() && columns_of(text.substr(0, bytes + 1)) <= columns) ++bytes;
  return bytes;
}

struct Break {
  int rank;        // open parentheses; more between factors
  std::size_t at;  // the next line begins here
};

// A break that leaves at most `room` bytes on this line: the outermost one behind the first quarter, else of that.
std::size_t place_to_break(std::string_view text, std::size_t room) {
  constexpr int between_factors = 100;
  std::vector<Break> all;
  int depth = 0;
  for (std::size_t i = 0; i < text.size() && i <= room; ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (i == 0) continue;
    if (c == ' ' && text[i - 1] != '+' && text[i - 1] != '-') all.push_back({depth, i});
    if ((c == '*' || c == '/' || c == '(' || c == ',') && i + 1 <= room)
      all.push_back({between_factors + depth, i + 1});
  }
  const auto best = [&](std::size_t from) {
    const Break* found = nullptr;
    for (const Break& candidate : all)
      if (candidate.at >= from && (found == nullptr || candidate.rank <= found->rank)) found = &candidate;
    return found;
  };
  const Break *late = best(room / 4), *any = best(1);
  if (late != nullptr && late->rank < between_factors) return late->at;
  if (any != nullptr && any->rank < between_factors) return any->at;
  if (late != nullptr) return late->at;
  return any == nullptr ? room : any->at;
}

}  // namespace

std::string wrapped(const std::string& line, std::size_t columns) {
  std::string result;
  std::string_view rest = line;
  std::size_t room = columns;
  while (columns_of(rest) > room) {
    const std::size_t at = std::max<std::size_t>(place_to_break(rest, bytes_in(rest, room)), 1);
    std::string_view first = rest.substr(0, at);
    while (first.ends_with(' ')) first.remove_suffix(1);
    rest.remove_prefix(at);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    result += std::string(first) + '\n' + std::string(line_indentation);
    room = columns - line_indentation.size();
  }
  return result + std::string(rest);
}

}  // namespace hamel
