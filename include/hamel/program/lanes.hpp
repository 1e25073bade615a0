// Several numbers in one register, added and multiplied lane by lane. Such vectors must not be passed between functions
// that are compiled for different processors (-Wpsabi): keep them inside a file.
#pragma once

namespace hamel {

template <int lanes>
struct Lanes;
template <>
struct Lanes<1> {
  using type = double;
};
template <>
struct Lanes<4> {
  typedef double type __attribute__((vector_size(32), aligned(8)));
};
template <>
struct Lanes<8> {
  typedef double type __attribute__((vector_size(64), aligned(8)));
};

template <int lanes>
using LaneVector = typename Lanes<lanes>::type;

}  // namespace hamel
