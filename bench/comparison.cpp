#include "comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace hamel::bench {
namespace {

constexpr double agreement = 1e-10;

}  // namespace

void print_table(const std::vector<Comparison>& comparisons) {
  fmt::print("{:<48}{:>7}{:>14}{:>14}{:>8}{:>7}\n", "name", "size", "ours (us)", "baseline (us)", "ratio", "bound");
  for (const Comparison& row : comparisons)
    fmt::print("{:<48}{:>7}{:>14.3f}{:>14.3f}{:>8.2f}{:>7}  {}\n", row.name, row.size, row.ours.microseconds,
               row.baseline.microseconds, row.ratio(), row.bound, row.holds() ? "ok" : "OVER");
  const auto over = std::ranges::count_if(comparisons, [](const Comparison& row) { return !row.holds(); });
  fmt::print("{} of {} within their bounds\n", std::ssize(comparisons) - over, comparisons.size());
}

void write_json(const std::vector<Comparison>& comparisons, const std::string& path) {
  std::ofstream file(path);
  const char* separator = "[\n";
  for (const Comparison& row : comparisons) {
    file
        << separator
        << fmt::format(
               R"(  {{"name": "{}", "size": {}, "ours_us": {:.6g}, "baseline_us": {:.6g}, "ratio": {:.4g}, "bound": {}}})",
               row.name, row.size, row.ours.microseconds, row.baseline.microseconds, row.ratio(), row.bound);
    separator = ",\n";
  }
  file << "\n]\n";
  file.close();
  if (!file)
    throw std::runtime_error(fmt::format("{} could not be written; give another path as the last argument", path));
}

void require_agreement(const std::string& what, const double* ours, const double* baseline, long count) {
  double size = 1, difference = 0;
  for (long i = 0; i < count; ++i) {
    size = std::fmax(size, std::fabs(baseline[i]));
    difference = std::fabs(ours[i] - baseline[i]) <= difference ? difference : std::fabs(ours[i] - baseline[i]);
  }
  if (!(difference <= agreement * size))
    throw std::runtime_error(
        fmt::format("{}: hamel and the baseline differ by {:.2e} of {:.2e}; more than {:.0e} is an error "
                    "in one of them, so nothing is timed",
                    what, difference, size, agreement));
}

}  // namespace hamel::bench
