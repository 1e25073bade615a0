#include "ensemble/gather_text.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <variant>

#include "hamel/integrate/method.hpp"

namespace hamel {

namespace {

constexpr const char* velocities_text = R"(
static __device__ __forceinline__ void plane_velocity(const double* q, double rate, double* v) {
  v[0] = -q[1] * rate;
  v[1] = q[0] * rate;
}
static __device__ __forceinline__ void direction_velocity(const double* q, const double* x, double* v) {
  v[0] = x[1] * q[2] - x[2] * q[1];
  v[1] = x[2] * q[0] - x[0] * q[2];
  v[2] = x[0] * q[1] - x[1] * q[0];
}
// R hat(x), column by column
static __device__ __forceinline__ void body_velocity(const double* q, const double* x, double* v) {
  EACH(i, 3) {
    v[i] = q[3 + i] * x[2] - q[6 + i] * x[1];
    v[3 + i] = q[6 + i] * x[0] - q[i] * x[2];
    v[6 + i] = q[i] * x[1] - q[3 + i] * x[0];
  }
}
)";

bool has_quasi_velocities(const Method& method) {
  return !std::holds_alternative<Variational>(method) && !std::holds_alternative<Gauss>(method);
}

std::string state_function(const std::string& body) {
  return "static __device__ __forceinline__ void state_of(const double* numbers, double* q, double* v) {\n"
         "  EACH(i, NQ) q[i] = numbers[i];\n" +
         body + "}\n";
}

// Of a number x of the state, what is kept of it at place k.
std::string first_line(std::size_t k, const GatheredNumber& number) {
  const bool is_sum = number.statistic == Statistic::mean || number.statistic == Statistic::drift;
  return is_sum ? fmt::format("  g.kept[{}] = 0;\n", k) : fmt::format("  g.kept[{}] = g.last[{}];\n", k, number.scalar);
}

std::string next_line(std::size_t k, const GatheredNumber& number) {
  const auto line = [&](const char* text) { return fmt::format(fmt::runtime(text), k, number.scalar); };
  switch (number.statistic) {
    case Statistic::end:
      return line("  g.kept[{0}] = x[{1}];\n");
    case Statistic::max:
      return line("  g.kept[{0}] = g.kept[{0}] < x[{1}] ? x[{1}] : g.kept[{0}];\n");
    case Statistic::min:
      return line("  g.kept[{0}] = x[{1}] < g.kept[{0}] ? x[{1}] : g.kept[{0}];\n");
    case Statistic::mean:
      return line("  g.kept[{0}] = g.kept[{0}] + (t - g.t) * (x[{1}] + g.last[{1}]) / 2;\n");
    case Statistic::drift:
      return line(
          "  off = fabs(x[{1}] - r.scalars[AT({1})]);\n"
          "  g.kept[{0}] = g.kept[{0}] < off ? off : g.kept[{0}];\n");
    case Statistic::series:
      break;
  }
  throw std::invalid_argument("a series is no number that can be gathered");
}

}  // namespace

std::string state_text(const System& system, const Method& method) {
  if (!has_quasi_velocities(method)) return state_function("  EACH(i, NQ) v[i] = numbers[NQ + i];\n");
  std::string body;
  int point = 0, rate = system.ambient();
  for (const Manifold& factor : system.space().factors()) {
    const auto line = [&](const char* text) { body += fmt::format(fmt::runtime(text), point, rate); };
    if (factor.is_flat())
      body += fmt::format("  EACH(i, {}) v[{} + i] = numbers[{} + i];\n", factor.ambient(), point, rate);
    else if (factor.turning() == Turning::plane)
      line("  plane_velocity(q + {0}, numbers[{1}], v + {0});\n");
    else if (factor.turning() == Turning::direction)
      line("  direction_velocity(q + {0}, numbers + {1}, v + {0});\n");
    else if (factor.turning() == Turning::body && !factor.is_pose())
      line("  body_velocity(q + {0}, numbers + {1}, v + {0});\n");
    else
      return {};
    point += factor.ambient();
    rate += factor.rates();
  }
  return velocities_text + state_function(body);
}

std::string gather_text(const System& system, const Method& method, const DeviceKeep& keep) {
  std::string first, next;
  for (std::size_t k = 0; k < keep.gathered.size(); ++k) {
    first += first_line(k, keep.gathered[k]);
    next += next_line(k, keep.gathered[k]);
  }
  return state_text(system, method) + R"(
struct Gathered { double t, kept[GATHERED], last[SCALARS]; };
static __device__ __forceinline__ void begin_gathering(Gathered& g, const Run& r, long long m) {
  EACH(i, SCALARS) g.last[i] = r.scalars[AT(i)];
)" + first +
         R"(  g.t = r.t;
}
static __device__ __forceinline__ bool gather(Gathered& g, const Run& r, long long m, const Step& s, const double* own,
                                              double end_of_step, double t) {
  double numbers[SIZE], q[NQ], v[NQ], x[SCALARS], off;
  step_end(s, own, end_of_step, numbers);
  state_of(numbers, q, v);
  look(own, q, v, &t, x);
  EACH(i, SCALARS)
    if (!is_finite(x[i])) return false;
)" + next +
         R"(  EACH(i, SCALARS) g.last[i] = x[i];
  g.t = t;
  (void)off;
  return true;
}
)";
}

}  // namespace hamel
