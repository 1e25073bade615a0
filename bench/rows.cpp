#include "rows.hpp"

#include <fmt/format.h>

#include "hamel/mechanics/parts.hpp"

namespace hamel::bench {

std::string to_string(Tier tier) { return tier == Tier::native ? "native" : "interpreted"; }

std::shared_ptr<const System> derive_for(const Model& model, Tier tier) {
  auto system = share(derive(model));
  if (tier == Tier::native) prepare(*system, 1e15);
  return system;
}

bool Rows::is_wanted(const std::string& name, int size) const {
  return std::regex_search(fmt::format("{}/{}/ours", name, size), filter_) ||
         std::regex_search(fmt::format("{}/{}/baseline", name, size), filter_);
}

const Comparison& Rows::add(const std::string& name, int size, double bound) {
  const std::string benchmark = fmt::format("{}/{}", name, size);
  rows_.push_back({name, size, {benchmark + "/ours"}, {benchmark + "/baseline"}, bound});
  return rows_.back();
}

std::vector<Comparison> Rows::finish(const std::unordered_map<std::string, double>& microseconds) const {
  std::vector<Comparison> finished;
  for (Comparison row : rows_) {
    bool measured = true;
    for (Side* side : {&row.ours, &row.baseline}) {
      if (side->name.empty()) continue;
      const auto found = microseconds.find(side->name);
      if (found == microseconds.end())
        measured = false;  // left out by a filter
      else
        side->microseconds = found->second;
    }
    if (measured) finished.push_back(row);
  }
  return finished;
}

}  // namespace hamel::bench
