#include "hamel/language/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace hamel {

namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

std::size_t line_begin(std::string_view text, std::size_t offset) {
  const std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

// Tabs and control characters would tear the caret from its place.
std::string visible(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
  return result;
}

// The line with a caret under the place; very long lines are shown around it.
std::string picture(const Place& place) {
  constexpr std::size_t margin = 100;
  const std::string_view text = place.source->text;
  const std::size_t at = std::min(place.begin, text.size());
  std::size_t begin = line_begin(text, at);
  std::size_t end = std::min(text.find('\n', at), text.size());
  std::string before, behind;
  if (at - begin > margin) {
    begin = at - margin;
    while (begin < at && continues_character(text[begin])) ++begin;
    before = "...";
  }
  if (end - at > margin) {
    end = at + margin;
    while (end > at && continues_character(text[end])) --end;
    behind = "...";
  }
  const std::string shown = before + visible(text.substr(begin, end - begin)) + behind;
  const std::size_t indent = before.size() + characters(text.substr(begin, at - begin));
  const std::size_t width = characters(text.substr(at, std::min(place.length, end - at)));
  const std::string number = std::to_string(place.line());
  return fmt::format("{:>8} | {}\n{:>8} | {:{}}^{:~<{}}", number, shown, "", "", indent, "",
                     width == 0 ? 0 : width - 1);
}

std::string described(const Place& place, const std::string& message) {
  if (place.source == nullptr) return message;
  const std::string where = fmt::format("{}:{}:{}: {}", place.source->name, place.line(), place.column(), message);
  return place.source->text.empty() ? where : where + "\n" + picture(place);
}

}  // namespace

std::size_t Place::line() const {
  const std::string_view text = std::string_view(source->text).substr(0, begin);
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::size_t Place::column() const {
  const std::string_view text = source->text;
  const std::size_t at = std::min(begin, text.size());
  const std::size_t start = line_begin(text, at);
  return 1 + characters(text.substr(start, at - start));
}

SourceError::SourceError(const Place& place, const std::string& message)
    : std::runtime_error(described(place, message)), place_(place), message_(message) {}

}  // namespace hamel
