// Products of matrices of any size, compiled once. Where Eigen's own operator is used, each kind of operands costs up
// to forty classes and the kernels of four algorithms, which take a third of a second to compile. Operands that are not
// matrices are evaluated first, and a product has memory of its own: what must not allocate does without this header.
#pragma once

#include <Eigen/Core>
#include <concepts>
#include <type_traits>

namespace hamel {

namespace linear {

Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
Eigen::VectorXd product(const Eigen::MatrixXd& A, const Eigen::VectorXd& x);
Eigen::MatrixXd transposed_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);  // A^T B
Eigen::VectorXd transposed_product(const Eigen::MatrixXd& A, const Eigen::VectorXd& x);

template <class T>
concept DynamicRows = std::derived_from<T, Eigen::MatrixBase<T>> && std::same_as<typename T::Scalar, double> &&
                      int{T::RowsAtCompileTime} == Eigen::Dynamic;
template <class T>
concept DynamicMatrix = DynamicRows<T> && int{T::ColsAtCompileTime} == Eigen::Dynamic;
template <class T>
concept DynamicVector = DynamicRows<T> && int{T::ColsAtCompileTime} == 1;
template <class T>
concept TransposedMatrix =
    std::same_as<T, Eigen::Transpose<Eigen::MatrixXd>> || std::same_as<T, Eigen::Transpose<const Eigen::MatrixXd>>;

template <class T>
using Evaluated = std::conditional_t<DynamicVector<T>, Eigen::VectorXd, Eigen::MatrixXd>;

}  // namespace linear

template <linear::DynamicMatrix Left, class Right>
requires(linear::DynamicMatrix<Right> || linear::DynamicVector<Right>) linear::Evaluated<Right>
operator*(const Left& A, const Right& B) {
  const linear::Evaluated<Right>& right = B;
  if constexpr (linear::TransposedMatrix<Left>)
    return linear::transposed_product(A.nestedExpression(), right);
  else
    return linear::product(A, right);
}

}  // namespace hamel
