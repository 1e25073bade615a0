// Names in a row, for messages: members of families that follow each other are one, q[1..200].
#pragma once

#include <string>
#include <vector>

namespace hamel {

std::string name_list(const std::vector<std::string>& names);  // "x, q[1..200]"; up to three members are named

}  // namespace hamel
