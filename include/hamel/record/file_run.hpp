// The run that a model file describes: its settings, changed from outside, what is recorded of it, and the header of
// its record.
#pragma once

#include <string>
#include <vector>

#include "hamel/language/model_file.hpp"
#include "hamel/record/header.hpp"

namespace hamel {

// What is zero, empty or negative stays as it is.
struct RunChanges {
  std::string integrator = {};
  double step = 0, tolerance = 0, until = 0, every = 0;
  int halvings = -1;
};
RunSection changed(RunSection run, const RunChanges& changes);

// The outputs of the file, and what the laws of its inputs give, unless an output of that name is there.
std::vector<Output> recorded_outputs(const ModelFile& file);

RecordHeader header_of(const ModelFile& file);
// The model of a record, with the parameters that the run had; the path is for messages.
ModelFile model_of(const RecordHeader& header, const std::string& path);

// [run] as text.
std::string run_text(const RunSection& run);

}  // namespace hamel
