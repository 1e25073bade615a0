// Numbers in text and in files of text, the same in every locale and with every standard library.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hamel {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // some programs begin their files with one

// Of a text that is a number and nothing else, and that a double can hold: not 1e309, nor 1e-400, which is not zero.
std::optional<double> number_of(std::string_view text);
std::string cannot_be_held(std::string_view number);  // the message about it

}  // namespace hamel
