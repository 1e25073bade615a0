#include "derive/natural.hpp"

#include <fmt/core.h>

#include <stdexcept>

namespace hamel {

NaturalFrame::NaturalFrame(const Model& model, const LoweredModel& lowered) : q_(lowered.q), v_(lowered.v) {
  for (std::size_t f = 0; f < model.coordinates().size(); ++f) add_factor(model.coordinates()[f], lowered.offsets[f]);
  constraints.insert(constraints.end(), lowered.constraints.begin(), lowered.constraints.end());
}

void NaturalFrame::add_factor(const Coordinate& coordinate, int begin) {
  const auto& [name, space] = coordinate;
  const int n = space.ambient(), first = size();
  const Eigen::Map<const VectorXe> q(q_.data() + begin, n);
  E_.resize(at(begin + n));
  if (space.has_constraints()) {
    for (const Expr c : space.constraints(q)) constraints.push_back(c);
    for (int i = 0; i < n; ++i) {
      eta.push_back(v_[at(begin + i)]);
      velocity.push_back(eta.back());
      E_[at(begin + i)] = {{first + i, Expr(1.0)}};
    }
    return;
  }
  if (!space.has_formulas())
    throw std::invalid_argument(
        fmt::format("the derivatives of the motion need the basis of {} as a formula, which {} does not offer", name,
                    space.name()));
  const Exprs own = Graph::current().variables("rate_of_" + name, space.rates());
  const MatrixXe B = space.basis(q);
  eta.insert(eta.end(), own.begin(), own.end());
  for (int i = 0; i < n; ++i) {
    Expr v;
    for (int j = 0; j < space.rates(); ++j) {
      v += B(i, j) * own[at(j)];
      if (!B(i, j).is_constant(0)) E_[at(begin + i)].emplace_back(first + j, B(i, j));
    }
    velocity.push_back(v);
    in_natural[v_[at(begin + i)].id()] = v;
  }
}

Exprs NaturalFrame::along_points(const Exprs& f) const {
  const int rows = static_cast<int>(f.size());
  Exprs result(at(rows * size()));
  for (const auto& [row, i, value] : jacobian(f, q_))
    for (const auto& [j, coefficient] : E_[at(i)]) result[at(j * rows + row)] += value * coefficient;
  return result;
}

Exprs NaturalFrame::to_natural(const Exprs& covector) const {
  Exprs result(eta.size());
  for (std::size_t i = 0; i < covector.size(); ++i)
    for (const auto& [j, coefficient] : E_[i]) result[at(j)] += coefficient * covector[i];
  return result;
}

Exprs NaturalFrame::reaction(const Exprs& multipliers) const {
  Expr pairing;
  for (std::size_t k = 0; k < multipliers.size(); ++k) pairing += multipliers[k] * constraints[k];
  return gradient(pairing, q_);
}

Exprs NaturalFrame::along(const Exprs& f, const Exprs& x) {
  return dense(jacobian(f, x), static_cast<int>(f.size()), static_cast<int>(x.size()));
}

std::vector<Unknown> natural_unknowns(const Model& model) {
  std::vector<Unknown> rates, multipliers;
  for (std::size_t f = 0; f < model.coordinates().size(); ++f) {
    const Manifold& space = model.coordinates()[f].space;
    const int block = static_cast<int>(f);
    rates.insert(rates.end(), at(space.has_constraints() ? space.ambient() : space.rates()), {false, block});
    if (!space.has_constraints()) continue;
    multipliers.insert(multipliers.end(), at(space.ambient() - space.dimension()), {true, block});
  }
  rates.insert(rates.end(), multipliers.begin(), multipliers.end());
  return rates;
}

SparseEntries mirrored(const SparseEntries& matrix) {
  SparseEntries result;
  for (const Entry& entry : matrix) {
    if (entry.row > entry.col) continue;
    result.push_back(entry);
    if (entry.row != entry.col) result.push_back({entry.col, entry.row, entry.value});
  }
  return result;
}

}  // namespace hamel
