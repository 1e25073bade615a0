// A program in single-assignment form: what the interpreter's schedule and the native tier are both made from.
//
// Values are numbered [constants | inputs | operations]. An operation names its arguments by number; its own
// number is first_operation() plus its place. Arguments always have smaller numbers, so the order of the
// operations is an order of evaluation.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hamel/program/program.hpp"

namespace hamel {

struct Operation {
  Op op;
  std::uint8_t arity;
  std::array<std::uint32_t, 3> argument{};

  std::span<const std::uint32_t> arguments() const { return {argument.data(), arity}; }
};

struct Code {
  std::vector<double> constants;  // in the order of their first use, so that those of equal parts advance evenly
  std::vector<std::uint32_t> input_sizes, output_sizes;  // of the groups
  std::uint32_t inputs = 0;                              // in all groups together
  std::uint32_t uniform_groups = 0;                      // the last ones: one number for all lanes
  std::vector<Operation> operations;
  std::vector<std::uint32_t> outputs;  // the value of each output, the groups one after the other

  std::uint32_t first_input() const { return static_cast<std::uint32_t>(constants.size()); }
  std::uint32_t first_operation() const { return first_input() + inputs; }
  bool is_uniform(std::size_t group) const { return group + uniform_groups >= input_sizes.size(); }
  std::uint32_t values() const { return first_operation() + static_cast<std::uint32_t>(operations.size()); }
};

// Integer powers become products; everything else is one operation per node.
Code make_code(const std::string& name, const Program::Groups& inputs, const Program::Groups& outputs,
               std::size_t uniform_groups = 0);

}  // namespace hamel
