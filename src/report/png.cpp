#include "report/png.hpp"

#include <algorithm>
#include <string_view>

namespace hamel {

namespace {

using Bytes = std::vector<unsigned char>;

void put_big(Bytes& bytes, std::uint32_t word) {
  for (const int shift : {24, 16, 8, 0}) bytes.push_back(static_cast<unsigned char>(word >> shift));
}

std::uint32_t crc_of(const Bytes& bytes, std::size_t first) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> all{};
    for (std::uint32_t n = 0; n < all.size(); ++n) {
      std::uint32_t c = n;
      for (int k = 0; k < 8; ++k) c = (c & 1U) != 0 ? 0xedb88320U ^ c >> 1 : c >> 1;
      all[n] = c;
    }
    return all;
  }();
  std::uint32_t crc = 0xffffffffU;
  for (std::size_t k = first; k < bytes.size(); ++k) crc = table[(crc ^ bytes[k]) & 0xffU] ^ crc >> 8;
  return crc ^ 0xffffffffU;
}

void put_chunk(Bytes& file, std::string_view name, const Bytes& data) {
  put_big(file, static_cast<std::uint32_t>(data.size()));
  const std::size_t first = file.size();
  file.insert(file.end(), name.begin(), name.end());
  file.insert(file.end(), data.begin(), data.end());
  put_big(file, crc_of(file, first));
}

// zlib with stored blocks, RFC 1950 and 1951.
Bytes stored(const Bytes& data) {
  constexpr std::size_t most = 65535;
  Bytes result{0x78, 0x01};
  std::uint32_t a = 1, b = 0;
  for (std::size_t at = 0; at < data.size() || at == 0; at += most) {
    const std::size_t size = std::min(most, data.size() - at);
    result.push_back(at + size == data.size() ? 1 : 0);
    for (const std::size_t word : {size, ~size})
      for (const int shift : {0, 8}) result.push_back(static_cast<unsigned char>(word >> shift));
    result.insert(result.end(), data.begin() + static_cast<std::ptrdiff_t>(at),
                  data.begin() + static_cast<std::ptrdiff_t>(at + size));
  }
  for (const unsigned char byte : data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  put_big(result, b << 16 | a);
  return result;
}

}  // namespace

std::vector<unsigned char> png(std::uint32_t width, std::uint32_t height, const std::vector<std::uint8_t>& pixels,
                               const std::vector<Colour>& palette) {
  Bytes file{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, head, colours, rows;
  put_big(head, width);
  put_big(head, height);
  head.insert(head.end(), {8, 3, 0, 0, 0});
  for (const Colour& colour : palette) colours.insert(colours.end(), colour.begin(), colour.end());
  for (std::uint32_t row = 0; row < height; ++row) {
    rows.push_back(0);
    const auto begin = pixels.begin() + static_cast<std::ptrdiff_t>(row) * width;
    rows.insert(rows.end(), begin, begin + width);
  }
  put_chunk(file, "IHDR", head);
  put_chunk(file, "PLTE", colours);
  put_chunk(file, "IDAT", stored(rows));
  put_chunk(file, "IEND", {});
  return file;
}

}  // namespace hamel
