// What the parts of the reader share.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "language/toml_document.hpp"

namespace hamel {

constexpr int most_coordinates = 50'000;  // in one array

// What the model refuses happened at this place.
template <class Action>
auto at_place(const Place& place, Action action) {
  try {
    return action();
  } catch (const std::logic_error& refusal) {  // invalid_argument, domain_error
    throw SourceError(place, refusal.what());
  }
}

const TomlValue& need_table(const TomlEntry& entry, const char* example);
std::string need_text(const TomlEntry& entry);
void check_keys(const TomlValue& table, const std::vector<std::string>& known, const std::string& where);
[[noreturn]] void refuse_key(const TomlEntry& entry, const std::vector<std::string>& known, const std::string& where);

}  // namespace hamel
