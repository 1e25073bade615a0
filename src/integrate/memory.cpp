#include "hamel/integrate/memory.hpp"

#include <fmt/core.h>

namespace hamel {

double Memory::next() {
  if (numbers_.empty()) throw std::invalid_argument("these saved numbers end too early; nothing can be restored");
  const double number = numbers_.front();
  numbers_ = numbers_.subspan(1);
  return number;
}

double Memory::checked(double count) {
  constexpr double largest = 9007199254740992;  // 2^53
  if (!(std::abs(count) <= largest && count == std::floor(count)))
    throw std::invalid_argument(
        fmt::format("these saved numbers are damaged: {} is where a whole number is expected", count));
  return count;
}

void Memory::same(const char* what, double value) {
  double saved = value;
  pass(saved);
  if (saved != value)
    throw std::invalid_argument(fmt::format(
        "these numbers were saved with the {} {}, not with {}; restore them with the same one", what, saved, value));
}

}  // namespace hamel
