// Units in which the lengths, times and energies of a model are near one.
//
// A unit is what makes numbers small, so it is chosen by what the formulas compare: where a sum has terms of like size,
// the argument of a sine is near one, and so on, as often as possible. A model that is written in other units has other
// numbers but the same sums, so that its units make up for it. Coordinates of one name in R^n have a unit of length of
// their own; directions and attitudes have none. All are powers of two, so that nothing is rounded.
#pragma once

#include <cstdint>
#include <vector>

#include "hamel/derive/expressions.hpp"
#include "hamel/derive/kernel.hpp"
#include "hamel/model/lower.hpp"
#include "hamel/program/code.hpp"

namespace hamel {

struct Units {
  VectorXd length;  // by entry of q
  double time = 1, energy = 1;
};

// How much larger than one lengths and speeds are.
struct StateSize {
  double place = 1, rate = 1;
};

// The terms of L, or of -H.
Exprs energy_terms(const LoweredModel& lowered);

// How like the terms of all sums are at states of any size.
class BalanceOfTerms {
 public:
  BalanceOfTerms(const Model& model, const LoweredModel& lowered, const Parameters& parameters);

  Units units() const;
  // Sizes in these units at which some sum changes which of its terms is the larger: what is lost in its rounding at
  // one size is seen at another.
  std::vector<StateSize> other_sizes(const Units& units) const;

 private:
  // Exponents of two: of each unit of length, of time, of energy.
  using Exponents = Eigen::VectorXi;
  Exponents rough_units() const;
  std::vector<Exponents> directions() const;
  bool move_along(const Exponents& direction, Exponents& now) const;
  Units units_of(const Exponents& exponents) const;
  double likeness(const Exponents& exponents) const;
  std::vector<int> imbalances(const Units& units, const StateSize& size) const;

  std::vector<int> unit_of_;  // of each entry of q; -1: one
  int lengths_ = 0;
  bool by_hamiltonian_;
  Code formulas_;                        // (q, fibre, u, {t}, parameters) -> all that is compared
  VectorXd q_, fibre_, u_, parameters_;  // a random state of the size one
  double t_ = 0;
};

// The same model as a function of q/length, v/(length/time), mu/(energy time/length) and t/time; energies over energy.
LoweredModel in_units(const LoweredModel& lowered, const Units& units);

}  // namespace hamel
