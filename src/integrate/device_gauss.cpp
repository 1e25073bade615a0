// Gauss methods by fixed-point iteration on a GPU: gauss_core.hpp, gauss_stages.cpp and gauss_motion.hpp are the
// stepper whose operations these are, where it fuses them as well. A step whose iteration does not converge, which the
// stepper would take by Newton's method, fails.
#include <fmt/format.h>

#include <limits>

#include "hamel/derive/energies.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/mechanics/parts.hpp"
#include "hamel/program/device_text.hpp"
#include "integrate/device_methods.hpp"
#include "integrate/gauss_convergence.hpp"
#include "integrate/gauss_text.hpp"

namespace hamel {
namespace {

// The words of gauss_text.hpp.
constexpr const char* gauss_words = R"(
typedef double number;
#define FUNCTION static __device__ __forceinline__
#define TABLE static __device__ const double
#define ALL(x) (x)
#define larger(a, b) fmax(a, b)
#define size_of(a) fabs(a)
#define exactly_fused(a, b, c) fma(a, b, c)
)";

constexpr const char* gauss_memory = R"(
#define INFINITE (1e300 * 1e300)
#define SMALLEST 2.2250738585072014e-308
struct Step { double y[NY], lost[NY], v[NQ], pull[NQ], K[STAGES][NY], last_h; };
static __device__ INLINE void flow_at(const double* own, const double* y, double t, double* rate) {
  flow(own, y, y + NQ, &t, rate, rate + NQ);
}
static __device__ __noinline__ double lagrange(int j, double x) {
  double value = 1;
#pragma unroll 1
  for (int m = 0; m < STAGES; ++m)
    if (m != j) value *= (x - gauss_c[m]) / (gauss_c[j] - gauss_c[m]);
  return value;
}
)";

// GaussMotion::evaluate. The normal part of p is seldom large.
constexpr const char* gauss_evaluate = R"(
static __device__ __forceinline__ void find_rates(Step& s, const double* own, double t) {
  double rate[NY];
  flow_at(own, s.y, t, rate);
  EACH(i, NQ) s.v[i] = rate[i], s.pull[i] = rate[NQ + i];
}
static __device__ __noinline__ void drop_normal_part(const double* own, double* y, double* lost, double* p) {
#if PROJECTS
  double part[NQ];
  normal_part(own, y, p, part);
  EACH(i, NQ) p[i] = part[i];
#endif
  EACH(i, NQ) y[NQ + i] = add(y[NQ + i], p[i], &lost[NQ + i]);
}
static __device__ __forceinline__ void evaluate(Step& s, const double* own, double t) {
  double p[NQ];
  find_rates(s, own, t);
  momentum_of(own, s.y, s.v, &t, p);
  const double size = largest(p, NQ);
  EACH(i, NQ) p[i] -= s.y[NQ + i];
  if (largest(p, NQ) <= TOO_LARGE * size) return;
  double y[NY], lost[NY];
  EACH(i, NY) y[i] = s.y[i], lost[i] = s.lost[i];
  drop_normal_part(own, y, lost, p);
  EACH(i, NY) s.y[i] = y[i], s.lost[i] = lost[i];
  find_rates(s, own, t);
}
)";

// GaussMotion::set_scale
constexpr const char* gauss_scale = R"(
static __device__ __forceinline__ void find_scale(const Step& s, const double* own, double t, double h, double* scale) {
  double way[NQ], least = INFINITE;
  EACH(i, NQ) scale[i] = 0, way[i] = h * s.v[i];
  raise(scale, s.y);
  raise(scale, way);
  EACH(i, NQ) least = fmin(least, scale[i]);
  if (least == 0) {
    double y[NY], rate[NY];
    EACH(i, NQ) y[i] = s.y[i], y[NQ + i] = s.y[NQ + i] + h * s.pull[i];
    flow_at(own, y, t + h, rate);
    EACH(i, NQ) way[i] = h * rate[i];
    raise(scale, way);
  }
  const double by_rounding = BY_ROUNDING * largest(way, NQ);
  EACH(i, NQ) scale[i] = fmax(fmax(scale[i], IS_CURVED(i) ? 0.0 : by_rounding), SMALLEST);
  const double momentum = fmax(fmax(largest(s.y + NQ, NQ), fabs(h) * largest(s.pull, NQ)), SMALLEST);
  EACH(i, NQ) scale[NQ + i] = momentum;
}
)";

constexpr const char* gauss_step = R"(
// Z := h (A + A_rest) K; the change of Z in units whose inverses are given.
static __device__ __forceinline__ double advance_stages(const double (*K)[NY], double h, bool with_all_digits,
                                                        const double* inverse, double (*Z)[NY]) {
  double all = 0;
  EACH(k, STAGES) {
    double sum[NY], rest[NY], squares = 0;
    EACH(i, NY) sum[i] = rest[i] = 0;
    EACH(j, STAGES) {
      const double a = with_all_digits ? gauss_A[k][j] : gauss_A_whole[k][j];
      EACH(i, NY) sum[i] = fma(a, K[j][i], sum[i]);
      if (with_all_digits) EACH(i, NY) rest[i] = fma(gauss_A_rest[k][j], K[j][i], rest[i]);
    }
    EACH(i, NY) {
      const double z = h * (sum[i] + rest[i]), change = (z - Z[k][i]) * inverse[i];
      squares = fma(change, change, squares);
      Z[k][i] = z;
    }
    all += squares;
  }
  return sqrt(all);
}
// GaussCore::guess, of the rates at the stages
static __device__ __forceinline__ void guess(const Step& s, double h, double (*K)[NY]) {
  if (s.last_h == 0) {
    EACH(k, STAGES)
      EACH(i, NQ) K[k][i] = s.v[i], K[k][NQ + i] = s.pull[i];
    return;
  }
  const double ratio = h / s.last_h;
  EACH(k, STAGES) {
    double sum[NY];
    EACH(i, NY) sum[i] = 0;
    EACH(j, STAGES) {
      const double e = ratio == 1 ? gauss_next[k][j] : lagrange(j, 1 + ratio * gauss_c[k]);
      EACH(i, NY) sum[i] = fma(e, s.K[j][i], sum[i]);
    }
    EACH(i, NY) K[k][i] = sum[i] + 0.0;
  }
}
// Whether the stages were found: GaussCore::solve_stages, with StageConvergence.
static __device__ __forceinline__ bool find_stages(const Step& s, const double* own, double t, double h,
                                                   const double* scale, double (*K)[NY]) {
  double Z[STAGES][NY], inverse[NY];
  EACH(i, NY) inverse[i] = 1 / scale[i];
  EACH(k, STAGES)
    EACH(i, NY) Z[k][i] = 0;
  guess(s, h, K);
  advance_stages(K, h, false, inverse, Z);
  double change = INFINITE, previous = INFINITE, first = 0, last = 0;
  int stuck = 0, counted = 0;
#pragma unroll 1
  for (int iteration = 1;; ++iteration) {
    if (iteration > MOST_ITERATIONS) return false;
    EACH(k, STAGES) {
      double y[NY];
      EACH(i, NY) y[i] = s.y[i] + Z[k][i];
      flow_at(own, y, t + gauss_c[k] * h, K[k]);
    }
    change = advance_stages(K, h, change < CLOSE, inverse, Z);
    const bool is_first = previous == INFINITE;
    const double rate = change / previous;
    stuck = !(rate < 1) ? stuck + 1 : 0;
    if (is_first) first = change;
    if (!is_first && previous > RESOLVED) ++counted, last = change;
    previous = change;
    if (change == 0) break;
    if (!is_first && ((rate >= 1 && change <= STAGNATION * EPSILON) || (rate < 0.5 && change * rate <= EPSILON / 4096)))
      break;
    if (stuck >= 2) return false;
  }
  if (counted == 0 || !(pow(last / first, 1.0 / counted) > SUSPICIOUS)) return true;
  double rates[NY], error = 0;
  EACH(i, NQ) rates[i] = s.v[i], rates[NQ + i] = s.pull[i];
  EACH(i, NY) {
    double defect = h * rates[i];
    EACH(j, STAGES) defect -= h * gauss_begin[j] * K[j][i];
    error = fmax(error, fabs(defect / scale[i]));
  }
  return pow(error, (2.0 * STAGES + 1) / (STAGES + 1)) <= MEANINGLESS;
}
static __device__ __forceinline__ int step_advance(Step& s, const double* own, double t, double h, double, double) {
  double scale[NY], K[STAGES][NY], y[NY], lost[NY], all = 0;
  find_scale(s, own, t, h, scale);
  if (!find_stages(s, own, t, h, scale, K)) return 3;
  EACH(i, NY) {
    double sum = 0, rest = 0;
    EACH(k, STAGES) {
      sum += K[k][i] * gauss_b[k];
      rest += K[k][i] * gauss_b_rest[k];
    }
    lost[i] = s.lost[i];
    y[i] = add(s.y[i], h * (sum + rest), &lost[i]);
    all += y[i];
  }
  if (!is_finite(all)) return 1;
#if INVARIANTS
  keep_invariants(s.y, s.lost, y, lost);
#endif
  EACH(i, NY) s.y[i] = y[i], s.lost[i] = lost[i];
  EACH(k, STAGES)
    EACH(i, NY) s.K[k][i] = K[k][i];
  s.last_h = h;
  evaluate(s, own, t + h);
  return 0;
}
static __device__ __forceinline__ void step_begin(Step& s, const double* own, const double* start, double t, double) {
  EACH(i, NQ) s.y[i] = start[i];
  EACH(i, NY) s.lost[i] = 0;
  momentum_of(own, s.y, start + NQ, &t, s.y + NQ);
  s.last_h = 0;
  evaluate(s, own, t);
}
static __device__ __forceinline__ void step_state(const Step& s, const double*, double, double* q, double* v) {
  EACH(i, NQ) q[i] = s.y[i], v[i] = s.v[i];
}
static __device__ __forceinline__ void step_end(const Step& s, const double* own, double t, double* end) {
  step_state(s, own, t, end, end + NQ);
}
)";

class DeviceGauss final : public DeviceStep {
 public:
  DeviceGauss(const System& system, int stages) : DeviceStep(system), ambient_(system.ambient()) {
    constexpr std::size_t short_enough = 200;
    const Canonical& equations = canonical(system);
    const bool is_short = equations.program().program().operations() <= short_enough;
    const bool projects = !equations.normal_part().empty();
    const auto define = [&](const char* name, const std::string& value) {
      text_ += fmt::format("#define {} {}\n", name, value);
    };
    const auto define_number = [&](const char* name, double value) { define(name, device_literal(value)); };
    define("NQ", std::to_string(ambient_));
    define("NY", std::to_string(2 * ambient_));
    define("STAGES", std::to_string(stages));
    define("INVARIANTS", equations.invariants().empty() ? "0" : "1");
    define("PROJECTS", projects ? "1" : "0");
    define("INLINE", is_short ? "__forceinline__" : "__noinline__");
    define("MOST_ITERATIONS", std::to_string(StageConvergence<double>::most_iterations));
    define_number("EPSILON", std::numeric_limits<double>::epsilon());
    define_number("STAGNATION", StageConvergence<double>::stagnation);
    define_number("RESOLVED", StageConvergence<double>::resolved);
    define_number("CLOSE", close_stages);
    define_number("BY_ROUNDING", moved_by_rounding);
    define_number("TOO_LARGE", too_large_normal_part);
    define_number("SUSPICIOUS", suspicious_contraction);
    define_number("MEANINGLESS", meaningless_stages);
    text_ += gauss_words + gauss_tableau_text(stages) + gauss_arithmetic_text(Parts(system.geometry()), ambient_);
    add_function("flow", equations.program(), 4, 3);
    const Sheet sheet(system.model());
    add_function("momentum_of", energy_kernels(sheet.lowered, sheet.parameters).momentum, 3);
    if (projects) add_function("normal_part", equations.normal_part(), 2);
    text_ += gauss_memory;
    text_ += gauss_evaluate;
    text_ += gauss_scale;
    if (!equations.invariants().empty()) text_ += gauss_keeper_text(equations.invariants());
    text_ += gauss_step;
  }

  int size() const override { return 2 * ambient_; }
  void pack(const State& state, Out numbers) override { numbers << state.q, state.v; }
  void unpack(double t, In numbers, State& state) override {
    state.t = t;
    state.q = numbers.head(ambient_);
    state.v = numbers.tail(ambient_);
  }

 private:
  int ambient_;
};

}  // namespace

std::unique_ptr<DeviceStep> device_gauss(const System& system, const Gauss& method) {
  if (!canonical(system).is_all_programs()) return nullptr;
  return std::make_unique<DeviceGauss>(system, method.order / 2);
}

}  // namespace hamel
