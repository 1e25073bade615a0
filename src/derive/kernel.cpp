#include "hamel/derive/kernel.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "hamel/graph/collect.hpp"
#include "hamel/graph/differentiate.hpp"

namespace hamel {
namespace {

std::size_t operations(const Hoisted& hoisted) {
  const Graph& graph = Graph::current();
  const auto nodes = reachable(hoisted.outputs);
  return static_cast<std::size_t>(
      std::count_if(nodes.begin(), nodes.end(), [&](std::uint32_t id) { return arity(graph.node(id).op) > 0; }));
}

// Constants that multiply the same expression become neighbours, in the order of the outputs: rows of a matrix, to be
// loaded together.
Hoisted side_by_side(const Hoisted& hoisted) {
  using Place = std::pair<std::uint32_t, std::size_t>;  // what it multiplies, and in which output
  constexpr Place nowhere{std::numeric_limits<std::uint32_t>::max(), 0};
  std::unordered_map<std::uint32_t, Place> place_of;
  for (Expr variable : hoisted.variables) place_of[variable.id()] = nowhere;
  for (std::size_t row = 0; row < hoisted.outputs.size(); ++row)
    for (const auto id : reachable(std::span(&hoisted.outputs[row], 1))) {
      const Node& node = Graph::current().node(id);
      if (node.op != Op::multiply) continue;
      for (const auto& [constant, body] : {std::pair(node.a, node.b), std::pair(node.b, node.a)})
        if (const auto found = place_of.find(constant); found != place_of.end())
          found->second = std::min(found->second, Place{body, row});
    }
  std::vector<std::size_t> order(hoisted.variables.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return place_of.at(hoisted.variables[a].id()) < place_of.at(hoisted.variables[b].id());
  });
  Hoisted result{.outputs = hoisted.outputs, .variables = {}, .values = {}};
  for (const std::size_t i : order) {
    result.variables.push_back(hoisted.variables[i]);
    result.values.push_back(hoisted.values[i]);
  }
  return result;
}

// Of a small kernel, the shortest of three arrangements.
Hoisted arrange(const std::vector<Expr>& outputs, const std::vector<Expr>& constants) {
  constexpr std::size_t small = 1000;
  Hoisted best = hoist(collect(outputs, constants), constants);
  if (operations(best) > small) return best;
  for (const Expand expand : {Expand::sums, Expand::products}) {
    Hoisted expanded = hoist(collect(outputs, constants, expand), constants);
    if (operations(expanded) < operations(best))
      best = expand == Expand::products ? side_by_side(expanded) : std::move(expanded);
  }
  return best;
}

std::span<const double> span_of(In values) { return {values.data(), static_cast<std::size_t>(values.size())}; }

}  // namespace

Constants::Constants(std::span<const Expr> formulas, const Parameters& parameters)
    : formulas_(std::make_shared<const Sequence>(formulas, parameters.variables)) {
  values_.resize(static_cast<Eigen::Index>(formulas.size()));
  set_parameters(parameters.values);
}

void Constants::set_parameters(In values) {
  if (formulas_ != nullptr) formulas_->run(span_of(values), values_.data());
}

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
  constants_ = Constants(values, parameters);

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
