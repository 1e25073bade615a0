// The eigenvalues of a linear model, with what belongs together and what is zero decided by ranks, not by comparing
// numbers: a double eigenvalue with one eigenvector is known to 1e-8 only, but the mean of the pair to rounding.
//
// Everything is measured by the kinetic energy (M = 1) and the largest frequency, so that units do not matter. Without
// D and G and with a symmetric K, lambda^2 = -eig(K, M); otherwise zeros are split off (A) by a staircase of null
// spaces, and the rest is taken from Schur's form, in clusters that are replaced by their means.
#pragma once

#include <complex>
#include <vector>

#include "hamel/analyze/linear_model.hpp"

namespace hamel {

struct Eigenvalue {
  std::complex<double> value;
  int algebraic = 1, geometric = 1, largest_block = 1;

  double frequency() const { return std::abs(value); }  // natural, rad/s
  double damping_ratio() const { return value == 0.0 ? 0 : -value.real() / std::abs(value); }
};

// How many directions are positive, zero, negative.
struct Signature {
  int positive = 0, zero = 0, negative = 0;
  friend bool operator==(const Signature&, const Signature&) = default;
};
constexpr double rank_tolerance = 1e-10;
Signature signature(const MatrixXd& symmetric, double tolerance = rank_tolerance);  // relative to its largest

// A linear model in coordinates y where the kinetic energy is |y'|^2/2: x = to_basis y. Of a field: as it is. Where M
// is not definite, K and C are M^-1 K and M^-1 C, and nothing is symmetric.
struct ScaledModel {
  MatrixXd to_basis, to_force;                                          // a force f along the basis is to_force f
  MatrixXd K, C;                                                        // C = D + G
  double rate = 1;                                                      // the largest there is, 1/s; 1 if all are zero
  bool is_symmetric = false, is_damped = false, is_gyroscopic = false;  // K; is there D, G?
};
ScaledModel scaled(const LinearModel& model);  // refuses a mass matrix that is singular

struct Spectrum {
  std::vector<Eigenvalue> values;  // by real part, then by imaginary part; distinct
  double rate = 1;                 // the largest size of any
  double pairing_error = 0;        // without forces -lambda is one, too: the largest distance, relative to rate

  const Eigenvalue& rightmost() const { return values.back(); }
  Eigenvalue zero() const;                        // with multiplicities 0 where it is none
  std::vector<std::complex<double>> all() const;  // each as often as it counts
};
Spectrum spectrum(const LinearModel& model);
Spectrum spectrum(const MatrixXd& A);  // of x' = A x, for closed loops

// The x with (lambda^2 M + lambda (D + G) + K) x = 0, as ambient vectors: as many columns as there are eigenvectors,
// each with its largest entry 1.
Eigen::MatrixXcd mode_shapes(const LinearModel& model, const Eigenvalue& one);

}  // namespace hamel
