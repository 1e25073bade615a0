// [tables]: curves through points, for interp.
#pragma once

#include <string>

namespace hamel {

// The text of a model file with the numbers of its tables in the place of the names of files beside it: what is kept in
// a record must not depend on other files. Lines stay where they are. Throws SourceError.
std::string with_tables_of_files(const std::string& text, const std::string& path);

}  // namespace hamel
