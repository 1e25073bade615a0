// Names in messages: in a row, where members of families that follow each other are one, q[1..200]; near ones; those
// of the entries of q.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hamel {

class Model;

std::string name_list(const std::vector<std::string>& names);  // "x, q[1..200]"; up to three members are named

// "; did you mean length?" if one of the known names is near; otherwise empty.
std::string suggestion(std::string_view name, std::span<const std::string> known);

std::vector<std::string> entry_names(const Model& model);  // of q: "q[1].x"

// F; F[1], F[2]; or F[1,1], F[2,1], column by column.
std::vector<std::string> component_names(const std::string& name, int rows, int cols);

}  // namespace hamel
