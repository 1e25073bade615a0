// Where things are in the file of a sweep.
#pragma once

#include "hamel/record/sweep_file.hpp"
#include "record/layout.hpp"

namespace hamel {

enum SweepColumn : std::size_t { varied_place, kept_place, failed_place, sweep_checksum_place, failures_place };
std::vector<Column> sweep_columns(const SweepHeader& header);

void write_sweep_header(hid_t file, const SweepHeader& header);
SweepHeader read_sweep_header(hid_t file);

// A member and why it failed, as words.
constexpr std::size_t failure_words = 1 + 64;
void put_failure(std::vector<std::uint64_t>& words, const MemberFailure& failure);
MemberFailure failure_of(const std::uint64_t* words);

std::uint64_t sweep_checksum(std::uint64_t member, const double* varied, std::size_t width, const double* kept,
                             std::size_t kept_width, bool failed);

}  // namespace hamel
