// A system to record, with parameters and outputs, and what its records have in common.
#pragma once

#include <string>
#include <vector>

#include "hamel/record/record.hpp"
#include "hamel/record/recorded_run.hpp"

namespace hamel::test {

struct Recorded {
  System system;
  State start;
  std::vector<Output> outputs;  // a scalar, a vector and a matrix
  RecordHeader header;          // what a caller knows
};
Recorded double_pendulum_with_outputs();

void expect_same(const Rows& a, const Rows& b);  // to the last bit
void expect_same(const RunSummary& a, const RunSummary& b);

std::string message_of(const std::function<void()>& work);  // of the exception that it throws; "" if none

}  // namespace hamel::test
