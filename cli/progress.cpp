#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace hamel::cli {

namespace {

constexpr int bar_width = 24;

std::string duration(double seconds) {
  if (!std::isfinite(seconds) || seconds > 1e7) return "?";
  const auto whole = static_cast<long long>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string rate(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.1f} M", per_second / 1e6);
  if (per_second >= 1e3) return fmt::format("{:.1f} k", per_second / 1e3);
  return fmt::format("{:.0f}", per_second);
}

}  // namespace

ProgressBar::ProgressBar(bool wanted) : wanted_(wanted && isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (shown_ >= 0) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::draw(double part, const std::string& more) {
  const double inside = std::clamp(part, 0.0, 1.0);
  const int done = static_cast<int>(inside * bar_width);
  shown_ = static_cast<int>(100 * inside);
  fmt::print(stderr, "\r\033[K{:3} % [{:#<{}}{:.<{}}]{}", shown_, "", done, "", bar_width - done, more);
  std::fflush(stderr);
}

void ProgressBar::operator()(const Progress& progress) {
  if (!wanted_) return;
  draw(progress.fraction, fmt::format(" {} steps/s, {} left, energy error {:.1e}", rate(progress.steps_per_second),
                                      duration(progress.seconds_left), progress.energy_error));
}

void ProgressBar::operator()(double part) {
  if (wanted_ && static_cast<int>(100 * std::clamp(part, 0.0, 1.0)) != shown_) draw(part, "");
}

}  // namespace hamel::cli
