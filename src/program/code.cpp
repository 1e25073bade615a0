#include "hamel/program/code.hpp"

#include <bit>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <unordered_map>

#include "hamel/graph/differentiate.hpp"

namespace hamel {
namespace {

constexpr std::uint32_t unnumbered = std::numeric_limits<std::uint32_t>::max();
constexpr int largest_product_power = 16;  // beyond it, rounding errors of the products exceed those of pow

std::vector<Expr> flatten(const Program::Groups& groups) {
  std::vector<Expr> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

std::vector<std::uint32_t> sizes(const Program::Groups& groups) {
  std::vector<std::uint32_t> result;
  for (const auto& group : groups) result.push_back(static_cast<std::uint32_t>(group.size()));
  return result;
}

// While building, the number of constants is not known yet: a value is marked by its space and renumbered last.
enum Space : std::uint32_t { constant_space = 0u, input_space = 1u << 30, operation_space = 2u << 30 };
constexpr std::uint32_t space_bits = 3u << 30;

class Builder {
 public:
  Builder(std::string name, const Program::Groups& inputs, const Program::Groups& outputs)
      : name_(std::move(name)), graph_(Graph::current()) {
    code_.input_sizes = sizes(inputs);
    code_.output_sizes = sizes(outputs);
    const std::vector<Expr> roots = flatten(outputs);
    number_of_.assign(graph_.size(), unnumbered);
    number_inputs(flatten(inputs));
    for (const std::uint32_t id : reachable(roots)) visit(id);
    for (const Expr root : roots) code_.outputs.push_back(number(root.id()));
  }

  Code finish() && {
    for (Operation& operation : code_.operations)
      for (std::size_t i = 0; i < operation.arity; ++i) operation.argument[i] = final_number(operation.argument[i]);
    for (std::uint32_t& output : code_.outputs) output = final_number(output);
    return std::move(code_);
  }

 private:
  void number_inputs(const std::vector<Expr>& inputs) {
    for (const Expr input : inputs) {
      if (graph_.node(input.id()).op != Op::variable)
        throw std::invalid_argument("program '" + name_ + "': input " + std::to_string(code_.inputs) +
                                    " is not a variable; make inputs with Graph::variable");
      std::uint32_t& number = number_of_[input.id()];
      if (number != unnumbered)
        throw std::invalid_argument("program '" + name_ + "': variable '" + graph_.variable_name(input.id()) +
                                    "' is an input twice; give each variable once");
      number = input_space | code_.inputs++;
    }
  }

  void visit(std::uint32_t id) {
    const Node& node = graph_.node(id);
    if (node.op == Op::constant) return;  // numbered at its first use
    if (node.op == Op::variable) {
      if (number_of_[id] == unnumbered)
        throw std::invalid_argument("program '" + name_ + "': an output depends on variable '" +
                                    graph_.variable_name(id) + "', which is not among the inputs; add it to them");
    } else if (node.op == Op::integer_power) {
      number_of_[id] = integer_power(number(node.a), static_cast<std::int32_t>(node.b));
    } else {
      const int count = arity(node.op);
      number_of_[id] =
          append(node.op, number(node.a), count > 1 ? number(node.b) : 0u, count > 2 ? number(node.c) : 0u);
    }
  }

  std::uint32_t number(std::uint32_t id) {
    if (number_of_[id] == unnumbered) number_of_[id] = constant(graph_.constant_value(id));
    return number_of_[id];
  }

  std::uint32_t constant(double value) {
    const auto next = static_cast<std::uint32_t>(code_.constants.size());
    const auto [entry, is_new] = constant_of_.try_emplace(std::bit_cast<std::uint64_t>(value), next);
    if (is_new) code_.constants.push_back(value);
    return constant_space | entry->second;
  }

  std::uint32_t append(Op op, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0) {
    const auto next = static_cast<std::uint32_t>(code_.operations.size());
    if (next >= ~space_bits)
      throw std::runtime_error("program '" + name_ + "': more than 2^30 operations; split it into smaller programs");
    code_.operations.push_back({op, static_cast<std::uint8_t>(arity(op)), {a, b, c}});
    return operation_space | next;
  }

  std::uint32_t product(std::uint32_t a, std::uint32_t b) {
    const auto [entry, is_new] = product_of_.try_emplace((std::uint64_t{a} << 32) | b, 0u);
    if (is_new) entry->second = append(Op::multiply, a, b);
    return entry->second;
  }

  std::uint32_t integer_power(std::uint32_t base, std::int32_t exponent) {
    if (exponent == 0) return constant(1.0);
    if (exponent > largest_product_power || exponent < -largest_product_power)
      return append(Op::power, base, constant(exponent));
    std::uint32_t result = unnumbered;
    for (int left = std::abs(exponent); left > 0; left /= 2) {
      if (left % 2 == 1) result = result == unnumbered ? base : product(result, base);
      if (left > 1) base = product(base, base);
    }
    return exponent > 0 ? result : append(Op::divide, constant(1.0), result);
  }

  std::uint32_t final_number(std::uint32_t number) const {
    const std::uint32_t index = number & ~space_bits;
    switch (number & space_bits) {
      case input_space:
        return code_.first_input() + index;
      case operation_space:
        return code_.first_operation() + index;
      default:
        return index;
    }
  }

  std::string name_;
  Graph& graph_;
  Code code_;
  std::vector<std::uint32_t> number_of_;  // by node id
  std::unordered_map<std::uint64_t, std::uint32_t> constant_of_, product_of_;
};

}  // namespace

Code make_code(const std::string& name, const Program::Groups& inputs, const Program::Groups& outputs,
               std::size_t uniform_groups) {
  Code code = Builder(name, inputs, outputs).finish();
  code.uniform_groups = static_cast<std::uint32_t>(uniform_groups);
  return code;
}

}  // namespace hamel
