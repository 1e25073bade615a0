// Which point takes the place of which coordinate (lift.hpp).
//
// It is decided by inertias, which are functions of parameters: kept here, so that the decision can be held against
// other values of theirs.
#pragma once

#include <vector>

#include "hamel/derive/kernel.hpp"

namespace hamel {

class PointPlaces {
 public:
  // For each coordinate of q, the point that takes its place, or -1.
  std::vector<int> chosen() const;
  void set_parameters(In values) { numbers_.set_parameters(values); }

 private:
  friend class Lifting;
  std::vector<std::vector<int>> rates_of_;  // by point: the rates that its own is a combination of
  std::vector<bool> by_basis_;              // by coordinate of q
  Constants numbers_;                       // inertias of all rates, then the coefficients of rates_of_
};

}  // namespace hamel
