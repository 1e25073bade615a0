// hamel linearize of large systems: sparse matrices, and the lowest modes instead of all.
#pragma once

#include "command.hpp"
#include "hamel/analyze/sparse_model.hpp"

namespace hamel::cli {

constexpr int largest_dense = 300;  // degrees of freedom

void show_large_model(const Model& model, const std::string& at, const SparseModel& linear, bool as_json);

}  // namespace hamel::cli
