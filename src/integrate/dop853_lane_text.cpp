#include "integrate/dop853_lane_text.hpp"

#include <fmt/format.h>

#include "integrate/dop853_control.hpp"
#include "integrate/dop853_tableau.hpp"
#include "integrate/dop853_text.hpp"
#include "integrate/event_lane_text.hpp"
#include "integrate/field_lane_text.hpp"

namespace hamel {
namespace {

template <std::size_t size>
std::string lane_stage(std::size_t stage, const std::array<double, size>& row) {
  // What is not finite in stages 1 to 4 is seen where they are used; the end of the step has all others.
  const bool is_watched = stage >= 2 && stage <= 5;
  return fmt::format("  EACH(i, NY) x[i] = y[i] + h * ({});{}\n  rate(u, constants, t + {} * h, x, k[{}]);\n",
                     dop853::weighted_stages(row), is_watched ? " EACH_OF_FOUR(i, m, NY) off[m] += x[i] - x[i];" : "",
                     device_literal(dop853::c[stage]), stage);
}

// As DormandPrince8::make_dense and interpolate, from t to `then`: the lanes that are not finite, and the suspicious.
std::string lane_dense_text() {
  using namespace dop853;
  std::string text = R"(
struct Look { mask unusual, suspicious; };
static struct Look look(const double* u, const double* constants, const double* event_constants, number t, number then,
                        const number* y, const number* y1, number k[STAGES][NY]) {
  const number h = then - t;
  number x[NY], bend[4][NY], e[POINTS][NE];
  FOUR(off);
)";
  text += fmt::format("  EACH(i, NY) x[i] = y[i] + h * ({});\n  rate(u, constants, then, x, k[{}]);\n",
                      weighted_stages(b), steps);
  text += lane_stage(13, a13) + lane_stage(14, a14) + lane_stage(15, a15);
  for (const auto& [n, row] : {std::pair(0, d4), std::pair(1, d5), std::pair(2, d6), std::pair(3, d7)})
    text += fmt::format("  EACH(i, NY) bend[{}][i] = h * ({});\n", n, weighted_stages(row));
  return text + R"(
  for (long j = 12; j < STAGES; ++j) EACH_OF_FOUR(i, m, NY) off[m] += k[j][i] - k[j][i];
  for (long j = 0; j < POINTS; ++j) {
    const number at = between(j, t, then), s = (at - t) / h, r = 1.0 - s;
    EACH(i, NY) {
      const number way = y1[i] - y[i];
      x[i] = y[i] + s * (way + r * (h * k[0][i] - way + s * (2.0 * way - h * (k[0][i] + k[12][i]) +
             r * (bend[0][i] + s * (bend[1][i] + r * (bend[2][i] + s * bend[3][i]))))));
    }
    find_events_of(u, event_constants, j == 0 ? t : j + 1 < POINTS ? at : then, j == 0 ? y : j + 1 < POINTS ? x : y1, e[j]);
    for (long n = 0; n < NE; ++n) off[0] += e[j][n] - e[j][n];
  }
  return (struct Look){~is_finite(SUM(off)), may_cross(e)};
}
)";
}

constexpr const char* lane_attempt_text = R"(
static inline number step_of(number t, number natural, number limit) {
  const number left = limit - t;
  return pick((mask)(left <= 1.1 * natural), left, natural);
}
static int may_pass(const double* const* in, double* const* out, long part) {
  const double* lane = out[1] + part;
  const number t = ROW(lane, 0), h = step_of(t, ROW(lane, 1), ROW(in[3] + part, 0));
  return any((mask)(ROW(in[5] + part, 0) != 0) & (mask)(t + h > ROW(in[4] + part, 0)));
}
static int attempt(const double* const* in, double* const* out, long part) {
  const double *u = in[0] + part, *constants = in[1] + PART_OF_CONSTANTS(part), *settings = in[2];
  double* lane = out[1] + part;
  const number t = ROW(lane, 0), natural = ROW(lane, 1), failed = ROW(lane, 2), limit = ROW(in[3] + part, 0);
  const number left = limit - t, h = step_of(t, natural, limit);
  number y[NY], x[NY], k[STAGES][NY];
  FOUR(off);
  EACH(i, NY) y[i] = ROW(out[0] + part, i);
  rate(u, constants, t, y, k[0]);
)";

// As error and the factors of dop853_control.hpp, and Dop853Lanes::accept.
constexpr const char* lane_control_text = R"(
  const mask passes = (mask)(error <= 1.0), taken = (mask)(ROW(in[5] + part, 0) != 0);
  mask unusual = taken & (~is_finite(SUM(off) + error) | ((mask)(h < left) & ~(mask)(t + h / 16.0 > t)));
  const mask accepted = taken & passes & ~unusual, rejected = taken & ~passes & ~unusual;
  const number factor = SAFETY / root(root(root(error))), most = pick((mask)(failed != 0.0), ALL(1.0), ALL(6.0));
  number next = h * smaller(larger(factor, ALL(0.333)), most);
  next = pick((mask)(h < natural), larger(next, natural), next);
  next = smaller(next, ALL(settings[2]));
  const mask at_limit = accepted & (mask)(h == left);
  const number then = pick(at_limit, limit, pick(accepted, t + h, t));
  LOOK_AT_EVENTS
  ROW(lane, 0) = then;
  ROW(lane, 1) = pick(accepted, next, pick(rejected, h * larger(ALL(0.333), factor), natural));
  ROW(lane, 2) = pick(accepted, ALL(0.0), pick(rejected, ALL(1.0), failed));
  ROW(lane, 3) = h;
  ROW(out[2] + part, 0) = pick(unusual, ALL(1.0), ALL(0.0));
  EACH(i, NY) ROW(out[0] + part, i) = pick(accepted, x[i], y[i]);
  return any(unusual | at_limit | suspicious);
}
void hamel_lanes(const double* const* in, double* const* out) {
  for (int ends = 0; out[3][0] > 0 && !ends; out[3][0] -= 1) {
    for (long part = 0; part < 8; part += WIDTH) ends |= may_pass(in, out, part);
    if (ends) return;
    for (long part = 0; part < 8; part += WIDTH) ends |= attempt(in, out, part);
  }
}
)";

constexpr const char* no_look_text = "#define LOOK_AT_EVENTS const mask suspicious = taken & ~taken;\n";
constexpr const char* look_text = R"(
#define LOOK_AT_EVENTS                                                                          \
  mask suspicious = taken & ~taken;                                                             \
  if (settings[3] != 0 && any(accepted)) {                                                      \
    const struct Look seen = look(u, constants, in[6] + PART_OF_EVENTS(part), t, then, y, x, k); \
    unusual |= accepted & seen.unusual;                                                         \
    suspicious = accepted & seen.suspicious;                                                    \
  }                                                                                             \
  ROW(out[4] + part, 0) = pick(suspicious, ALL(1.0), ALL(0.0));                                 \
  if (any(suspicious)) {                                                                        \
    EACH(i, NY) ROW(out[5] + part, i) = y[i];                                                       \
    for (long i = 0; i < 3; ++i) ROW(out[6] + part, i) = ROW(lane, i);                           \
  }
)";

}  // namespace

std::string dop853_lane_text(const Program& motion, long ambient, long size, const Program* events) {
  using namespace dop853;
  std::string text =
      field_lane_text(motion, ambient, size) +
      fmt::format("#define STAGES {}\n#define SAFETY {}\n", events == nullptr ? steps : stages, device_literal(safety));
  text += events == nullptr ? no_look_text : field_event_lane_text(*events, motion) + lane_dense_text() + look_text;
  text += lane_attempt_text;
  text += lane_stage(1, a1) + lane_stage(2, a2) + lane_stage(3, a3) + lane_stage(4, a4) + lane_stage(5, a5) +
          lane_stage(6, a6) + lane_stage(7, a7) + lane_stage(8, a8) + lane_stage(9, a9) + lane_stage(10, a10) +
          lane_stage(11, a11);
  text += fmt::format(
      "  EACH(i, NY) x[i] = y[i] + h * ({});\n  FOUR(fifths);\n  FOUR(thirds);\n"
      "  EACH_OF_FOUR(i, m, NY) {{\n    off[m] += x[i] - x[i];\n"
      "    const number unit = 1.0 / (settings[0] * larger(size_of(y[i]), size_of(x[i])) + settings[1]);\n"
      "    fifths[m] = larger(fifths[m], size_of(h * ({})) * unit);\n"
      "    thirds[m] = larger(thirds[m], size_of(h * ({})) * unit);\n  }}\n"
      "  const number fifth = LARGEST(fifths), third = LARGEST(thirds);\n"
      "  const number error = pick((mask)(fifth == 0.0), ALL(0.0), fifth * fifth / root(fifth * fifth + 0.01 * third * "
      "third));\n",
      weighted_stages(b), weighted_stages(e5), weighted_stages(e3));
  return text + lane_control_text;
}

}  // namespace hamel
