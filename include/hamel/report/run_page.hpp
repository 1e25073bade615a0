// What the report of a recorded run contains.
#pragma once

#include <string>

#include "hamel/language/model_file.hpp"
#include "hamel/record/record.hpp"
#include "hamel/report/page.hpp"

namespace hamel {

Page page_of(const Record& record, const ModelFile& file);
// The same without the equations, which do not change while a run goes on.
Page motion_page(const Record& record, const ModelFile& file);

// Of a record's file, thinned to what a page can show.
void write_report(const std::string& path, const std::string& record_path, const ModelFile& file,
                  bool overwrite = false);

}  // namespace hamel
