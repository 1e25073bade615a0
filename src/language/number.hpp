// Numbers in text, the same in every locale and with every standard library.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hamel {

// Of a text that is a number and nothing else, and that a double can hold: not 1e309, nor 1e-400, which is not zero.
std::optional<double> number_of(std::string_view text);
std::string cannot_be_held(std::string_view number);  // the message about it

}  // namespace hamel
