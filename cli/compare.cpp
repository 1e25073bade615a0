#include "command.hpp"
namespace hamel::cli {
void add_compare(CLI::App&) {}
}  // namespace hamel::cli
