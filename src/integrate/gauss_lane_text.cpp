#include "integrate/gauss_lane_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "hamel/mechanics/parts.hpp"
#include "hamel/program/code.hpp"
#include "hamel/program/device_text.hpp"
#include "hamel/program/lane_text.hpp"
#include "integrate/fixed_lane_text.hpp"
#include "integrate/gauss_convergence.hpp"
#include "integrate/gauss_text.hpp"

namespace hamel {
namespace {

// The words of gauss_text.hpp.
constexpr const char* gauss_lane_words = R"(
#define FUNCTION static inline
#define TABLE static const double
#define EACH(i, n) for (long i = 0; i < (n); ++i)
#define EACH_STAGE(k) _Pragma("GCC unroll 8") for (long k = 0; k < STAGES; ++k)
#if defined __FMA__ || defined __FP_FAST_FMA
#define exactly_fused(a, b, c) fused(a, b, c)
#else
static inline number exactly_fused(number a, number b, number c) {
  for (int k = 0; k < WIDTH; ++k) a[k] = __builtin_fma(a[k], b[k], c[k]);
  return a;
}
#endif
)";

constexpr const char* gauss_lane_memory = R"(
typedef struct { const double *u, *flow, *momentum, *normal; } Numbers;
typedef struct { number y[NY], lost[NY], rate[NY], K[STAGES][NY], last_h; } Motion;
// At y + way.
static inline void flow_along(Numbers numbers, const number* y, const number* way, number t, number* rate) {
  flow(y, way, y + NQ, way + NQ, &t, numbers.u, numbers.flow, rate, rate + NQ);
}
static inline void flow_at(Numbers numbers, const number* y, number t, number* rate) {
  number nowhere[NY];
  EACH(i, NY) nowhere[i] = ALL(-0.0);
  flow_along(numbers, y, nowhere, t, rate);
}
)";

// GaussMotion::set_scale
constexpr const char* gauss_lane_scale = R"(
static void find_scale(Numbers numbers, const Motion* m, number t, number h, number* scale) {
  number way[NQ], least = ALL(__builtin_inf());
  EACH(i, NQ) scale[i] = ALL(0.0), way[i] = h * m->rate[i];
  raise(scale, m->y);
  raise(scale, way);
  EACH(i, NQ) least = smaller(least, scale[i]);
  const mask rests = (mask)(least == 0.0);
  if (any(rests)) {
    number y[NY], rate[NY];
    EACH(i, NQ) y[i] = m->y[i], y[NQ + i] = m->y[NQ + i] + h * m->rate[NQ + i];
    flow_at(numbers, y, t + h, rate);
    EACH(i, NQ) way[i] = pick(rests, h * rate[i], way[i]);
    raise(scale, way);
  }
  const number by_rounding = BY_ROUNDING * largest(way, NQ);
  EACH(i, NQ) scale[i] = larger(IS_CURVED(i) ? scale[i] : larger(scale[i], by_rounding), ALL(SMALLEST));
  const number impulse = size_of(h) * largest(m->rate + NQ, NQ);
  const number momentum = larger(larger(largest(m->y + NQ, NQ), impulse), ALL(SMALLEST));
  EACH(i, NQ) scale[NQ + i] = momentum;
}
)";

// GaussCore::guess and solve_stages, and StageConvergence.
constexpr const char* gauss_lane_stages = R"(
static number lagrange(long j, number x) {
  number value = ALL(1.0);
  for (long m = 0; m < STAGES; ++m)
    if (m != j) value *= (x - gauss_c[m]) / (gauss_c[j] - gauss_c[m]);
  return value;
}
static void guess(Motion* m, number h, mask taken) {
  const mask first = (mask)(m->last_h == 0.0);
  const number ratio = pick(first, ALL(1.0), h / m->last_h);
  number e[STAGES][STAGES];
  EACH_STAGE(k) EACH_STAGE(j) e[k][j] = ALL(gauss_next[k][j]);
  if (any(taken & (mask)(ratio != 1.0)))
    for (long k = 0; k < STAGES; ++k)
      for (long j = 0; j < STAGES; ++j) e[k][j] = lagrange(j, 1.0 + ratio * gauss_c[k]);
  EACH(i, NY) {
    number last[STAGES];
    EACH_STAGE(k) last[k] = m->K[k][i];
    EACH_STAGE(k) {
      number sum = ALL(0.0);
      EACH_STAGE(j) sum = fused(e[k][j], last[j], sum);
      m->K[k][i] = sum + 0.0;
    }
  }
  if (any(taken & first)) EACH(i, NY) EACH_STAGE(k) m->K[k][i] = pick(first, m->rate[i], m->K[k][i]);
}
// z = h (A + A_rest) K, of two numbers at a time, so that a coefficient is fetched once for both.
#define OF_TWO(n) _Pragma("GCC unroll 2") for (long n = 0; n < 2; ++n)
#define SUMS(A, z)                                                                \
  EACH_STAGE(k) OF_TWO(n) z[n][k] = ALL(0.0);                                     \
  EACH_STAGE(j) EACH_STAGE(k) {                                                   \
    const number a = ALL(A[k][j]);                                                \
    OF_TWO(n) z[n][k] = fused(a, K[j][i + n], z[n][k]);                           \
  }
static void begin_stages(number (*K)[NY], number h, number (*Z)[NY]) {
  for (long i = 0; i < NY; i += 2) {
    number z[2][STAGES];
    SUMS(gauss_A_whole, z)
    EACH_STAGE(k) OF_TWO(n) Z[k][i + n] = h * (z[n][k] + 0.0);
  }
}
// In lanes that are `close`, with all digits of the coefficients. Returns the change of Z.
static number advance_stages(number (*K)[NY], number h, mask close, int some_close, int all_close, const number* inverse,
                             number (*Z)[NY]) {
  number squares[STAGES], all = ALL(0.0);
  EACH_STAGE(k) squares[k] = ALL(0.0);
  for (long i = 0; i < NY; i += 2) {
    number z[2][STAGES], far[2][STAGES];
    if (!all_close) {
      SUMS(gauss_A_whole, far)
      EACH_STAGE(k) OF_TWO(n) z[n][k] = far[n][k] += 0.0;
    }
    if (some_close) {
      number rest[2][STAGES];
      SUMS(gauss_A, z)
      SUMS(gauss_A_rest, rest)
      EACH_STAGE(k) OF_TWO(n) z[n][k] += rest[n][k];
      if (!all_close) EACH_STAGE(k) OF_TWO(n) z[n][k] = pick(close, z[n][k], far[n][k]);
    }
    OF_TWO(n) EACH_STAGE(k) {
      const number moved = h * z[n][k], change = (moved - Z[k][i + n]) * inverse[i + n];
      squares[k] = SQUARES(change, change, squares[k]);
      Z[k][i + n] = moved;
    }
  }
  EACH_STAGE(k) all += squares[k];
  return root(all);
}
// The lanes in which the stages were found.
static mask find_stages(Numbers numbers, Motion* m, number t, number h, mask taken) {
  number scale[NY], inverse[NY], Z[STAGES][NY], (*const K)[NY] = m->K;
  find_scale(numbers, m, t, h, scale);
  EACH(i, NY) inverse[i] = 1.0 / scale[i];
  guess(m, h, taken);
  begin_stages(K, h, Z);
  number previous = ALL(__builtin_inf()), first = ALL(0.0), last = first, stuck = first, counted = first;
  mask todo = taken, found = taken & ~taken;
  for (int iteration = 1; iteration <= MOST_ITERATIONS && any(todo); ++iteration) {
    const int some_are_done = any(taken & ~todo);
    for (long k = 0; k < STAGES; ++k) {
      number old[NY];
      if (some_are_done) EACH(i, NY) old[i] = K[k][i];
      flow_along(numbers, m->y, Z[k], t + gauss_c[k] * h, K[k]);
      if (some_are_done) EACH(i, NY) K[k][i] = pick(todo, K[k][i], old[i]);
    }
    const mask close = (mask)(previous < CLOSE);
    const number change = advance_stages(K, h, close, any(todo & close), !any(todo & ~close), inverse, Z);
    const number shrinks = change / previous;
    mask done = (mask)(change == 0.0);
    stuck = pick((mask)(shrinks < 1.0), ALL(0.0), stuck + 1.0);
    if (iteration == 1) {
      first = change;
    } else {
      const mask counts = todo & (mask)(previous > RESOLVED);
      counted = pick(counts, counted + 1.0, counted);
      last = pick(counts, change, last);
      done |= (mask)(shrinks >= 1.0) & (mask)(change <= STAGNATION * EPSILON);
      done |= (mask)(shrinks < 0.5) & (mask)(change * shrinks <= EPSILON / 4096.0);
    }
    previous = pick(todo, change, previous);
    found |= todo & done;
    todo &= ~done & (mask)(stuck < 2.0);
  }
  // Stages that have little to do with the motion, or nearly so, are looked at elsewhere.
  number slow = ALL(0.0);
  for (int k = 0; k < WIDTH; ++k) slow[k] = slowly[(int)counted[k]];
  const mask suspicious = found & (mask)(counted > 0.0) & ~(mask)(last < slow * first);
  if (!any(suspicious)) return found;
  number error = ALL(0.0);
  EACH(i, NY) {
    number defect = h * m->rate[i];
    EACH_STAGE(j) defect -= h * gauss_begin[j] * K[j][i];
    error = larger(error, size_of(defect / scale[i]));
  }
  return found & ~(suspicious & ~(mask)(error <= SURE_TO_MEAN_SOMETHING));
}
)";

// GaussMotion::evaluate
constexpr const char* gauss_lane_step = R"(
static void drop_normal_part(Numbers numbers, Motion* m, number t, mask which, number* off) {
  number part[NQ], rate[NY];
  NORMAL_PART(m->y, off, numbers.normal, part);
  EACH(i, NQ) {
    number lost = m->lost[NQ + i];
    const number p = add(m->y[NQ + i], part[i], &lost);
    m->y[NQ + i] = pick(which, p, m->y[NQ + i]);
    m->lost[NQ + i] = pick(which, lost, m->lost[NQ + i]);
  }
  flow_at(numbers, m->y, t, rate);
  EACH(i, NY) m->rate[i] = pick(which, rate[i], m->rate[i]);
}
static void evaluate(Numbers numbers, Motion* m, number t, mask taken) {
  number off[NQ], rate[NY];
  flow_at(numbers, m->y, t, rate);
  momentum_of(m->y, rate, &t, numbers.momentum, off);
  const number size = largest(off, NQ);
  EACH(i, NY) m->rate[i] = pick(taken, rate[i], m->rate[i]);
  EACH(i, NQ) off[i] -= m->y[NQ + i];
  const mask turned = taken & ~(mask)(largest(off, NQ) <= TOO_LARGE * size);
  if (any(turned)) drop_normal_part(numbers, m, t, turned, off);
}
static mask take_step(Numbers numbers, Motion* m, number t, number h, mask taken) {
  number y[NY], lost[NY];
  const mask found = find_stages(numbers, m, t, h, taken);
  FOUR(off);
  EACH_OF_FOUR(i, n, NY) {
    number sum = ALL(0.0), rest = ALL(0.0);
    EACH_STAGE(k) {
      sum += m->K[k][i] * gauss_b[k];
      rest += m->K[k][i] * gauss_b_rest[k];
    }
    lost[i] = m->lost[i];
    y[i] = add(m->y[i], h * (sum + rest), &lost[i]);
    off[n] += y[i] - y[i];
  }
  KEEP_INVARIANTS(m->y, m->lost, y, lost);
  EACH(i, NY) m->y[i] = y[i], m->lost[i] = lost[i];
  m->last_h = h;
  return ~found | ~is_finite(SUM(off));
}
// A step of no length finds the rates where a motion begins; the other lanes stay as they are.
static mask step(const double* const* in, long part, mask taken, number t, number h, Motion* m) {
  const Numbers numbers = {in[0] + PART_OF_INPUTS, in[1] + PART_OF_CONSTANTS, in[2] + PART_OF_CONSTANTS,
                           in[3] + PART_OF_CONSTANTS};
  mask unusual = taken & ~taken;
  if (any(taken & (mask)(h != 0.0))) unusual = take_step(numbers, m, t, h, taken);
  evaluate(numbers, m, t + h, taken);
  return unusual;
}
static void load(double* const* out, long part, Motion* m) {
  EACH(i, NY) m->y[i] = ROW(out[0] + part, i), m->lost[i] = ROW(out[1] + part, i), m->rate[i] = ROW(out[2] + part, i);
  for (long k = 0; k < STAGES; ++k) EACH(i, NY) m->K[k][i] = ROW(out[3] + part, k * NY + i);
  m->last_h = ROW(out[4] + part, 0);
}
static void store(const Motion* m, double* const* out, long part) {
  EACH(i, NY) ROW(out[0] + part, i) = m->y[i], ROW(out[1] + part, i) = m->lost[i], ROW(out[2] + part, i) = m->rate[i];
  for (long k = 0; k < STAGES; ++k) EACH(i, NY) ROW(out[3] + part, k * NY + i) = m->K[k][i];
  ROW(out[4] + part, 0) = m->last_h;
}
)";

}  // namespace

std::string gauss_lane_text(const System& system, int stages, const GaussPrograms& programs) {
  const Canonical& equations = canonical(system);
  const int ambient = system.ambient();
  std::string text;
  const auto define = [&](const char* name, const auto& value) { text += fmt::format("#define {} {}\n", name, value); };
  define("NQ", ambient);
  define("NY", 2 * ambient);
  define("STAGES", stages);
  define("PART_OF_INPUTS", programs.flow.code().is_uniform(3) ? "0" : "part");
  define("PART_OF_CONSTANTS", programs.flow.code().is_uniform(4) ? "0" : "part");
  define("SQUARES(a, b, c)", stages > 1 ? "fused(a, b, c)" : "((a) * (b) + (c))");
  define("MOST_ITERATIONS", StageConvergence<double>::most_iterations);
  define("STAGNATION", device_literal(StageConvergence<double>::stagnation));
  define("RESOLVED", device_literal(StageConvergence<double>::resolved));
  define("EPSILON", device_literal(std::numeric_limits<double>::epsilon()));
  define("SMALLEST", device_literal(std::numeric_limits<double>::min()));
  define("CLOSE", device_literal(close_stages));
  define("BY_ROUNDING", device_literal(moved_by_rounding));
  define("TOO_LARGE", device_literal(too_large_normal_part));
  constexpr double surely = 1 - 1e-9;  // whatever the rounding of powers
  const double power = (stages + 1.0) / (2 * stages + 1.0);
  define("SURE_TO_MEAN_SOMETHING", device_literal(surely * std::pow(meaningless_stages, power)));
  text += gauss_lane_words;
  text += "TABLE slowly[] = {";
  for (int k = 0; k <= StageConvergence<double>::most_iterations; ++k)
    text += device_literal(std::pow(surely * suspicious_contraction, k)) + ",";
  text += "};\n" + gauss_tableau_text(stages);
  using enum LaneInput;
  text += function_in_lanes(programs.flow, "flow", std::array{sums, sums, numbers, rows, rows});
  text += function_in_lanes(programs.momentum, "momentum_of", std::array{numbers, numbers, numbers, rows});
  if (programs.normal_part != nullptr)
    text += function_in_lanes(*programs.normal_part, "NORMAL_PART", std::array{numbers, numbers, rows});
  else
    define("NORMAL_PART(q, p, constants, part)", "EACH(i, NQ) (part)[i] = (p)[i]");
  text += gauss_lane_memory + gauss_arithmetic_text(Parts(system.geometry()), ambient);
  if (equations.invariants().empty())
    define("KEEP_INVARIANTS(y0, lost0, y, lost)", "((void)0)");
  else
    text += gauss_keeper_text(equations.invariants()) + "#define KEEP_INVARIANTS keep_invariants\n";
  return text + gauss_lane_scale + gauss_lane_stages + gauss_lane_step + fixed_lane_text;
}

}  // namespace hamel
