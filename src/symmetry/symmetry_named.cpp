#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "hamel/symmetry/noether.hpp"

namespace hamel {

const ConservedMomentum& symmetry_named(const std::string& name, const std::vector<ConservedMomentum>& symmetries) {
  std::vector<const ConservedMomentum*> meant;
  std::vector<std::string> known;
  for (std::size_t k = 0; k < symmetries.size(); ++k) {
    const ConservedMomentum& symmetry = symmetries[k];
    if (symmetry.energy != 0) continue;
    known.push_back(symmetry.generator);
    if (symmetry.generator == name || symmetry.name == name || name == std::to_string(k + 1)) return symmetry;
    if (symmetry.generator.find(name) != std::string::npos || symmetry.name.find(name) != std::string::npos)
      meant.push_back(&symmetry);
  }
  if (meant.size() == 1) return *meant[0];
  if (known.empty()) throw std::invalid_argument("this model has no symmetries to move along");
  throw std::invalid_argument(fmt::format("{} {}; there are {}", name,
                                          meant.empty() ? "is no symmetry" : "is more than one symmetry",
                                          fmt::join(known, "; ")));
}

}  // namespace hamel
