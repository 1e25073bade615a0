// How operations are written in C, and what such text relies on.
#pragma once

#include <array>
#include <span>
#include <string>

#include "program/tape.hpp"

namespace hamel {

std::string literal(double value);  // exact
std::string formula(Op op, const std::array<std::string, 3>& arguments);

// Operations that C has for vectors of four too; the others become functions.
bool is_vector_operation(Op op);
std::string lane_function(Op op, int lanes);

// What the text of these programs relies on; once per translation unit.
std::string emit_preamble(std::span<const Program::Tape* const> tapes, int lanes);

// As many numbers as the processor has in a register, after the preamble of eight lanes; VECTOR(f) is the function f of
// those. Arrays of them begin where a line of the cache does: else each number would lie in two.
constexpr const char* widest_vectors = R"(#ifdef __AVX512F__
typedef n8 loose_number;
#define VECTOR(f) n8_##f
#define ALL(x) ((x) - (n8){0})
#else
typedef n4 loose_number;
#define VECTOR(f) n4_##f
#define ALL(x) ALL_n4(x)
#endif
typedef loose_number number __attribute__((aligned(sizeof(loose_number))));
#define WIDTH ((long)(sizeof(number) / sizeof(double)))
)";

// Inlined a dozen times, a longer function would not fit into the cache of instructions.
constexpr std::size_t longest_inlined = 200;

// What lane_text.hpp promises beyond that.
constexpr const char* lane_entry = "hamel_lanes";
extern const char* const lane_choices;

}  // namespace hamel
