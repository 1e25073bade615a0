#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "command.hpp"
#include "console.hpp"
#include "gallery.hpp"
#include "hamel/export/c_source.hpp"
#include "hamel/report/energies.hpp"
#include "hamel/textbook/textbook.hpp"

namespace hamel::cli {

namespace {

struct EquationOptions : Options {
  std::string model, form;
  bool latex = false, text = false, c = false;
};

const std::map<std::string, Form> form_names = {
    {"velocity", Form::velocity}, {"omega", Form::omega}, {"mu", Form::mu}, {"pi", Form::pi}};

Form form_of(const EquationOptions& options, const Model& model) {
  return options.form.empty() ? forms(model).front() : form_names.at(options.form);
}

std::string name_of(Form form) {
  return std::find_if(form_names.begin(), form_names.end(), [&](const auto& row) { return row.second == form; })->first;
}

// u = ..., beside equations that contain u.
std::string law_text(const Model& model, std::size_t k, bool as_latex) {
  const Formula symbol = model.input_symbol(k), &law = *model.inputs()[k].law;
  return as_latex ? fmt::format("{} = {}", latex(symbol), latex(law))
                  : fmt::format("{} = {}", symbol.to_string(), in_print(model, law).to_string());
}

Json laws_json(const Model& model) {
  Json all = Json::array();
  for (std::size_t k = 0; k < model.inputs().size(); ++k)
    if (const Input& input = model.inputs()[k]; input.law)
      all.push_back({{"input", input.name},
                     {"law", input.law->to_string()},
                     {"latex", law_text(model, k, true)},
                     {"sample", input.sample}});
  return all;
}

Json formulas_json(const std::vector<NamedFormula>& formulas) {
  Json all = Json::array();
  for (const auto& [text, tex] : formulas) all.push_back({{"text", text}, {"latex", tex}});
  return all;
}

// Components are several lines.
void say_formulas(const std::string& text) {
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) say_as_it_is("{}\n", wrapped(line, columns()));
}

constexpr std::size_t long_for_a_page = 6000;

std::string long_words(std::size_t length) {
  return fmt::format(
      "these are {} characters, more than a page; a smaller system of its kind has fewer: --set n=3, where the model "
      "has "
      "a number n",
      length);
}

void show(const EquationOptions& options) {
  const ModelFile file = load_model(options.model, options);
  const Form form = form_of(options, file.model);
  if (options.c) {
    const std::string source = c_source(file.model, form);
    if (options.json)
      print_json(Json{{"model", file.model.name()},
                      {"form", name_of(form)},
                      {"function", c_function_name(file.model)},
                      {"c", source}});
    else
      say_as_it_is("{}", source);
    return;
  }
  const TextbookEquations equations = textbook_equations(file.model, form);
  if (!equations.reason.empty()) print_note(equations.reason);
  if (options.json) {
    print_json(Json{{"model", file.model.name()},
                    {"form", name_of(form)},
                    {"vector_form", !equations.components.has_value()},
                    {"latex", lines(equations, Notation::latex)},
                    {"text", lines(equations, Notation::text)},
                    {"laws", laws_json(file.model)},
                    {"energies", formulas_json(energies_of(file.model))},
                    {"points", formulas_json(points_of(file.model))}});
    return;
  }
  std::vector<std::string> all = lines(equations, options.latex ? Notation::latex : Notation::text);
  for (std::size_t k = 0; k < file.model.inputs().size(); ++k)
    if (file.model.inputs()[k].law) all.push_back(law_text(file.model, k, options.latex));
  std::size_t length = 0;
  for (const std::string& line : all) {
    length += line.size();
    options.latex ? say_as_it_is("{}\n", line) : say_formulas(line);
  }
  if (length > long_for_a_page) print_note(long_words(length));
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
      ->add_option(
          "--form", options->form,
          "velocity (q, q'), omega (q, omega), mu (q, mu) or pi (q, pi); default: the first that the model has of "
          "omega, velocity and mu")
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
