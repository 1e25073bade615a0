#include "hamel/model/name_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

namespace hamel {

namespace {

struct Indexed {
  std::string before{}, after{};
  int index = -1;  // none
};

Indexed indexed(const std::string& name) {
  const std::size_t open = name.find('['), close = name.find(']');
  int index = -1;
  if (open == std::string::npos || close == std::string::npos) return {};
  const char *begin = name.data() + open + 1, *end = name.data() + close;
  if (const auto [last, error] = std::from_chars(begin, end, index); error != std::errc() || last != end) return {};
  return {name.substr(0, open), name.substr(close + 1), index};
}

}  // namespace

std::string name_list(const std::vector<std::string>& names) {
  constexpr int most_named = 3;
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < names.size();) {
    const Indexed first = indexed(names[k]);
    std::size_t end = k + 1;
    for (; end < names.size() && first.index >= 0; ++end) {
      const Indexed next = indexed(names[end]);
      if (next.before != first.before || next.after != first.after ||
          next.index != first.index + static_cast<int>(end - k))
        break;
    }
    const int count = static_cast<int>(end - k);
    if (count > most_named) {
      parts.push_back(fmt::format("{}[{}..{}]{}", first.before, first.index, first.index + count - 1, first.after));
    } else {
      parts.insert(parts.end(), names.begin() + static_cast<std::ptrdiff_t>(k),
                   names.begin() + static_cast<std::ptrdiff_t>(end));
    }
    k = end;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace hamel
