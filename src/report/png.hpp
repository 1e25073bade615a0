// Pictures of a few colours, as PNG, without compression: a byte for each pixel.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace hamel {

using Colour = std::array<std::uint8_t, 3>;

// Rows from the top; each pixel is a place in the palette, of at most 256 colours.
std::vector<unsigned char> png(std::uint32_t width, std::uint32_t height, const std::vector<std::uint8_t>& pixels,
                               const std::vector<Colour>& palette);

}  // namespace hamel
