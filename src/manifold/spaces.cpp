#include "hamel/manifold/spaces.hpp"

#include <stdexcept>

#include "hamel/manifold/any_manifold.hpp"

namespace hamel {
namespace {

MatrixXd unit_matrix(int order, int i, int j) {
  MatrixXd E = MatrixXd::Zero(order, order);
  E(i, j) = 1;
  return E;
}

// Rotations in the planes of R^n, as matrices of a given order: in three dimensions, about e1, e2, e3.
std::vector<MatrixXd> plane_rotations(int n, int order) {
  std::vector<MatrixXd> basis;
  for (int j = n - 1; j > 0; --j)
    for (int i = j - 1; i >= 0; --i) {
      const double sign = (j - i) % 2 == 1 ? 1 : -1;
      basis.push_back(sign * (unit_matrix(order, j, i) - unit_matrix(order, i, j)));
    }
  return basis;
}

// Q^T Q = I, without its upper triangle.
VectorXe orthonormality(const VectorXe& q, int n, int k) {
  VectorXe result(k * (k + 1) / 2);
  Eigen::Index next = 0;
  for (int j = 0; j < k; ++j)
    for (int i = j; i < k; ++i) {
      Expr sum;
      for (int r = 0; r < n; ++r) sum += q(n * i + r) * q(n * j + r);
      result(next++) = i == j ? (sum - 1) / 2 : sum;
    }
  return result;
}

int checked(int n, int k) {
  if (k < 1 || k >= n)
    throw std::invalid_argument(fmt::format("Stiefel({}, {}) must have 1 to n - 1 vectors of R^n", n, k));
  return k;
}

constexpr int largest_dimension = 1000, largest_matrix = 8;

constexpr SpaceRow space_table[] = {
    {"R", "R3", 1, 1, largest_dimension, [](std::span<const int> n) -> Manifold { return Rn(n[0]); }},
    {"S", "S2", 1, 1, largest_dimension,
     [](std::span<const int> n) -> Manifold {
       if (n[0] == 1) return S1();
       if (n[0] == 2) return S2();
       return Sphere(n[0]);
     }},
    {"SO", "SO3", 1, 2, largest_matrix,
     [](std::span<const int> n) -> Manifold {
       if (n[0] == 3) return SO3();
       return SO(n[0]);
     }},
    {"SE", "SE3", 1, 2, largest_matrix,
     [](std::span<const int> n) -> Manifold {
       if (n[0] == 3) return SE3();
       return SE(n[0]);
     }},
    {"SL", "SL2", 1, 2, largest_matrix, [](std::span<const int> n) { return SL(n[0]); }},
    {"Stiefel", "Stiefel(4, 2)", 2, 1, 20, [](std::span<const int> n) -> Manifold { return Stiefel(n[0], n[1]); }},
};

}  // namespace

Stiefel::Stiefel(int n, int k)
    : Embedded(
          n * checked(n, k), [n, k](const VectorXe& q) { return orthonormality(q, n, k); },
          fmt::format("Stiefel({}, {})", n, k)),
      n_(n),
      k_(k) {}

template Manifold::Manifold(Stiefel);

Manifold SO(int n) { return LieGroup(plane_rotations(n, n), fmt::format("SO{}", n)); }

Manifold SE(int n) {
  std::vector<MatrixXd> basis = plane_rotations(n, n + 1);
  for (int i = 0; i < n; ++i) basis.push_back(unit_matrix(n + 1, i, n));
  return LieGroup(basis, fmt::format("SE{}", n));
}

Manifold SL(int n) {
  std::vector<MatrixXd> basis;
  for (int i = 0; i + 1 < n; ++i) basis.push_back(unit_matrix(n, i, i) - unit_matrix(n, i + 1, i + 1));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (i != j) basis.push_back(unit_matrix(n, i, j));
  return LieGroup(basis, fmt::format("SL{}", n));
}

std::span<const SpaceRow> space_rows() { return space_table; }

const SpaceRow* find_space(std::string_view name) {
  for (const SpaceRow& row : space_table)
    if (row.name == name) return &row;
  return nullptr;
}

Manifold space_by_name(std::string_view name, std::span<const int> arguments) {
  const SpaceRow* row = find_space(name);
  if (row == nullptr) throw std::invalid_argument(fmt::format("unknown space {}", name));
  if (static_cast<int>(arguments.size()) != row->arguments)
    throw std::invalid_argument(fmt::format("{} needs {} number{}, as in {}; it has {}", name, row->arguments,
                                            row->arguments == 1 ? "" : "s", row->form, arguments.size()));
  for (const int n : arguments)
    if (n < row->least || n > row->most)
      throw std::invalid_argument(
          fmt::format("the dimension of {} must be {} to {}, got {}", name, row->least, row->most, n));
  return row->make(arguments);
}

}  // namespace hamel
