// The numbers of a configuration by what they measure: a vector, a direction, the attitude and the place of a pose.
// Lengths of 1e6 and rotations are in one factor of SE(3), but say nothing about each other.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "hamel/mechanics/geometry.hpp"

namespace hamel {

class Parts {
 public:
  explicit Parts(const Geometry& geometry);

  bool is_curved(int number) const { return part(number).is_curved; }  // given by fewer rates than numbers
  const std::vector<int>& together_with(int number) const { return part(number).numbers; }  // in one part
  // The largest number of the part that a number belongs to; not zero.
  double size(int number, In x) const { return std::max(size(part(number), x), std::numeric_limits<double>::min()); }
  // The largest change, relative to the part of q or of the way that it belongs to.
  double relative(In change, In q, In way) const {
    double result = 0;
    for (const Part& part : parts_)
      if (const double moved = size(part, change); moved > 0)
        result = std::max(result, moved / (size(part, q) + size(part, way)));
    return result;
  }
  // Every size at least that of its part of x.
  void raise(Out sizes, In x) const {
    for (const Part& part : parts_) {
      const double least = size(part, x);
      for (const int i : part.numbers) sizes(i) = std::max(sizes(i), least);
    }
  }

 private:
  struct Part {
    std::vector<int> numbers;
    bool is_curved;
  };

  const Part& part(int number) const {
    return parts_[static_cast<std::size_t>(part_of_[static_cast<std::size_t>(number)])];
  }
  static double size(const Part& part, In x) {
    double result = 0;
    for (const int i : part.numbers) result = std::max(result, std::abs(x(i)));
    return result;
  }

  std::vector<Part> parts_;
  std::vector<int> part_of_;
};

}  // namespace hamel
