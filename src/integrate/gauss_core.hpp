// One step of Gauss collocation for y' = f(t, y):
//
//   Y_i = y0 + h sum_j a_ij K_j,   K_i = f(t0 + c_i h, Y_i),     y1 = y0 + h sum_i b_i K_i.
//
// The stages are iterated until their increments stop decreasing, all of them in the lanes of one evaluation; y is
// added up with compensation. A template on the scalar: steps are double, tests of high orders take long double.
//
// f(t, Y, K): number i of stage k is at [i * lanes + k] in Y and K; t has one number per lane. There are as many lanes
// as stages, or more, whose coefficients are zero: 1, 4 or 8.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "integrate/compensated.hpp"
#include "integrate/gauss_convergence.hpp"
#include "integrate/gauss_tableau.hpp"

namespace hamel {

// Z := h (A + A_rest) K and Y := y + Z, for n numbers of `lanes` stages each; A_rest may be missing. Returns the change
// of Z in units of 1/scale, in the Euclidean norm. Matrices are column by column.
template <class Scalar>
Scalar advance_plainly(int lanes, const Scalar* A, const Scalar* A_rest, Scalar h, const Scalar* K, const Scalar* y,
                       const Scalar* scale, std::size_t n, Scalar* Z, Scalar* Y) {
  using std::sqrt;
  Scalar squares = 0;
  for (std::size_t i = 0; i < n; ++i, K += lanes, Z += lanes, Y += lanes) {
    for (int k = 0; k < lanes; ++k) {
      Scalar sum = 0, rest = 0;
      for (int j = 0; j < lanes; ++j) {
        sum += A[j * lanes + k] * K[j];
        if (A_rest != nullptr) rest += A_rest[j * lanes + k] * K[j];
      }
      const Scalar z = h * (sum + rest);
      const Scalar change = (z - Z[k]) * scale[i];
      squares += change * change;
      Z[k] = z;
      Y[k] = y[i] + z;
    }
  }
  return sqrt(squares);
}
// The same in the vector unit of this machine, 4 or 8 stages; products are rounded together with their sums where it
// can.
double advance_in_vectors(int lanes, const double* A, const double* A_rest, double h, const double* K, const double* y,
                          const double* scale, std::size_t n, double* Z, double* Y);

template <class Scalar>
Scalar advance_stages(int lanes, const Scalar* A, const Scalar* A_rest, Scalar h, const Scalar* K, const Scalar* y,
                      const Scalar* scale, std::size_t n, Scalar* Z, Scalar* Y) {
  if constexpr (std::is_same_v<Scalar, double>)
    if (lanes > 1) return advance_in_vectors(lanes, A, A_rest, h, K, y, scale, n, Z, Y);
  return advance_plainly(lanes, A, A_rest, h, K, y, scale, n, Z, Y);
}

template <class Scalar>
class GaussCore {
 public:
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

  GaussCore(int stages, Eigen::Index size)
      : y(Vector::Zero(size)),
        stages_(stages),
        lanes_(stages == 1   ? 1
               : stages <= 4 ? 4
                             : 8),
        tableau_(gauss_tableau(stages)) {
    A_ = A_rest_ = extrapolation_ = Matrix::Zero(lanes_, lanes_);
    b_ = b_rest_ = c_ = t_ = Vector::Zero(lanes_);
    for (int i = 0; i < stages; ++i) {
      const auto k = static_cast<std::size_t>(i);
      b_(i) = tableau_.b[k].exact;
      b_rest_(i) = tableau_.b[k].template correction<Scalar>();
      c_(i) = tableau_.c[k].template value<Scalar>();
      for (int j = 0; j < stages; ++j) {
        A_(i, j) = tableau_.coefficient(i, j).exact;
        A_rest_(i, j) = tableau_.coefficient(i, j).template correction<Scalar>();
      }
    }
    A_whole_ = A_ + A_rest_;
    K_ = Z_ = Y_ = Matrix::Zero(lanes_, size);
    lost_ = lost_before_ = before_ = scale_ = Vector::Zero(size);
  }

  void restart() {
    forget_stages();
    lost_.setZero();
  }
  void forget_stages() { last_h_ = 0; }  // they say nothing about the next step

  // The stages of a step of size h from y at t. `correct(Z, K, h)` moves Z by a Newton step and returns the largest
  // change; without it (nullptr) the iteration is the fixed-point one. False if the increments do not shrink.
  template <class Flow, class Correct>
  bool solve_stages(Flow&& f, Scalar t, Scalar h, const Vector& scale, Correct&& correct) {
    scale_ = scale.cwiseInverse();
    guess(f, t, h);
    for (int k = 0; k < lanes_; ++k) t_(k) = t + c_(k) * h;
    constexpr bool is_newton = !std::is_same_v<std::decay_t<Correct>, std::nullptr_t>;
    StageConvergence<Scalar> convergence(is_newton);
    for (iterations_ = 1; iterations_ <= convergence.most_iterations; ++iterations_) {
      f(t_.data(), Y_.data(), K_.data());
      if constexpr (is_newton) {
        change_ = correct(Z_, K_, h);
        Y_ = Z_.rowwise() + y.transpose();
      } else {
        change_ = advance(h, change_ < close_stages);
      }
      if (convergence.reached(change_)) {
        contraction_ = convergence.contraction();
        known(h, 0);
        return true;
      }
      if (convergence.diverges()) break;
    }
    forget_stages();
    return false;
  }

  // To y + h sum_i b_i K_i; what rounding loses is kept for the next step.
  void accept(Scalar h) {
    before_ = y;
    lost_before_ = lost_;
    known(h, 1);
    for (Eigen::Index i = 0; i < y.size(); ++i) y(i) = add_compensated(before_(i), increment(i, h), lost_(i));
  }

  // Moves some numbers of y, also by less than their rounding.
  void move(Eigen::Index first, const Vector& change) {
    for (Eigen::Index i = 0; i < change.size(); ++i)
      y(first + i) = add_compensated(y(first + i), change(i), lost_(first + i));
  }

  // Where the last step began, with what rounding had taken; and what it has taken since.
  Scalar begin(Eigen::Index i) const { return before_(i); }
  Scalar lost_at_begin(Eigen::Index i) const { return lost_before_(i); }
  Scalar lost(Eigen::Index i) const { return lost_(i); }

  void end_of_step(Scalar h, Vector& result) const {
    for (Eigen::Index i = 0; i < y.size(); ++i) result(i) = y(i) + increment(i, h) + lost_(i);
  }

  // y at the fraction s of the last step: the polynomial whose rates at the nodes are the K_i.
  void interpolate(Scalar s, Vector& result) const {
    result = before_;
    for (int j = 0; j < stages_; ++j) {
      Scalar weight = 0;
      for (int m = 0; m < stages_; ++m)
        weight += tableau_.b[static_cast<std::size_t>(m)].template value<Scalar>() * lagrange(j, s * c_(m));
      result += last_h_ * s * weight * K_.row(j).transpose();
    }
  }

  // h (f(t0, y0) - the rate of that polynomial at its beginning), of order s + 1 in h.
  void defect_at_begin(const Vector& rate, Scalar h, Vector& result) const {
    result = h * rate;
    for (int j = 0; j < stages_; ++j) result -= h * lagrange(j, 0) * K_.row(j).transpose();
  }

  // Lists what the next step depends on, for a Memory.
  template <class Numbers>
  void remember(Numbers& memory) {
    memory(y, lost_, before_, K_, last_h_, place_);
  }

  int stages() const { return stages_; }
  int lanes() const { return lanes_; }
  int iterations() const { return iterations_; }
  Scalar contraction() const { return contraction_; }  // of the iteration that found the stages
  Scalar last_change() const { return change_; }
  const Matrix& A() const { return A_; }
  const Matrix& A_rest() const { return A_rest_; }

  Vector y;

 private:
  Scalar increment(Eigen::Index i, Scalar h) const {
    const Scalar* const K = K_.data() + i * lanes_;
    Scalar sum = 0, rest = 0;
    for (int k = 0; k < stages_; ++k) {
      sum += K[k] * b_(k);
      rest += K[k] * b_rest_(k);
    }
    return h * (sum + rest);
  }

  void known(Scalar h, Scalar place) {
    last_h_ = h;
    place_ = place;
  }

  // From the polynomial of the last step, or of another attempt at this one, or from the rate at the beginning.
  template <class Flow>
  void guess(Flow&& f, Scalar t, Scalar h) {
    if (last_h_ == 0) {
      t_.setConstant(t);
      for (Eigen::Index i = 0; i < y.size(); ++i) Y_.col(i).setConstant(y(i));
      f(t_.data(), Y_.data(), K_.data());
    } else {
      if (const Scalar ratio = h / last_h_; ratio != ratio_ || place_ != ratio_place_) extrapolate_by(ratio);
      // Z becomes the extrapolated K; its old value is of no use.
      advance_stages<Scalar>(lanes_, extrapolation_.data(), nullptr, Scalar(1), K_.data(), y.data(), scale_.data(),
                             static_cast<std::size_t>(y.size()), Z_.data(), Y_.data());
      K_.swap(Z_);
    }
    advance(h, false);
    change_ = std::numeric_limits<Scalar>::infinity();
  }

  // Near the end with all digits of the coefficients, before with those of one number.
  Scalar advance(Scalar h, bool with_all_digits) {
    return advance_stages<Scalar>(lanes_, (with_all_digits ? A_ : A_whole_).data(),
                                  with_all_digits ? A_rest_.data() : nullptr, h, K_.data(), y.data(), scale_.data(),
                                  static_cast<std::size_t>(y.size()), Z_.data(), Y_.data());
  }

  void extrapolate_by(Scalar ratio) {
    ratio_ = ratio;
    ratio_place_ = place_;
    for (int i = 0; i < stages_; ++i)
      for (int j = 0; j < stages_; ++j) extrapolation_(i, j) = lagrange(j, place_ + ratio * c_(i));
  }

  Scalar lagrange(int j, Scalar x) const {
    Scalar value = 1;
    for (int m = 0; m < stages_; ++m)
      if (m != j) value *= (x - c_(m)) / (c_(j) - c_(m));
    return value;
  }

  int stages_, lanes_, iterations_ = 0;
  GaussTableau tableau_;
  Matrix A_, A_rest_, A_whole_, extrapolation_;
  Vector b_, b_rest_, c_, t_;
  Matrix K_, Z_, Y_;  // a column per number, a row per stage
  Vector lost_, lost_before_, before_, scale_;
  Scalar change_ = 0, contraction_ = 0, ratio_ = 0, ratio_place_ = 0;
  Scalar last_h_ = 0, place_ = 0;  // of the step to which K belongs, and where y is in it: at its begin 0, at its end 1
};

}  // namespace hamel
