// Bytes as text.
#pragma once

#include <bit>
#include <span>
#include <string>
#include <vector>

namespace hamel {

std::string base64(std::span<const unsigned char> bytes);

// The bytes of the numbers, little-endian.
template <class Number>
std::string base64_numbers(const std::vector<Number>& numbers) {
  static_assert(std::endian::native == std::endian::little);
  return base64({reinterpret_cast<const unsigned char*>(numbers.data()), numbers.size() * sizeof(Number)});
}

}  // namespace hamel
