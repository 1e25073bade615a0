#include <fmt/format.h>

#include "command.hpp"
#include "console.hpp"
#include "energies.hpp"
#include "gallery.hpp"
#include "hamel/export/c_source.hpp"
#include "hamel/textbook/textbook.hpp"

namespace hamel::cli {

namespace {

struct EquationOptions : Options {
  std::string model, form = "omega";
  bool latex = false, text = false, c = false;
};

const std::map<std::string, Form> forms = {
    {"velocity", Form::velocity}, {"omega", Form::omega}, {"mu", Form::mu}, {"pi", Form::pi}};

// u = ..., beside equations that contain u.
std::string law_text(const Model& model, const Input& input, bool as_latex) {
  const Formula symbol = Formula::symbol(
      {.role = Role::input, .name = input.name, .slot = 0, .first_index = model.first_index()}, input.size, 1);
  const std::string left = as_latex ? latex(symbol) : input.name,
                    right = as_latex ? latex(*input.law) : input.law->to_string();
  return input.sample > 0 ? fmt::format("{} = {}    (every {})", left, right, input.sample)
                          : fmt::format("{} = {}", left, right);
}

Json laws_json(const Model& model) {
  Json all = Json::array();
  for (const Input& input : model.inputs())
    if (input.law)
      all.push_back({{"input", input.name},
                     {"law", input.law->to_string()},
                     {"latex", latex(*input.law)},
                     {"sample", input.sample}});
  return all;
}

void show(const EquationOptions& options) {
  const ModelFile file = load_model(options.model, options);
  const Form form = forms.at(options.form);
  if (options.c) {
    const std::string source = c_source(file.model, form);
    if (options.json)
      print_json(Json{{"model", file.model.name()},
                      {"form", options.form},
                      {"function", c_function_name(file.model)},
                      {"c", source}});
    else
      say("{}", source);
    return;
  }
  const TextbookEquations equations = textbook_equations(file.model, form);
  if (!equations.reason.empty()) print_note(equations.reason);
  if (options.json) {
    print_json(Json{{"model", file.model.name()},
                    {"form", options.form},
                    {"vector_form", !equations.components.has_value()},
                    {"latex", lines(equations, Notation::latex)},
                    {"text", lines(equations, Notation::text)},
                    {"laws", laws_json(file.model)},
                    {"energies", formulas_json(energies_of(file.model))},
                    {"points", formulas_json(points_of(file.model))}});
    return;
  }
  for (const std::string& line : lines(equations, options.latex ? Notation::latex : Notation::text)) say("{}\n", line);
  for (const Input& input : file.model.inputs())
    if (input.law) say("{}\n", law_text(file.model, input, options.latex));
}

}  // namespace

void add_equations(CLI::App& program) {
  const auto options = std::make_shared<EquationOptions>();
  CLI::App* command = add_command(program, "equations", "the equations of motion, as in a textbook",
                                  "  hamel equations spherical-pendulum --form omega --latex\n"
                                  "  hamel equations my-pendulum.toml --form pi\n"
                                  "  hamel equations my-pendulum.toml --c > field.c",
                                  *options);
  add_model_argument(*command, options->model, *options);
  command
      ->add_option("--form", options->form,
                   "velocity (q, q'), omega (q, omega), mu (q, mu) or pi (q, pi); default: omega")
      ->check(one_of("form", {"velocity", "omega", "mu", "pi"}))
      ->type_name("FORM");
  CLI::Option* latex = command->add_flag("--latex", options->latex, "LaTeX, one formula on each line");
  CLI::Option* text = command->add_flag("--text", options->text, "plain text, as in a model file (default)");
  CLI::Option* c = command->add_flag("--c", options->c, "a C99 function of the vector field");
  latex->excludes(text)->excludes(c);
  text->excludes(c);
  command->callback([options] { show(*options); });
}

}  // namespace hamel::cli
