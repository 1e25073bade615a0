// The double planar pendulum of models/double-planar-pendulum.toml by the variational integrator, written by hand: each
// rod turns by an angle whose sine s_i is unknown; Newton's method for two unknowns, begun where the last three steps
// lead. Starts and ends are (q, q').
struct Hand { long long members; double h; int steps; const double* start; double* finish; };

constexpr double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.4, g = 9.81;
constexpr double M11 = (m1 + m2) * l1 * l1, M22 = m2 * l2 * l2, b = m2 * l1 * l2;
constexpr double a1 = (m1 + m2) * g * l1, a2 = m2 * g * l2;

extern "C" __global__ void __launch_bounds__(128) by_hand(const Hand r) {
  const long long m = (long long)blockIdx.x * blockDim.x + threadIdx.x, n = r.members;
  if (m >= n) return;
  const double* start = r.start + m;
  double x1 = start[0], y1 = start[n], x2 = start[2 * n], y2 = start[3 * n];
  const double w1 = x1 * start[5 * n] - y1 * start[4 * n], w2 = x2 * start[7 * n] - y2 * start[6 * n];
  const double c0 = b * (x1 * x2 + y1 * y2), h = r.h, half = h / 2, inverse_h = 1 / h;
  double p1 = M11 * w1 + c0 * w2, p2 = M22 * w2 + c0 * w1;
  double s1 = h * w1, s2 = h * w2, before1 = s1, before2 = s2, older1 = s1, older2 = s2;
  for (int k = 0; k < r.steps; ++k) {
    const double c = b * (x1 * x2 + y1 * y2), d = b * (y1 * x2 - x1 * y2);  // b q1.q2, b q2.S q1 = -d
    const double r1 = h * (p1 - half * a1 * x1), r2 = h * (p2 - half * a2 * x2);
    const double guess1 = k < 3 ? s1 : 3 * (s1 - before1) + older1, guess2 = k < 3 ? s2 : 3 * (s2 - before2) + older2;
    older1 = before1, older2 = before2, before1 = s1, before2 = s2, s1 = guess1, s2 = guess2;
    double e1 = 0, e2 = 0, u1 = 0, u2 = 0;  // cosines, and those less 1
    for (int iteration = 0; iteration < 50; ++iteration) {
      e1 = sqrt(1 - s1 * s1), e2 = sqrt(1 - s2 * s2);
      u1 = -s1 * s1 / (1 + e1), u2 = -s2 * s2 / (1 + e2);
      const double f1 = M11 * s1 + c * s2 - d * u2 - r1, f2 = M22 * s2 + c * s1 + d * u1 - r2;
      const double j12 = c + d * s2 / e2, j21 = c - d * s1 / e1, inverse = 1 / (M11 * M22 - j12 * j21);
      const double change1 = (M22 * f1 - j12 * f2) * inverse, change2 = (M11 * f2 - j21 * f1) * inverse;
      s1 -= change1, s2 -= change2;
      if (fabs(change1) + fabs(change2) < 1e-9) break;
    }
    e1 = sqrt(1 - s1 * s1), e2 = sqrt(1 - s2 * s2), u1 = -s1 * s1 / (1 + e1), u2 = -s2 * s2 / (1 + e2);
    const double dx1 = x1 * u1 - y1 * s1, dy1 = y1 * u1 + x1 * s1, dx2 = x2 * u2 - y2 * s2, dy2 = y2 * u2 + x2 * s2;
    x1 += dx1, y1 += dy1, x2 += dx2, y2 += dy2;
    p1 = inverse_h * (M11 * (x1 * dy1 - y1 * dx1) + b * (x1 * dy2 - y1 * dx2)) - half * a1 * x1;
    p2 = inverse_h * (M22 * (x2 * dy2 - y2 * dx2) + b * (x2 * dy1 - y2 * dx1)) - half * a2 * x2;
  }
  const double c = b * (x1 * x2 + y1 * y2), inverse = 1 / (M11 * M22 - c * c);
  const double v1 = (M22 * p1 - c * p2) * inverse, v2 = (M11 * p2 - c * p1) * inverse;
  double* f = r.finish + m;
  f[0] = x1, f[n] = y1, f[2 * n] = x2, f[3 * n] = y2;
  f[4 * n] = -y1 * v1, f[5 * n] = x1 * v1, f[6 * n] = -y2 * v2, f[7 * n] = x2 * v2;
}
