// The variational integrator on a GPU: variational_constant_mass.cpp and variational_stepper.cpp are the stepper whose
// operations these are.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hamel/mechanics/parts.hpp"
#include "hamel/program/device_text.hpp"
#include "integrate/composition.hpp"
#include "integrate/device_methods.hpp"
#include "integrate/parts.hpp"
#include "integrate/variational_stepper.hpp"

namespace hamel {
namespace {

// What is seldom needed is a function of its own, given copies, so that nothing of the loop leaves the registers.
constexpr const char* variational_memory = R"(
struct History { double recent[3][NZ], lambda[NL + 1], h; int steps; };
struct Step {
  double q[NQ], P[NZ], F[NF + 1], now;
#if HAS_GROUPS
  double q_lost[NQ], P_lost[NZ];
#endif
#if !CLOSED
  double way[NQ], bend[NZ];
  History history[SUBSTEPS];
#endif
#if CURVED
  double harmless;
#endif
};
static __device__ __forceinline__ double add(double before, double change, double& lost) {
  change += lost;
  const double after = before + change, added = after - before;
  lost = (before - (after - added)) + (change - added);
  return after;
}
static __device__ __forceinline__ double largest(const double* x, int n) {
  double result = 0;
  EACH(i, n) result = fmax(result, fabs(x[i]));
  return result;
}
static __device__ __forceinline__ bool are_within(const double* x, const double* y, int n, double way) {
  bool result = true;
  EACH(i, n) result &= fabs(y[i] - x[i]) < way;
  return result;
}
static __device__ __forceinline__ double short_way(const double* q, int n) { return SHORT_WAY * fmin(1.0, largest(q, n)); }
)";

constexpr const char* newton_text = R"(
static __device__ __noinline__ void guess_from_velocity(const double* own, const double* q, const double* P, double t,
                                                        double* W) {
  double v[NQ], clock[3] = {t, 0, 0};
  velocity(own, q, P, clock, v);
  predict(own, q, v, W);
}
// The change that was made, where W and lambda are replaced by what Newton's method says.
static __device__ __forceinline__ void take(double* W, double* lambda, const double* next, const double* lambda_next,
                                            double* change) {
  EACH(i, NZ) change[i] = W[i] - next[i], W[i] = next[i];
  EACH(i, NL) lambda[i] = lambda_next[i];
}
static __device__ __forceinline__ int solve(Step& s, const double* own, const double* clock, History& history,
                                            double* W, double* lambda) {
  const double h = clock[1];
  double next[NZ], lambda_next[NL + 1], change[NZ];
  EACH(i, NL) lambda[i] = history.lambda[i];
  if (h == history.h && history.steps == 3) {
    EACH(i, NZ)
      W[i] = 3 * (history.recent[0][i] - history.recent[1][i]) + history.recent[2][i];
  } else {
    double numbers[OWN + 1], q[NQ], P[NZ], guess[NZ];
    EACH(i, OWN) numbers[i] = own[i];
    EACH(i, NQ) q[i] = s.q[i];
    EACH(i, NZ) P[i] = s.P[i];
    guess_from_velocity(numbers, q, P, clock[0], guess);
    EACH(i, NZ) W[i] = guess[i];
  }
#if LINEAR
  newton(own, s.q, s.P, s.F, W, lambda, clock, next, lambda_next);
  take(W, lambda, next, lambda_next, change);
#endif
#if !LINEAR || NL > 0
  straight_bends(own, s.q, s.way, s.bend);
  double previous = 0;
#pragma unroll 1
  for (int iteration = 1;; ++iteration) {
#if LINEAR
    if (iteration > 1) {
      refine(own, s.q, W, lambda, clock, next, lambda_next);
      take(W, lambda, next, lambda_next, change);
    }
#else
    newton(own, s.q, s.P, s.F, W, lambda, clock, next, lambda_next);
    take(W, lambda, next, lambda_next, change);
#endif
    double relative = 0, all = 0;
    EACH(i, NZ) relative = fmax(relative, fabs(change[i]) * s.bend[i]), all += change[i];
    if (!is_finite(all)) return 3;
    relative = fabs(h) * relative;
    if (iteration == 1) {
      if (LINEAR && relative <= WELL_GUESSED) break;
    } else {
      const bool stagnates = relative >= previous && fabs(h) * largest(change, NZ) <= SMALL * largest(s.q, NQ);
      const double ratio = relative / previous, rate = 1.0 < ratio ? 1.0 : ratio;
      if (stagnates || rate * rate * relative <= ROUNDING) break;
    }
    previous = relative;
    if (iteration == MOST_ITERATIONS) return 3;
  }
#endif
  return 0;
}
static __device__ __forceinline__ void remember(History& history, const double* W, const double* lambda, double h) {
  EACH(i, NZ) {
    history.recent[2][i] = history.recent[1][i];
    history.recent[1][i] = history.recent[0][i];
    history.recent[0][i] = W[i];
  }
  EACH(i, NL) history.lambda[i] = lambda[i];
  history.steps = h != history.h ? 1 : history.steps < 3 ? history.steps + 1 : 3;
  history.h = h;
}
)";

constexpr const char* fold_text = R"(
static __device__ __forceinline__ bool is_beyond_fold(const double* own, const double* q0, const double* q1,
                                                   const double* P, const double* W, const double* lambda,
                                                   const double* clock) {
  if (!turns_far(q0, q1)) return false;
  double rates[NZ], there[NZ + NL], at_rest[NZ + NL], smallest = INFINITE;
#pragma unroll 1
  for (int k = 0; k < 2; ++k) {
    EACH(i, NZ) rates[i] = k == 0 ? W[i] : 0;
    pivots(own, q0, P, rates, lambda, clock, k == 0 ? there : at_rest);
  }
  EACH(i, NZ + NL) smallest = fmin(smallest, there[i] / at_rest[i]);
  return !(smallest > NEAR_THE_FOLD);
}
)";

constexpr const char* variational_step = R"(
static __device__ __forceinline__ int substep(Step& s, const double* own, double t, double h, double inverse, int k,
                                              bool may_be_long) {
  const double clock[3] = {t, h, inverse};
  double W[NZ], lambda[NL + 1], step[NQ], q[NQ], impulse[NZ], P[NZ], F[NF + 1];
#if CLOSED
  closed(own, s.q, s.P, s.F, clock, W, lambda);
  double turn = 0;
  EACH(i, NZ) turn += W[i];
  if (!is_finite(turn)) return 2;
#else
  const int failure = solve(s, own, clock, s.history[k], W, lambda);
  if (failure != 0) return failure;
#endif
  way(own, s.q, W, clock, step);
#if HAS_GROUPS
  double q_lost[NQ], P_lost[NZ];
  EACH(i, NQ) q_lost[i] = s.q_lost[i], q[i] = add(s.q[i], step[i], q_lost[i]);
#else
  EACH(i, NQ) q[i] = s.q[i] + step[i];
#endif
  finish(own, s.q, q, s.F, W, lambda, clock, impulse, F);
#if HAS_GROUPS
  EACH(i, NZ) P_lost[i] = s.P_lost[i], P[i] = add(s.P[i], impulse[i], P_lost[i]);
#else
  EACH(i, NZ) P[i] = s.P[i] + impulse[i];
#endif
  double all = 0;
  EACH(i, NQ) all += q[i];
  EACH(i, NZ) all += P[i];
  if (!is_finite(all)) return 1;
#if CURVED
  if (!are_within(s.q, q, NQ, s.harmless)) {
    if (!may_be_long) return LONG_STEP;
    if (is_beyond_fold(own, s.q, q, P, W, lambda, clock)) return 4;
  }
#endif
  EACH(i, NQ) s.q[i] = q[i];
  EACH(i, NZ) s.P[i] = P[i];
  EACH(i, NF) s.F[i] = F[i];
#if HAS_GROUPS
  EACH(i, NQ) s.q_lost[i] = q_lost[i];
  EACH(i, NZ) s.P_lost[i] = P_lost[i];
#endif
#if !CLOSED
  EACH(i, NQ) s.way[i] = step[i];
  remember(s.history[k], W, lambda, h);
#endif
  return 0;
}
static __device__ __forceinline__ int advance(Step& s, const double* own, double t, double h, double inverse,
                                              bool may_be_long) {
#if SUBSTEPS == 1
  const int failure = substep(s, own, t, h, inverse, 0, may_be_long);
#else
  int failure = 0;
  double time = t;
  const Step before = s;
#pragma unroll 1
  for (int k = 0; k < SUBSTEPS && failure == 0; ++k) {
    const double part = composition[k] * h;
    failure = substep(s, own, time, part, 1 / part, k, may_be_long);
    time += part;
  }
  if (failure != 0) s = before;
#endif
  if (failure == 0) s.now = t + h;
  return failure;
}
static __device__ __forceinline__ int step_advance(Step& s, const double* own, double t, double h, double inverse,
                                                   double) {
  return advance(s, own, t, h, inverse, false);
}
#if CURVED
static __device__ __forceinline__ int step_advance_long(Step& s, const double* own, double t, double h, double inverse,
                                                        double) {
  return advance(s, own, t, h, inverse, true);
}
#endif
static __device__ __forceinline__ void step_begin(Step& s, const double* own, const double* start, double t, double) {
  const double clock[3] = {t, 0, 0};
  EACH(i, NQ) s.q[i] = start[i];
  s.now = t;
  momentum_of(own, s.q, start + NQ, clock, s.P);
#if NF > 0
  pull(own, s.q, clock, s.F);
#endif
#if HAS_GROUPS
  EACH(i, NQ) s.q_lost[i] = 0;
  EACH(i, NZ) s.P_lost[i] = 0;
#endif
#if CURVED
  s.harmless = harmless_way(s.q);
#endif
#if !CLOSED
  EACH(i, NQ) s.way[i] = 0;
  curved_bends(own, s.q, s.bend);
  EACH(k, SUBSTEPS) {
    s.history[k].h = 0;
    s.history[k].steps = 0;
    EACH(i, NL) s.history[k].lambda[i] = 0;
    EACH(j, 3)
      EACH(i, NZ) s.history[k].recent[j][i] = 0;
  }
#endif
}
static __device__ __forceinline__ void step_state(const Step& s, const double* own, double, double* q, double* v) {
  const double clock[3] = {s.now, 0, 0};
  EACH(i, NQ) q[i] = s.q[i];
  velocity(own, s.q, s.P, clock, v);
}
static __device__ __forceinline__ void step_end(const Step& s, const double* own, double t, double* end) {
  step_state(s, own, t, end, end + NQ);
}
)";

// largest(x + 3, 2) of numbers that lie together, else one by one.
std::string size_text(const std::vector<int>& numbers, const char* x) {
  const int first = *std::min_element(numbers.begin(), numbers.end());
  const int last = *std::max_element(numbers.begin(), numbers.end());
  if (last - first + 1 == static_cast<int>(numbers.size()))
    return fmt::format("largest({} + {}, {})", x, first, numbers.size());
  std::string text = "0.0";
  for (const int i : numbers) text = fmt::format("fmax({}, fabs({}[{}]))", text, x, i);
  return text;
}

class DeviceVariational final : public DeviceStep {
 public:
  DeviceVariational(const System& system, const Variational& method)
      : DeviceStep(system), ambient_(system.ambient()), kernels_(hamel::step(system, method.rule)) {
    const Geometry& geometry = system.geometry();
    bool has_groups = false, is_curved = false;
    for (int f = 0; f < geometry.factors(); ++f) {
      has_groups = has_groups || geometry.is_given_by_basis(f);
      is_curved = is_curved || geometry.space(f).dimension() < geometry.space(f).ambient();
    }
    const std::vector<double> substeps = composition(method.order);
    text_ = fmt::format(
        "#define NQ {}\n#define NZ {}\n#define NL {}\n#define NF {}\n#define SUBSTEPS {}\n#define HAS_GROUPS {}\n"
        "#define CLOSED {}\n#define LINEAR {}\n#define CURVED {}\n#define MOST_ITERATIONS {}\n#define WELL_GUESSED {}\n"
        "#define SMALL {}\n#define ROUNDING {}\n#define SHORT_WAY {}\n#define NEAR_THE_FOLD {}\n#define INFINITE 1e300 "
        "* 1e300\n",
        ambient_, kernels_.increments, kernels_.multipliers, kernels_.pull.empty() ? 0 : kernels_.increments,
        substeps.size(), int{has_groups}, int{!kernels_.closed.empty()}, int{!kernels_.refine.empty()}, int{is_curved},
        most_newton_iterations, device_literal(well_guessed), device_literal(StepConvergence::small),
        device_literal(StepConvergence::rounding), device_literal(short_way_of_unit_vectors),
        device_literal(near_the_fold));
    text_ += "static __device__ const double composition[] = {";
    for (const double part : substeps) text_ += device_literal(part) + ", ";
    text_ += "};\n";
    add_kernels();
    text_ += variational_memory;
    if (kernels_.closed.empty()) add_newton(Parts(geometry));
    if (is_curved) add_fold(system, method, geometry);
    has_long_steps_ = is_curved;
    text_ += variational_step;
  }

  bool has_long_steps() const override { return has_long_steps_; }
  int size() const override { return 2 * ambient_; }
  void pack(const State& state, Out numbers) override { numbers << state.q, state.v; }
  void unpack(double t, In numbers, State& state) override {
    state.t = t;
    state.q = numbers.head(ambient_);
    state.v = numbers.tail(ambient_);
  }

 private:
  void add_kernels() {
    add_function("momentum_of", kernels_.start, 3);
    add_function("way", kernels_.way, 3);
    add_function("finish", kernels_.finish, 7, 5);
    add_function("velocity", kernels_.velocity, 3);
    if (!kernels_.pull.empty()) add_function("pull", kernels_.pull, 2);
    if (!kernels_.closed.empty()) return add_function("closed", kernels_.closed, 5, 3);
    add_function("predict", kernels_.predict, 2);
    add_function("newton", kernels_.newton, 7, 5);
    if (!kernels_.refine.empty()) add_function("refine", kernels_.refine, 5, 3);
  }

  // How much a change of W is, relative to what it moves: find_bends and find_straight_bends of the stepper.
  void add_newton(const Parts& parts) {
    const int slopes = numbers_.add(static_cast<int>(kernels_.reaches.size()),
                                    [kernels = StepKernels(kernels_)](In parameters, Out slope) mutable {
                                      kernels.set_parameters(parameters);
                                      for (std::size_t i = 0; i < kernels.reaches.size(); ++i)
                                        slope(static_cast<Eigen::Index>(i)) = kernels.reaches[i].slope;
                                    });
    std::set<int> bent;
    for (const StepKernels::Reach& reach : kernels_.reaches)
      if (parts.is_curved(reach.number)) bent.insert(reach.increment);
    std::string curved, straight, cleared;
    for (std::size_t i = 0; i < kernels_.reaches.size(); ++i) {
      const auto& [increment, number, unused] = kernels_.reaches[i];
      const std::string size = size_text(parts.together_with(number), "q");
      const std::string slope = fmt::format("N{}", slopes + static_cast<int>(i));
      if (parts.is_curved(number))
        curved += fmt::format("  bend[{0}] = fmax(bend[{0}], {1} / fmax({2}, SMALLEST));\n", increment, slope, size);
      if (bent.contains(increment)) continue;
      cleared += fmt::format("  bend[{}] = 0;\n", increment);
      straight += fmt::format("  bend[{0}] = fmax(bend[{0}], {1} / fmax(fmax({2}, {3}), SMALLEST));\n", increment,
                              slope, size, size_text(parts.together_with(number), "way"));
    }
    text_ += "#define SMALLEST 2.2250738585072014e-308\n";
    const char* const head =
        "static __device__ __forceinline__ void {}(const double* own, const double* q, {}double* "
        "bend) {{\n{}{}}}\n";
    text_ += fmt::format(fmt::runtime(head), "curved_bends", "", "  EACH(i, NZ) bend[i] = 0;\n", curved);
    text_ += fmt::format(fmt::runtime(head), "straight_bends", "const double* way, ", cleared, straight);
    text_ += newton_text;
  }

  void add_fold(const System& system, const Variational& method, const Geometry& geometry) {
    add_function("pivots", step_pivots(system, method.rule), 6, 4);
    std::string far = "false", harmless = "INFINITE";
    for (int f = 0; f < geometry.factors(); ++f) {
      const Manifold& space = geometry.space(f);
      if (space.dimension() == space.ambient()) continue;
      const std::string way = fmt::format("short_way({{}} + {}, {})", geometry.offset(f), space.ambient());
      far += fmt::format(" || !are_within(q0 + {0}, q1 + {0}, {1}, {2})", geometry.offset(f), space.ambient(),
                         fmt::format(fmt::runtime(way), "q0"));
      harmless = fmt::format("fmin({}, {} / 2)", harmless, fmt::format(fmt::runtime(way), "q"));
    }
    text_ += fmt::format(
        "static __device__ __forceinline__ bool turns_far(const double* q0, const double* q1) {{\n  return {};\n}}\n"
        "static __device__ __forceinline__ double harmless_way(const double* q) {{\n  return {};\n}}\n",
        far, harmless);
    text_ += std::string("#define LONG_STEP (-1)\n") + fold_text;
  }

  int ambient_;
  bool has_long_steps_ = false;
  const StepKernels& kernels_;
};

}  // namespace

std::unique_ptr<DeviceStep> device_variational(const System& system, const Variational& method) {
  return std::make_unique<DeviceVariational>(system, method);
}

}  // namespace hamel
