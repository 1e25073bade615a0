#include "hamel/graph/escape.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hamel {

namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";  // U+FFFD
constexpr char32_t invalid = 0xFFFFFFFF;

bool is_ascii_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// The character that a text begins with, and how many bytes it takes.
std::pair<char32_t, std::size_t> first_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return {invalid, 1};
  char32_t code = lead & (0xFFU >> (size + 1));
  for (std::size_t k = 1; k < size; ++k) {
    if ((byte(k) & 0xC0U) != 0x80) return {invalid, 1};
    code = code << 6 | (byte(k) & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < smallest[size] || code > 0x10FFFF || surrogate ? std::pair(invalid, std::size_t{1})
                                                               : std::pair(code, size);
}

bool cannot_be_seen(char32_t c) {
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool separates_lines = c == 0x2028 || c == 0x2029;
  const bool turns_direction = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return control || separates_lines || turns_direction || c == 0xFFFE || c == 0xFFFF || c == invalid;
}

// Each character by what it is replaced with.
template <class Replace>
std::string replaced(std::string_view text, Replace replace) {
  std::string result;
  for (const char c : text) result += replace(c);
  return result;
}

}  // namespace

std::string visible(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto [character, size] = first_character(text);
    if (character == '\n' || character == '\t' || character == '\r')
      result += ' ';
    else
      result += cannot_be_seen(character) ? replacement_character : text.substr(0, size);
    text.remove_prefix(size);
  }
  return result;
}

// No line ends within it, so neither a backslash nor the trigraph of one can hide the end of the comment.
std::string c_comment(std::string_view text) {
  std::string result;
  for (const char c : visible(text)) {
    const bool begins_or_ends =
        !result.empty() && ((c == '/' && result.back() == '*') || (c == '*' && result.back() == '/'));
    if (begins_or_ends) result += ' ';
    result += c;
  }
  return result;
}

std::string c_identifier(std::string_view text) {
  std::string result = replaced(text, [](char c) { return is_ascii_word(c) ? c : '_'; });
  return result.empty() || (result.front() >= '0' && result.front() <= '9') ? "_" + result : result;
}

std::string latex_word(std::string_view text) {
  return replaced(visible(text), [](char c) -> std::string {
    if (c == '\\') return "\\backslash{}";
    if (c == '^') return "\\wedge{}";
    if (c == '~') return "\\sim{}";
    return std::string_view("_{}#$%&").find(c) == std::string_view::npos ? std::string(1, c) : std::string{'\\', c};
  });
}

std::string xml_text(std::string_view text) {
  return replaced(visible(text), [](char c) -> std::string {
    switch (c) {
      case '&':
        return "&amp;";
      case '<':
        return "&lt;";
      case '>':
        return "&gt;";
      case '"':
        return "&quot;";
      case '\'':
        return "&#39;";
      default:
        return {c};
    }
  });
}

// Within strings only, for nothing else in JSON has a <: neither </script> nor <!-- is left.
std::string json_in_html(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  for (const char c : json) c == '<' ? result += "\\u003c" : result += c;
  return result;
}

std::string csv_field(std::string_view text) {
  std::string field = visible(text);
  if (!field.empty() && std::string_view("=+-@").find(field.front()) != std::string_view::npos)
    field.insert(0, 1, '\'');
  if (field.find_first_of(",\"") == std::string::npos) return field;
  return '"' + replaced(field, [](char c) { return c == '"' ? std::string("\"\"") : std::string(1, c); }) + '"';
}

bool is_plain_word(std::string_view text) {
  return !text.empty() && is_ascii_word(text.front()) && std::all_of(text.begin(), text.end(), [](char c) {
    return is_ascii_word(c) || std::string_view("._-+").find(c) != std::string_view::npos;
  });
}

}  // namespace hamel
