// rk4 on a GPU: runge_kutta.cpp is the stepper whose operations these are.
#include <fmt/format.h>

#include "hamel/mechanics/field.hpp"
#include "hamel/mechanics/parts.hpp"
#include "integrate/device_methods.hpp"

namespace hamel {
namespace {

// The rate at the end of a step is that of the next one's begin, and q' for those who look.
constexpr const char* field_text = R"(
struct Step { double y[NY], k[NY]; };
static __device__ __forceinline__ void rate_of(const double* own, const double* y, double t, double* k) {
  double multipliers[NC];
  motion(own, y, y + NQ, &t, k, k + NQ, multipliers);
}
static __device__ __forceinline__ void step_begin(Step& s, const double* own, const double* start, double t, double) {
  EACH(i, NY) s.y[i] = start[i];
  rate_of(own, s.y, t, s.k);
}
static __device__ __forceinline__ void step_state(const Step& s, const double*, double, double* q, double* v) {
  EACH(i, NQ) q[i] = s.y[i], v[i] = s.k[i];
}
static __device__ __forceinline__ void step_end(const Step& s, const double*, double, double* end) {
  EACH(i, NY) end[i] = s.y[i];
}
)";

// What is not finite in a stage makes its sum so.
constexpr const char* rk4_text = R"(
static __device__ __forceinline__ int step_advance(Step& s, const double* own, double t, double h, double,
                                                       double next) {
  double k[NY], x[NY], sum[NY];
  EACH(i, NY) k[i] = s.k[i], sum[i] = s.y[i];
UNROLL
  for (int stage = 0; stage < 4; ++stage) {
    const double b = h * (stage == 0 || stage == 3 ? 1. / 6 : 1. / 3), a = h * (stage < 2 ? 1. / 2 : 1.);
    const double time = stage == 3 ? next : t + (stage < 2 ? 1. / 2 : 1.) * h;
    EACH(i, NY) sum[i] += b * k[i];
    EACH(i, NY) x[i] = stage == 3 ? sum[i] : s.y[i] + a * k[i];
    if (stage == 3) {
      double all = 0;
      EACH(i, NY) all += sum[i];
      if (!is_finite(all)) return 1;
    }
    rate_of(own, x, time, k);
  }
  EACH(i, NY) s.y[i] = sum[i], s.k[i] = k[i];
  return 0;
}
)";

class DeviceFieldStep final : public DeviceStep {
 public:
  DeviceFieldStep(const System& system, std::string_view advance)
      : DeviceStep(system), field_(system, Form::omega), work_(system) {
    text_ = fmt::format("#define NY {}\n#define NQ {}\n#define NC {}\n", field_.size(), system.ambient(),
                        std::max(1, system.constraints()));
    add_function("motion", motion(system), 4, 2);
    text_ += field_text;
    constexpr std::size_t short_enough = 600;  // four of them stay in the cache of instructions
    text_ += unrolled(advance, motion(system).program().operations() <= short_enough);
  }

  int size() const override { return field_.size(); }
  void pack(const State& state, Out numbers) override { numbers = field_.pack(work_, state); }
  void unpack(double t, In numbers, State& state) override { field_.unpack(work_, t, numbers, state); }

 private:
  Field field_;
  Workspace work_;
};

}  // namespace

std::unique_ptr<DeviceStep> device_field_step(const System& system, std::string_view advance) {
  return std::make_unique<DeviceFieldStep>(system, advance);
}
std::unique_ptr<DeviceStep> device_rk4(const System& system) { return device_field_step(system, rk4_text); }

}  // namespace hamel
