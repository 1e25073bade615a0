#include "hamel/program/lanes.hpp"
#include "integrate/gauss_core.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // vectors never leave this file

namespace hamel {
namespace {

// One row of (A + A_rest) K for each of `together` neighbouring numbers: columns of A are loaded once for all of them.
template <int lanes, int together>
__attribute__((always_inline)) inline void add_up(const double* A, const double* K,
                                                  LaneVector<lanes> (&sums)[together]) {
  using V = LaneVector<lanes>;
  for (int j = 0; j < lanes; ++j) {
    const V column = *reinterpret_cast<const V*>(A + j * lanes);
    for (int k = 0; k < together; ++k) sums[k] += column * K[k * lanes + j];
  }
}

template <int lanes, int together>
__attribute__((always_inline)) inline void advance_some(const double* A, const double* A_rest, double h,
                                                        const double* K, const double* y, const double* scale,
                                                        double* Z, double* Y, LaneVector<lanes>& squares) {
  using V = LaneVector<lanes>;
  V sums[together] = {}, rests[together] = {};
  add_up<lanes, together>(A, K, sums);
  if (A_rest != nullptr) add_up<lanes, together>(A_rest, K, rests);
  for (int k = 0; k < together; ++k) {
    V& old = *reinterpret_cast<V*>(Z + k * lanes);
    const V z = h * (sums[k] + rests[k]), change = (z - old) * scale[k];
    squares += change * change;
    old = z;
    *reinterpret_cast<V*>(Y + k * lanes) = y[k] + z;
  }
}

template <int lanes>
__attribute__((always_inline)) inline double advance(const double* A, const double* A_rest, double h, const double* K,
                                                     const double* y, const double* scale, std::size_t n, double* Z,
                                                     double* Y) {
  constexpr int together = 4;
  LaneVector<lanes> squares = {};
  std::size_t i = 0;
  for (; i + together <= n; i += together)
    advance_some<lanes, together>(A, A_rest, h, K + i * lanes, y + i, scale + i, Z + i * lanes, Y + i * lanes, squares);
  for (; i < n; ++i)
    advance_some<lanes, 1>(A, A_rest, h, K + i * lanes, y + i, scale + i, Z + i * lanes, Y + i * lanes, squares);
  double sum = 0;
  for (int k = 0; k < lanes; ++k) sum += squares[k];
  return std::sqrt(sum);
}

#ifdef __x86_64__
template <int lanes>
__attribute__((target("avx2,fma"))) double advance_avx2(const double* A, const double* A_rest, double h,
                                                        const double* K, const double* y, const double* scale,
                                                        std::size_t n, double* Z, double* Y) {
  return advance<lanes>(A, A_rest, h, K, y, scale, n, Z, Y);
}
template <int lanes>
__attribute__((target("avx512f,avx512vl"))) double advance_avx512(const double* A, const double* A_rest, double h,
                                                                  const double* K, const double* y, const double* scale,
                                                                  std::size_t n, double* Z, double* Y) {
  return advance<lanes>(A, A_rest, h, K, y, scale, n, Z, Y);
}
#endif

template <int lanes>
double dispatch(const double* A, const double* A_rest, double h, const double* K, const double* y, const double* scale,
                std::size_t n, double* Z, double* Y) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512vl")) return advance_avx512<lanes>(A, A_rest, h, K, y, scale, n, Z, Y);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return advance_avx2<lanes>(A, A_rest, h, K, y, scale, n, Z, Y);
#endif
  return advance<lanes>(A, A_rest, h, K, y, scale, n, Z, Y);
}

}  // namespace

double advance_in_vectors(int lanes, const double* A, const double* A_rest, double h, const double* K, const double* y,
                          const double* scale, std::size_t n, double* Z, double* Y) {
  return lanes == 8 ? dispatch<8>(A, A_rest, h, K, y, scale, n, Z, Y) : dispatch<4>(A, A_rest, h, K, y, scale, n, Z, Y);
}

}  // namespace hamel
