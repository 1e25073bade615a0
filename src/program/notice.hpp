// What the user should know although everything goes on: said once per process and cause.
#pragma once

#include <string>

namespace hamel {

void notice(const std::string& cause, const std::string& message);

}  // namespace hamel
