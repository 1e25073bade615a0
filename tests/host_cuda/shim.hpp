// Around the text of a GPU, so that this machine compiles and runs it, one thread after the other.
#pragma once

namespace hamel::test {

// What CUDA has and C++ has not.
inline constexpr const char* shim_begin = R"(
extern "C" {
double sqrt(double), cbrt(double), exp(double), log(double), sin(double), cos(double), tan(double), asin(double);
double acos(double), atan2(double, double), sinh(double), cosh(double), tanh(double), erf(double), fabs(double);
double hypot(double, double), floor(double), fmod(double, double), pow(double, double), fma(double, double, double);
double fmax(double, double), fmin(double, double), nan(const char*);
}
#define __device__
#define __global__
#define __constant__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(threads)
static thread_local struct { unsigned x, y, z; } threadIdx, blockIdx, blockDim;
)";
inline constexpr const char* shim_end = R"(
extern "C" double* const hamel_uniform_place = hamel_uniform;
extern "C" void hamel_launch(void (*kernel)(const Run), const Run* run, unsigned blocks, unsigned threads) {
  blockDim.x = threads;
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) kernel(*run);
}
)";

}  // namespace hamel::test
