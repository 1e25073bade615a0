// What the interpreter executes: blocks of equal operations over one register file.
//
// The file is [constants | inputs | outputs | temporaries]. Operations are reordered within windows so that equal
// ones stand together (one dispatch per block instead of one per operation), and temporaries are reused as soon as they
// are dead.
#pragma once

#include <cstdint>
#include <vector>

#include "hamel/program/code.hpp"

namespace hamel {

using InstructionKind = std::uint8_t;  // an Op, or copy
constexpr InstructionKind kind_of(Op op) { return static_cast<InstructionKind>(op); }
constexpr InstructionKind copy = kind_of(Op::subtract_multiply) + 1;
constexpr InstructionKind kinds = copy + 1;

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
