// An ensemble that is ready to run, with all that it needs.
#pragma once

#include <memory>

#include "hamel/ensemble/ensemble.hpp"
#include "hamel/language/model_file.hpp"

namespace hamel::python {

struct EnsemblePlan {
  std::shared_ptr<const ModelFile> file;  // that the starts come from, if any
  Members members;
  Vary vary;
  Keep keep;
  std::vector<KeptColumn> columns;
};

}  // namespace hamel::python
