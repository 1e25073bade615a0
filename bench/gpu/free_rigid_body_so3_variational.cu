// The free rigid body of models/free-rigid-body-so3.toml by the Lie group variational integrator, written by hand: the
// turn of a step is F = cay(f), and  g + g x f + (g.f) f - 2 J f = 0  with g = h J Omega, by Newton's method. Starts and
// ends are (R, R'), column by column.
struct Hand { long long members; double h; int steps; const double* start; double* finish; };

constexpr double J1 = 1, J2 = 2, J3 = 3;

extern "C" __global__ void __launch_bounds__(128) by_hand(const Hand r) {
  const long long m = (long long)blockIdx.x * blockDim.x + threadIdx.x, n = r.members;
  if (m >= n) return;
  double R[9], V[9];
#pragma unroll
  for (int i = 0; i < 9; ++i) R[i] = r.start[i * n + m], V[i] = r.start[(9 + i) * n + m];
  const double h = r.h;  // Omega from R^T R', whose entry (3, 2) is Omega_1
  double p1 = J1 * (R[6] * V[3] + R[7] * V[4] + R[8] * V[5]), p2 = J2 * (R[0] * V[6] + R[1] * V[7] + R[2] * V[8]),
         p3 = J3 * (R[3] * V[0] + R[4] * V[1] + R[5] * V[2]);
  double f1 = h * p1 / (2 * J1), f2 = h * p2 / (2 * J2), f3 = h * p3 / (2 * J3);
  double b1 = f1, b2 = f2, b3 = f3, o1 = f1, o2 = f2, o3 = f3;
  for (int k = 0; k < r.steps; ++k) {
    const double g1 = h * p1, g2 = h * p2, g3 = h * p3;
    const double n1 = k < 3 ? f1 : 3 * (f1 - b1) + o1, n2 = k < 3 ? f2 : 3 * (f2 - b2) + o2,
                 n3 = k < 3 ? f3 : 3 * (f3 - b3) + o3;
    o1 = b1, o2 = b2, o3 = b3, b1 = f1, b2 = f2, b3 = f3, f1 = n1, f2 = n2, f3 = n3;
    for (int iteration = 0; iteration < 50; ++iteration) {
      const double gf = g1 * f1 + g2 * f2 + g3 * f3;
      const double e1 = g1 + g2 * f3 - g3 * f2 + gf * f1 - 2 * J1 * f1, e2 = g2 + g3 * f1 - g1 * f3 + gf * f2 - 2 * J2 * f2,
                   e3 = g3 + g1 * f2 - g2 * f1 + gf * f3 - 2 * J3 * f3;
      const double a11 = gf + f1 * g1 - 2 * J1, a12 = -g3 + f1 * g2, a13 = g2 + f1 * g3;
      const double a21 = g3 + f2 * g1, a22 = gf + f2 * g2 - 2 * J2, a23 = -g1 + f2 * g3;
      const double a31 = -g2 + f3 * g1, a32 = g1 + f3 * g2, a33 = gf + f3 * g3 - 2 * J3;
      const double c11 = a22 * a33 - a23 * a32, c12 = a23 * a31 - a21 * a33, c13 = a21 * a32 - a22 * a31;
      const double inverse = 1 / (a11 * c11 + a12 * c12 + a13 * c13);
      const double d1 = (c11 * e1 + (a13 * a32 - a12 * a33) * e2 + (a12 * a23 - a13 * a22) * e3) * inverse;
      const double d2 = (c12 * e1 + (a11 * a33 - a13 * a31) * e2 + (a13 * a21 - a11 * a23) * e3) * inverse;
      const double d3 = (c13 * e1 + (a12 * a31 - a11 * a32) * e2 + (a11 * a22 - a12 * a21) * e3) * inverse;
      f1 -= d1, f2 -= d2, f3 -= d3;
      if (fabs(d1) + fabs(d2) + fabs(d3) < 1e-9) break;
    }
    const double ff = f1 * f1 + f2 * f2 + f3 * f3, s = 2 / (1 + ff);  // F - I = s (f^ + f^ f^)
    const double D[9] = {s * (f1 * f1 - ff), s * (f1 * f2 + f3), s * (f1 * f3 - f2),  //
                         s * (f1 * f2 - f3), s * (f2 * f2 - ff), s * (f2 * f3 + f1),  //
                         s * (f1 * f3 + f2), s * (f2 * f3 - f1), s * (f3 * f3 - ff)};
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      const double x = R[i], y = R[3 + i], z = R[6 + i];
      R[i] = x + (x * D[0] + y * D[1] + z * D[2]);
      R[3 + i] = y + (x * D[3] + y * D[4] + z * D[5]);
      R[6 + i] = z + (x * D[6] + y * D[7] + z * D[8]);
    }
    const double q1 = p1, q2 = p2, q3 = p3;
    p1 = q1 + (D[0] * q1 + D[1] * q2 + D[2] * q3);
    p2 = q2 + (D[3] * q1 + D[4] * q2 + D[5] * q3);
    p3 = q3 + (D[6] * q1 + D[7] * q2 + D[8] * q3);
  }
  const double w1 = p1 / J1, w2 = p2 / J2, w3 = p3 / J3;
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    V[i] = R[3 + i] * w3 - R[6 + i] * w2;
    V[3 + i] = R[6 + i] * w1 - R[i] * w3;
    V[6 + i] = R[i] * w2 - R[3 + i] * w1;
  }
#pragma unroll
  for (int i = 0; i < 9; ++i) r.finish[i * n + m] = R[i], r.finish[(9 + i) * n + m] = V[i];
}
