#include <fmt/format.h>

#include "command.hpp"
#include "console.hpp"
#include "describe.hpp"
#include "gallery.hpp"
#include "hamel/report/words.hpp"

namespace hamel::cli {

namespace {

void list(const Options& options) {
  Json all = Json::array();
  std::vector<std::vector<std::string>> rows = {{"model", "degrees", "space"}};
  for (const GalleryModel& entry : gallery()) {
    const ModelFile file = read_model(entry.path);
    const std::string space = space_of(file.model);
    const int degrees = degrees_of_freedom(file.model);
    all.push_back({{"id", entry.name},
                   {"name", file.model.name()},
                   {"description", file.description},
                   {"space", space},
                   {"degrees_of_freedom", degrees},
                   {"source", file.source},
                   {"path", entry.path}});
    rows.push_back({entry.name, std::to_string(degrees), space});
  }
  if (all.empty())
    throw std::runtime_error("no gallery was found: set HAMEL_MODELS to the folder with the model files of hamel");
  if (options.json)
    print_json(all);
  else
    print_table(rows);
}

}  // namespace

void add_list(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_command(program, "list", "the models of the gallery", "  hamel list\n  hamel list --json", *options);
  command->callback([options] { list(*options); });
}

}  // namespace hamel::cli
