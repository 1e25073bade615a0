// Numbers in (0, 1) that depend on a seed, a member and a dimension alone.
#pragma once

#include <array>
#include <cstdint>

namespace hamel {

// Philox 4x32-10 of Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// 64 random bits of a place.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t member, std::uint64_t dimension);

double random_number(std::uint64_t seed, std::uint64_t member, std::uint64_t dimension);

// A sequence of Sobol with the direction numbers of Joe and Kuo, "Constructing Sobol sequences with better
// two-dimensional projections" (2008), shifted digit by digit as the seed says: 2^k members have one number in every
// interval of length 2^-k.
constexpr std::uint64_t most_sobol_dimensions = 21;
double sobol_number(std::uint64_t seed, std::uint64_t member, std::uint64_t dimension);

// One number in every interval of length 1 / members, in an order that the seed says.
double latin_number(std::uint64_t seed, std::uint64_t member, std::uint64_t dimension, std::uint64_t members);

}  // namespace hamel
