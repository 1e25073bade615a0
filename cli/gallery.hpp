// The models that come with hamel, and how a model is found by its name.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace hamel::cli {

struct GalleryModel {
  std::string name, path;
};

// In HAMEL_MODELS, in models/ here, beside the program, or where it was installed: the first of these that exists.
std::vector<GalleryModel> gallery();

// A file, or the name of a model of the gallery; empty for -, standard input. Throws std::runtime_error with a
// suggestion.
std::string model_path(const std::string& model);
// With the formulas that are asked for (read_model).
ModelFile load_model(const std::string& model, const Options& options = {}, const std::vector<std::string>& asked = {});

}  // namespace hamel::cli
