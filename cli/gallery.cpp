#include "gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "hamel/language/source.hpp"

namespace hamel::cli {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> places() {
  std::vector<fs::path> result;
  if (const char* given = std::getenv("HAMEL_MODELS")) result.emplace_back(given);
  result.emplace_back("models");
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none).parent_path();
  if (!none) {
    result.push_back(program.parent_path() / "models");
    result.push_back(program.parent_path() / "share" / "hamel" / "models");
  }
  return result;
}

}  // namespace

std::vector<GalleryModel> gallery() {
  std::vector<GalleryModel> models;
  for (const fs::path& place : places()) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(place, none))
      if (entry.path().extension() == ".toml") models.push_back({entry.path().stem().string(), entry.path().string()});
    if (!models.empty()) break;
  }
  std::sort(models.begin(), models.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return models;
}

std::string model_path(const std::string& model) {
  if (model == "-") return {};
  std::error_code none;
  if (fs::is_regular_file(model, none)) return model;
  if (fs::is_directory(model, none)) throw std::runtime_error(fmt::format("{} is a folder, not a model file", model));
  std::vector<std::string> names;
  for (const GalleryModel& known : gallery()) {
    if (known.name == model) return known.path;
    names.push_back(known.name);
  }
  const std::string near = suggestion(fs::path(model).stem().string(), names);
  throw std::runtime_error(fmt::format("there is no model file {}, and no such model in the gallery{}", model,
                                       near.empty() ? "; hamel list shows the gallery" : near));
}

ModelFile load_model(const std::string& model, const Options& options, const std::vector<std::string>& asked) {
  const std::string path = model_path(model);
  if (!path.empty()) return read_model(path, options.parameters(), options.start_values(), asked);
  constexpr std::size_t enough = 4'000'001;  // for parse_model to say that it is too much
  std::string text(enough, '\0');
  std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::cin.gcount()));
  return parse_model(text, "standard input", options.parameters(), options.start_values(), asked);
}

}  // namespace hamel::cli
