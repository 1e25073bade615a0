// What a Workspace holds beside inputs and multipliers. Dynamics of each kind have the parts that they need.
#pragma once

#include "hamel/mechanics/constraints.hpp"
#include "hamel/mechanics/geometry.hpp"
#include "hamel/mechanics/hamilton.hpp"
#include "hamel/mechanics/reduced.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

struct Workspace::Scratch {
  VectorXd program;  // of kernels
  VectorXd eta, eta_rate, momentum, force, acceleration, numbers, rates;
  Geometry::Workspace geometry;
  Constraints::Workspace constraint;
  Reduced::Workspace reduced;
  Hamilton::Workspace hamilton;

  void make_room(std::initializer_list<const Kernel*> kernels);  // for each of their programs
};

}  // namespace hamel
