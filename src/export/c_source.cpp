#include "hamel/export/c_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "hamel/derive/equations.hpp"
#include "hamel/derive/expressions.hpp"
#include "hamel/graph/escape.hpp"
#include "hamel/model/lower.hpp"

namespace hamel {
namespace {

constexpr const char* solver =
    R"(/* A x = b by elimination with partial pivoting; A is n x n, column by column; x replaces b. */
static void solve(int n, double *A, double *b) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (fabs(A[i + n * k]) > fabs(A[pivot + n * k])) pivot = i;
    for (int j = k; j < n; ++j) {
      const double swapped = A[k + n * j];
      A[k + n * j] = A[pivot + n * j];
      A[pivot + n * j] = swapped;
    }
    const double swapped = b[k];
    b[k] = b[pivot];
    b[pivot] = swapped;
    for (int i = k + 1; i < n; ++i) {
      const double factor = A[i + n * k] / A[k + n * k];
      for (int j = k; j < n; ++j) A[i + n * j] -= factor * A[k + n * j];
      b[i] -= factor * b[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) b[k] -= A[k + n * j] * b[j];
    b[k] /= A[k + n * k];
  }
}

)";

struct Array {
  std::string name;
  std::vector<Expr> variables;
};

Exprs right_sides(const std::vector<Equation>& list) {
  Exprs result;
  for (const Equation& equation : list) result.push_back(equation.right);
  return result;
}

class CSource {
 public:
  CSource(const Model& model, Form form) : model_(model), form_(form), set_(equations(model, form)) {
    for (const auto& [name, space] : model.coordinates()) rates_ += space.rates();
  }

  std::string text() {
    if (model_.has_field())
      by_field();
    else if (form_ == Form::velocity || form_ == Form::omega)
      by_acceleration();
    else if (!model_.hamiltonian_terms().empty())
      by_hamiltonian();
    else
      by_momentum();
    return heading() + "#include <math.h>\n\n" + parameters() + fmt::format("{}", fmt::join(definitions_, "")) +
           functions_ + field();
  }

 private:
  std::size_t ambient() const { return set_.q.size(); }
  std::size_t partners() const {
    if (model_.has_field()) return 0;
    return form_ == Form::velocity || form_ == Form::mu ? ambient() : static_cast<std::size_t>(rates_);
  }

  // static void name(t, q, w, lambda, u, p, out): w is the partner of q.
  std::string evaluator(const std::string& name, const Equations& set, const std::vector<Expr>& partner,
                        const std::vector<Expr>& f) {
    const Graph::Scope scope(*set.graph);
    std::unordered_map<std::uint32_t, Expr> values;
    for (const auto& [array, variables] : {Array{"q", set.q}, Array{"w", partner}, Array{"lambda", set.multipliers},
                                           Array{"u", set.inputs}, Array{"p", set.parameters}})
      for (std::size_t i = 0; i < variables.size(); ++i)
        values[variables[i].id()] = set.graph->variable(fmt::format("{}[{}]", array, i));
    values[set.t.id()] = set.graph->variable("t");
    const Exprs formulas = substitute(f, values);
    const Listing listing = print_shared(formulas, Notation::c);
    for (const std::string& definition : c_definitions(formulas))
      if (std::find(definitions_.begin(), definitions_.end(), definition) == definitions_.end())
        definitions_.push_back(definition);
    std::string body = "  (void)t, (void)q, (void)w, (void)lambda, (void)u, (void)p;\n";
    for (const auto& [shared, formula] : listing.shared)
      body += fmt::format("  const double {} = {};\n", shared, formula);
    for (std::size_t i = 0; i < f.size(); ++i) body += fmt::format("  out[{}] = {};\n", i, listing.formulas[i]);
    return fmt::format(
        "static void {}(double t, const double *q, const double *w, const double *lambda, const double *u,\n"
        "    const double *p, double *out) {{\n{}}}\n\n",
        name, body);
  }

  void by_acceleration() {
    const std::size_t n = set_.unknowns.size();
    Exprs all(set_.matrix.data(), set_.matrix.data() + set_.matrix.size());
    all.insert(all.end(), set_.right.begin(), set_.right.end());
    const Exprs velocity = velocities();
    all.insert(all.end(), velocity.begin(), velocity.end());
    functions_ = solver + evaluator("evaluate", set_, set_.partner, all);
    body_ = fmt::format(
        "  double x[{}]; /* the matrix, its right-hand side, q' */\n"
        "  evaluate(t, y, y + {}, 0, u, parameters, x);\n"
        "  solve({}, x, x + {});\n"
        "  for (int i = 0; i < {}; ++i) rate[i] = x[{} + i];\n"
        "  for (int i = 0; i < {}; ++i) rate[{} + i] = x[{} + i];\n",
        all.size(), ambient(), n, n * n, ambient(), n * n + n, partners(), ambient(), n * n);
  }

  // q' = f, or from [ I C^T; C 0 ] (q', lambda) = (f, 0).
  void by_field() {
    if (set_.unknowns.empty()) {
      functions_ = evaluator("evaluate", set_, {}, right_sides(set_.kinematics));
      body_ = "  evaluate(t, y, 0, 0, u, parameters, rate);\n";
      return;
    }
    const std::size_t n = set_.unknowns.size();
    Exprs all(set_.matrix.data(), set_.matrix.data() + set_.matrix.size());
    all.insert(all.end(), set_.right.begin(), set_.right.end());
    functions_ = solver + evaluator("evaluate", set_, {}, all);
    body_ = fmt::format(
        "  double x[{}]; /* the matrix, its right-hand side */\n"
        "  evaluate(t, y, 0, 0, u, parameters, x);\n"
        "  solve({}, x, x + {});\n"
        "  for (int i = 0; i < {}; ++i) rate[i] = x[{} + i];\n",
        all.size(), n, n * n, ambient(), n * n);
  }

  // q' of every entry of q: what kinematics says, or the partner itself.
  Exprs velocities() const {
    const Graph::Scope scope(*set_.graph);
    std::unordered_map<std::string, Expr> by_name;
    for (const Expr partner : set_.partner) by_name[hamel::print(partner)] = partner;
    for (const Equation& equation : set_.kinematics) by_name[hamel::print(equation.left)] = equation.right;
    Exprs result;
    for (std::size_t k = 0; k < model_.coordinates().size(); ++k) {
      const Formula q = model_.coordinate(k);
      for (int j = 0; j < q.cols(); ++j)
        for (int i = 0; i < q.rows(); ++i) result.push_back(by_name.at(rate(q)(i, j).to_string()));
    }
    return result;
  }

  void by_hamiltonian() {
    Exprs all = right_sides(set_.kinematics);
    const Exprs momentum_rate = right_sides(set_.momentum_rates);
    all.insert(all.end(), momentum_rate.begin(), momentum_rate.end());
    functions_ = evaluator("evaluate", set_, set_.partner, all);
    body_ = covector() + "  evaluate(t, y, covector, 0, u, parameters, rate);\n";
  }

  // q' from [ M C^T; C 0 ] (q', .) = (covector - dL/dq'(0), 0), the multipliers from the same matrix, then y'.
  void by_momentum() {
    const Equations velocity = equations(model_, Form::velocity);
    const std::size_t n = velocity.unknowns.size(), a = ambient(), m = set_.multipliers.size();
    Exprs matrix(velocity.matrix.data(), velocity.matrix.data() + velocity.matrix.size());
    need_quadratic(velocity, matrix);
    Exprs system = matrix;
    system.insert(system.end(), velocity.right.begin(), velocity.right.end());
    const Equations momenta = equations(model_, Form::mu);
    functions_ = solver + evaluator("evaluate", velocity, velocity.partner, system) +
                 evaluator("momentum", momenta, momenta.partner, right_sides(momenta.legendre)) +
                 evaluator("momentum_rate", set_, set_.partner, right_sides(set_.momentum_rates));
    body_ = covector() + fmt::format(
                             "  double x[{0}], v[{1}] = {{0}}, offset[{2}]; /* the matrix and its right-hand side */\n"
                             "  evaluate(t, y, v, 0, u, parameters, x);\n"
                             "  momentum(t, y, v, 0, u, parameters, offset);\n"
                             "  for (int i = 0; i < {1}; ++i) x[{3} + i] = i < {2} ? covector[i] - offset[i] : 0;\n"
                             "  solve({1}, x, x + {3});\n"
                             "  for (int i = 0; i < {2}; ++i) rate[i] = v[i] = x[{3} + i];\n",
                             n * n + n, n, a, n * n);
    if (m > 0) body_ += fmt::format("  evaluate(t, y, v, 0, u, parameters, x);\n  solve({}, x, x + {});\n", n, n * n);
    body_ += fmt::format("  momentum_rate(t, y, v, {}, u, parameters, rate + {});\n",
                         m > 0 ? fmt::format("x + {}", n * n + n - m) : "0", a);
  }

  void need_quadratic(const Equations& velocity, const Exprs& matrix) const {
    const Graph::Scope scope(*velocity.graph);
    std::unordered_map<std::uint32_t, bool> is_rate;
    for (const Expr v : velocity.partner) is_rate[v.id()] = true;
    for (const Expr leaf : dependencies(matrix))
      if (is_rate.contains(leaf.id()))
        throw std::invalid_argument(
            fmt::format("the Lagrangian of {} is not quadratic in the velocities, so its momenta cannot be solved for "
                        "them in C; the forms velocity and omega need no momenta",
                        model_.name()));
  }

  // A covector p with P p = mu, or with B^T p = pi.
  std::string covector() {
    if (form_ == Form::mu) return fmt::format("  const double *covector = y + {};\n", ambient());
    Exprs pi;
    for (const Equation& equation : set_.legendre) pi.push_back(equation.left);
    functions_ += evaluator("lift", set_, pi, set_.covector);
    return fmt::format("  double covector[{0}];\n  lift(t, y, y + {0}, 0, u, parameters, covector);\n", ambient());
  }

  static std::string names(const std::vector<Expr>& variables) {
    std::vector<std::string> printed;
    for (const Expr variable : variables) printed.push_back(hamel::print(variable));
    return c_comment(fmt::format("{}", fmt::join(printed, ", ")));
  }

  std::string heading() const {
    const Graph::Scope scope(*set_.graph);
    constexpr const char* forms[] = {"velocities", "quasi-velocities", "momenta mu", "momenta pi"};
    std::string text =
        fmt::format("/* {}: y' = rate(t, y, u, parameters)\n   y: {}", c_comment(model_.name()), names(set_.q));
    if (partners() > 0)
      text += fmt::format(", then the {} {} of them", partners(), forms[static_cast<std::size_t>(form_)]);
    text += "\n";
    if (!set_.inputs.empty()) text += fmt::format("   u: {}\n", names(set_.inputs));
    if (!set_.parameters.empty()) text += fmt::format("   parameters: {}\n", names(set_.parameters));
    return text + "*/\n";
  }

  std::string parameters() const {
    const VectorXd values = parameter_values(model_);
    if (values.size() == 0) return "";
    return fmt::format("const double {}_parameters[{}] = {{{}}};\n\n", c_function_name(model_), values.size(),
                       fmt::join(values, ", "));
  }

  std::string field() const {
    const std::string name = c_function_name(model_);
    const std::string signature = fmt::format(
        "void {}(double t, const double *y, const double *u, const double *parameters, double *rate)", name);
    return fmt::format("{0};\n{0} {{\n{1}}}\n", signature, body_);
  }

  const Model& model_;
  Form form_;
  Equations set_;
  int rates_ = 0;
  std::vector<std::string> definitions_;
  std::string functions_, body_;
};

}  // namespace

std::string c_function_name(const Model& model) { return c_identifier("hamel_" + model.name()); }

std::string c_source(const Model& model, Form form) { return CSource(model, form).text(); }

}  // namespace hamel
