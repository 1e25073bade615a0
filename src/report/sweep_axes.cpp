#include "report/sweep_axes.hpp"

#include <fmt/format.h>

#include <map>

#include "hamel/language/model_file.hpp"

namespace hamel {

namespace {

using UnitsByName = std::map<std::string, std::string>;

UnitsByName units_of_model(const SweepHeader& header) {
  try {
    const ModelFile file = parse_model(header.model_text, header.model_name);
    return {file.units.begin(), file.units.end()};
  } catch (const std::exception&) {  // of a model that a later hamel no longer reads
    return {};
  }
}

// "tension" of "tension max", "t" of "flip time".
std::string measured_name(const std::string& column) {
  const std::size_t space = column.rfind(' ');
  if (space == std::string::npos) return column;
  const std::string last = column.substr(space + 1);
  for (const char* word : {"end", "max", "min", "mean", "drift"})
    if (last == word) return column.substr(0, space);
  return last == "time" ? "t" : column;
}

// "x" of "x.y", or the family of "x[1]"; a rate has another unit, and "x.y'" is a name of its own.
std::string unit_named(const UnitsByName& units, std::string name) {
  if (name.starts_with("start.")) name = name.substr(6);
  while (!name.empty()) {
    if (const auto found = units.find(name); found != units.end()) return found->second;
    const std::size_t part = name.find_last_of(".[");
    const bool is_part = part != std::string::npos && name.find('\'', part) == std::string::npos;
    name = is_part ? name.substr(0, part) : "";
  }
  return "";
}

}  // namespace

std::vector<std::string> axis_names(const SweepTable& table) {
  const UnitsByName units = units_of_model(table.header());
  std::vector<std::string> names;
  for (const SweepStatistics& column : table.statistics()) {
    const std::string unit = unit_named(units, measured_name(column.name));
    names.push_back(unit.empty() ? column.name : fmt::format("{} ({})", column.name, unit));
  }
  return names;
}

std::string failed_text(const SweepTable& table) {
  return table.failed() == 0 ? "" : fmt::format("{} of {} members failed", table.failed(), table.members());
}

}  // namespace hamel
