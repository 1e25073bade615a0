#include "hamel/manifold/smooth_map.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <unordered_map>

#include "hamel/graph/differentiate.hpp"
#include "hamel/program/program.hpp"

namespace hamel {
namespace {

using Exprs = std::vector<Expr>;

VectorXe to_vector(const Exprs& x) { return Eigen::Map<const VectorXe>(x.data(), static_cast<Eigen::Index>(x.size())); }

Exprs to_list(const VectorXe& x) { return {x.begin(), x.end()}; }

Exprs second_derivative(const Exprs& f, const Exprs& x, const Exprs& v) {
  return directional_derivative(directional_derivative(f, x, v), x, v);
}

// f'(x), column by column.
Exprs dense_jacobian(const Exprs& f, const Exprs& x) {
  Exprs result(f.size() * x.size());
  for (const Entry& entry : jacobian(f, x))
    result[static_cast<std::size_t>(entry.col) * f.size() + static_cast<std::size_t>(entry.row)] = entry.value;
  return result;
}

// The same with expressions in place of the variables.
Exprs at(const Exprs& f, const Exprs& variables, const VectorXe& values) {
  std::unordered_map<std::uint32_t, Expr> replacement;
  for (std::size_t i = 0; i < variables.size(); ++i)
    replacement.emplace(variables[i].id(), values(static_cast<Eigen::Index>(i)));
  return substitute(f, replacement);
}

void run(const Program& program, std::initializer_list<const double*> inputs, double* output) {
  std::vector<double> scratch(program.scratch_size());
  program.run(inputs.begin(), &output, scratch.data());
}

int checked_outputs(int outputs, const std::string& name) {
  if (outputs < 1)
    throw std::invalid_argument(fmt::format("the formula of {} has no components; give at least one", name));
  return outputs;
}

int checked_inputs(int inputs, const std::string& name) {
  if (inputs < 1) throw std::invalid_argument(fmt::format("{} lies in R^{}; give a positive dimension", name, inputs));
  return inputs;
}

}  // namespace

struct SmoothMap::Programs {
  Program value, jacobian, second;
};

SmoothMap::SmoothMap(int inputs, Formula formula, const std::string& name)
    : inputs_(checked_inputs(inputs, name)), outputs_(0), formula_(std::move(formula)) {
  Graph graph;
  const Graph::Scope scope(graph);
  const Exprs x = graph.variables("x", inputs), v = graph.variables("v", inputs);
  const Exprs f = to_list(formula_(to_vector(x)));
  outputs_ = checked_outputs(static_cast<int>(f.size()), name);
  programs_ =
      std::make_shared<Programs>(Programs{.value = Program(name, {x}, {f}),
                                          .jacobian = Program(name + "'", {x}, {dense_jacobian(f, x)}),
                                          .second = Program(name + "''", {x, v}, {second_derivative(f, x, v)})});
}

VectorXd SmoothMap::value(In x) const {
  VectorXd result(outputs_);
  run(programs_->value, {x.data()}, result.data());
  return result;
}

MatrixXd SmoothMap::jacobian(In x) const {
  MatrixXd result(outputs_, inputs_);
  run(programs_->jacobian, {x.data()}, result.data());
  return result;
}

VectorXd SmoothMap::second(In x, In v) const {
  VectorXd result(outputs_);
  run(programs_->second, {x.data(), v.data()}, result.data());
  return result;
}

MatrixXe SmoothMap::jacobian(InOf<Expr> x) const {
  const Exprs variables = Graph::current().variables("x", inputs_);
  const Exprs entries = at(dense_jacobian(to_list(formula_(to_vector(variables))), variables), variables, x);
  return Eigen::Map<const MatrixXe>(entries.data(), outputs_, inputs_);
}

VectorXe SmoothMap::second(InOf<Expr> x, InOf<Expr> v) const {
  const Exprs variables = Graph::current().variables("x", inputs_);
  const Exprs f = to_list(formula_(to_vector(variables)));
  return to_vector(at(second_derivative(f, variables, to_list(v)), variables, x));
}

VectorXe SmoothMap::value(InOf<Expr> x) const { return formula_(x); }

}  // namespace hamel
