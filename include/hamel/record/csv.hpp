// Records as comma-separated values, for other tools: a line of names, then one line per output with 17 digits.
//
//   write_csv(RecordReader("run.h5"), "run.csv");
//
// Names that contain a comma or a quotation mark are quoted (RFC 4180); one that a spreadsheet would take for a formula
// begins with an apostrophe. Memory does not grow with the record.
#pragma once

#include <ostream>
#include <string>

#include "hamel/record/record.hpp"

namespace hamel {

struct CsvOptions {
  std::size_t every = 1;   // rows
  bool overwrite = false;  // a file that exists
};

void write_csv(const RecordReader& record, std::ostream& out, const CsvOptions& options = {});
// Complete or not at all: output_file.hpp.
void write_csv(const RecordReader& record, const std::string& path, const CsvOptions& options = {});

}  // namespace hamel
