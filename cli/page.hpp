// The report of a recorded run.
#pragma once

#include <string>

#include "hamel/language/model_file.hpp"

namespace hamel::cli {

void write_page(const std::string& path, const std::string& record, const ModelFile& file, bool overwrite);

}  // namespace hamel::cli
