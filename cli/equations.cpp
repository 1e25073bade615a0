#include <fmt/format.h>

#include "command.hpp"
#include "console.hpp"
#include "energies.hpp"
#include "gallery.hpp"
#include "hamel/textbook/c_source.hpp"
#include "hamel/textbook/textbook.hpp"

namespace hamel::cli {

namespace {

struct EquationOptions : Options {
  std::string model;
  Form form = Form::omega;
  bool latex = false, text = false, c = false;
};

const std::map<std::string, Form> forms = {
    {"velocity", Form::velocity}, {"omega", Form::omega}, {"mu", Form::mu}, {"pi", Form::pi}};

std::string name_of(Form form) {
  for (const auto& [name, value] : forms)
    if (value == form) return name;
  return {};
}

void show(const EquationOptions& options) {
  const ModelFile file = read_model(model_path(options.model), options.overrides());
  if (options.c) {
    const std::string source = c_source(file.model, options.form);
    if (options.json)
      fmt::print("{}\n", Json{{"model", file.model.name()},
                              {"form", name_of(options.form)},
                              {"function", c_function_name(file.model)},
                              {"c", source}}
                             .dump(2));
    else
      fmt::print("{}", source);
    return;
  }
  const TextbookEquations equations = textbook_equations(file.model, options.form);
  if (!equations.reason.empty() && !options.quiet) print_note(equations.reason);
  if (options.json) {
    fmt::print("{}\n", Json{{"model", file.model.name()},
                            {"form", name_of(options.form)},
                            {"vector_form", !equations.components.has_value()},
                            {"latex", lines(equations, Notation::latex)},
                            {"text", lines(equations, Notation::text)},
                            {"energies", formulas_json(energies_of(file.model))},
                            {"points", formulas_json(points_of(file.model))}}
                           .dump(2));
    return;
  }
  for (const std::string& line : lines(equations, options.latex ? Notation::latex : Notation::text))
    fmt::print("{}\n", line);
}

}  // namespace

void add_equations(CLI::App& program) {
  const auto options = std::make_shared<EquationOptions>();
  CLI::App* command = add_command(program, "equations", "the equations of motion, as in a textbook",
                                  "  hamel equations spherical-pendulum --form omega --latex\n"
                                  "  hamel equations my-pendulum.toml --form pi\n"
                                  "  hamel equations my-pendulum.toml --c > field.c",
                                  *options);
  add_model_argument(*command, options->model);
  add_set_option(*command, *options);
  command
      ->add_option("--form", options->form,
                   "velocity (q, q'), omega (q, omega), mu (q, mu) or pi (q, pi); default: omega")
      ->transform(CLI::CheckedTransformer(forms, CLI::ignore_case).description(""))
      ->type_name("FORM");
  CLI::Option* latex = command->add_flag("--latex", options->latex, "LaTeX, one formula on each line");
  CLI::Option* text = command->add_flag("--text", options->text, "plain text, as in a model file (default)");
  CLI::Option* c = command->add_flag("--c", options->c, "a C99 function of the vector field");
  latex->excludes(text)->excludes(c);
  text->excludes(c);
  command->callback([options] { show(*options); });
}

}  // namespace hamel::cli
