#include "hamel/graph/sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "graph/node_set.hpp"
#include "hamel/graph/apply.hpp"

namespace hamel {

Sequence::Sequence(std::span<const Expr> outputs, std::span<const Expr> variables) : variables_(variables.size()) {
  const Graph& graph = Graph::current();
  NodeSet given(graph), reached(graph);
  for (const Expr variable : variables)
    if (!given.insert(variable.id())) throw std::invalid_argument("sequence: a variable is given twice");
  reached.insert_reachable(graph, outputs, [&](std::uint32_t id) { return given.contains(id); });
  reached.sort();

  const auto is_number = [&](const Node& node) { return node.op == Op::constant || node.op == Op::integer_power; };
  for (const std::uint32_t id : reached.ids()) {
    const Node& node = graph.node(id);
    if (!is_number(node) || given.contains(id)) continue;
    numbers_.push_back(node.op == Op::constant ? graph.constant_value(id) : static_cast<std::int32_t>(node.b));
  }
  const auto first_variable = static_cast<std::uint32_t>(numbers_.size());
  const std::uint32_t first_step = first_variable + static_cast<std::uint32_t>(variables_);
  std::vector<std::uint32_t> place(reached.size());
  const auto place_of = [&](std::uint32_t id) { return place[reached.position(id)]; };
  std::uint32_t number = 1;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::uint32_t id = reached.ids()[i];
    const Node& node = graph.node(id);
    const int count = arity(node.op);
    if (given.contains(id)) {
      place[i] = first_variable + given.position(id);
    } else if (node.op == Op::constant) {
      place[i] = number++;
    } else if (node.op == Op::variable) {
      throw std::invalid_argument(fmt::format("sequence: the variable {} has no value", graph.variable_name(id)));
    } else {
      place[i] = first_step + static_cast<std::uint32_t>(steps_.size());
      const std::uint32_t b = node.op == Op::integer_power ? number++ : count > 1 ? place_of(node.b) : 0;
      steps_.push_back({node.op, place_of(node.a), b, count > 2 ? place_of(node.c) : 0});
    }
  }
  for (const Expr e : outputs) outputs_.push_back(place_of(e.id()));
}

void Sequence::run(std::span<const double> values, double* results) const {
  if (values.size() != variables_)
    throw std::invalid_argument(fmt::format("sequence: {} variables but {} values", variables_, values.size()));
  thread_local std::vector<double> file;
  file.resize(numbers_.size() + variables_ + steps_.size());
  double* next = std::copy(numbers_.begin(), numbers_.end(), file.data());
  next = std::copy(values.begin(), values.end(), next);
  for (const auto& [op, a, b, c] : steps_) *next++ = apply_operation(op, file[a], file[b], file[c]);
  for (const std::uint32_t place : outputs_) *results++ = file[place];
}

}  // namespace hamel
