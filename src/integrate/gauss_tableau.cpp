#include "integrate/gauss_tableau.hpp"

#include <array>
#include <cstddef>

namespace hamel {
namespace {

constexpr std::array coefficients = std::to_array<Coefficient>({
#include "integrate/gauss_coefficients.inc"
});

}  // namespace

GaussTableau gauss_tableau(int stages) {
  std::size_t begin = 0;
  for (std::size_t s = 1; s < static_cast<std::size_t>(stages); ++s) begin += s * (s + 2);
  const auto s = static_cast<std::size_t>(stages);
  const std::span all(coefficients);
  return {stages, all.subspan(begin, s), all.subspan(begin + s, s), all.subspan(begin + 2 * s, s * s)};
}

}  // namespace hamel
