#include "integrate/gauss_core.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // vectors never leave this file

namespace hamel {
namespace {

template <int lanes>
struct Vector;
template <>
struct Vector<4> {
  typedef double type __attribute__((vector_size(32), aligned(8)));
};
template <>
struct Vector<8> {
  typedef double type __attribute__((vector_size(64), aligned(8)));
};

template <int lanes>
__attribute__((always_inline)) inline double advance(const double* A, const double* A_rest, double h, const double* K,
                                                     const double* y, const double* scale, std::size_t n, double* Z,
                                                     double* Y) {
  using V = typename Vector<lanes>::type;
  V column[lanes], rest[lanes];
  for (int j = 0; j < lanes; ++j) {
    column[j] = *reinterpret_cast<const V*>(A + j * lanes);
    rest[j] = *reinterpret_cast<const V*>(A_rest + j * lanes);
  }
  V largest = V{};
  for (std::size_t i = 0; i < n; ++i) {
    V sum = V{}, small = V{};
    for (int j = 0; j < lanes; ++j) {
      sum += column[j] * K[i * lanes + static_cast<std::size_t>(j)];
      small += rest[j] * K[i * lanes + static_cast<std::size_t>(j)];
    }
    V& old = *reinterpret_cast<V*>(Z + i * lanes);
    const V z = h * (sum + small);
    V change = (z - old) * scale[i];
    change = change < 0 ? -change : change;
    largest = largest < change || change != change ? change : largest;
    old = z;
    *reinterpret_cast<V*>(Y + i * lanes) = y[i] + z;
  }
  double result = 0;
  for (int k = 0; k < lanes; ++k)
    if (!(largest[k] <= result)) result = largest[k];
  return result;
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

template <>
double advance_stages<double, 4>(const double* A, const double* A_rest, double h, const double* K, const double* y,
                                 const double* scale, std::size_t n, double* Z, double* Y) {
  return dispatch<4>(A, A_rest, h, K, y, scale, n, Z, Y);
}

template <>
double advance_stages<double, 8>(const double* A, const double* A_rest, double h, const double* K, const double* y,
                                 const double* scale, std::size_t n, double* Z, double* Y) {
  return dispatch<8>(A, A_rest, h, K, y, scale, n, Z, Y);
}

}  // namespace hamel
