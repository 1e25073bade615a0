// rkmk4 and commutator_free4 on a GPU: lie_group_rk.cpp is the stepper whose operations these are, and group_action.cpp
// has the groups. An element of the algebra has the numbers of the quasi-velocities here.
#include <fmt/format.h>

#include "hamel/mechanics/system.hpp"
#include "integrate/device_methods.hpp"

namespace hamel {
namespace {

constexpr const char* actions_text = R"(
static __device__ __forceinline__ void cross(const double* a, const double* b, double* c) {
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  c[0] = x, c[1] = y, c[2] = z;
}
static __device__ __forceinline__ double sinc(double x) { return x == 0 ? 1.0 : sin(x) / x; }
static __device__ __forceinline__ double cubic_sinc(double x) {
  if (fabs(x) >= 1) return (x - sin(x)) / (x * x * x);
  double sum = 0, term = 1.0 / 6;
  EACH(k, 12) {
    sum += term;
    term *= -x * x / ((2 * k + 4) * (2 * k + 5));
  }
  return sum;
}
static __device__ __forceinline__ double length(const double* x) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }
// p += a (x cross p) + b (x cross (x cross p)), of a vector
static __device__ __forceinline__ void add_turn(const double* x, double a, double b, const double* p, double* to) {
  double once[3], twice[3];
  cross(x, p, once);
  cross(x, once, twice);
  EACH(i, 3) to[i] += a * once[i] + b * twice[i];
}
static __device__ __forceinline__ void turn_plane(double angle, double* q) {
  const double half = sin(angle / 2), sine = sin(angle), x = q[0], y = q[1];
  q[0] += sine * -y - 2 * half * half * x;
  q[1] += sine * x - 2 * half * half * y;
}
static __device__ __forceinline__ void turn_direction(const double* x, double* q) {
  const double angle = length(x), half = sinc(angle / 2), p[3] = {q[0], q[1], q[2]};
  add_turn(x, sinc(angle), half * half / 2, p, q);
}
// R exp(x): the rows of R turn by -x
static __device__ __forceinline__ void turn_body(const double* x, double* q) {
  const double angle = length(x), half = sinc(angle / 2), back[3] = {-x[0], -x[1], -x[2]};
  EACH(i, 3) {
    double row[3] = {q[ROTATION(i, 0)], q[ROTATION(i, 1)], q[ROTATION(i, 2)]};
    const double p[3] = {row[0], row[1], row[2]};
    add_turn(back, sinc(angle), half * half / 2, p, row);
    EACH(j, 3) q[ROTATION(i, j)] = row[j];
  }
}
static __device__ __forceinline__ void move_pose(const double* x, double* q) {
  const double angle = length(x), half = sinc(angle / 2), v[3] = {x[3], x[4], x[5]};
  double shift[3] = {v[0], v[1], v[2]};
  add_turn(x, half * half / 2, cubic_sinc(angle), v, shift);
  EACH(i, 3)
    q[9 + i] += q[ROTATION(i, 0)] * shift[0] + q[ROTATION(i, 1)] * shift[1] + q[ROTATION(i, 2)] * shift[2];
  turn_body(x, q);
}
)";

constexpr const char* lie_step = R"(
static __device__ __forceinline__ void pull_back(const double* u, double* A) {
  double inner[NX], outer[NX];
  bracket(u, A, inner);
  bracket(u, inner, outer);
  EACH(i, NX) A[i] += outer[i] / 12 - inner[i] / 2;
}
static __device__ __forceinline__ int step_advance(Step& s, const double* own, double t, double h, double,
                                                   double next) {
  double y[NY], k[4][NY], A[4][NX], u[NX];
  EACH(i, NY) k[0][i] = s.k[i];
  EACH(i, NX) A[0][i] = s.y[NQ + i];
#if COMMUTATOR_FREE
  double middle[NQ];
#endif
UNROLL
  for (int stage = 1; stage < 4; ++stage) {
    const double a = stage < 3 ? h / 2 : h;
    EACH(i, NQ) y[i] = s.y[i];
#if COMMUTATOR_FREE
    if (stage == 3) {
      EACH(i, NX) u[i] = h * A[2][i] - h / 2 * A[0][i];
      EACH(i, NQ) y[i] = middle[i];
    } else {
      EACH(i, NX) u[i] = h / 2 * A[stage - 1][i];
    }
    move(u, y);
    if (stage == 1)
      EACH(i, NQ) middle[i] = y[i];
#else
    EACH(i, NX) u[i] = a * A[stage - 1][i];
    move(u, y);
#endif
    EACH(i, NX) y[NQ + i] = s.y[NQ + i] + a * k[stage - 1][NQ + i];
    rate_of(own, y, t + a, k[stage]);
    EACH(i, NX) A[stage][i] = y[NQ + i];
#if !COMMUTATOR_FREE
    pull_back(u, A[stage]);
#endif
  }
  EACH(i, NQ) y[i] = s.y[i];
#if COMMUTATOR_FREE
  EACH(i, NX) u[i] = h / 12 * (3 * A[0][i] + 2 * A[1][i] + 2 * A[2][i] - A[3][i]);
  move(u, y);
  EACH(i, NX) u[i] = h / 12 * (3 * A[3][i] + 2 * A[1][i] + 2 * A[2][i] - A[0][i]);
#else
  EACH(i, NX) u[i] = h / 6 * (A[0][i] + 2 * A[1][i] + 2 * A[2][i] + A[3][i]);
#endif
  move(u, y);
  EACH(i, NX)
    y[NQ + i] = s.y[NQ + i] + h / 6 * (k[0][NQ + i] + 2 * k[1][NQ + i] + 2 * k[2][NQ + i] + k[3][NQ + i]);
  double all = 0;
  EACH(i, NY) all += y[i];
  if (!is_finite(all)) return 1;
  drop_isotropy(y, y + NQ);
  EACH(i, NY) s.y[i] = y[i];
  rate_of(own, s.y, next, s.k);
  return 0;
}
)";

// What the group of each factor does, one line for each; nothing where no text is known.
std::string product_text(const System& system) {
  std::string move, bracket, drop;
  int point = 0, rate = 0;
  for (const Manifold& factor : system.space().factors()) {
    const auto line = [&](std::string& text, const char* what) {
      text += fmt::format(fmt::runtime(what), point, rate);
    };
    const bool commutes = factor.is_flat() || factor.turning() == Turning::plane;
    if (factor.is_flat()) {
      move += fmt::format("  EACH(i, {}) q[{} + i] += A[{} + i];\n", factor.ambient(), point, rate);
    } else if (factor.turning() == Turning::plane) {
      line(move, "  turn_plane(A[{1}], q + {0});\n");
    } else if (factor.turning() == Turning::direction) {
      line(move, "  turn_direction(A + {1}, q + {0});\n");
      line(bracket, "  cross(a + {1}, b + {1}, c + {1});\n");
      line(drop, "  cross(xi + {1}, q + {0}, v);\n  cross(q + {0}, v, xi + {1});\n");
    } else if (factor.is_pose()) {
      line(move, "  move_pose(A + {1}, q + {0});\n");
      line(bracket,
           "  cross(b + {1}, a + {1}, c + {1});\n  cross(b + {1}, a + {1} + 3, v);\n  cross(a + {1}, b + {1} + 3, w);\n"
           "  EACH(i, 3) c[{1} + 3 + i] = v[i] - w[i];\n");
    } else if (factor.turning() == Turning::body) {
      line(move, "  turn_body(A + {1}, q + {0});\n");
      line(bracket, "  cross(b + {1}, a + {1}, c + {1});\n");
    } else {
      return {};
    }
    if (commutes) bracket += fmt::format("  EACH(i, {}) c[{} + i] = 0;\n", factor.rates(), rate);
    point += factor.ambient();
    rate += factor.rates();
  }
  const char* const function = "static __device__ __forceinline__ void {}({}) {{\n{}{}}}\n";
  const auto define = [&](const char* name, const char* arguments, const char* memory, const std::string& body) {
    return fmt::format(fmt::runtime(function), name, arguments, memory, body);
  };
  return define("move", "const double* A, double* q", "", move) +
         define("bracket", "const double* a, const double* b, double* c", "  double v[3], w[3];\n", bracket) +
         define("drop_isotropy", "const double* q, double* xi", "  double v[3];\n", drop);
}

}  // namespace

std::unique_ptr<DeviceStep> device_lie_group(const System& system, const LieRk& method) {
  const std::string product = product_text(system);
  if (product.empty()) return nullptr;
  return device_field_step(
      system, fmt::format("#define COMMUTATOR_FREE {}\n#define NX {}\n#define ROTATION(i, j) (i) + 3 * (j)\n",
                          int{method.scheme == LieScheme::commutator_free4}, system.rates()) +
                  actions_text + product + lie_step);
}

}  // namespace hamel
