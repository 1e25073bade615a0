// The derivative of one node: backwards (what its adjoint gives to an argument) and forwards.
#pragma once

#include "hamel/graph/expr.hpp"

namespace hamel {

// adjoint * dy/d(argument number k), where y is the expression of the node.
Expr pull_back(const Graph& graph, const Node& node, Expr y, Expr adjoint, int k);

// The sum of two contributions to one adjoint.
Expr accumulate(const Graph& graph, Expr a, Expr b);

struct Tangents {
  Expr a, b, c;
};

// The derivative of y from those of its arguments.
Expr push_forward(const Graph& graph, const Node& node, Expr y, const Tangents& d);

}  // namespace hamel
