#include "integrate/field_lane_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hamel/program/code.hpp"
#include "hamel/program/lane_text.hpp"

namespace hamel {

std::string field_lane_text(const Program& motion, long ambient, long size) {
  constexpr std::array inputs{LaneInput::numbers, LaneInput::numbers, LaneInput::rows, LaneInput::numbers,
                              LaneInput::rows};
  const Code& code = motion.code();
  constexpr long few = 32;  // numbers that are worth straight code
  std::string text = fmt::format("#define NY {}\n#define NQ {}\n#define NC {}\n", size, ambient,
                                 std::max(1U, code.output_sizes.back()));
  text += fmt::format("#define PART_OF_CONSTANTS(part) {}\n", code.is_uniform(4) ? "0" : "(part)");
  text += fmt::format("#define EACH(i) {}for (long i = 0; i < NY; ++i)\n",
                      size <= few ? "_Pragma(\"GCC unroll 32\") " : "");
  return text + function_in_lanes(motion, "motion", inputs) + R"(
static inline void rate(const double* u, const double* constants, number t, const number* y, number* k) {
  number multipliers[NC];
  motion(y, y + NQ, u, &t, constants, k, k + NQ, multipliers);
}
)";
}

}  // namespace hamel
