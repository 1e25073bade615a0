#include <fmt/format.h>

#include "command.hpp"
#include "console.hpp"
#include "gallery.hpp"
#include "hamel/record/output_file.hpp"

namespace hamel::cli {

namespace {

constexpr const char* model_text = R"toml(name = "{}"
description = "Two bobs on two massless rods, one hanging from the other."

# Numbers that you may want to change: hamel run FILE --set g=1.62
[parameters]
m = [1.0, 0.5]    # masses
l = [1.0, 0.8]    # lengths
g = 9.81

# Where the system lives: R1, R3, S1, S2, SO3, SE3, and arrays such as S2[3].
[coordinates]
q = "S2[2]"       # directions of the rods; z points up

# Places that have a name. They are drawn, and x' is their velocity.
[points]
x = ["l[1]*q[1]", "x[1] + l[2]*q[2]"]

# From these everything else follows.
[energy]
kinetic = "sum(i in 1..2, m[i]/2*norm2(x'[i]))"
potential = "sum(i in 1..2, m[i]*g*x[i].z)"

# Points on the manifold (a few digits are enough) and angular velocities, or rates: "q'" = ...
[start]
q = [[1, 0, 0], [0.6, 0.8, 0]]
omega.q = [[0, 0, 1], [0, 0, 0]]

[run]
integrator = "variational"
step = 0.005
until = 20

# What else to record.
[outputs]
height = "x[2].z"
)toml";

std::string text_of(const std::string& name, const std::string& from) {
  if (!from.empty()) return load_model(from).text;
  std::string text = model_text;
  return text.replace(text.find("{}"), 2, name);
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
