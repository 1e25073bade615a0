// Gauss methods by fixed-point iteration on a GPU: gauss_core.hpp, gauss_lanes.cpp and gauss_motion.hpp are the stepper
// whose operations these are, where it fuses them as well. A step whose iteration does not converge, which the stepper
// would take by Newton's method, fails.
#include <fmt/format.h>

#include <limits>

#include "hamel/derive/energies.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/mechanics/parts.hpp"
#include "hamel/program/device_text.hpp"
#include "integrate/device_methods.hpp"
#include "integrate/gauss_tableau.hpp"
#include "integrate/parts.hpp"

namespace hamel {
namespace {

constexpr const char* gauss_memory = R"(
#define INFINITE (1e300 * 1e300)
#define SMALLEST 2.2250738585072014e-308
struct Step { double y[NY], lost[NY], v[NQ], pull[NQ], K[STAGES][NY], last_h; };
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
  double along[NQ];
  tangent_part(own, y, p, along);
  EACH(i, NQ) p[i] -= along[i];
#endif
  EACH(i, NQ) y[NQ + i] = add(y[NQ + i], p[i], lost[NQ + i]);
}
static __device__ __forceinline__ void evaluate(Step& s, const double* own, double t) {
  double p[NQ];
  find_rates(s, own, t);
  momentum_of(own, s.y, s.v, &t, p);
  const double size = largest(p, NQ);
  EACH(i, NQ) p[i] -= s.y[NQ + i];
  if (largest(p, NQ) <= 0.1 * size) return;
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
  const double by_rounding = 1e-3 * largest(way, NQ);
  EACH(i, NQ) scale[i] = fmax(fmax(scale[i], is_curved(i) ? 0.0 : by_rounding), SMALLEST);
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
    change = advance_stages(K, h, change < 1e-6, inverse, Z);
    const bool is_first = previous == INFINITE;
    const double rate = change / previous;
    stuck = !(rate < 1) ? stuck + 1 : 0;
    if (is_first) first = change;
    if (!is_first && previous > 1e-8) ++counted, last = change;
    previous = change;
    if (change == 0) break;
    if (!is_first && ((rate >= 1 && change <= 4096 * EPSILON) || (rate < 0.5 && change * rate <= EPSILON / 4096)))
      break;
    if (stuck >= 2) return false;
  }
  if (counted == 0 || !(pow(last / first, 1.0 / counted) > 0.05)) return true;
  double rates[NY], error = 0;
  EACH(i, NQ) rates[i] = s.v[i], rates[NQ + i] = s.pull[i];
  EACH(i, NY) {
    double defect = h * rates[i];
    EACH(j, STAGES) defect -= h * gauss_begin[j] * K[j][i];
    error = fmax(error, fabs(defect / scale[i]));
  }
  return pow(error, (2.0 * STAGES + 1) / (STAGES + 1)) <= 0.01;
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
    y[i] = add(s.y[i], h * (sum + rest), lost[i]);
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

// InvariantKeeper, with pairs of numbers in the place of long ones, which a GPU does not have.
constexpr const char* gauss_pairs = R"(
struct Pair { double high, low; };
static __device__ __forceinline__ Pair sum_of(double a, double b) {
  const double sum = a + b, added = sum - a;
  return {sum, (a - (sum - added)) + (b - added)};
}
static __device__ __forceinline__ void add_product(Pair& sum, double factor, Pair a, Pair b) {
  const double product = a.high * b.high;
  const double rest = fma(a.high, b.high, -product) + (a.high * b.low + a.low * b.high);
  const double term = factor * product;
  const Pair next = sum_of(sum.high, term);
  sum = {next.high, sum.low + (next.low + (fma(factor, product, -term) + factor * rest))};
}
)";
constexpr const char* gauss_keeper_begin = R"(
static __device__ __forceinline__ void keep_invariants(const double* y0, const double* lost0, double* y, double* lost) {
  Pair way[NQ], middle[NQ], sum;
  double move[NQ], factor;
  const Pair one = {1, 0};
  EACH(i, NQ) {
    move[i] = 0;
    const Pair straight = sum_of(y[i], -y0[i]);
    way[i] = sum_of(straight.high, straight.low + (lost[i] - lost0[i]));
    middle[i] = sum_of(y[i], -way[i].high / 2);
    middle[i].low += lost[i] - way[i].low / 2;
  }
)";

std::string keeper_text(const std::vector<QuadraticInvariant>& invariants) {
  std::string text = gauss_pairs;
  text += gauss_keeper_begin;
  for (const QuadraticInvariant& c : invariants) {
    std::string change, lower;
    for (const auto& [i, j, value] : c.curvature) {
      change += fmt::format("  add_product(sum, {}, way[{}], middle[{}]);\n", device_literal(value), i, j);
      lower += fmt::format("  move[{}] += factor * {} * y[{}];\n", i, device_literal(value), j);
    }
    for (const auto& [i, value] : c.slope) {
      change += fmt::format("  add_product(sum, {}, way[{}], one);\n", device_literal(value), i);
      lower += fmt::format("  move[{}] += factor * {};\n", i, device_literal(value));
    }
    text += fmt::format("  sum = {{0, 0}};\n{}  factor = -(sum.high + sum.low) / {};\n{}", change,
                        device_literal(c.steepness), lower);
  }
  return text + "  EACH(i, NQ) y[i] = add(y[i], move[i], lost[i]);\n}\n";
}

// The polynomial that is 1 at node j and 0 at the others, in the operations of GaussCore.
double lagrange(const std::vector<double>& nodes, std::size_t j, double x) {
  double value = 1;
  for (std::size_t m = 0; m < nodes.size(); ++m)
    if (m != j) value *= (x - nodes[m]) / (nodes[j] - nodes[m]);
  return value;
}

template <class Value>
std::string numbers_text(int stages, Value value) {
  std::string text;
  for (int k = 0; k < stages; ++k) text += device_literal(value(k)) + ", ";
  return text;
}
template <class Value>
std::string vector_text(const char* name, int stages, Value value) {
  return fmt::format("static __device__ const double {}[] = {{{}}};\n", name, numbers_text(stages, value));
}
template <class Value>
std::string matrix_text(const char* name, int stages, Value value) {
  std::string rows;
  for (int k = 0; k < stages; ++k)
    rows += fmt::format("{{{}}},", numbers_text(stages, [&](int j) { return value(k, j); }));
  return fmt::format("static __device__ const double {}[][{}] = {{{}}};\n", name, stages, rows);
}

std::string tableau_text(int stages) {
  const GaussTableau tableau = gauss_tableau(stages);
  std::vector<double> nodes;
  for (const Coefficient& c : tableau.c) nodes.push_back(c.value<double>());
  const auto node = [&](int k) { return nodes[static_cast<std::size_t>(k)]; };
  const auto weight = [&](int k) -> const Coefficient& { return tableau.b[static_cast<std::size_t>(k)]; };
  const auto basis = [&](int j, double x) { return lagrange(nodes, static_cast<std::size_t>(j), x); };
  const auto exact = [&](int k, int j) { return tableau.coefficient(k, j).exact; };
  const auto rest = [&](int k, int j) { return tableau.coefficient(k, j).correction<double>(); };
  return vector_text("gauss_c", stages, node) + vector_text("gauss_b", stages, [&](int k) { return weight(k).exact; }) +
         vector_text("gauss_b_rest", stages, [&](int k) { return weight(k).correction<double>(); }) +
         vector_text("gauss_begin", stages, [&](int j) { return basis(j, 0); }) +
         matrix_text("gauss_A", stages, exact) + matrix_text("gauss_A_rest", stages, rest) +
         matrix_text("gauss_A_whole", stages, [&](int k, int j) { return exact(k, j) + rest(k, j); }) +
         matrix_text("gauss_next", stages, [&](int k, int j) { return basis(j, 1 + 1 * node(k)); });
}

// Parts::raise and Parts::is_curved
std::string parts_text(const Parts& parts, int ambient) {
  std::string raise, curved = "false";
  for (int i = 0; i < ambient; ++i) {
    if (parts.is_curved(i)) curved += fmt::format(" || i == {}", i);
    const std::vector<int>& together = parts.together_with(i);
    if (together.front() != i) continue;
    raise += "  size = 0;\n";
    for (const int k : together) raise += fmt::format("  size = fmax(size, fabs(x[{}]));\n", k);
    for (const int k : together) raise += fmt::format("  scale[{0}] = fmax(scale[{0}], size);\n", k);
  }
  return fmt::format(
      "static __device__ __forceinline__ void raise(double* scale, const double* x) {{\n  double size;\n{}}}\n"
      "static __device__ __forceinline__ bool is_curved(int i) {{ return {}; }}\n",
      raise, curved);
}

class DeviceGauss final : public DeviceStep {
 public:
  DeviceGauss(const System& system, int stages) : DeviceStep(system), ambient_(system.ambient()) {
    constexpr std::size_t short_enough = 200;
    const Canonical& equations = canonical(system);
    const bool is_short = equations.program().program().operations() <= short_enough;
    const bool projects = system.constraints() == 0;
    text_ = fmt::format(
        "#define NQ {}\n#define NY {}\n#define STAGES {}\n#define INVARIANTS {}\n#define PROJECTS {}\n"
        "#define MOST_ITERATIONS 100\n#define EPSILON {}\n#define INLINE {}\n",
        ambient_, 2 * ambient_, stages, int{!equations.invariants().empty()}, int{projects},
        device_literal(std::numeric_limits<double>::epsilon()), is_short ? "__forceinline__" : "__noinline__");
    text_ += tableau_text(stages);
    add_function("flow", equations.program(), 4, 3);
    const Sheet sheet(system.model());
    add_function("momentum_of", energy_kernels(sheet.lowered, sheet.parameters).momentum, 3);
    if (projects) add_function("tangent_part", tangent_part(system, sheet), 2);
    text_ += gauss_memory;
    text_ += gauss_evaluate;
    text_ += parts_text(Parts(system.geometry()), ambient_);
    text_ += gauss_scale;
    if (!equations.invariants().empty()) text_ += keeper_text(equations.invariants());
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
  // (q, p) -> P(q) p
  static Kernel tangent_part(const System& system, const Sheet& sheet) {
    const auto vector = [](const Exprs& x) -> VectorXe {
      return Eigen::Map<const VectorXe>(x.data(), static_cast<Eigen::Index>(x.size()));
    };
    const VectorXe along = system.space().tangent_project(vector(sheet.lowered.q), vector(sheet.lowered.v));
    return {"tangent_part", {sheet.lowered.q, sheet.lowered.v}, {Exprs(along.begin(), along.end())}, sheet.parameters};
  }

  int ambient_;
};

}  // namespace

std::unique_ptr<DeviceStep> device_gauss(const System& system, const Gauss& method) {
  const Canonical& equations = canonical(system);
  if (!equations.is_explicit() || !equations.is_quadratic()) return nullptr;
  return std::make_unique<DeviceGauss>(system, method.order / 2);
}

}  // namespace hamel
