// The lengths that a system has of its own, in whatever units it is written: those at which what acts on it changes its
// law. Of a double well -a x^2/2 + b x^4/4 the force grows like x below sqrt(a/b) and like x^3 above.
#pragma once

#include <functional>
#include <vector>

#include "hamel/mechanics/system.hpp"

namespace hamel {

struct Scales {
  // Entries of q that are measured by a length: R^n, and the position in a pose.
  struct Place {
    Eigen::Index begin, natural, size;  // in q, in natural coordinates
    std::vector<double> lengths = {};   // smallest first; none: no length is special
  };
  std::vector<Place> places;
  Eigen::Index natural = 0;  // how many natural coordinates there are
  double smallest = 1;       // of all lengths

  double unit(const Place& place) const { return place.lengths.empty() ? smallest : place.lengths.front(); }
  // What entries of q, and natural coordinates, are measured by: the smallest length of a place, or its own size where
  // that is larger; 1 of directions and attitudes.
  struct Units {
    VectorXd ambient, natural;
  };
  Units units_at(In q) const;
  // A point whose places have the k-th of their lengths, times a factor.
  VectorXd stretched(In q, int k, double factor) const;
};
// By the sizes of what acts at a point, none of which may be rounding errors.
Scales scales(const System& system, const std::function<VectorXd(In q)>& acting);

// How many natural coordinates each part of each factor has: an attitude, a position.
std::vector<Eigen::Index> natural_parts(const System& system);

}  // namespace hamel
