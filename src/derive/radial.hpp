// Expressions that depend on a point of a sphere by |q|^2 alone, which is known there.
#pragma once

#include <optional>

#include "hamel/derive/expressions.hpp"

namespace hamel {

// at_zero + slope |q|^2, with a slope that is free of q.
struct Radial {
  Expr at_zero, slope;
};
std::optional<Radial> radial(Expr e, const Exprs& q);

}  // namespace hamel
