// Equations as they are printed, word for word: printed.txt and printed_models.txt.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "cases.hpp"
#include "hamel/language/model_file.hpp"
#include "hamel/textbook/textbook.hpp"

namespace hamel::printed_test {
namespace {

using test::Case;
using test::Line;
using Lines = std::vector<std::string>;

struct Printed {
  std::string name;           // SphericalPendulum_omega_latex
  std::string where;          // its form and notation stand there
  std::string gallery, text;  // the model: one of them
  Form form;
  std::string notation;
  Lines lines;
};

void PrintTo(const Printed& printed, std::ostream* out) { *out << printed.where; }

Form form_named(const Line& line, const std::string& name) {
  static const std::map<std::string, Form> forms = {
      {"velocity", Form::velocity}, {"omega", Form::omega}, {"mu", Form::mu}, {"pi", Form::pi}};
  const auto form = forms.find(name);
  if (form == forms.end()) test::refuse(line.where, "neither 'model' nor a form: " + line.text);
  return form->second;
}

Printed block_of(const Case& one, const Line& line, const Printed& model) {
  const std::size_t end = line.text.find(' ');
  const std::string form = line.text.substr(0, end);
  Printed block = model;
  block.where = line.where;
  block.form = form_named(line, form);
  block.notation = end == std::string::npos ? "text" : line.text.substr(end + 1);
  block.name = one.name + "_" + form + "_" + block.notation;
  std::replace(block.name.begin(), block.name.end(), ' ', '_');
  return block;
}

std::vector<Printed> blocks_of(const Case& one) {
  Printed model{};
  std::vector<Printed> blocks;
  for (const Line& line : one.lines) {
    const bool is_inside = line.text.empty() || line.text.starts_with("  ");
    const std::string inside = line.text.substr(std::min<std::size_t>(2, line.text.size()));
    if (is_inside && blocks.empty())
      model.text += inside + '\n';
    else if (is_inside)
      blocks.back().lines.push_back(inside);
    else if (line.text.starts_with("model "))
      model.gallery = line.text.substr(6);
    else if (line.text != "model")
      blocks.push_back(block_of(one, line, model));
  }
  if (model.gallery.empty() == model.text.empty()) test::refuse(one.where, one.name + " needs a model");
  return blocks;
}

std::vector<Printed> all_printed() {
  std::vector<Printed> result;
  for (const char* file : {"printed.txt", "printed_models.txt"})
    for (const Case& one : test::read_cases(std::string("tests/language/") + file).all)
      for (const Printed& block : blocks_of(one)) result.push_back(block);
  return result;
}

Model model_of(const Printed& printed) {
  if (printed.gallery.empty()) return parse_model(printed.text, "model.toml").model;
  return read_model(HAMEL_SOURCE_DIR "/models/" + printed.gallery + ".toml").model;
}

Lines split(const std::string& text) {
  Lines result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) result.push_back(line);
  return result;
}

Lines printed_lines(const Printed& printed) {
  const Model model = model_of(printed);
  if (printed.notation == "text") return lines(textbook_equations(model, printed.form));
  if (printed.notation == "latex") return lines(textbook_equations(model, printed.form), Notation::latex);
  if (printed.notation == "components") return split(print(equations(model, printed.form)));
  if (printed.notation == "components in latex") return split(print(equations(model, printed.form), Notation::latex));
  test::refuse(printed.where, "unknown notation " + printed.notation);
}

class PrintedEquations : public testing::TestWithParam<Printed> {};

TEST_P(PrintedEquations, AreThoseOfTheBook) { EXPECT_EQ(printed_lines(GetParam()), GetParam().lines); }

INSTANTIATE_TEST_SUITE_P(Language, PrintedEquations, testing::ValuesIn(all_printed()),
                         [](const auto& printed) { return printed.param.name; });

}  // namespace
}  // namespace hamel::printed_test
