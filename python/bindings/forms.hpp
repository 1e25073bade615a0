// The four forms of the equations, by name.
#pragma once

#include <stdexcept>
#include <string>

#include "hamel/derive/form.hpp"

namespace hamel::python {

inline Form form_named(const std::string& name) {
  if (name == "velocity") return Form::velocity;
  if (name == "omega") return Form::omega;
  if (name == "mu") return Form::mu;
  if (name == "pi") return Form::pi;
  throw std::invalid_argument("there is no form " + name + ": use velocity, omega, mu or pi");
}

}  // namespace hamel::python
