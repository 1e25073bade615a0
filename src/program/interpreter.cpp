#include <cmath>

#include "hamel/graph/table.hpp"
#include "hamel/program/lanes.hpp"
#include "program/tape.hpp"

// Compiled with -ffp-contract=fast: a product and a sum within one instruction are rounded once where the processor
// can, and nowhere else, as in native code.
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors never leave this file

#define HAMEL_INLINE __attribute__((always_inline))

namespace hamel {
namespace {

template <int lanes>
struct Interpreter {
  using V = LaneVector<lanes>;

  const Instruction* at;
  const Instruction* end;
  double* file;

  HAMEL_INLINE V& number(std::uint32_t index) const { return *reinterpret_cast<V*>(file + std::size_t{index} * lanes); }

  template <class F>
  HAMEL_INLINE void unary(F f) {
    for (; at != end; ++at) number(at->target) = f(number(at->a));
  }
  template <class F>
  HAMEL_INLINE void binary(F f) {
    for (; at != end; ++at) number(at->target) = f(number(at->a), number(at->b));
  }
  template <class F>
  HAMEL_INLINE void ternary(F f) {
    for (; at != end; ++at) number(at->target) = f(number(at->a), number(at->b), number(at->c));
  }

  // For what the vector unit does not have: one lane at a time.
  template <class F>
  HAMEL_INLINE void each_unary(F f) {
    for (; at != end; ++at)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        file[std::size_t{at->target} * lanes + lane] = f(file[std::size_t{at->a} * lanes + lane]);
  }
  template <class F>
  HAMEL_INLINE void each_binary(F f) {
    for (; at != end; ++at)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        file[std::size_t{at->target} * lanes + lane] =
            f(file[std::size_t{at->a} * lanes + lane], file[std::size_t{at->b} * lanes + lane]);
  }

  HAMEL_INLINE void run(InstructionKind kind) {
    const V zero = V{}, one = zero + 1.0;
    switch (kind) {
      case kind_of(Op::add):
        return binary([](const V& a, const V& b) HAMEL_INLINE { return a + b; });
      case kind_of(Op::subtract):
        return binary([](const V& a, const V& b) HAMEL_INLINE { return a - b; });
      case kind_of(Op::multiply):
        return binary([](const V& a, const V& b) HAMEL_INLINE { return a * b; });
      case kind_of(Op::divide):
        return binary([](const V& a, const V& b) HAMEL_INLINE { return a / b; });
      case kind_of(Op::negate):
        return unary([](const V& a) HAMEL_INLINE { return -a; });
      case kind_of(Op::multiply_add):
        return ternary([](const V& a, const V& b, const V& c) HAMEL_INLINE { return a * b + c; });
      case kind_of(Op::multiply_subtract):
        return ternary([](const V& a, const V& b, const V& c) HAMEL_INLINE { return a * b - c; });
      case kind_of(Op::subtract_multiply):
        return ternary([](const V& a, const V& b, const V& c) HAMEL_INLINE { return c - a * b; });
      case copy:
        return unary([](const V& a) HAMEL_INLINE { return a; });
      case kind_of(Op::power):
        return each_binary([](double a, double b) HAMEL_INLINE { return std::pow(a, b); });
      case kind_of(Op::less):
        return binary([=](const V& a, const V& b) HAMEL_INLINE { return a < b ? one : zero; });
      case kind_of(Op::less_equal):
        return binary([=](const V& a, const V& b) HAMEL_INLINE { return a <= b ? one : zero; });
      case kind_of(Op::select):
        return ternary([=](const V& a, const V& b, const V& c) HAMEL_INLINE { return a != zero ? b : c; });
// In all lanes at once where the vector unit has what the function is made of.
#define FUNCTION_1(name, value, ...)                               \
  case kind_of(Op::name):                                          \
    if constexpr (requires(const V& a) { V(value); })              \
      return unary([](const V& a) HAMEL_INLINE { return value; }); \
    else                                                           \
      return each_unary([](double a) HAMEL_INLINE { return value; });
#define FUNCTION_2(name, value, ...)                                            \
  case kind_of(Op::name):                                                       \
    if constexpr (requires(const V& a, const V& b) { V(value); })               \
      return binary([](const V& a, const V& b) HAMEL_INLINE { return value; }); \
    else                                                                        \
      return each_binary([](double a, double b) HAMEL_INLINE { return value; });
#include "hamel/graph/functions.def"
      default:
        __builtin_unreachable();  // code has no other operations
    }
  }
};

template <int lanes>
HAMEL_INLINE inline void run_blocks(const Schedule& schedule, double* file) {
  const Instruction* at = schedule.instructions.data();
  for (const Block& block : schedule.blocks) {
    Interpreter<lanes>{at, at + block.count, file}.run(block.kind);
    at += block.count;
  }
}

#ifdef __x86_64__  // lanes: a third faster than the two numbers at once of the baseline; avx512f is no faster than this
template <int lanes>
__attribute__((target("avx2,fma"))) void run_blocks_fma(const Schedule& schedule, double* file) {
  run_blocks<lanes>(schedule, file);
}
#endif

}  // namespace

template <int lanes>
void interpret(const Schedule& schedule, double* file) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return run_blocks_fma<lanes>(schedule, file);
#endif
  run_blocks<lanes>(schedule, file);
}

template void interpret<1>(const Schedule&, double*);
template void interpret<4>(const Schedule&, double*);
template void interpret<8>(const Schedule&, double*);

}  // namespace hamel
