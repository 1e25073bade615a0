// The words of model files, in one place: the reader takes no others, and the fuzzer is given all of them.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace hamel {

const std::vector<std::string>& known_sections();
// By section: its keys, or those of each of its entries.
const std::map<std::string, std::vector<std::string>>& known_keys();

std::string known_spaces();                                // all that can be written, for messages
std::string suggested_space(const std::string& misspelt);  // "; did you mean SO3?", or nothing

}  // namespace hamel
