// Included before everything: what the standard library of Emscripten 3.1.6 (libc++ 13) lacks.
#pragma once

#include <version>

#ifndef __cpp_lib_bit_cast
namespace std {  // NOLINT(cert-dcl58-cpp)
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif
