#include "ensemble/sampling.hpp"

#include <bit>
#include <utility>
#include <vector>

namespace hamel {

namespace {

// Not 0 and not 1: their quantiles are infinite.
double open_unit(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

struct Polynomial {
  unsigned degree, inner;  // coefficients between the first and the last, which are 1
  std::array<std::uint64_t, 7> first;
};

// new-joe-kuo-6, dimensions 2 to 21; that of dimension 1 is the sequence of van der Corput.
constexpr std::array<Polynomial, most_sobol_dimensions - 1> polynomials{{{1, 0, {1}},
                                                                         {2, 1, {1, 3}},
                                                                         {3, 1, {1, 3, 1}},
                                                                         {3, 2, {1, 1, 1}},
                                                                         {4, 1, {1, 1, 3, 3}},
                                                                         {4, 4, {1, 3, 5, 13}},
                                                                         {5, 2, {1, 1, 5, 5, 17}},
                                                                         {5, 4, {1, 1, 5, 5, 5}},
                                                                         {5, 7, {1, 1, 7, 11, 19}},
                                                                         {5, 11, {1, 1, 5, 1, 1}},
                                                                         {5, 13, {1, 1, 1, 3, 11}},
                                                                         {5, 14, {1, 3, 5, 5, 31}},
                                                                         {6, 1, {1, 3, 3, 9, 7, 49}},
                                                                         {6, 13, {1, 1, 1, 15, 21, 21}},
                                                                         {6, 16, {1, 3, 1, 13, 27, 49}},
                                                                         {6, 19, {1, 1, 1, 15, 7, 5}},
                                                                         {6, 22, {1, 3, 1, 15, 13, 25}},
                                                                         {6, 25, {1, 1, 5, 5, 19, 61}},
                                                                         {7, 1, {1, 3, 7, 11, 23, 15, 103}},
                                                                         {7, 4, {1, 3, 7, 13, 13, 15, 69}}}};

using Directions = std::array<std::uint64_t, 64>;

Directions directions_of(std::uint64_t dimension) {
  Directions v{};
  if (dimension == 0) {
    for (unsigned k = 0; k < v.size(); ++k) v[k] = std::uint64_t{1} << (63 - k);
    return v;
  }
  const auto& [degree, inner, first] = polynomials[dimension - 1];
  for (unsigned k = 0; k < v.size(); ++k) {
    if (k < degree) {
      v[k] = first[k] << (63 - k);
      continue;
    }
    v[k] = v[k - degree] ^ (v[k - degree] >> degree);
    for (unsigned j = 1; j < degree; ++j)
      if ((inner >> (degree - 1 - j) & 1U) != 0) v[k] ^= v[k - j];
  }
  return v;
}

const Directions& directions(std::uint64_t dimension) {
  static const std::vector<Directions> all = [] {
    std::vector<Directions> result;
    for (std::uint64_t k = 0; k < most_sobol_dimensions; ++k) result.push_back(directions_of(k));
    return result;
  }();
  return all[dimension];
}

// A permutation of 0, ..., members - 1: rounds of Feistel on an even number of bits, repeated until it is in range.
std::uint64_t permuted(std::uint64_t seed, std::uint64_t index, std::uint64_t dimension, std::uint64_t members) {
  const unsigned half = (static_cast<unsigned>(std::bit_width(members - 1)) + 1) / 2;
  if (half == 0) return 0;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  constexpr std::uint64_t rounds = 6, apart = std::uint64_t{1} << 32;
  do {
    std::uint64_t left = index >> half, right = index & mask;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const std::uint64_t mixed = random_bits(seed ^ (round + 1) * apart, right, dimension) & mask;
      left = std::exchange(right, left ^ mixed);
    }
    index = left << half | right;
  } while (index >= members);
  return index;
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = multiplier0 * counter[0], b = multiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += weyl0;
    key[1] += weyl1;
  }
  return counter;
}

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t member, std::uint64_t dimension) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  const auto words = philox({low(member), high(member), low(dimension), high(dimension)}, {low(seed), high(seed)});
  return std::uint64_t{words[0]} << 32 | words[1];
}

double random_number(std::uint64_t seed, std::uint64_t member, std::uint64_t dimension) {
  return open_unit(random_bits(seed, member, dimension));
}

double sobol_number(std::uint64_t seed, std::uint64_t member, std::uint64_t dimension) {
  const Directions& v = directions(dimension);
  std::uint64_t x = random_bits(seed, ~std::uint64_t{0}, dimension);
  for (unsigned k = 0; member >> k != 0 && k < v.size(); ++k)
    if ((member >> k & 1U) != 0) x ^= v[k];
  return open_unit(x);
}

double latin_number(std::uint64_t seed, std::uint64_t member, std::uint64_t dimension, std::uint64_t members) {
  const double within = open_unit(random_bits(seed, member, dimension));
  const double x =
      (static_cast<double>(permuted(seed, member, dimension, members)) + within) / static_cast<double>(members);
  constexpr double below_one = 1 - 0x1p-53;
  return x < below_one ? x : below_one;
}

}  // namespace hamel
