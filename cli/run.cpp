#include "command.hpp"
namespace hamel::cli {
void add_run(CLI::App&) {}
}  // namespace hamel::cli
