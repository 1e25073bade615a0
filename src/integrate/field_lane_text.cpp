#include "integrate/field_lane_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hamel/program/code.hpp"
#include "hamel/program/lane_text.hpp"
#include "integrate/event_lane_text.hpp"
#include "integrate/fixed_lane_text.hpp"

namespace hamel {

std::string field_lane_text(const Program& motion, long ambient, long size) {
  constexpr std::array inputs{LaneInput::numbers, LaneInput::numbers, LaneInput::rows, LaneInput::numbers,
                              LaneInput::rows};
  const Code& code = motion.code();
  std::string text = fmt::format("#define NY {}\n#define NQ {}\n#define NC {}\n", size, ambient,
                                 std::max(1U, code.output_sizes.back()));
  text += fmt::format("#define PART_OF_CONSTANTS(part) {}\n", code.is_uniform(4) ? "0" : "(part)");
  return text + loops_in_lanes(size) + function_in_lanes(motion, "motion", inputs) + R"(
static inline void rate(const double* u, const double* constants, number t, const number* y, number* k) {
  number multipliers[NC];
  motion(y, y + NQ, u, &t, constants, k, k + NQ, multipliers);
}
)";
}

namespace {

constexpr const char* field_step_text = R"(
static inline void load(double* const* out, long part, Motion* m) { EACH(i, NY) m->y[i] = ROW(out[0] + part, i); }
static inline void store(const Motion* m, double* const* out, long part) { EACH(i, NY) ROW(out[0] + part, i) = m->y[i]; }
static inline mask step(const double* const* in, long part, mask taken, number t, number h, Motion* m) {
  const double *u = in[0] + part, *constants = in[1] + PART_OF_CONSTANTS(part);
  number* y = m->y;
  FOUR(off);
)";

// The interpolant of FixedRungeKutta; the rate where a step ends is that where the next one begins.
constexpr const char* look_at_field_text = R"(
#define PLACES 1
static inline void look_first(const double* const* in, long part, number t, Motion* m, number* e) {
  rate(in[0] + part, in[1] + PART_OF_CONSTANTS(part), t, m->y, m->k);
  find_events_of(in[0] + part, in[2] + PART_OF_EVENTS(part), t, m->y, e);
}
static inline mask look(const double* const* in, long part, number t, number size, number then, const Motion* before,
                        Motion* m, number e[POINTS][NE], mask* irregular) {
  const double *u = in[0] + part, *constants = in[2] + PART_OF_EVENTS(part);
  const number h = then - t;
  FOUR(off);
  rate(u, in[1] + PART_OF_CONSTANTS(part), then, m->y, m->k);
  EACH_OF_FOUR(i, k, NY) off[k] += m->k[i] - m->k[i];
  _Pragma("GCC unroll 5") for (long j = 1; j < POINTS; ++j) {
    const number at = between(j, t, then), s = (at - t) / h;
    number x[NY];
    EACH(i, NY) x[i] = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s) * before->y[i] + s * (1.0 - s) * (1.0 - s) * h * before->k[i] +
                       s * s * (3.0 - 2.0 * s) * m->y[i] + s * s * (s - 1.0) * h * m->k[i];
    if (j + 1 < POINTS) find_events_of(u, constants, at, x, e[j]);
    else find_events_of(u, constants, then, m->y, e[j]);
    for (long n = 0; n < NE; ++n) off[0] += e[j][n] - e[j][n];
  }
  *irregular = ~is_finite(SUM(off));
  return may_cross(e);
}
)";

constexpr const char* end_of_field_step = "  return ~is_finite(SUM(off));\n}\n";

}  // namespace

std::string field_steps_text(const std::string& body) {
  return std::string("typedef struct { number y[NY]; } Motion;\n") + field_step_text + body + end_of_field_step +
         fixed_lane_text;
}

std::string watched_field_steps_text(const std::string& body, const Program& motion, const Program& events) {
  return field_event_lane_text(events, motion) + "typedef struct { number y[NY], k[NY]; } Motion;\n" + field_step_text +
         "  const number* rate_now = m->k;\n" + body + end_of_field_step + look_at_field_text + fixed_lane_text;
}

}  // namespace hamel
