// dop853 with fixed steps on a GPU: dop853.cpp is the stepper whose operations these are.
#include <fmt/format.h>

#include "hamel/mechanics/parts.hpp"
#include "hamel/program/device_text.hpp"
#include "integrate/device_methods.hpp"
#include "integrate/dop853_tableau.hpp"
#include "integrate/dop853_text.hpp"

namespace hamel {
namespace {

template <std::size_t size>
std::string stage_text(std::size_t stage, const std::array<double, size>& row) {
  return fmt::format("  EACH(i, NY) x[i] = s.y[i] + h * ({});\n  stage_rate(own, x, t + {} * h, k[{}]);\n",
                     dop853::weighted_stages(row), device_literal(dop853::c[stage]), stage);
}

// Eleven copies of a long program are too much for the cache of instructions.
std::string stage_rate_text(bool is_short) {
  return fmt::format(
      "static __device__ {} void stage_rate(const double* own, const double* y, double t, double* k) {{\n"
      "  rate_of(own, y, t, k);\n}}\n",
      is_short ? "__forceinline__" : "__noinline__");
}

constexpr const char* dop853_begin = R"(
static __device__ __forceinline__ int step_advance(Step& s, const double* own, double t, double h, double,
                                                   double next) {
  double k[STAGES][NY], x[NY], all = 0;
  EACH(i, NY) k[0][i] = s.k[i];
)";

constexpr const char* dop853_end = R"(
  EACH(i, NY) all += x[i];
  if (!is_finite(all)) return 1;
  EACH(i, NY) s.y[i] = x[i];
  stage_rate(own, s.y, next, s.k);
  return 0;
}
)";

}  // namespace

std::unique_ptr<DeviceStep> device_dop853(const System& system) {
  using namespace dop853;
  constexpr std::size_t short_enough = 200;
  std::string text = fmt::format("#define STAGES {}\n", steps) +
                     stage_rate_text(motion(system).program().operations() <= short_enough) + dop853_begin;
  text += stage_text(1, a1) + stage_text(2, a2) + stage_text(3, a3) + stage_text(4, a4) + stage_text(5, a5) +
          stage_text(6, a6) + stage_text(7, a7) + stage_text(8, a8) + stage_text(9, a9) + stage_text(10, a10) +
          stage_text(11, a11);
  text += fmt::format("  EACH(i, NY) x[i] = s.y[i] + h * ({});", weighted_stages(b));
  return device_field_step(system, text + dop853_end);
}

}  // namespace hamel
