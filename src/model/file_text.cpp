#include "hamel/model/file_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace hamel {
namespace {

// All of one vector, in their order.
bool are_components(const std::vector<Formula>& entries) {
  const Formula::Node& first = entries.front().node();
  if (first.kind != Kind::component || first.args[0].rows() != static_cast<int>(entries.size())) return false;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Formula::Node& node = entries[i].node();
    if (node.kind != Kind::component || !node.label.empty() || &node.args[0].node() != &first.args[0].node() ||
        node.i != static_cast<int>(i))
      return false;
  }
  return first.args[0].is_vector();
}

}  // namespace

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

std::vector<Formula> diagonal_of(const Formula::Node& columns) {
  std::vector<Formula> diagonal;
  if (columns.rows != columns.cols) return {};
  for (int j = 0; j < columns.cols; ++j) {
    const Formula& column = columns.args[static_cast<std::size_t>(j)];
    const Kind kind = column.node().kind;
    if (!column.node().label.empty() || (kind != Kind::stack && kind != Kind::number)) return {};
    for (int i = 0; i < columns.rows; ++i)
      if (i == j)
        diagonal.push_back(column[i]);
      else if (!column[i].is_zero())
        return {};
  }
  return are_components(diagonal) ? std::vector{diagonal.front().node().args[0]} : diagonal;
}

}  // namespace hamel
