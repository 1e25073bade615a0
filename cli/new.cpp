#include <fmt/format.h>

#include "command.hpp"
#include "console.hpp"
#include "gallery.hpp"
#include "hamel/language/write_model.hpp"
#include "hamel/record/output_file.hpp"

namespace hamel::cli {

namespace {

std::string text_of(const std::string& name, const std::string& from) {
  return from.empty() ? new_model_text(name) : load_model(from).text;
}

void write_new(const std::string& path, const std::string& name, const std::string& from, bool overwrite) {
  need_output(path, overwrite, {from.empty() ? "" : model_path(from)});
  OutputFile file(path, overwrite);
  file.write(text_of(name, from));
  file.publish();
}

}  // namespace

void add_new(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  const auto name = std::make_shared<std::string>(), from = std::make_shared<std::string>();
  CLI::App* command = add_command(
      program, "new", "a commented model file to start from",
      "  hamel new my-pendulum && hamel run my-pendulum.toml\n  hamel new my-top --from heavy-top", *options);
  command->add_option("name", *name, "the file is NAME.toml")->required()->type_name("NAME");
  command->add_option("--from", *from, "a copy of this model instead: a file, or one of the gallery")
      ->type_name("MODEL");
  add_overwrite_option(*command, *options);
  command->callback([options, name, from] {
    const bool has_ending = name->ends_with(".toml");
    const std::string stem = has_ending ? name->substr(0, name->size() - 5) : *name;
    const std::string title = stem.substr(stem.find_last_of('/') + 1);
    if (title.empty() || title.find_first_of("\"\\\n") != std::string::npos)
      throw UsageError(fmt::format("\"{}\" is not a name for a file", *name));
    write_new(stem + ".toml", title, *from, options->overwrite);
    if (options->json)
      print_json(Json{{"path", stem + ".toml"}});
    else
      say("wrote {0}.toml; now: hamel check {0}.toml, hamel run {0}.toml\n", stem);
  });
}

}  // namespace hamel::cli
