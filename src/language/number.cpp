#include "language/number.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <cmath>

namespace hamel {

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto read = fast_float::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value)) return std::nullopt;
  const std::string_view digits = text.substr(0, text.find_first_of("eE"));
  const bool vanished = value == 0 && digits.find_first_of("123456789") != std::string_view::npos;
  return vanished ? std::nullopt : std::optional(value);
}

std::string cannot_be_held(std::string_view number) {
  constexpr std::size_t longest = 40;
  return fmt::format("the number {}{} cannot be held: numbers are 0, or of size 5e-324 to 1.8e308",
                     number.substr(0, longest), number.size() > longest ? "..." : "");
}

}  // namespace hamel
