#include "language/builtins.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "hamel/graph/functions.hpp"

namespace hamel {

namespace {

using Args = std::vector<Formula>;

Formula identity(int n) { return Eigen::MatrixXd::Identity(n, n).eval(); }

Formula diagonal(const Args& entries) {
  std::vector<Formula> diagonal = entries;
  if (entries.size() == 1 && entries.front().is_vector() && !entries.front().is_scalar()) {
    diagonal.clear();
    for (int i = 0; i < entries.front().rows(); ++i) diagonal.push_back(entries.front()[i]);
  }
  const auto n = static_cast<int>(diagonal.size());
  if (n == 1) return diagonal.front();
  std::vector<Formula> columns;
  for (int j = 0; j < n; ++j) {
    std::vector<Formula> column(static_cast<std::size_t>(n), Formula(0.0));
    column[static_cast<std::size_t>(j)] = diagonal[static_cast<std::size_t>(j)];
    columns.push_back(Formula::vector(column));
  }
  return Formula::columns(columns);
}

// A point of SE3, from its rotation and position.
Formula pose(const Formula& rotation, const Formula& position) {
  if (rotation.rows() != 3 || rotation.cols() != 3 || !position.is_vector() || position.rows() != 3)
    throw std::invalid_argument("pose needs a 3x3 matrix and a vector of length 3, got " + rotation.quoted() + " and " +
                                position.quoted());
  return Formula::columns({rotation.column(0), rotation.column(1), rotation.column(2), position});
}

// A vector of equal components.
Formula repeat(const Formula& value, const Formula& count) {
  constexpr double most = 1e6;
  const double n = count.is_scalar() && count.is_number() ? count.node().value(0) : 0;
  if (!(n >= 1) || n > most || n != std::floor(n))
    throw std::invalid_argument("repeat needs a whole number of times, 1 to 1000000, got " + count.quoted());
  return Formula::vector(std::vector<Formula>(static_cast<std::size_t>(n), value));
}

template <class Function>
Builtin one(const char* form, Function function) {
  return {1, 1, form, [function](Model&, const Args& a) { return function(a[0]); }};
}

template <class Function>
Builtin two(const char* form, Function function) {
  return {2, 2, form, [function](Model&, const Args& a) { return function(a[0], a[1]); }};
}

using Unary = Formula (*)(const Formula&);
using Binary = Formula (*)(const Formula&, const Formula&);

std::map<std::string, Builtin> make_builtins() {
  constexpr std::size_t many = 1000;
  std::map<std::string, Builtin> result;
  for (const FunctionRow& row : functions()) {
    const auto arity = static_cast<std::size_t>(row.arity);
    result.emplace(row.name, Builtin{arity, arity, fmt::format("{}({})", row.name, arity == 1 ? "x" : "a, b"),
                                     [name = row.name](Model&, const Args& a) { return call(name, a); }});
  }
  const std::map<std::string, Unary> unary = {{"norm", norm},         {"hat", hat},           {"vee", vee},
                                              {"rate", rate},         {"trace", trace},       {"norm2", squared_norm},
                                              {"omega", omega},       {"Omega", omega},       {"xi", xi},
                                              {"rotation", rotation}, {"position", position}, {"transpose", transpose},
                                              {"det", determinant}};
  for (const auto& [name, function] : unary) result.emplace(name, one((name + "(x)").c_str(), function));
  const std::map<std::string, Binary> binary = {{"dot", dot}, {"cross", cross}};
  for (const auto& [name, function] : binary) result.emplace(name, two((name + "(a, b)").c_str(), function));
  result.emplace("atan", one("atan(x)", [](const Formula& x) { return atan2(x, 1.0); }));
  result.emplace("unit", one("unit(v)", [](const Formula& v) { return v / norm(v); }));
  result.emplace("table", one("table([[x1, y1], ...])", [](const Formula& points) {
                   return table(points.node().label.empty() ? "table" : points.node().label, points);
                 }));
  result.emplace("turn", two("turn(axis, angle)", static_cast<Formula (*)(const Formula&, const Formula&)>(turn)));
  result.emplace("repeat", two("repeat(value, n)", repeat));
  result.emplace("pose", two("pose(rotation, position)", pose));
  result.emplace("momentum",
                 Builtin{1, 1, "momentum(q)", [](Model& model, const Args& a) { return model.momentum(a[0]); }});
  result.emplace("columns",
                 Builtin{1, many, "columns(a, b, ...)", [](Model&, const Args& a) { return Formula::columns(a); }});
  result.emplace("diag", Builtin{1, many, "diag(a, b, ...)", [](Model&, const Args& a) { return diagonal(a); }});
  return result;
}

}  // namespace

const std::map<std::string, Builtin>& builtins() {
  static const std::map<std::string, Builtin> all = make_builtins();
  return all;
}

const std::map<std::string, Formula>& builtin_constants() {
  static const std::map<std::string, Formula> all = {
      {"pi", std::numbers::pi},
      {"e1", unit_vector(0)},
      {"e2", unit_vector(1)},
      {"e3", unit_vector(2)},
      {"I2", identity(2)},
      {"I3", identity(3)},
      {"t", Formula::symbol({.role = Role::time, .name = "t", .slot = 0}, 1, 1)},
  };
  return all;
}

}  // namespace hamel
