// rkmk4 and commutator_free4 on a GPU.
#include "integrate/device_methods.hpp"
#include "integrate/lie_text.hpp"

namespace hamel {
namespace {

constexpr const char* one_number_text = R"(
typedef double number;
typedef bool mask;
#define FUNCTION static __device__ __forceinline__
#define FIELD const double* own
#define RATE(t, y, k) rate_of(own, y, t, k)
#define ALL(x) (x)
#define SINE(x) sin(x)
#define root(x) sqrt(x)
#define any(which) (which)
#define pick(which, a, b) ((which) ? (a) : (b))
)";

constexpr const char* advance_text = R"(
static __device__ __forceinline__ int step_advance(Step& s, const double* own, double t, double h, double,
                                                   double next) {
  double y[NY];
  lie_step(own, t, h, s.y, s.k, y);
  double all = 0;
  EACH(i, NY) all += y[i];
  if (!is_finite(all)) return 1;
  drop_isotropy(y, y + NQ);
  EACH(i, NY) s.y[i] = y[i];
  rate_of(own, s.y, next, s.k);
  return 0;
}
)";

}  // namespace

std::unique_ptr<DeviceStep> device_lie_group(const System& system, const LieRk& method) {
  const std::string text = lie_text(system, method.scheme);
  if (text.empty()) return nullptr;
  return device_field_step(system, one_number_text + text + advance_text);
}

}  // namespace hamel
