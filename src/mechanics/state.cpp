#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "hamel/mechanics/system.hpp"

namespace hamel {

MatrixXd State::operator[](std::string_view name) const {
  if (model == nullptr)
    throw std::invalid_argument(fmt::format(
        "this state knows no names, not {} either: states that System::state makes, and those of runs, do", name));
  const bool is_rate = name.ends_with('\'');
  const std::string_view coordinate = name.substr(0, name.size() - (is_rate ? 1 : 0));
  const VectorXd& numbers = is_rate ? v : q;
  Eigen::Index begin = 0;
  std::vector<std::string> names;
  for (const auto& [own, space] : model->coordinates()) {
    if (own == coordinate && begin + space.ambient() <= numbers.size()) {
      const auto [rows, cols] = space.shape();
      return numbers.segment(begin, space.ambient()).reshaped(rows, cols);
    }
    begin += space.ambient();
    names.push_back(own);
  }
  throw std::invalid_argument(
      fmt::format("{} has no coordinate {}; it has {}", model->name(), coordinate, fmt::join(names, ", ")));
}

}  // namespace hamel
