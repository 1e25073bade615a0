#include "ensemble/run_text.hpp"

namespace hamel {

std::string arguments_text() {
  return R"(
#define AT(i) ((i) * r.members + m)
struct Run {
  long long members;
  double t, h, last, end, interval, late;
  int steps, every;
  const double *start, *own, *scalars;
  double *finish, *kept, *path;
  int* outcome;
};
)";
}

// SIZE: numbers of a start; OWN: numbers of a member that differ; SCALARS: what is looked at, by look(); SUMMARY: is it
// summed up over all steps? GATHERED: how many numbers are gathered of it at outputs (gather_text.hpp); PATH: are there
// states on the way? Steps end at t + k h, without accumulated rounding, as those of fixed_step.hpp do.
std::string run_text() {
  return R"(
#if SUMMARY
struct Summary { double least[SCALARS], largest[SCALARS], sum[SCALARS]; };
static __device__ __forceinline__ void keep(Summary& kept, const Step& s, const double* own, double t, bool first) {
  double q[NQ], v[NQ], x[SCALARS];
  step_state(s, own, t, q, v);
  look(own, q, v, &t, x);
  EACH(i, SCALARS) {
    kept.least[i] = first || x[i] < kept.least[i] ? x[i] : kept.least[i];
    kept.largest[i] = first || x[i] > kept.largest[i] ? x[i] : kept.largest[i];
    kept.sum[i] = first ? x[i] : kept.sum[i] + x[i];
  }
}
#endif
// A member from its start on.
static __device__ __forceinline__ void run_member(const Run& r, long long m, bool may_take_long_steps) {
  double own[OWN + 1], numbers[SIZE];
  EACH(i, OWN) own[i] = r.own[AT(i)];
  EACH(i, SIZE) numbers[i] = r.start[AT(i)];
  Step s;
  step_begin(s, own, numbers, r.t, r.h);
#if SUMMARY
  Summary kept;
  keep(kept, s, own, r.t, true);
#endif
#if PATH
  double* path = r.path;
  int left = r.every;
#endif
#if GATHERED
  Gathered gathered;
  begin_gathering(gathered, r, m);
  int left = r.every, output = 0;
#endif
  int failure = 0, n = 0;
  double t = r.t, h = r.h, inverse = 1 / r.h;
#pragma unroll 1
  for (; n < r.steps; ++n) {
    double next = r.t + (n + 1) * r.h;
    if (n + 1 == r.steps) {
      h = r.last;
      inverse = 1 / h;
      next = r.end;
    }
#ifdef LONG_STEP
    if (may_take_long_steps)
      failure = step_advance_long(s, own, t, h, inverse, next);
    else
#endif
      failure = step_advance(s, own, t, h, inverse, next);
    if (failure != 0) break;
    t = next;
#if SUMMARY
    keep(kept, s, own, t, false);
#endif
#if GATHERED
    if (--left == 0) {
      double time = r.t + ++output * r.interval;
      if (time >= r.late || n + 1 == r.steps) time = r.end;
      if (!gather(gathered, r, m, s, own, t, time)) failure = 1;
      left = r.every;
    }
    if (failure != 0) break;
#endif
#if PATH
    if (--left == 0) {
      double now[SIZE];
      step_end(s, own, t, now);
      EACH(i, SIZE) path[AT(i)] = now[i];
      path += SIZE * r.members;
      left = r.every;
    }
#endif
  }
  step_end(s, own, t, numbers);
  EACH(i, SIZE) r.finish[AT(i)] = numbers[i];
#if GATHERED
  if (failure == 0 && gathered.t != r.end && !gather(gathered, r, m, s, own, t, r.end)) failure = 1;
  EACH(i, GATHERED) r.kept[AT(i)] = gathered.kept[i];
#endif
#if SUMMARY
  EACH(i, SCALARS) {
    r.kept[AT(3 * i)] = kept.least[i];
    r.kept[AT(3 * i + 1)] = kept.largest[i];
    r.kept[AT(3 * i + 2)] = kept.sum[i] / (n + 1);
  }
#endif
  r.outcome[AT(0)] = failure;
  r.outcome[AT(1)] = n;
}
extern "C" __global__ void __launch_bounds__(128) hamel_run(const Run r) {
  const long long m = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (m < r.members) run_member(r, m, false);
}
#ifdef LONG_STEP
// The members that have to take a long step, all over again: a loop with more code has fewer registers for the others.
extern "C" __global__ void __launch_bounds__(128) hamel_run_long(const Run r) {
  const long long m = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (m < r.members && r.outcome[AT(0)] == LONG_STEP) run_member(r, m, true);
}
#endif
)";
}

}  // namespace hamel
