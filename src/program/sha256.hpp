// SHA-256 (FIPS 180-4), for the names and the integrity of cached files.
#pragma once

#include <string>
#include <string_view>

namespace hamel {

std::string sha256(std::string_view message);  // 64 hexadecimal digits

}  // namespace hamel
