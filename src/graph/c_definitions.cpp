#include "graph/c_definitions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hamel/graph/differentiate.hpp"
#include "hamel/graph/functions.hpp"
#include "hamel/graph/print.hpp"
#include "hamel/graph/table.hpp"

namespace hamel {
namespace {

std::string table_definition(double key) {
  const std::vector<double> rows = table_rows(key);
  std::string text = fmt::format("static const double {}[][5] = {{\n", table_rows_in_c(key));
  for (std::size_t k = 0; k < rows.size(); k += 5)
    text += fmt::format("  {{{:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}}},\n", rows[k], rows[k + 1], rows[k + 2],
                        rows[k + 3], rows[k + 4]);
  return text + "};\n";
}

// By the names that math.h has for the builtins.
std::string portable(std::string_view code) {
  constexpr std::string_view prefix = "__builtin_";
  std::string text(code);
  for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
    text.erase(at, prefix.size());
  return text;
}

std::string function_definition(const FunctionRow& row) {
  if (row.op == Op::interp)
    return fmt::format("{}#define {}(rows, pieces, x) table_at(pieces, rows, x)\n", portable(table_code), row.c_name);
  return fmt::format("static double {}(double a{}) {{ return {}; }}\n", row.c_name, row.arity > 1 ? ", double b" : "",
                     portable(row.value));
}

}  // namespace

std::string table_rows_in_c(double key) { return fmt::format("table_{:x}", static_cast<std::uint64_t>(key)); }

std::vector<std::string> c_definitions(std::span<const Expr> f) {
  const Graph& graph = Graph::current();
  std::vector<std::string> result;
  const auto add = [&](std::string text) {
    if (std::find(result.begin(), result.end(), text) == result.end()) result.push_back(std::move(text));
  };
  for (const std::uint32_t id : reachable(f)) {
    const FunctionRow* row = find_function(graph.node(id).op);
    if (row == nullptr || row->is_defined_in_c()) continue;
    add(function_definition(*row));
    if (row->op == Op::interp) add(table_definition(graph.constant_value(graph.node(id).a)));
  }
  return result;
}

}  // namespace hamel
