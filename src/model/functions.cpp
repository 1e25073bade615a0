// Formulas of the functions of functions.def.
#include "hamel/graph/functions.hpp"

#include "hamel/graph/table.hpp"
#include "hamel/model/lower.hpp"
#include "model/finish.hpp"
#include "model/refuse.hpp"

namespace hamel {

namespace {

bool names_table(const Formula& a) { return a.is_number() && a.is_scalar() && is_table(a.node().value(0, 0)); }

Formula make_function(std::string_view name, std::vector<Formula> args) {
  for (const Formula& arg : args)
    if (!arg.is_scalar()) refuse("{} needs a scalar, got {}", name, arg.quoted());
  if (name == "interp") {
    if (!names_table(args[0]))
      refuse(
          "interp needs a table and where to look into it, got {}: write interp(table([[x1, y1], [x2, y2], ...]), x)",
          args[0].quoted());
    args[0] = args[0].named(table_name(args[0].node().value(0, 0)));
  }
  Formula::Node node{};
  node.kind = Kind::function;
  node.args = std::move(args);
  node.function = name;
  return finish(node);
}

Eigen::MatrixXd numbers_of(const Formula& constant) {
  Graph graph;
  const Graph::Scope scope(graph);
  LoweredModel lowered;
  const MatrixXe entries = lower(constant, Model("constants"), lowered);
  return entries.unaryExpr([](Expr entry) { return entry.value(); });
}

}  // namespace

#define FUNCTION_1(name, ...) \
  Formula name(const Formula& a) { return make_function(#name, {a}); }
#define FUNCTION_2(name, ...) \
  Formula name(const Formula& a, const Formula& b) { return make_function(#name, {a, b}); }
#include "hamel/graph/functions.def"

Formula call(std::string_view function, const std::vector<Formula>& arguments) {
  const FunctionRow* row = find_function(function);
  if (row == nullptr) refuse("unknown function {}", function);
  if (static_cast<std::size_t>(row->arity) != arguments.size())
    refuse("{} needs {} argument{}, got {}", function, row->arity, row->arity == 1 ? "" : "s", arguments.size());
  return make_function(function, arguments);
}

Formula table(const std::string& name, const Formula& points) {
  if (points.cols() != 2 || points.rows() < 2)
    refuse("a table needs two columns, [[x1, y1], [x2, y2], ...], got {}", points.quoted());
  for (const Role role : {Role::parameter, Role::coordinate, Role::momentum, Role::input, Role::time})
    if (points.depends_on(role)) refuse("a table needs numbers, got {}", points.quoted());
  const Eigen::MatrixXd values = numbers_of(points);
  const auto size = static_cast<std::size_t>(values.rows());
  return Formula(table_key(name, {values.col(0).data(), size}, {values.col(1).data(), size})).named(name);
}

}  // namespace hamel
