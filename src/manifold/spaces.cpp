#include "hamel/manifold/spaces.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>
#include <utility>

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

constexpr int largest_dimension = 1000, largest_matrix = 8, largest_frame = 20;

Manifold euclidean(std::span<const int> n) { return Rn(n[0]); }

Manifold sphere(std::span<const int> n) {
  if (n[0] == 1) return S1();
  if (n[0] == 2) return S2();
  return Sphere(n[0]);
}

Manifold rotations_of(std::span<const int> n) {
  if (n[0] == 3) return SO3();
  return SO(n[0]);
}

Manifold displacements_of(std::span<const int> n) {
  if (n[0] == 3) return SE3();
  return SE(n[0]);
}

Manifold of_determinant_one(std::span<const int> n) { return SL(n[0]); }

Manifold frames(std::span<const int> n) { return Stiefel(n[0], n[1]); }

// The matrices g with g' = g (xi_1 A + xi_2 B + ...), from the identity on.
Manifold group_of(std::vector<MatrixXd> matrices, const std::string& text) {
  return LieGroup(std::move(matrices), text);
}

// The points that the matrices after the first move it to, q' = (xi_1 A + xi_2 B + ...) q.
Manifold orbit_of(std::vector<MatrixXd> matrices, const std::string& text) {
  const MatrixXd base = matrices.front();
  if (base.cols() != 1)
    throw std::invalid_argument(
        fmt::format("an orbit begins with a vector, not with a {} x {} matrix", base.rows(), base.cols()));
  matrices.erase(matrices.begin());
  return Homogeneous(std::move(matrices), base, text);
}

constexpr std::string_view one_number = "1 number", basis = "matrices, a basis of its algebra",
                           moved = "a vector and the matrices that move it";

constexpr SpaceRow space_table[] = {
    {"R", "R1, R2, ...", "R3", one_number, 1, 1, largest_dimension, euclidean},
    {"S", "S1, S2, S3, ...", "S2", one_number, 1, 1, largest_dimension, sphere},
    {"SO", "SO2, SO3, ...", "SO3", one_number, 1, 2, largest_matrix, rotations_of},
    {"SE", "SE2, SE3, ...", "SE3", one_number, 1, 2, largest_matrix, displacements_of},
    {"SL", "SL2, SL3, ...", "SL2", one_number, 1, 2, largest_matrix, of_determinant_one},
    {"Stiefel", "Stiefel(n, k)", "Stiefel(4, 2)", "2 numbers", 2, 1, largest_frame, frames},
    {"group", "group(A, ...)", "group([[0, -1], [1, 0]])", basis, 1, 0, 0, nullptr, group_of},
    {"orbit", "orbit(x, A, ...)", "orbit([1, 0], [[0, -1], [1, 0]])", moved, 2, 0, 0, nullptr, orbit_of},
};

const SpaceRow& row_named(std::string_view name) {
  const SpaceRow* row = find_space(name);
  if (row == nullptr) throw std::invalid_argument(fmt::format("unknown space {}", name));
  return *row;
}

[[noreturn]] void refuse_arguments(const SpaceRow& row, std::size_t count) {
  throw std::invalid_argument(fmt::format("{} needs {}, as in {}; it has {}", row.name, row.needs, row.example, count));
}

}  // namespace

Stiefel::Stiefel(int n, int k)
    : Embedded(
          n * checked(n, k), [n, k](const VectorXe& q) { return orthonormality(q, n, k); },
          fmt::format("Stiefel({}, {})", n, k)),
      n_(n),
      k_(k) {}

VectorXd Stiefel::reference_point() const { return MatrixXd::Identity(n_, k_).reshaped(); }

template Manifold::Manifold(Stiefel);

Manifold SO(int n) { return LieGroup(plane_rotations(n, n), fmt::format("SO{}", n)); }

Manifold SE(int n) {
  std::vector<MatrixXd> generators = plane_rotations(n, n + 1);
  for (int i = 0; i < n; ++i) generators.push_back(unit_matrix(n + 1, i, n));
  return LieGroup(generators, fmt::format("SE{}", n));
}

Manifold SL(int n) {
  std::vector<MatrixXd> generators;
  for (int i = 0; i + 1 < n; ++i) generators.push_back(unit_matrix(n, i, i) - unit_matrix(n, i + 1, i + 1));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (i != j) generators.push_back(unit_matrix(n, i, j));
  return LieGroup(generators, fmt::format("SL{}", n));
}

std::span<const SpaceRow> space_rows() { return space_table; }

const SpaceRow* find_space(std::string_view name) {
  for (const SpaceRow& row : space_table)
    if (row.name == name) return &row;
  return nullptr;
}

Manifold space_by_name(std::string_view name, std::span<const int> numbers) {
  const SpaceRow& row = row_named(name);
  if (row.is_of_matrices() || numbers.size() != row.arguments) refuse_arguments(row, numbers.size());
  for (const int n : numbers)
    if (n < row.least || n > row.most)
      throw std::invalid_argument(
          fmt::format("the dimension of {} must be {} to {}, got {}", name, row.least, row.most, n));
  return row.make(numbers);
}

Manifold space_by_name(std::string_view name, std::vector<MatrixXd> matrices, const std::string& text) {
  const SpaceRow& row = row_named(name);
  if (!row.is_of_matrices() || matrices.size() < row.arguments) refuse_arguments(row, matrices.size());
  return row.make_of_matrices(std::move(matrices), text);
}

std::optional<Manifold> space_called(const std::string& name) {
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  const std::size_t letters = static_cast<std::size_t>(
      std::find_if(name.begin(), name.end(),
                   [&](char c) { return is_digit(static_cast<unsigned char>(c)) || c == '('; }) -
      name.begin());
  std::vector<int> numbers;
  for (std::size_t k = letters; k < name.size();) {
    if (!is_digit(static_cast<unsigned char>(name[k]))) {
      ++k;
      continue;
    }
    int number = 0;
    const auto [end, error] = std::from_chars(name.data() + k, name.data() + name.size(), number);
    if (error != std::errc()) return {};
    numbers.push_back(number);
    k = static_cast<std::size_t>(end - name.data());
  }
  const SpaceRow* row = find_space(std::string_view(name).substr(0, letters));
  if (row == nullptr || row->is_of_matrices() || numbers.size() != row->arguments) return {};
  for (const int n : numbers)
    if (n < row->least || n > row->most) return {};
  Manifold space = row->make(numbers);
  if (space.name() != name) return {};
  return space;
}

}  // namespace hamel
