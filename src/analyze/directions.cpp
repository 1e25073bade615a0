#include "analyze/directions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analyze/echelon.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/product.hpp"

namespace hamel {
namespace {

using Eigen::Index;

// By the first component that each moves.
MatrixXd in_order(const MatrixXd& basis, const MatrixXd& X) {
  const MatrixXd moved = (basis * X).cwiseAbs();
  const auto first_of = [&](Index k) {
    Index i = 0;
    while (i + 1 < moved.rows() && moved(i, k) <= 1e-6 * moved.col(k).maxCoeff()) ++i;
    return i;
  };
  std::vector<Index> order(static_cast<std::size_t>(X.cols()));
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return first_of(a) < first_of(b); });
  MatrixXd result(X.rows(), X.cols());
  for (Index k = 0; k < X.cols(); ++k) result.col(k) = X.col(order[static_cast<std::size_t>(k)]);
  return result;
}

MatrixXd real_span(const MatrixXcd& X) {
  MatrixXd both(X.rows(), 2 * X.cols());
  both << X.real(), X.imag();
  const linear::Orthogonal basis = linear::orthogonal(both, 1e-6);
  return basis.Q.leftCols(basis.rank);
}

struct Moved {
  std::string name;
  double value;
};

// A body turns about its axes; other coordinates have components.
void add_entries(std::vector<Moved>& entries, const Coordinate& coordinate, int first_index, In q, In tangent) {
  if (coordinate.space.turning() == Turning::body) {
    VectorXd xi(coordinate.space.rates());
    coordinate.space.rates(q, tangent, xi);
    for (Index k = 0; k < xi.size(); ++k)
      entries.push_back({fmt::format("{} {} b{}", coordinate.name, k < 3 ? "about" : "along", k % 3 + 1), xi(k)});
    return;
  }
  const auto [rows, columns] = coordinate.space.shape();
  const Formula symbol = Formula::symbol(
      {.role = Role::coordinate, .name = coordinate.name, .slot = 0, .first_index = first_index}, rows, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) entries.push_back({symbol(i, j).to_string(), tangent(j * rows + i)});
}

// The largest is 1, or -1 of two that are alike the second; the four largest are written.
std::string combination(const std::vector<Moved>& entries) {
  constexpr std::size_t most = 4;
  double largest = 0;
  std::vector<double> sizes;
  for (const Moved& entry : entries) {
    if (std::abs(entry.value) > std::abs(largest) * (1 + 1e-6)) largest = entry.value;
    sizes.push_back(std::abs(entry.value));
  }
  std::sort(sizes.rbegin(), sizes.rend());
  const double smallest = std::max(1e-6 * std::abs(largest), sizes.size() > most ? sizes[most - 1] * (1 - 1e-9) : 0);
  std::string text;
  for (const auto& [name, value] : entries) {
    if (largest == 0 || std::abs(value) < smallest) continue;
    const double part = value / largest;
    const bool whole = std::abs(std::abs(part) - 1) < 1e-6;
    text += fmt::format("{}{}{}", text.empty() ? (part < 0 ? "-" : "") : (part < 0 ? " - " : " + "),
                        whole ? "" : fmt::format("{:.3g} ", std::abs(part)), name);
  }
  const bool more = sizes.size() > most && sizes[most] > 1e-6 * std::abs(largest) && sizes[most] < smallest;
  return more ? text + " + ..." : text;
}

}  // namespace

HiddenDirection direction_of(const LinearModel& model, const linear::HiddenMode& mode, bool covectors, double zero) {
  const Index n = model.K.rows();
  HiddenDirection result{mode.eigenvalue, static_cast<int>(mode.vectors.cols()), {}, {}};
  if (std::abs(mode.eigenvalue.imag()) > zero)
    result.states *= 2;
  else
    result.eigenvalue = mode.eigenvalue.real();
  if (std::abs(mode.eigenvalue.real()) <= zero) result.eigenvalue.real(0);
  MatrixXd along;
  if (model.is_field) {
    along = real_span(mode.vectors);
  } else if (covectors) {  // z^T (lambda^2 M + ...) = 0 for z = M^-1 w, where w pairs with x'
    along = linear::solve_columns(model.M, real_span(mode.vectors.bottomRows(n)));
  } else {
    along = real_span(mode.vectors.topRows(n));
  }
  result.along = in_order(model.basis, echelon(along));
  for (Index k = 0; k < along.cols(); ++k) result.words.push_back(in_words(model, result.along.col(k)));
  return result;
}

std::string in_words(const LinearModel& model, const VectorXd& x) {
  const VectorXd tangent = model.basis * x;
  const Model& of = *model.at.model;
  std::vector<Moved> entries;
  Index offset = 0;
  for (const Coordinate& coordinate : of.coordinates()) {
    const Index size = coordinate.space.ambient();
    add_entries(entries, coordinate, of.first_index(), model.at.q.segment(offset, size), tangent.segment(offset, size));
    offset += size;
  }
  return combination(entries);
}

std::string in_words(Complex eigenvalue) {
  const double size = std::abs(eigenvalue);
  const auto [re, im] = std::pair(eigenvalue.real(), std::abs(eigenvalue.imag()));
  if (size == 0 || im <= 1e-9 * size) return fmt::format("{:.6g}", re);
  if (std::abs(re) <= 1e-9 * size) return fmt::format("+-{:.6g} i", im);
  return fmt::format("{:.6g} +- {:.6g} i", re, im);
}

}  // namespace hamel
