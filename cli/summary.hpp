// What a run kept, for people and for programs.
#pragma once

#include <string>

#include "command.hpp"
#include "hamel/record/monitor.hpp"

namespace hamel::cli {

Json summary_json(const Model& model, const RunSummary& summary);
void print_summary(const Model& model, const RunSummary& summary);

// How many digits of a quantity were kept, given its error and its size: "12 digits", "all digits", "none".
std::string digits_kept(double error, double size);

}  // namespace hamel::cli
