#include "integrate/count_allocations.hpp"

#include <atomic>
#include <cstddef>

namespace {
std::atomic<long> count = 0;
}

long hamel::test::allocations() { return count; }

#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)

bool hamel::test::counts_allocations() { return false; }

#else

bool hamel::test::counts_allocations() { return true; }

extern "C" void* __libc_malloc(std::size_t size);  // NOLINT(bugprone-reserved-identifier)
extern "C" void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}

#endif
