#include "command.hpp"
namespace hamel::cli {
void add_convert(CLI::App&) {}
}  // namespace hamel::cli
