// The report of a recorded run.
#pragma once

#include <string>
#include <vector>

#include "hamel/language/model_file.hpp"
#include "hamel/record/header.hpp"

namespace hamel::cli {

std::vector<Output> claims_of(const ModelFile& file);  // [conserved]

void write_page(const std::string& path, const std::string& record, const ModelFile& file, bool overwrite);

}  // namespace hamel::cli
