#include "hamel/mechanics/kernel.hpp"

#include "hamel/graph/collect.hpp"
#include "hamel/graph/differentiate.hpp"

namespace hamel {
namespace {

std::size_t operations(const Hoisted& hoisted) { return reachable(hoisted.outputs).size(); }

// Of a small kernel, the shorter of two arrangements.
Hoisted arrange(const std::vector<Expr>& outputs, const std::vector<Expr>& constants) {
  constexpr std::size_t small = 1000;
  Hoisted collected = hoist(collect(outputs, constants), constants);
  if (operations(collected) > small) return collected;
  Hoisted expanded = hoist(collect(outputs, constants, true), constants);
  return operations(expanded) < operations(collected) ? expanded : collected;
}

}  // namespace

Kernel::Kernel(const std::string& name, const Program::Groups& inputs, const Program::Groups& outputs,
               const Parameters& parameters, std::size_t uniform_groups)
    : input_groups_(inputs.size()) {
  std::vector<Expr> all;
  for (const auto& group : outputs) all.insert(all.end(), group.begin(), group.end());
  const Hoisted hoisted = arrange(all, parameters.variables);

  // The constants: hoisted values, then the bare parameters that are used as they are.
  std::vector<Expr> constants = hoisted.variables;
  std::vector<Expr> values = hoisted.values;
  constants.insert(constants.end(), parameters.variables.begin(), parameters.variables.end());
  values.insert(values.end(), parameters.variables.begin(), parameters.variables.end());
  const auto numbers =
      evaluate(values, parameters.variables,
               std::span(parameters.values.data(), static_cast<std::size_t>(parameters.values.size())));
  constants_ = Eigen::Map<const VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));

  Program::Groups program_inputs = inputs;
  program_inputs.push_back(constants);
  Program::Groups program_outputs;
  auto next = hoisted.outputs.begin();
  for (const auto& group : outputs) {
    program_outputs.emplace_back(next, next + static_cast<std::ptrdiff_t>(group.size()));
    next += static_cast<std::ptrdiff_t>(group.size());
  }
  program_ = Program(name, program_inputs, program_outputs, uniform_groups + 1);
}

}  // namespace hamel
