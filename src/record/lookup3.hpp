// Bob Jenkins, "lookup3" (2006): the checksum of HDF5's metadata.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hamel::hdf5 {

inline std::uint32_t lookup3(const unsigned char* bytes, std::size_t size) {
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(size), b = a, c = a;
  const auto add_word = [&](std::uint32_t& to, std::size_t at) {
    for (std::size_t k = 0; k < 4 && at + k < size; ++k) to += static_cast<std::uint32_t>(bytes[at + k]) << 8 * k;
  };
  const auto add_words = [&](std::size_t at) { add_word(a, at), add_word(b, at + 4), add_word(c, at + 8); };
  const auto turned = [](std::uint32_t x, unsigned by) { return x << by | x >> (32 - by); };
  const auto mix = [&](std::uint32_t& x, std::uint32_t& y, std::uint32_t z, unsigned turn) {
    x = (x - y) ^ turned(y, turn);
    y += z;
  };
  const auto finish = [&](std::uint32_t& x, std::uint32_t y, unsigned turn) { x = (x ^ y) - turned(y, turn); };
  std::size_t at = 0;
  for (; size - at > 12; at += 12) {
    add_words(at);
    mix(a, c, b, 4), mix(b, a, c, 6), mix(c, b, a, 8), mix(a, c, b, 16), mix(b, a, c, 19), mix(c, b, a, 4);
  }
  add_words(at);
  finish(c, b, 14), finish(a, c, 11), finish(b, a, 25), finish(c, b, 16), finish(a, c, 4), finish(b, a, 14);
  finish(c, b, 24);
  return c;
}

}  // namespace hamel::hdf5
