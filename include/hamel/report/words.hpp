// Numbers, spaces and ends of runs in a few words, the same in the command and in reports.
#pragma once

#include <string>

#include "hamel/model/model.hpp"
#include "hamel/record/monitor.hpp"

namespace hamel {

std::string brief(double value, int digits = 6);  // as short as it can be
std::string space_of(const Model& model);         // "R2 x S2^5"

std::string inputs_text(const Model& model, const Eigen::VectorXd& inputs);  // "u = 1, v[1] = 2"

// "at t = 7.87 instead of 20: ..."; nothing of a run that reached its end.
std::string early_end(const RunSummary& summary);

}  // namespace hamel
