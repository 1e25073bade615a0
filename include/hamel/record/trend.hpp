// Lines through series of numbers against time, and how certain their slopes are, in constant memory.
//
//   Trends trends(2);
//   trends.add(t, errors);                               // one number of each series
//   trends.slope(0), trends.slope_error(0)
//
// Neighbours in a run are alike, so a standard error that takes them for independent is far too small. Here it is that
// of a line through the means of blocks, 16 to 32 of them, which grow with the run; and through those of pairs of
// blocks, and pairs of pairs, while there are four: where these differ the largest one is right, since means of what
// is correlated keep their scatter.
#pragma once

#include "hamel/integrate/memory.hpp"

namespace hamel {

class Trends {
 public:
  explicit Trends(Eigen::Index series = 0);

  void add(double t, const VectorXd& values);     // allocates nothing
  double slope(Eigen::Index series) const;        // of the least-squares line through all numbers
  double slope_error(Eigen::Index series) const;  // its standard error; infinite for fewer than three numbers

  void remember(Memory& memory);

 private:
  static constexpr Eigen::Index most_blocks = 32;
  void add_to_block(double t, const VectorXd& values);
  void join_blocks();

  double count_ = 0, mean_t_ = 0, spread_t_ = 0;
  VectorXd mean_, covariance_;
  Eigen::Index full_ = 0;           // blocks; the next one is being filled
  double length_ = 1, filled_ = 0;  // how many numbers make a block, and are in the one being filled
  VectorXd block_t_;                // means
  MatrixXd block_;                  // of each series, a column per block
};

}  // namespace hamel
