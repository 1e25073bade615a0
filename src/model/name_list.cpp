#include "hamel/model/name_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>

#include "hamel/model/model.hpp"

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

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1), before, before_that;
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_that = std::move(before);
    before = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_that[j - 2] + 1);
    }
  }
  return row.back();
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

std::string suggestion(std::string_view name, std::span<const std::string> known) {
  constexpr std::size_t longest = 40;  // nobody misspells more than that
  if (name.size() > longest) return {};
  const std::string* best = nullptr;
  std::size_t least = 1 + (name.size() + 1) / 3;
  for (const std::string& candidate : known) {
    if (candidate.size() > longest || candidate == name) continue;
    const std::size_t distance = lower_case(candidate) == lower_case(name) ? 0 : edit_distance(name, candidate);
    if (distance < least) {
      least = distance;
      best = &candidate;
    }
  }
  return best == nullptr ? std::string() : fmt::format("; did you mean {}?", *best);
}

std::vector<std::string> entry_names(const Model& model) {
  std::vector<std::string> names;
  const int first = model.first_index();
  for (const Coordinate& coordinate : model.coordinates()) {
    const auto [rows, cols] = coordinate.space.shape();
    for (int j = 0; j < cols; ++j)
      for (int i = 0; i < rows; ++i) {
        if (cols > 1)
          names.push_back(fmt::format("{}[{},{}]", coordinate.name, i + first, j + first));
        else if (rows == 1)
          names.push_back(coordinate.name);
        else
          names.push_back(
              fmt::format("{}.{}", coordinate.name, rows <= 3 ? std::string(1, "xyz"[i]) : std::to_string(i + first)));
      }
  }
  return names;
}

std::vector<std::string> component_names(const std::string& name, int rows, int cols) {
  if (rows == 1 && cols == 1) return {name};
  std::vector<std::string> names;
  for (int j = 1; j <= cols; ++j)
    for (int i = 1; i <= rows; ++i)
      names.push_back(cols == 1 ? fmt::format("{}[{}]", name, i) : fmt::format("{}[{},{}]", name, i, j));
  return names;
}

}  // namespace hamel
