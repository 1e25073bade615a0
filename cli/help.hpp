// Help texts that are no wider than the terminal.
#pragma once

#include <memory>

#include "command.hpp"

namespace hamel::cli {

std::shared_ptr<CLI::FormatterBase> narrow_help();

}  // namespace hamel::cli
