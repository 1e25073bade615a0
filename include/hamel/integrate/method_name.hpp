// Methods by their names, as model files and commands write them: "variational8", "gauss16", "rk4", ...
#pragma once

#include <string>
#include <vector>

#include "hamel/integrate/method.hpp"

namespace hamel {

const std::vector<std::string>& method_names();
// Does the method choose its steps by a tolerance when it is given one?
bool takes_tolerance(const std::string& name);
// rk45 takes a tolerance, Gauss methods a step or a tolerance, all others a step. Refuses unknown names and what is
// missing.
Method method_named(const std::string& name, double step, double tolerance);

}  // namespace hamel
