#include "hamel/record/kept.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace hamel {

std::string to_string(Kept kept) {
  static constexpr std::array names{"to rounding", "bounded", "drifting", "lost"};
  return names.at(static_cast<std::size_t>(kept));
}

double Followed::relative_error() const {
  if (max_error == 0) return 0;
  return size > 0 ? max_error / size : std::numeric_limits<double>::max();
}

int Followed::digits() const {
  constexpr int all = 16;
  if (max_error == 0) return all;
  return std::clamp(static_cast<int>(std::floor(-std::log10(relative_error()))), 0, all);
}

Kept Followed::kept() const {
  constexpr double rounding = 1000 * std::numeric_limits<double>::epsilon(), too_much = 0.01, certain = 3;
  if (max_error <= rounding * terms) return Kept::to_rounding;
  if (relative_error() > too_much) return Kept::lost;
  return std::abs(slope) > certain * slope_error ? Kept::drifting : Kept::bounded;
}

}  // namespace hamel
