// What the interpreter executes: blocks of equal operations over one register file.
//
// The file is [constants | inputs | outputs | temporaries]. Operations are reordered within windows so that equal
// ones stand together (one dispatch per block instead of one per operation), products that feed one sum are fused
// with it (rounded twice, as if they were not), and temporaries are reused as soon as they are dead.
#pragma once

#include <cstdint>
#include <vector>

#include "hamel/program/code.hpp"

namespace hamel {

using InstructionKind = std::uint8_t;  // an Op, or one of those below
constexpr InstructionKind kind_of(Op op) { return static_cast<InstructionKind>(op); }
constexpr InstructionKind multiply_add = kind_of(Op::select) + 1;  // a b + c
constexpr InstructionKind multiply_subtract = multiply_add + 1;    // a b - c
constexpr InstructionKind subtract_multiply = multiply_add + 2;    // c - a b
constexpr InstructionKind copy = multiply_add + 3;
constexpr InstructionKind kinds = multiply_add + 4;

struct Instruction {
  std::uint32_t target, a, b, c;  // registers
};

struct Block {
  InstructionKind kind;
  std::uint32_t count;
};

struct Schedule {
  std::vector<Block> blocks;
  std::vector<Instruction> instructions;
  std::uint32_t first_output = 0;
  std::uint32_t registers = 0;  // of the whole file
};

Schedule make_schedule(const Code& code);

}  // namespace hamel
