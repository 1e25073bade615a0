#include "hamel/model/file_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace hamel {

std::string primed(const std::string& name) {
  const std::size_t index = std::min(name.find('['), name.size());
  return name.substr(0, index) + "'" + name.substr(index);
}

std::string quoted_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + "\"";
}

std::string number_text(double value) { return fmt::format("{}", value == 0 ? 0 : value); }

std::string numbers_text(const Eigen::MatrixXd& value) {
  if (value.size() == 1) return number_text(value(0, 0));
  std::vector<std::string> rows;
  for (const auto& row : value.rowwise()) {
    std::vector<std::string> entries;
    for (const double entry : row) entries.push_back(number_text(entry));
    rows.push_back(value.cols() == 1 ? entries[0] : fmt::format("[{}]", fmt::join(entries, ", ")));
  }
  return fmt::format("[{}]", fmt::join(rows, ", "));
}

}  // namespace hamel
