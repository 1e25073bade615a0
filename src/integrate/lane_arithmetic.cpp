#include "integrate/lane_arithmetic.hpp"

#include "hamel/program/lanes.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // vectors never leave this file

// A function of each kind of processor; the one of this machine is chosen when the program starts.
#if defined __x86_64__ && defined __linux__ && !defined __SANITIZE_ADDRESS__
#define FOR_EVERY_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EVERY_PROCESSOR
#endif

namespace hamel {
namespace {

typedef double V __attribute__((vector_size(64), may_alias));

__attribute__((always_inline)) inline const V* vectors(const LaneBlock& x) {
  return reinterpret_cast<const V*>(x.data());
}
__attribute__((always_inline)) inline V* vectors(LaneBlock& x) { return reinterpret_cast<V*>(x.data()); }
__attribute__((always_inline)) inline const V& vector(const Eight& x) { return reinterpret_cast<const V&>(x); }
__attribute__((always_inline)) inline V& vector(Eight& x) { return reinterpret_cast<V&>(x); }

// By reference: handed over as values, vectors would be passed in the registers of one kind of processor.
__attribute__((always_inline)) inline void enlarge(V& most, const V& x) { most = most < x ? x : most; }
__attribute__((always_inline)) inline void drop_sign(V& x) { x = x < 0 ? -x : x; }

}  // namespace

FOR_EVERY_PROCESSOR
LaneSet finite_lanes(const LaneBlock& x) {
  const V* const numbers = vectors(x);
  V off = {};  // stays so where all are finite
  for (std::size_t i = 0; i < x.rows(); ++i) off += numbers[i] - numbers[i];
  LaneSet result;
  for (int k = 0; k < 8; ++k) result[static_cast<std::size_t>(k)] = off[k] == 0;
  return result;
}

void take_lanes(LaneSet which, LaneBlock& x, LaneBlock& y) {
  if (which.all()) return x.swap(y);
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (int k = 0; k < 8; ++k)
      if (which[static_cast<std::size_t>(k)]) x[static_cast<long>(i)][k] = y[static_cast<long>(i)][k];
}

FOR_EVERY_PROCESSOR
void add_stages(const LaneBlock& y, const Eight* weights, const LaneBlock* const* stages, int count,
                LaneBlock& result) {
  const V* const from = vectors(y);
  V* const to = vectors(result);
  for (std::size_t i = 0; i < result.rows(); ++i) {
    V sum = from[i];
    for (int j = 0; j < count; ++j) sum += vector(weights[j]) * vectors(*stages[j])[i];
    to[i] = sum;
  }
}

FOR_EVERY_PROCESSOR
void combine_stages(const LaneBlock* y, const Eight& h, const double* weights, const LaneBlock* const* stages,
                    int count, LaneBlock& result) {
  const V* const from = y == nullptr ? nullptr : vectors(*y);
  const V size = vector(h);
  V* const to = vectors(result);
  for (std::size_t i = 0; i < result.rows(); ++i) {
    V sum = {};
    for (int j = 0; j < count; ++j) sum += weights[j] * vectors(*stages[j])[i];
    to[i] = from == nullptr ? size * sum : from[i] + size * sum;
  }
}

FOR_EVERY_PROCESSOR
Eight scaled_size(const LaneBlock& x, const LaneBlock& a, const LaneBlock& b, double relative, double absolute) {
  const V *const error = vectors(x), *const begin = vectors(a), *const end = vectors(b);
  Eight result;
  V largest = {};
  for (std::size_t i = 0; i < x.rows(); ++i) {
    V size = begin[i], other = end[i], off = error[i];
    drop_sign(size);
    drop_sign(other);
    drop_sign(off);
    enlarge(size, other);
    enlarge(largest, off / (relative * size + absolute));
  }
  vector(result) = largest;
  return result;
}

FOR_EVERY_PROCESSOR
void extrapolate(const LaneBlock& x, const LaneBlock& y, const LaneBlock& z, LaneBlock& result) {
  const V *const a = vectors(x), *const b = vectors(y), *const c = vectors(z);
  V* const to = vectors(result);
  for (std::size_t i = 0; i < result.rows(); ++i) to[i] = 3.0 * (a[i] - b[i]) + c[i];
}

FOR_EVERY_PROCESSOR
void add(const LaneBlock& x, const LaneBlock& y, LaneBlock& result) {
  const V *const a = vectors(x), *const b = vectors(y);
  V* const to = vectors(result);
  for (std::size_t i = 0; i < result.rows(); ++i) to[i] = a[i] + b[i];
}

FOR_EVERY_PROCESSOR
void subtract(const LaneBlock& x, const LaneBlock& y, LaneBlock& result) {
  const V *const a = vectors(x), *const b = vectors(y);
  V* const to = vectors(result);
  for (std::size_t i = 0; i < result.rows(); ++i) to[i] = a[i] - b[i];
}

FOR_EVERY_PROCESSOR
Eight largest(const LaneBlock& x) {
  const V* const numbers = vectors(x);
  V most = {};
  for (std::size_t i = 0; i < x.rows(); ++i) {
    V size = numbers[i];
    drop_sign(size);
    enlarge(most, size);
  }
  Eight result;
  vector(result) = most;
  return result;
}

FOR_EVERY_PROCESSOR
Eight largest(const LaneBlock& x, const LaneBlock& weights) {
  const V *const numbers = vectors(x), *const weight = vectors(weights);
  V most = {};
  for (std::size_t i = 0; i < x.rows(); ++i) {
    V size = numbers[i];
    drop_sign(size);
    enlarge(most, size * weight[i]);
  }
  Eight result;
  vector(result) = most;
  return result;
}

FOR_EVERY_PROCESSOR
Eight largest_difference(const LaneBlock& x, const LaneBlock& y) {
  const V *const a = vectors(x), *const b = vectors(y);
  V largest = {};
  for (std::size_t i = 0; i < x.rows(); ++i) {
    V size = a[i] - b[i];
    drop_sign(size);
    enlarge(largest, size);
  }
  Eight result;
  vector(result) = largest;
  return result;
}

FOR_EVERY_PROCESSOR
void add_compensated(const LaneBlock& before, const LaneBlock& change, LaneBlock& lost, LaneBlock& after) {
  const V *const from = vectors(before), *const by = vectors(change);
  V *const rest = vectors(lost), *const to = vectors(after);
  for (std::size_t i = 0; i < after.rows(); ++i) {
    const V start = from[i], way = by[i] + rest[i], end = start + way, added = end - start;
    rest[i] = (start - (end - added)) + (way - added);
    to[i] = end;
  }
}

}  // namespace hamel
