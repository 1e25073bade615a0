// The functions of model files.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "hamel/model/model.hpp"

namespace hamel {

struct Builtin {
  std::size_t least, most;  // arguments
  std::string form;         // "atan2(y, x)", for messages
  std::function<Formula(Model&, const std::vector<Formula>&)> apply;
};

const std::map<std::string, Builtin>& builtins();
// pi, e1, e2, e3, I2, I3, t
const std::map<std::string, Formula>& builtin_constants();

}  // namespace hamel
