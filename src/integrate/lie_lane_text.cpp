#include "integrate/lie_lane_text.hpp"

#include <fmt/format.h>

#include "hamel/program/code.hpp"
#include "integrate/field_lane_text.hpp"
#include "integrate/lie_text.hpp"

namespace hamel {
namespace {

constexpr const char* lie_lane_macros = R"(
#define FUNCTION static inline
#define FIELD const double *u, const double *constants
#define RATE(t, y, k) rate(u, constants, t, y, k)
#define UNROLL _Pragma("GCC unroll 4")
)";

constexpr const char* lie_lane_step = R"(
  number k[NY], x[NY];
  rate(u, constants, t, y, k);
  lie_step(u, constants, t, h, y, k, x);
  EACH_OF_FOUR(i, m, NY) off[m] += x[i] - x[i];
  drop_isotropy(x, x + NQ);
  EACH(i, NY) y[i] = x[i];
)";

}  // namespace

std::string lie_lane_text(const System& system, LieScheme scheme, const Program& motion) {
  const std::string step = lie_text(system, scheme);
  if (step.empty()) return {};
  return field_lane_text(motion, system.ambient(), system.ambient() + system.rates()) + lie_lane_macros +
         fmt::format("#define SINE(x) VECTOR({})(x)\n", static_cast<int>(Op::sin)) + step +
         field_steps_text(lie_lane_step);
}

}  // namespace hamel
