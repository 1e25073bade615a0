// The free rigid body of models/free-rigid-body-so3.toml by rk4, written by hand: R, column by column, and Omega.
struct Hand { long long members; double h; int steps; const double* start; double* finish; };

constexpr double J1 = 1, J2 = 2, J3 = 3, k1 = (J2 - J3) / J1, k2 = (J3 - J1) / J2, k3 = (J1 - J2) / J3;

struct Y { double R[9], w[3]; };

static __device__ __forceinline__ void rate(const Y& y, Y& k) {
  const double a = y.w[0], b = y.w[1], c = y.w[2];
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    k.R[i] = y.R[3 + i] * c - y.R[6 + i] * b;
    k.R[3 + i] = y.R[6 + i] * a - y.R[i] * c;
    k.R[6 + i] = y.R[i] * b - y.R[3 + i] * a;
  }
  k.w[0] = k1 * b * c, k.w[1] = k2 * c * a, k.w[2] = k3 * a * b;
}
static __device__ __forceinline__ void add(const Y& y, double h, const Y& k, Y& sum) {
#pragma unroll
  for (int i = 0; i < 9; ++i) sum.R[i] = y.R[i] + h * k.R[i];
#pragma unroll
  for (int i = 0; i < 3; ++i) sum.w[i] = y.w[i] + h * k.w[i];
}

extern "C" __global__ void __launch_bounds__(128) by_hand(const Hand r) {
  const long long m = (long long)blockIdx.x * blockDim.x + threadIdx.x, n = r.members;
  if (m >= n) return;
  Y y, k, x, sum;
#pragma unroll
  for (int i = 0; i < 9; ++i) y.R[i] = r.start[i * n + m];
#pragma unroll
  for (int i = 0; i < 3; ++i) y.w[i] = r.start[(9 + i) * n + m];
  const double h = r.h;
  for (int step = 0; step < r.steps; ++step) {
    rate(y, k);
    add(y, h / 6, k, sum);
    add(y, h / 2, k, x);
    rate(x, k);
    add(sum, h / 3, k, sum);
    add(y, h / 2, k, x);
    rate(x, k);
    add(sum, h / 3, k, sum);
    add(y, h, k, x);
    rate(x, k);
    add(sum, h / 6, k, y);
  }
#pragma unroll
  for (int i = 0; i < 9; ++i) r.finish[i * n + m] = y.R[i];
#pragma unroll
  for (int i = 0; i < 3; ++i) r.finish[(9 + i) * n + m] = y.w[i];
}
