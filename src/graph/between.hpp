// The part of a graph that lies between outputs and the variables they are differentiated by: the nodes that the
// outputs reach and that depend on a variable, numbered 0, 1, ... in the order of their ids.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/node_set.hpp"
#include "hamel/graph/expr.hpp"

namespace hamel {

class Between {
 public:
  static constexpr std::uint32_t none = NodeSet::none;
  using Arguments = std::array<std::uint32_t, 3>;  // none where an argument does not depend on the variables

  Between(const Graph& graph, std::span<const Expr> outputs, std::span<const Expr> variables);

  std::size_t size() const { return ids_.size(); }
  std::uint32_t id(std::uint32_t number) const { return ids_[number]; }
  std::uint32_t output(std::size_t row) const { return outputs_[row]; }            // none: does not depend on x
  std::uint32_t variable(std::size_t column) const { return variables_[column]; }  // none: no output depends on it
  std::uint32_t column(std::uint32_t number) const { return columns_[number]; }    // none: not a variable
  const Arguments& arguments(std::uint32_t number) const { return arguments_[number]; }  // a variable has none

 private:
  std::vector<std::uint32_t> ids_, columns_, outputs_, variables_;
  std::vector<Arguments> arguments_;
};

}  // namespace hamel
