#include "hamel/manifold/symmetry.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/linear/dense.hpp"

namespace hamel {
namespace {

AffineField linear_field(std::string name, int n) { return {std::move(name), MatrixXd::Zero(n, n), VectorXd::Zero(n)}; }

std::string rotation_name(int n, int i, int j) {
  if (n == 2) return "rotation";
  if (n == 3) return fmt::format("rotation about e{}", 4 - i - j);
  return fmt::format("rotation in the plane of e{} and e{}", i + 1, j + 1);
}

// The reduced row echelon form, pivots by size.
MatrixXd reduced_echelon(MatrixXd rows) {
  Eigen::Index rank = 0;
  for (Eigen::Index column = 0; column < rows.cols() && rank < rows.rows(); ++column) {
    Eigen::Index pivot = 0;
    const double size = rows.col(column).tail(rows.rows() - rank).cwiseAbs().maxCoeff(&pivot);
    if (size < 1e-8) continue;
    rows.row(rank).swap(rows.row(rank + pivot));
    rows.row(rank) /= rows(rank, column);
    for (Eigen::Index i = 0; i < rows.rows(); ++i)
      if (i != rank) rows.row(i) -= rows(i, column) * rows.row(rank).eval();
    ++rank;
  }
  return rows.topRows(rank);
}

double to_simple_fraction(double x) {
  for (int denominator = 1; denominator <= 12; ++denominator) {
    const double numerator = std::round(x * denominator);
    if (std::abs(x * denominator - numerator) < 1e-9 * (1 + std::abs(x))) return numerator / denominator;
  }
  return x;
}

std::string describe_term(double coefficient, const std::string& variable) {
  const double size = std::abs(coefficient);
  const std::string number = fmt::format("{:.6g}", size);
  if (variable.empty()) return number;
  return size == 1 ? variable : number + " " + variable;
}

// The i-th component of A x + b: "-x2 + 3".
std::string describe_row(const MatrixXd& A, const VectorXd& b, Eigen::Index i) {
  std::string text;
  const auto add = [&](double coefficient, const std::string& variable) {
    if (coefficient == 0) return;
    if (text.empty())
      text = coefficient < 0 ? "-" : "";
    else
      text += coefficient < 0 ? " - " : " + ";
    text += describe_term(coefficient, variable);
  };
  for (Eigen::Index j = 0; j < A.cols(); ++j) add(A(i, j), fmt::format("x{}", j + 1));
  add(b(i), "");
  return text.empty() ? "0" : text;
}

// The equations N(x)^T (A x + b) = 0 in the unknowns (A, b), A column by column.
MatrixXd tangency_equations(const std::vector<VectorXd>& points, const std::function<MatrixXd(In)>& normals) {
  const Eigen::Index n = points.front().size(), codimension = normals(points.front()).cols();
  MatrixXd equations(static_cast<Eigen::Index>(points.size()) * codimension, n * n + n);
  for (Eigen::Index row = 0; const VectorXd& x : points) {
    const MatrixXd N = normals(x).transpose();
    for (Eigen::Index j = 0; j < n; ++j) equations.block(row, j * n, codimension, n) = N * x(j);
    equations.block(row, n * n, codimension, n) = N;
    row += codimension;
  }
  return equations;
}

}  // namespace

std::vector<AffineField> rotation_fields(int n) {
  std::vector<AffineField> fields;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      AffineField& field = fields.emplace_back(linear_field(rotation_name(n, i, j), n));
      const double sign = n == 3 && j - i == 2 ? -1 : 1;  // e3 turns to e1 about e2
      field.A(j, i) = sign;
      field.A(i, j) = -sign;
    }
  }
  return fields;
}

std::vector<AffineField> translation_fields(int n) {
  std::vector<AffineField> fields;
  for (int k = 0; k < n; ++k) {  // what has one component is a length or an angle, along no axis that is known
    std::string name = n == 1 ? "shift" : fmt::format("translation along e{}", k + 1);
    fields.emplace_back(linear_field(std::move(name), n)).b(k) = 1;
  }
  return fields;
}

std::vector<AffineField> stretch_fields(int n) {
  std::vector<AffineField> fields;
  for (int k = 0; k < n; ++k) fields.emplace_back(linear_field(fmt::format("scaling along e{}", k + 1), n)).A(k, k) = 1;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      AffineField& field =
          fields.emplace_back(linear_field(fmt::format("shear in the plane of e{} and e{}", i + 1, j + 1), n));
      field.A(i, j) = field.A(j, i) = 1;
    }
  }
  return fields;
}

std::vector<AffineField> independent_fields(const std::vector<AffineField>& fields,
                                            const std::vector<VectorXd>& points) {
  const Eigen::Index n = points.front().size();
  const auto values_of = [&](const AffineField& field) {
    VectorXd values(n * static_cast<Eigen::Index>(points.size()));
    for (Eigen::Index row = 0; const VectorXd& x : points) {
      values.segment(row, n) = field.A * x + field.b;
      row += n;
    }
    return values;
  };
  std::vector<AffineField> kept;
  std::vector<VectorXd> directions;  // orthonormal
  for (const AffineField& field : fields) {
    VectorXd values = values_of(field);
    const double size = field.A.norm() + field.b.norm();
    for (int pass = 0; pass < 2; ++pass)
      for (const VectorXd& direction : directions) values -= direction.dot(values) * direction;
    if (!(values.norm() > 1e-9 * size)) continue;
    directions.push_back(values.normalized());
    kept.push_back(field);
  }
  return kept;
}

namespace {

// A power of two, so that nothing is rounded.
double extent_of(const std::vector<VectorXd>& points) {
  double largest = 0;
  for (const VectorXd& point : points) largest = std::max(largest, point.lpNorm<Eigen::Infinity>());
  return largest > 0 ? std::ldexp(1, std::ilogb(largest)) : 1;
}

}  // namespace

std::vector<AffineField> tangent_affine_fields(const std::vector<VectorXd>& points,
                                               const std::function<MatrixXd(In)>& normals) {
  const Eigen::Index n = points.front().size();
  const double unit = extent_of(points);  // b is a length, A is a number
  MatrixXd equations = tangency_equations(points, normals);
  equations.leftCols(n * n) /= unit;
  const MatrixXd rows = reduced_echelon(linear::null_space(equations, 1e-9).transpose());
  std::vector<AffineField> fields;
  for (Eigen::Index k = 0; k < rows.rows(); ++k) {
    const VectorXd entries = rows.row(k).unaryExpr(&to_simple_fraction);
    MatrixXd A = entries.head(n * n).reshaped(n, n);
    VectorXd b = (A.isZero(0) ? 1 : unit) * entries.tail(n);
    std::string name = describe(A, b);
    fields.push_back({std::move(name), std::move(A), std::move(b)});
  }
  return independent_fields(fields, points);
}

std::string describe(const MatrixXd& A, const VectorXd& b) {
  std::string text;
  for (Eigen::Index i = 0; i < A.rows(); ++i) text += (text.empty() ? "(" : ", ") + describe_row(A, b, i);
  return text + ")";
}

void check_symmetry_size(const std::string& name, double fields, int ambient) {
  const double bytes = 8.0 * fields * ambient * ambient;
  if (bytes <= 1e9) return;
  throw std::invalid_argument(
      fmt::format("the candidate symmetries of {} as matrices of order {} would take {:.0f} GB; ask each of its "
                  "factors() for its own",
                  name, ambient, bytes / 1e9));
}

}  // namespace hamel
