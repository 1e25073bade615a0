// The double planar pendulum of models/double-planar-pendulum.toml by rk4, written by hand: directions (x, y) of both
// rods and their angular velocities.
struct Hand { long long members; double h; int steps; const double* start; double* finish; };

constexpr double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.4, g = 9.81;
constexpr double M11 = (m1 + m2) * l1 * l1, M22 = m2 * l2 * l2, b = m2 * l1 * l2;
constexpr double a1 = (m1 + m2) * g * l1, a2 = m2 * g * l2;

struct Y { double x1, y1, x2, y2, w1, w2; };

static __device__ __forceinline__ Y rate(const Y& y) {
  const double c = b * (y.x1 * y.x2 + y.y1 * y.y2), s = b * (y.y1 * y.x2 - y.x1 * y.y2);
  const double r1 = -s * y.w2 * y.w2 - a1 * y.x1, r2 = s * y.w1 * y.w1 - a2 * y.x2;
  const double inverse = 1 / (M11 * M22 - c * c);
  return {-y.w1 * y.y1, y.w1 * y.x1, -y.w2 * y.y2, y.w2 * y.x2, (M22 * r1 - c * r2) * inverse,
          (M11 * r2 - c * r1) * inverse};
}
static __device__ __forceinline__ Y plus(const Y& y, double h, const Y& k) {
  return {y.x1 + h * k.x1, y.y1 + h * k.y1, y.x2 + h * k.x2, y.y2 + h * k.y2, y.w1 + h * k.w1, y.w2 + h * k.w2};
}

extern "C" __global__ void __launch_bounds__(128) by_hand(const Hand r) {
  const long long m = (long long)blockIdx.x * blockDim.x + threadIdx.x, n = r.members;
  if (m >= n) return;
  const double* s = r.start + m;
  Y y = {s[0], s[n], s[2 * n], s[3 * n], s[4 * n], s[5 * n]};
  const double h = r.h;
  for (int k = 0; k < r.steps; ++k) {
    const Y k1 = rate(y), k2 = rate(plus(y, h / 2, k1)), k3 = rate(plus(y, h / 2, k2)), k4 = rate(plus(y, h, k3));
    y = plus(plus(plus(plus(y, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  }
  double* f = r.finish + m;
  f[0] = y.x1, f[n] = y.y1, f[2 * n] = y.x2, f[3 * n] = y.y2, f[4 * n] = y.w1, f[5 * n] = y.w2;
}
