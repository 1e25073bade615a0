#include "integrate/variational_lane_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hamel/program/code.hpp"
#include "hamel/program/device_text.hpp"
#include "hamel/program/lane_text.hpp"
#include "integrate/event_lane_text.hpp"
#include "integrate/fixed_lane_text.hpp"

namespace hamel {
namespace {

// Groups of inputs that are in memory: u, if there is one, and the constants, which come last.
std::string lane_step_function(const Program* program, const std::string& name, std::size_t groups,
                               std::size_t inputs) {
  std::vector<LaneInput> kinds(groups + 1, LaneInput::numbers);
  kinds.back() = LaneInput::rows;
  if (inputs < groups) kinds[inputs] = LaneInput::rows;
  return function_in_lanes(*program, name, kinds);
}

constexpr const char* lane_step_text = R"(
#define PARTS(p) ((p) + PART_OF_CONSTANTS)
static inline void advance(const number* before, const number* change, number* lost, number* after, long n) {
  EACH(i, n) {
    if (HAS_GROUPS) {
      const number way = change[i] + lost[i], end = before[i] + way, added = end - before[i];
      lost[i] = (before[i] - (end - added)) + (way - added);
      after[i] = end;
    } else {
      after[i] = before[i] + change[i];
    }
  }
}
static inline number largest(const number* x, long n) {
  FOUR(most);
  EACH_OF_FOUR(i, m, n) most[m] = larger(most[m], size_of(x[i]));
  return LARGEST(most);
}
typedef struct { number recent[3][NW], lambda[NL]; } History;
typedef struct { number q[NQ], P[NW], F[NF], q_lost[NQ], P_lost[NW]; History history[SUBSTEPS]; } Motion;
)";

// As LaneVariational::iterate.
constexpr const char* lane_newton_text = R"(
static mask solve(const double* const* in, long part, mask taken, const Motion* motion, const number* clock, number* W,
                  number* lambda) {
  const number size = size_of(clock[1]), scale = largest(motion->q, NQ);
  number next[NW], next_lambda[NL], previous = ALL(__builtin_inf());
  newton(motion->q, motion->P, motion->F, W, lambda, in[0] + part, clock, PARTS(in[1]), next, next_lambda);
  mask todo = taken, lost = taken & ~taken, all = ~lost;
  for (int iteration = 1; iteration <= MOST_ITERATIONS; ++iteration) {
    FOUR(most);
    FOUR(bent);
    if (iteration > 1) {
      if (IS_LINEAR)
        refine(motion->q, W, lambda, in[0] + part, clock, PARTS(in[2]), next, next_lambda);
      else
        newton(motion->q, motion->P, motion->F, W, lambda, in[0] + part, clock, PARTS(in[1]), next, next_lambda);
    }
    const mask which = iteration > 1 ? todo : all;
    EACH_OF_FOUR(i, m, NW) {
      const number change = size_of(W[i] - next[i]);
      most[m] = larger(most[m], change);
      bent[m] = larger(bent[m], change * ROW(in[BENDS] + part, i));
      W[i] = pick(which, next[i], W[i]);
    }
    EACH(i, NL) lambda[i] = pick(which, next_lambda[i], lambda[i]);
    if (IS_SOLVED_AT_ONCE) break;
    const number correction = size * LARGEST(most), relative = size * LARGEST(bent);
    mask done = (mask)(relative >= previous) & (mask)(correction <= SMALL * scale);
    const number rate = pick((mask)(previous < __builtin_inf()), smaller(relative / previous, ALL(1.0)), ALL(1.0));
    done |= (mask)(rate * rate * relative <= ROUNDING);
    previous = relative;
    if (iteration == 1) done = IS_LINEAR ? (mask)(relative <= WELL_GUESSED) : ~all;
    lost |= todo & ~is_finite(correction);
    todo &= ~done & ~lost;
    if (!any(todo)) return lost;
  }
  return IS_SOLVED_AT_ONCE ? lost : lost | todo;
}
)";

constexpr const char* lane_closed_text = R"(
static inline mask solve(const double* const* in, long part, mask taken, const Motion* m, const number* clock,
                         number* W, number* lambda) {
  closed(m->q, m->P, m->F, in[0] + part, clock, PARTS(in[5]), W, lambda);
  return taken & ~taken;
}
)";

constexpr const char* lane_advance_text = R"(
static mask substep(const double* const* in, long part, mask taken, Motion* motion, History* history, number t,
                    number h) {
  const number clock[3] = {t, h, 1.0 / h};
  number W[NW], way[NQ], q[NQ], impulse[NW], F[NF];
  FOUR(off);
  FOUR(moved);
  EACH(i, NW) W[i] = 3.0 * (history->recent[0][i] - history->recent[1][i]) + history->recent[2][i];
  mask unusual = solve(in, part, taken, motion, clock, W, history->lambda);
  way_of(motion->q, W, clock, PARTS(in[3]), way);
  advance(motion->q, way, motion->q_lost, q, NQ);
  finish(motion->q, q, motion->F, W, history->lambda, in[0] + part, clock, PARTS(in[4]), impulse, F);
  advance(motion->P, impulse, motion->P_lost, motion->P, NW);
  EACH_OF_FOUR(i, m, NW) {
    history->recent[2][i] = history->recent[1][i];
    history->recent[1][i] = history->recent[0][i];
    history->recent[0][i] = W[i];
    off[m] += (W[i] - W[i]) + (motion->P[i] - motion->P[i]);
  }
  EACH_OF_FOUR(i, m, NQ) {
    off[m] += q[i] - q[i];
    moved[m] = larger(moved[m], size_of(q[i] - motion->q[i]));
  }
  unusual |= ~is_finite(SUM(off));
  const mask is_long = ~(mask)(LARGEST(moved) < ROW(in[HARMLESS] + part, 0));
  if (any(is_long)) unusual |= is_long & turns_far(motion->q, q);
  EACH(i, NQ) motion->q[i] = q[i];
  EACH(i, FORCES) motion->F[i] = F[i];
  return unusual;
}
static void load(double* const* out, long part, Motion* m) {
  EACH(i, NQ) m->q[i] = ROW(out[0] + part, i), m->q_lost[i] = ROW(out[3] + part, i);
  EACH(i, NW) m->P[i] = ROW(out[1] + part, i), m->P_lost[i] = ROW(out[4] + part, i);
  EACH(i, FORCES) m->F[i] = ROW(out[2] + part, i);
  for (int s = 0; s < SUBSTEPS; ++s) {
    for (int j = 0; j < 3; ++j) EACH(i, NW) m->history[s].recent[j][i] = ROW(out[5 + 4 * s + j] + part, i);
    EACH(i, MULTIPLIERS) m->history[s].lambda[i] = ROW(out[8 + 4 * s] + part, i);
  }
}
static void store(const Motion* m, double* const* out, long part) {
  EACH(i, NQ) ROW(out[0] + part, i) = m->q[i], ROW(out[3] + part, i) = m->q_lost[i];
  EACH(i, NW) ROW(out[1] + part, i) = m->P[i], ROW(out[4] + part, i) = m->P_lost[i];
  EACH(i, FORCES) ROW(out[2] + part, i) = m->F[i];
  for (int s = 0; s < SUBSTEPS; ++s) {
    for (int j = 0; j < 3; ++j) EACH(i, NW) ROW(out[5 + 4 * s + j] + part, i) = m->history[s].recent[j][i];
    EACH(i, MULTIPLIERS) ROW(out[8 + 4 * s] + part, i) = m->history[s].lambda[i];
  }
}
static mask step(const double* const* in, long part, mask taken, number t, number h, Motion* m) {
  mask unusual = taken & ~taken;
  for (int s = 0; s < SUBSTEPS; ++s) {
    const number size = h * substeps[s];
    unusual |= substep(in, part, taken, m, &m->history[s], t, size);
    t += size;
  }
  return unusual;
}
)";

// As VariationalStepper::interpolate.
constexpr const char* look_at_step_text = R"(
static inline void look_first(const double* const* in, long part, number t, Motion* m, number* e) {
  number v[NQ];
  EACH(i, NQ) v[i] = ROW(in[RATES] + part, i);
  find_events(in[0] + part, in[EVENTS] + PART_OF_EVENTS(part), t, m->q, v, e);
}
static mask look(const double* const* in, long part, number t, number size, number then, const Motion* before,
                 Motion* m, number e[POINTS][NE], mask* irregular) {
  const double *u = in[0] + part, *constants = in[EVENTS] + PART_OF_EVENTS(part);
  const number last = size * substeps[SUBSTEPS - 1], h = then - t;
  const number begins[3] = {t, last, 1.0 / last}, ends[3] = {t + size, last, 1.0 / last};
  number v0[NQ], v1[NQ], x[NQ], w[NQ], q[NQ], v[NQ];
  FOUR(off);
  velocity(before->q, before->P, begins, PARTS(in[VELOCITY]), v0);
  velocity(m->q, m->P, ends, PARTS(in[VELOCITY]), v1);
  for (long j = 1; j + 1 < POINTS; ++j) {
    const number at = between(j, t, then), s = (at - t) / h;
    EACH(i, NQ) {
      x[i] = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s) * before->q[i] + s * (1.0 - s) * (1.0 - s) * h * v0[i] +
             s * s * (3.0 - 2.0 * s) * m->q[i] + s * s * (s - 1.0) * h * v1[i];
      w[i] = 6.0 * s * (s - 1.0) / h * (before->q[i] - m->q[i]) + (1.0 - s) * (1.0 - 3.0 * s) * v0[i] +
             s * (3.0 * s - 2.0) * v1[i];
    }
    project(x, w, q, v);
    EACH_OF_FOUR(i, k, NQ) off[k] += q[i] - q[i];
    find_events(u, constants, at, q, v, e[j]);
  }
  find_events(u, constants, then, m->q, v1, e[POINTS - 1]);
  for (long j = 1; j < POINTS; ++j)
    for (long n = 0; n < NE; ++n) off[0] += e[j][n] - e[j][n];
  *irregular = ~is_finite(SUM(off));
  return may_cross(e);
}
)";

// As lanes_with_short_ways.
std::string lane_turning_text(const std::vector<CurvedFactor>& curved) {
  std::string text =
      "static mask turns_far(const number* before, const number* q) {\n  mask far = (mask)before[0] & 0;\n";
  for (const auto& [factor, begin, size] : curved)
    text += fmt::format(
        "  {{\n    number most = ALL(0.0), moved = most;\n"
        "    for (long i = {0}; i < {1}; ++i) most = larger(most, size_of(before[i])), moved = larger(moved, "
        "size_of(q[i] "
        "- before[i]));\n    far |= ~(mask)(moved < SHORT_WAY * smaller(ALL(1.0), most));\n  }}\n",
        begin, begin + size);
  return text + "  return far;\n}\n";
}

}  // namespace

std::vector<const Program*> LaneStepPrograms::all() const {
  std::vector<const Program*> result;
  for (const Program* program : {way, finish, newton, refine, closed})
    if (program != nullptr) result.push_back(program);
  return result;
}

std::string variational_lane_text(const LaneStepPrograms& programs, const StepKernels& kernels,
                                  const std::vector<double>& substeps, const std::vector<CurvedFactor>& curved,
                                  long ambient, bool has_groups, const LaneStepEvents* watched) {
  const bool is_closed = !kernels.closed.empty(), is_linear = !kernels.refine.empty();
  const int forces = kernels.pull.empty() ? 0 : kernels.increments;
  const bool is_uniform = programs.finish->code().is_uniform(7);
  std::string text;
  const auto define = [&](const char* name, const auto& value) { text += fmt::format("#define {} {}\n", name, value); };
  define("NQ", ambient);
  define("NW", kernels.increments);
  define("NL", std::max(1, kernels.multipliers));
  define("MULTIPLIERS", kernels.multipliers);
  define("NF", std::max(1, forces));
  define("FORCES", forces);
  define("SUBSTEPS", substeps.size());
  define("HAS_GROUPS", has_groups ? 1 : 0);
  define("IS_LINEAR", is_linear ? 1 : 0);
  define("IS_SOLVED_AT_ONCE", is_linear && kernels.multipliers == 0 ? 1 : 0);
  define("MOST_ITERATIONS", most_newton_iterations);
  define("WELL_GUESSED", device_literal(well_guessed));
  define("SMALL", device_literal(StepConvergence::small));
  define("ROUNDING", device_literal(StepConvergence::rounding));
  define("SHORT_WAY", device_literal(short_way_of_unit_vectors));
  define("PART_OF_CONSTANTS", is_uniform ? "0" : "part");
  define("BENDS", 6), define("HARMLESS", 7), define("VELOCITY", 8), define("RATES", 9), define("EVENTS", 10);
  define("PLACES", 5 + 4 * substeps.size());
  text += loops_in_lanes(std::max<long>(ambient, kernels.increments));
  text += "static const double substeps[] = {";
  for (const double part : substeps) text += device_literal(part) + ",";
  text += "};\n";
  constexpr std::size_t none = 99;
  text += lane_step_function(programs.way, "way_of", 3, none) + lane_step_function(programs.finish, "finish", 7, 5);
  text += lane_step_text + lane_turning_text(curved);
  if (is_closed) {
    text += lane_step_function(programs.closed, "closed", 5, 3) + lane_closed_text;
  } else {
    text += lane_step_function(programs.newton, "newton", 7, 5);
    text += is_linear ? lane_step_function(programs.refine, "refine", 5, 3) : "#define refine(...) ((void)0)\n";
    text += lane_newton_text;
  }
  text += lane_advance_text;
  if (watched != nullptr)
    text += lane_step_function(watched->velocity, "velocity", 3, none) + event_lane_text(*watched->events) +
            project_lane_text(*watched->space) + look_at_step_text;
  return text + fixed_lane_text;
}

}  // namespace hamel
