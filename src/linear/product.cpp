#include "hamel/linear/product.hpp"

namespace hamel::linear {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// By name: the operator of this house would call these again.
MatrixXd product(const MatrixXd& A, const MatrixXd& B) { return A.operator*(B); }
VectorXd product(const MatrixXd& A, const VectorXd& x) { return A.operator*(x); }
MatrixXd transposed_product(const MatrixXd& A, const MatrixXd& B) { return A.transpose().operator*(B); }
VectorXd transposed_product(const MatrixXd& A, const VectorXd& x) { return A.transpose().operator*(x); }

}  // namespace hamel::linear
