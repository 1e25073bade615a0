// One line of the table: hamel against code written by hand, and how much slower it may be.
//
// Both sides are registered with Google Benchmark, which interleaves their repetitions; medians are compared.
#pragma once

#include <string>
#include <vector>

namespace hamel::bench {

struct Side {
  std::string name;  // among the benchmarks; empty for a time that is not measured but given
  double microseconds = 0;
};

struct Comparison {
  std::string name;
  int size;
  Side ours, baseline;
  double bound;  // of ours / baseline

  double ratio() const { return ours.microseconds / baseline.microseconds; }
  bool holds() const { return ratio() <= bound; }
};

void print_table(const std::vector<Comparison>& comparisons);
void write_json(const std::vector<Comparison>& comparisons, const std::string& path);

// Throws where two results differ by more than 1e-10 of their size: then there is nothing to compare.
void require_agreement(const std::string& what, const double* ours, const double* baseline, long count);

}  // namespace hamel::bench
