#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hamel/textbook/textbook.hpp"

namespace hamel {
namespace {

struct Section {
  const char* title;
  const std::vector<TextbookEquation>* equations;
};

std::string line(const TextbookEquation& equation, Notation notation) {
  if (notation == Notation::latex) return latex(equation.left) + " = " + latex(equation.right);
  return equation.left.to_string() + " = " + equation.right.to_string();
}

const char* variables(Form form) {
  constexpr const char* names[] = {"(q, q')", "(q, omega)", "(q, mu)", "(q, pi)"};
  return names[static_cast<std::size_t>(form)];
}

std::string with_titles(const TextbookEquations& set) {
  const Section sections[] = {{"kinematics", &set.kinematics},
                              {"momenta", &set.momenta},
                              {"equations of motion", &set.dynamics},
                              {"constraints", &set.constraints},
                              {"where", &set.definitions}};
  std::string text = fmt::format("{}: equations of motion in {}\n", set.model, variables(set.form));
  for (const auto& [title, equations] : sections) {
    if (equations->empty()) continue;
    text += fmt::format("\n{}\n", title);
    for (const TextbookEquation& equation : *equations) text += "  " + line(equation, Notation::text) + "\n";
  }
  return text;
}

}  // namespace

std::vector<std::string> lines(const TextbookEquations& equations, Notation notation) {
  if (equations.components) return {print(*equations.components, notation)};
  std::vector<std::string> all;
  for (const TextbookEquation& equation : equations.all()) all.push_back(line(equation, notation));
  return all;
}

std::string print(const TextbookEquations& equations, Notation notation) {
  if (equations.components) return print(*equations.components, notation);
  if (notation == Notation::latex) return fmt::format("{}\n", fmt::join(lines(equations, notation), "\n"));
  return with_titles(equations);
}

}  // namespace hamel
