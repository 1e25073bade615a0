// Whole steps of one size in eight lanes: the frame of their text, around
//
//   Motion    a struct of what a step changes
//   void load(double* const* out, long part, Motion* m), void store(const Motion* m, double* const* out, long part)
//   mask step(const double* const* in, long part, mask taken, number t, number h, Motion* m)
//             the lanes that met something unusual
//
// where in and out are what FixedLanes::add_numbers lists. A lane that meets something unusual ends the steps of those
// beside it. Where there are NE events (event_lane_text.hpp), a suspicious one does so too; then there are as well
//
//   PLACES    how many numbers a motion has in `out`
//   void look_first(const double* const* in, long part, number t, Motion* m, number* e)
//             the values of events where the first step begins
//   mask look(const double* const* in, long part, number t, number h, number then, const Motion* before, Motion* m,
//             number e[POINTS][NE], mask* irregular)
//             the lanes in which may_cross(e) after a step, for values that begin with the last ones, and those in
//             which some are not finite
#pragma once

namespace hamel {

constexpr const char* fixed_lane_text = R"(
#ifdef NE
#define LOOK_FIRST              \
  number e[POINTS][NE];         \
  Motion before;                \
  look_first(in + 3, part, t, &m, e[POINTS - 1]);
#define BEFORE_A_STEP           \
  const number begin = t;       \
  before = m;
#define LOOK                                                                             \
  mask irregular;                                                                        \
  for (long n = 0; n < NE; ++n) e[0][n] = e[POINTS - 1][n];                              \
  suspicious = taken & look(in + 3, part, begin, h, t, &before, &m, e, &irregular);      \
  unusual |= taken & irregular;
#define STORE_SUSPICION                                                                  \
  store(&before, out + 3 + PLACES, part);                                                \
  ROW(out[2 + PLACES] + part, 0) = pick(suspicious, ALL(1.0), ALL(0.0));
#else
#define LOOK_FIRST
#define BEFORE_A_STEP
#define LOOK
#define STORE_SUSPICION
#endif
void hamel_lanes(const double* const* in, double* const* out) {
  for (long part = 0; part < 8; part += WIDTH) {
    const double* clock = in[0] + part;
    const number h = ROW(clock, 1), origin = ROW(clock, 2), count = ROW(clock, 3);
    const mask taken = (mask)(ROW(in[1] + part, 0) != 0.0);
    number t = ROW(clock, 0);
    mask unusual = taken & ~taken, suspicious = unusual;
    double done = 0;
    Motion m;
    load(out + 2, part, &m);
    LOOK_FIRST
    while (done < in[2][0] && !any(unusual | suspicious)) {
      BEFORE_A_STEP
      unusual = taken & step(in + 3, part, taken, t, h, &m);
      done += 1;
      t = origin + (count + done) * h;
      LOOK
    }
    STORE_SUSPICION
    store(&m, out + 2, part);
    ROW(out[0] + part, 0) = pick(unusual, ALL(1.0), ALL(0.0));
    ROW(out[1] + part, 0) = ALL(done);
  }
}
)";

}  // namespace hamel
