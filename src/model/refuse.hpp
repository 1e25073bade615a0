#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>
#include <utility>

#include "hamel/model/formula.hpp"

namespace hamel {

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> message, Args&&... args) {
  throw std::invalid_argument(fmt::format(message, std::forward<Args>(args)...));
}

inline std::string_view role_name(Role role) {
  constexpr std::string_view names[] = {"parameter", "coordinate", "momentum", "input", "time", "quantity"};
  return names[static_cast<std::size_t>(role)];
}

[[noreturn]] inline void refuse_unknown(const Symbol& symbol, const std::string& model) {
  refuse("unknown symbol {}: it is not a {} of model \"{}\"; formulas of one model cannot be used in another",
         symbol.name, role_name(symbol.role), model);
}

}  // namespace hamel
