// What a run kept, for people and for programs.
#pragma once

#include <string>

#include "command.hpp"
#include "hamel/record/monitor.hpp"

namespace hamel::cli {

Json summary_json(const Model& model, const RunSummary& summary);
void print_summary(const Model& model, const RunSummary& summary);

}  // namespace hamel::cli
