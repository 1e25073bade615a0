#include "hamel/report/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hamel/analyze/control.hpp"

namespace hamel {

std::string brief(double value, int digits) { return fmt::format("{:.{}g}", value + 0.0, digits); }  // never -0

std::string space_of(const Model& model) {
  std::string text;
  const auto& coordinates = model.coordinates();
  for (std::size_t i = 0; i < coordinates.size();) {
    std::size_t j = i;
    while (j < coordinates.size() && coordinates[j].space.name() == coordinates[i].space.name()) ++j;
    text += (text.empty() ? "" : " x ") + coordinates[i].space.name() + (j - i > 1 ? fmt::format("^{}", j - i) : "");
    i = j;
  }
  return text;
}

std::string inputs_text(const Model& model, const Eigen::VectorXd& inputs) {
  const std::vector<std::string> names = input_names(model);
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < names.size(); ++k)
    parts.push_back(fmt::format("{} = {}", names[k], brief(inputs(static_cast<Eigen::Index>(k)))));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string early_end(const RunSummary& summary) {
  if (summary.finished) return {};
  const std::string when = fmt::format("at t = {} instead of {}", brief(summary.final.t), brief(summary.until));
  return summary.failure.empty() ? when : when + ": " + summary.failure;
}

}  // namespace hamel
