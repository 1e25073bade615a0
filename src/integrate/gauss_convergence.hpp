// How the stages of a Gauss step are judged, alone, in lanes and on a GPU.
#pragma once

#include <cmath>
#include <limits>

namespace hamel {

// Changes of stages, in units of the state, below which all digits of the coefficients matter.
constexpr double close_stages = 1e-6;
// Numbers that rest at zero are moved by the rounding of others: this part of the longest way.
constexpr double moved_by_rounding = 1e-3;
// The iteration may converge where the stages have nothing to do with the motion any more, after many turns: if it
// shrinks so slowly, the relative error of the stages tells.
constexpr double suspicious_contraction = 0.05, meaningless_stages = 0.01;
// The normal part of p means nothing, but grows; from this part of p on it is taken out.
constexpr double too_large_normal_part = 0.1;

// When to stop: the increments shrink by about the same factor each time, until rounding stops them. Those of Newton's
// method then go up and down below epsilon for as long as one lets them, or where rounding takes more digits, as of an
// ill-conditioned mass: Newton's method does not diverge from so near a solution. Fixed points do, where some direction
// is stiff.
template <class Scalar>
class StageConvergence {
 public:
  static constexpr int most_iterations = 100;
  static constexpr double stagnation = 4096;  // in units of epsilon
  static constexpr double resolved = 1e-8;

  explicit StageConvergence(bool is_newton) : wanders_(is_newton) {}

  bool reached(Scalar change) {
    using std::isinf;
    const Scalar epsilon = std::numeric_limits<Scalar>::epsilon();
    const bool first = isinf(previous_);
    const Scalar rate = change / previous_;
    const bool wanders = wanders_ && rate >= Scalar(0.1) && change <= epsilon;
    stuck_ = !(rate < 1) ? stuck_ + 1 : 0;
    const bool shrank = counted_ > 0 && contraction() < Scalar(0.5);
    const bool rests = wanders_ && stuck_ >= 2 && shrank && change <= Scalar(resolved);
    const bool stagnates = wanders || rests || (rate >= 1 && change <= Scalar(stagnation) * epsilon);
    if (first) first_ = change;
    if (!first && previous_ > resolved) {
      ++counted_;
      last_ = change;
    }
    previous_ = change;
    if (first) return change == 0;
    return change == 0 || stagnates || (rate < Scalar(0.5) && change * rate <= epsilon / 4096);
  }
  bool diverges() const { return stuck_ >= 2; }

  // By which factor the increments shrank, on average, while they were far above rounding.
  Scalar contraction() const {
    using std::pow;
    return counted_ == 0 ? Scalar(0) : pow(last_ / first_, Scalar(1) / counted_);
  }

 private:
  bool wanders_;
  int counted_ = 0;
  Scalar first_ = 0, last_ = 0;
  Scalar previous_ = std::numeric_limits<Scalar>::infinity();
  int stuck_ = 0;
};

}  // namespace hamel
