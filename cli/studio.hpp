// The studio on one model: what `hamel studio` and `hamel run --live` do.
#pragma once

#include <string>

#include "command.hpp"
#include "hamel/record/file_run.hpp"

namespace hamel::cli {

struct StudioRequest {
  std::string model = {};  // a model file, the name of a model of the gallery, or a folder; empty: the gallery
  Overrides parameters = {};
  RunChanges run = {};
  int port = 0;
  std::optional<bool> opens = {};  // a browser; by default where there is a display
  bool json = false;
};

void open_studio(const StudioRequest& request);

}  // namespace hamel::cli
