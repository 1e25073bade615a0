#include "integrate/lane_arithmetic.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // vectors never leave this file

#define INLINE __attribute__((always_inline)) static inline

namespace hamel {
namespace {

// As many numbers as a register holds: compilers make poor code of longer vectors. Eight lanes are some of them.
template <int width>
struct Register {
  typedef double type __attribute__((vector_size(8 * width), may_alias));
};
template <int width>
using Vector = typename Register<width>::type;
template <int width>
constexpr int parts = 8 / width;

template <int width>
INLINE const Vector<width>* vectors(const LaneBlock& x) {
  return reinterpret_cast<const Vector<width>*>(x.data());
}
template <int width>
INLINE Vector<width>* vectors(LaneBlock& x) {
  return reinterpret_cast<Vector<width>*>(x.data());
}
template <int width>
INLINE const Vector<width>* vectors(const Eight& x) {
  return reinterpret_cast<const Vector<width>*>(x.lane.data());
}
template <int width>
INLINE Vector<width>* vectors(Eight& x) {
  return reinterpret_cast<Vector<width>*>(x.lane.data());
}
template <int width>
INLINE long count(const LaneBlock& x) {
  return static_cast<long>(x.rows()) * parts<width>;
}

// By reference: handed over as values, vectors would be passed in the registers of one kind of processor.
template <class V>
INLINE void enlarge(V& most, const V& x) {
  most = most < x ? x : most;
}
template <class V>
INLINE void drop_sign(V& x) {
  x = x < 0 ? -x : x;
}

struct FiniteLanes {
  template <int width>
  INLINE LaneSet of(const LaneBlock& x) {
    LaneSet result;
    std::size_t lane = 0;
    for (int part = 0; part < parts<width>; ++part) {
      const Vector<width>* const numbers = vectors<width>(x);
      Vector<width> off = {};  // stays so where all are finite
      for (long i = part; i < count<width>(x); i += parts<width>) off += numbers[i] - numbers[i];
      for (int k = 0; k < width; ++k) result[lane++] = off[k] == 0;
    }
    return result;
  }
};

// Some neighbouring numbers of y + sum_j w_j k_j at once, so that no sum waits for another.
constexpr int together = 4, most_stages = 16;

template <int width>
struct LaneStages {
  INLINE void find(const LaneBlock* const* stages, int count, LaneStages& result) {
    result.count = count;
    for (int j = 0; j < count; ++j) result.k[j] = vectors<width>(*stages[j]);
  }
  const Vector<width>* k[most_stages];
  int count;
};

struct AddStages {
  template <int width, int some>
  INLINE void add(const LaneStages<width>& stages, const Eight* weights, long i, const Vector<width>* y,
                  Vector<width>* to) {
    Vector<width> sums[some];
#pragma GCC unroll 4
    for (int m = 0; m < some; ++m) sums[m] = y[i + m];
    for (int j = 0; j < stages.count; ++j)
#pragma GCC unroll 4
      for (int m = 0; m < some; ++m) sums[m] += vectors<width>(weights[j])[(i + m) % parts<width>] * stages.k[j][i + m];
#pragma GCC unroll 4
    for (int m = 0; m < some; ++m) to[i + m] = sums[m];
  }

  template <int width>
  INLINE void of(const LaneBlock& y, const Eight* weights, const LaneBlock* const* stages, int stage_count,
                 LaneBlock& result) {
    LaneStages<width> all;
    LaneStages<width>::find(stages, stage_count, all);
    long i = 0;
    for (; i + together <= count<width>(result); i += together)
      add<width, together>(all, weights, i, vectors<width>(y), vectors<width>(result));
    for (; i < count<width>(result); ++i) add<width, 1>(all, weights, i, vectors<width>(y), vectors<width>(result));
  }
};

struct CombineStages {
  template <int width, int some>
  INLINE void add(const LaneStages<width>& stages, const double* weights, const Vector<width>* h, long i,
                  const Vector<width>* y, Vector<width>* to) {
    Vector<width> sums[some];
#pragma GCC unroll 4
    for (int m = 0; m < some; ++m) sums[m] = -Vector<width>{};
    for (int j = 0; j < stages.count; ++j)
#pragma GCC unroll 4
      for (int m = 0; m < some; ++m) sums[m] += weights[j] * stages.k[j][i + m];
#pragma GCC unroll 4
    for (int m = 0; m < some; ++m) {
      sums[m] *= h[(i + m) % parts<width>];
      if (y != nullptr) sums[m] = y[i + m] + sums[m];
      to[i + m] = sums[m];
    }
  }

  template <int width>
  INLINE void of(const LaneBlock* y, const Eight& h, const double* weights, const LaneBlock* const* stages,
                 int stage_count, LaneBlock& result) {
    LaneStages<width> all;
    LaneStages<width>::find(stages, stage_count, all);
    const Vector<width>* const from = y == nullptr ? nullptr : vectors<width>(*y);
    Vector<width>* const to = vectors<width>(result);
    long i = 0;
    for (; i + together <= count<width>(result); i += together)
      add<width, together>(all, weights, vectors<width>(h), i, from, to);
    for (; i < count<width>(result); ++i) add<width, 1>(all, weights, vectors<width>(h), i, from, to);
  }
};

struct ScaledSize {
  template <int width>
  INLINE void of(const LaneBlock& x, const LaneBlock& a, const LaneBlock& b, double relative, double absolute,
                 Eight& result) {
    const Vector<width>*const error = vectors<width>(x), *const begin = vectors<width>(a),
                              *const end = vectors<width>(b);
    for (int part = 0; part < parts<width>; ++part) {
      Vector<width> most = {};
      for (long i = part; i < count<width>(x); i += parts<width>) {
        Vector<width> size = begin[i], other = end[i], off = error[i];
        drop_sign(size);
        drop_sign(other);
        drop_sign(off);
        enlarge(size, other);
        enlarge(most, off * (1.0 / (relative * size + absolute)));
      }
      vectors<width>(result)[part] = most;
    }
  }
};

struct RelativeSize {
  template <int width>
  INLINE void of(const LaneBlock& x, const LaneBlock& y, double relative, double absolute, Eight& result) {
    for (int part = 0; part < parts<width>; ++part) {
      Vector<width> most = {};
      for (long i = part; i < count<width>(x); i += parts<width>) {
        Vector<width> size = vectors<width>(y)[i], off = vectors<width>(x)[i];
        drop_sign(size);
        drop_sign(off);
        enlarge(most, off / (relative * size + absolute));
      }
      vectors<width>(result)[part] = most;
    }
  }
};

struct Extrapolate {
  template <int width>
  INLINE void of(const LaneBlock& x, const LaneBlock& y, const LaneBlock& z, LaneBlock& result) {
    const Vector<width>*const a = vectors<width>(x), *const b = vectors<width>(y), *const c = vectors<width>(z);
    for (long i = 0; i < count<width>(result); ++i) vectors<width>(result)[i] = 3.0 * (a[i] - b[i]) + c[i];
  }
};

struct Add {
  template <int width>
  INLINE void of(const LaneBlock& x, const LaneBlock& y, LaneBlock& result) {
    for (long i = 0; i < count<width>(result); ++i)
      vectors<width>(result)[i] = vectors<width>(x)[i] + vectors<width>(y)[i];
  }
};

struct Subtract {
  template <int width>
  INLINE void of(const LaneBlock& x, const LaneBlock& y, LaneBlock& result) {
    for (long i = 0; i < count<width>(result); ++i)
      vectors<width>(result)[i] = vectors<width>(x)[i] - vectors<width>(y)[i];
  }
};

struct Largest {
  template <int width>
  INLINE void of(const LaneBlock& x, const LaneBlock* weights, const LaneBlock* y, Eight& result) {
    for (int part = 0; part < parts<width>; ++part) {
      Vector<width> most = {};
      for (long i = part; i < count<width>(x); i += parts<width>) {
        Vector<width> size = vectors<width>(x)[i];
        if (y != nullptr) size -= vectors<width>(*y)[i];
        drop_sign(size);
        if (weights != nullptr) size *= vectors<width>(*weights)[i];
        enlarge(most, size);
      }
      vectors<width>(result)[part] = most;
    }
  }
};

struct AddCompensated {
  template <int width>
  INLINE void of(const LaneBlock& before, const LaneBlock& change, LaneBlock& lost, LaneBlock& after) {
    Vector<width>* const rest = vectors<width>(lost);
    for (long i = 0; i < count<width>(after); ++i) {
      const Vector<width> start = vectors<width>(before)[i], way = vectors<width>(change)[i] + rest[i];
      const Vector<width> end = start + way, added = end - start;
      rest[i] = (start - (end - added)) + (way - added);
      vectors<width>(after)[i] = end;
    }
  }
};

#ifdef __x86_64__
template <class Operation, class... Arguments>
__attribute__((target("avx512f"))) auto with_avx512(Arguments&... arguments) {
  return Operation::template of<8>(arguments...);
}
template <class Operation, class... Arguments>
__attribute__((target("avx2"))) auto with_avx2(Arguments&... arguments) {
  return Operation::template of<4>(arguments...);
}
#endif

template <class Operation, class... Arguments>
auto compute(Arguments&... arguments) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f")) return with_avx512<Operation>(arguments...);
  if (__builtin_cpu_supports("avx2")) return with_avx2<Operation>(arguments...);
#endif
  return Operation::template of<2>(arguments...);
}

}  // namespace

LaneSet finite_lanes(const LaneBlock& x) { return compute<FiniteLanes>(x); }

void take_lanes(LaneSet which, LaneBlock& x, LaneBlock& y) {
  if (which.all()) return x.swap(y);
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (int k = 0; k < 8; ++k)
      if (which[static_cast<std::size_t>(k)]) x[static_cast<long>(i)][k] = y[static_cast<long>(i)][k];
}

void add_stages(const LaneBlock& y, const Eight* weights, const LaneBlock* const* stages, int count,
                LaneBlock& result) {
  compute<AddStages>(y, weights, stages, count, result);
}
void combine_stages(const LaneBlock* y, const Eight& h, const double* weights, const LaneBlock* const* stages,
                    int count, LaneBlock& result) {
  compute<CombineStages>(y, h, weights, stages, count, result);
}
Eight scaled_size(const LaneBlock& x, const LaneBlock& a, const LaneBlock& b, double relative, double absolute) {
  Eight result;
  compute<ScaledSize>(x, a, b, relative, absolute, result);
  return result;
}

Eight relative_size(const LaneBlock& x, const LaneBlock& y, double relative, double absolute) {
  Eight result;
  compute<RelativeSize>(x, y, relative, absolute, result);
  return result;
}

void extrapolate(const LaneBlock& x, const LaneBlock& y, const LaneBlock& z, LaneBlock& result) {
  compute<Extrapolate>(x, y, z, result);
}
void add(const LaneBlock& x, const LaneBlock& y, LaneBlock& result) { compute<Add>(x, y, result); }
void subtract(const LaneBlock& x, const LaneBlock& y, LaneBlock& result) { compute<Subtract>(x, y, result); }

Eight largest(const LaneBlock& x) {
  Eight result;
  const LaneBlock *const weights = nullptr, *const y = nullptr;
  compute<Largest>(x, weights, y, result);
  return result;
}
Eight largest(const LaneBlock& x, const LaneBlock& weights) {
  Eight result;
  const LaneBlock *const given = &weights, *const y = nullptr;
  compute<Largest>(x, given, y, result);
  return result;
}
Eight largest_difference(const LaneBlock& x, const LaneBlock& y) {
  Eight result;
  const LaneBlock *const weights = nullptr, *const other = &y;
  compute<Largest>(x, weights, other, result);
  return result;
}

void add_compensated(const LaneBlock& before, const LaneBlock& change, LaneBlock& lost, LaneBlock& after) {
  compute<AddCompensated>(before, change, lost, after);
}

}  // namespace hamel
