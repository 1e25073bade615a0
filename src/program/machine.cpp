#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>

#include "hamel/program/native.hpp"
#include "program/compiler.hpp"

namespace hamel {

std::map<std::string, std::string> this_machine() {
  const auto compiler = find_compiler(false);
  std::array<char, 256> libm{};
#ifdef _CS_GNU_LIBC_VERSION
  ::confstr(_CS_GNU_LIBC_VERSION, libm.data(), libm.size());
#endif
  return {{"processor", host_processor()},
          {"compiler", compiler ? compiler->identity : "none"},
          {"flags", fmt::format("{}", fmt::join(compiler_flags(), " "))},
          {"libm", libm.data()}};
}

}  // namespace hamel
