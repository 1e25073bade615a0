#include "hamel/linear/controllability.hpp"

#include "hamel/linear/product.hpp"

namespace hamel::linear {
namespace {

// Blocks of up to four split their eigenvalue by eps^(1/4), 1e-4.
constexpr double split_of_blocks = 1e-3;

MatrixXcd product(const MatrixXcd& X, const MatrixXcd& Y) {  // small ones
  MatrixXcd result = MatrixXcd::Zero(X.rows(), Y.cols());
  for (Index j = 0; j < Y.cols(); ++j)
    for (Index k = 0; k < X.cols(); ++k) result.col(j) += Y(k, j) * X.col(k);
  return result;
}

// Of those z with C z = 0 the largest subspace that T maps into itself.
MatrixXcd hidden_subspace(const MatrixXcd& T, const MatrixXcd& C, double threshold) {
  MatrixXcd N = complex_null_space(C, threshold);
  while (N.cols() > 0) {
    MatrixXcd leaving = product(T, N);
    leaving -= product(N, product(N.adjoint(), leaving));
    const MatrixXcd staying = complex_null_space(leaving, threshold);
    if (staying.cols() == N.cols()) break;
    N = product(N, staying);
  }
  return N;
}

}  // namespace

std::vector<HiddenMode> unobservable_modes(const MatrixXd& A, const MatrixXd& C, double threshold) {
  std::vector<HiddenMode> result;
  const Schur form = schur(A);
  const double size_of_A = std::max(A.norm(), 1e-300), size_of_C = std::max(C.norm(), 1e-300);
  for (const Cluster& cluster : clusters(form.T.diagonal(), split_of_blocks * size_of_A)) {
    Schur ordered = form;
    std::vector<bool> chosen(static_cast<std::size_t>(A.rows()));
    for (const Index i : cluster.members) chosen[static_cast<std::size_t>(i)] = true;
    const Index k = bring_to_front(ordered, chosen);
    const MatrixXcd T = ordered.T.topLeftCorner(k, k), U = ordered.U.leftCols(k);
    MatrixXcd shown(C.rows(), k);
    shown.real() = C * U.real();
    shown.imag() = C * U.imag();
    const MatrixXcd N = hidden_subspace(T / size_of_A, shown / size_of_C, threshold);
    if (N.cols() == 0) continue;
    const Complex sum = product(N.adjoint(), product(T, N)).trace();
    result.push_back({sum / static_cast<double>(N.cols()), product(U, N)});
  }
  return result;
}

std::vector<HiddenMode> uncontrollable_modes(const MatrixXd& A, const MatrixXd& B, double threshold) {
  return unobservable_modes(A.transpose(), B.transpose(), threshold);
}

}  // namespace hamel::linear
