#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hamel/derive/equations.hpp"
#include "hamel/derive/expressions.hpp"
#include "hamel/graph/escape.hpp"

namespace hamel {
namespace {

const char* form_name(Form form) {
  switch (form) {
    case Form::velocity:
      return "(q, q')";
    case Form::omega:
      return "(q, xi)";
    case Form::mu:
      return "(q, mu)";
    default:
      return "(q, pi)";
  }
}

struct Section {
  std::string title;
  std::vector<Equation> equations;
};

std::string names(const std::vector<Expr>& variables, Notation notation) {
  std::vector<std::string> printed;
  for (const Expr variable : variables) printed.push_back(print(variable, notation));
  return fmt::format("{}", fmt::join(printed, ", "));
}

// The upper triangle; what is not listed is zero.
std::vector<Equation> matrix_entries(const Equations& equations) {
  const int first = equations.first_index;
  std::vector<Equation> entries;
  for (Eigen::Index i = 0; i < equations.matrix.rows(); ++i)
    for (Eigen::Index j = i; j < equations.matrix.cols(); ++j)
      if (!equations.matrix(i, j).is_constant(0))
        entries.push_back(
            {equations.graph->variable(fmt::format("M[{},{}]", i + first, j + first)), equations.matrix(i, j)});
  return entries;
}

std::vector<Equation> right_entries(const Equations& equations) {
  std::vector<Equation> entries;
  for (Eigen::Index i = 0; i < equations.right.size(); ++i)
    entries.push_back({equations.graph->variable(fmt::format("r[{}]", i + equations.first_index)), equations.right(i)});
  return entries;
}

std::vector<Section> sections(const Equations& equations, Notation notation) {
  std::vector<Section> all;
  const auto add = [&](std::string title, const std::vector<Equation>& list) {
    if (!list.empty()) all.push_back({std::move(title), list});
  };
  add("kinematics", equations.kinematics);
  add("momenta", equations.legendre);
  add("rates of the momenta", equations.momentum_rates);
  if (equations.matrix.size() > 0)
    add(fmt::format("linear system M x = r for x = ({}); M is symmetric, entries not listed are 0",
                    names(equations.unknowns, notation)),
        matrix_entries(equations));
  add("its right-hand side", right_entries(equations));
  add("constraints", equations.constraints);
  return all;
}

Listing listing_of(const std::vector<Section>& sections, Notation notation) {
  std::vector<Expr> formulas;
  for (const Section& section : sections)
    for (const Equation& equation : section.equations) formulas.push_back(equation.right);
  return print_shared(formulas, notation);
}

std::string as_text(const Equations& equations) {
  const auto all = sections(equations, Notation::text);
  const Listing listing = listing_of(all, Notation::text);
  std::string text =
      fmt::format("{}: equations of motion in {}\n", visible(equations.model), form_name(equations.form));
  if (!listing.shared.empty()) text += "\nwith\n";
  for (const auto& [name, formula] : listing.shared) text += fmt::format("  {} = {}\n", name, formula);
  auto formula = listing.formulas.begin();
  for (const Section& section : all) {
    text += fmt::format("\n{}\n", section.title);
    for (const Equation& equation : section.equations)
      text += fmt::format("  {} = {}\n", print(equation.left), *formula++);
  }
  return text;
}

std::string as_latex(const Equations& equations) {
  const auto all = sections(equations, Notation::latex);
  const Listing listing = listing_of(all, Notation::latex);
  std::vector<std::string> lines;
  auto formula = listing.formulas.begin();
  for (const Section& section : all)
    for (const Equation& equation : section.equations)
      lines.push_back(fmt::format("{} &= {}", print(equation.left, Notation::latex), *formula++));
  if (equations.matrix.size() > 0)
    lines.push_back(
        fmt::format("M \\left({}\\right)^T &= r, \\quad M = M^T", names(equations.unknowns, Notation::latex)));
  for (const auto& [name, shared] : listing.shared) lines.push_back(fmt::format("{} &= {}", name, shared));
  return fmt::format("\\begin{{aligned}}\n{}\n\\end{{aligned}}\n", fmt::join(lines, " \\\\\n"));
}

// Arrays of the C function, each with what its entries are.
class CFunction {
 public:
  explicit CFunction(const Equations& equations) : equations_(equations) {
    input("q", equations.q);
    input("y", equations.partner);
    input("lambda", equations.multipliers);
    input("u", equations.inputs);
    input("parameters", equations.parameters);
    values_[equations.t.id()] = equations.graph->variable("t");
    output("q_rate", equations.kinematics);
    output("momentum", equations.legendre);
    output("momentum_rate", equations.momentum_rates);
    output("M", full_matrix());
    output("r", right_entries(equations));
    output("c", equations.constraints);
  }

  std::string text() {
    const std::vector<Expr> formulas = substitute(formulas_, values_);
    const Listing listing = print_shared(formulas, Notation::c);
    std::string body;
    for (const auto& [name, formula] : listing.shared) body += fmt::format("  const double {} = {};\n", name, formula);
    for (std::size_t i = 0; i < targets_.size(); ++i)
      body += fmt::format("  {} = {};\n", targets_[i], listing.formulas[i]);
    return fmt::format(
        "/* {}: equations of motion in {}\n{}*/\n#include <math.h>\n\n{}void {}({}, double t, {}) {{\n{}}}\n",
        c_comment(equations_.model), form_name(equations_.form), legend_, fmt::join(c_definitions(formulas), ""),
        c_identifier(equations_.model), fmt::join(inputs_, ", "), fmt::join(outputs_, ", "), body);
  }

 private:
  static std::string commented(const std::vector<Expr>& variables) {
    return c_comment(names(variables, Notation::text));
  }

  void input(const std::string& array, const std::vector<Expr>& variables) {
    inputs_.push_back(fmt::format("const double *{}", array));
    for (std::size_t i = 0; i < variables.size(); ++i)
      values_[variables[i].id()] = equations_.graph->variable(fmt::format("{}[{}]", array, i));
    if (!variables.empty()) legend_ += fmt::format("   {}: {}\n", array, commented(variables));
  }

  void output(const std::string& array, const std::vector<Equation>& list) {
    if (list.empty()) return;
    outputs_.push_back(fmt::format("double *{}", array));
    std::vector<Expr> lefts;
    for (std::size_t i = 0; i < list.size(); ++i) {
      targets_.push_back(fmt::format("{}[{}]", array, i));
      formulas_.push_back(list[i].right);
      lefts.push_back(list[i].left);
    }
    if (array == "M")
      legend_ += fmt::format("   M, column by column, and r: M x = r for x = ({})\n", commented(equations_.unknowns));
    else if (array != "r" && array != "c")
      legend_ += fmt::format("   {}: {}\n", array, commented(lefts));
  }

  std::vector<Equation> full_matrix() const {
    std::vector<Equation> entries;
    for (const Expr entry : equations_.matrix.reshaped()) entries.push_back({Expr(), entry});
    return entries;
  }

  const Equations& equations_;
  std::unordered_map<std::uint32_t, Expr> values_;
  std::vector<std::string> inputs_, outputs_, targets_;
  std::vector<Expr> formulas_;
  std::string legend_;
};

}  // namespace

std::string print(const Equations& equations, Notation notation) {
  const Graph::Scope scope(*equations.graph);
  switch (notation) {
    case Notation::latex:
      return as_latex(equations);
    case Notation::c:
      return CFunction(equations).text();
    default:
      return as_text(equations);
  }
}

}  // namespace hamel
