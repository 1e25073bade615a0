// The words of model files, in one place: the reader takes no others, and the fuzzer is given all of them.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace hamel {

const std::vector<std::string>& known_sections();
// By section: its keys, or those of each of its entries.
const std::map<std::string, std::vector<std::string>>& known_keys();

}  // namespace hamel
