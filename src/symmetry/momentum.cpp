#include "symmetry/momentum.hpp"

#include <fmt/core.h>

#include <cmath>
#include <map>

namespace hamel {
namespace {

// Parameters have few digits, and so have the gauge terms made of them: 1.7, not 1.6999999999999995.
double without_rounding(double x) {
  const double short_number = std::stod(fmt::format("{:.12g}", x));
  return std::abs(short_number - x) <= 1e-14 * std::abs(x) ? short_number : x;
}

// X and F of a combination of candidates, without a name.
class Assembly {
 public:
  Assembly(const SymmetryConditions& conditions, In z) : conditions_(conditions), z_(z) {
    add_fields();
    add_turns();
    add_gauge();
    result_.energy = z(candidates().time());
  }

  ConservedMomentum momentum() && {
    for (auto& [coordinate, here] : blocks_) result_.blocks.push_back(std::move(here));
    return std::move(result_);
  }

 private:
  const Candidates& candidates() const { return conditions_.candidates(); }

  ConservedMomentum::Block& block(int coordinate) {
    const auto found = blocks_.find(coordinate);
    if (found != blocks_.end()) return found->second;
    const int offset = conditions_.offset(coordinate), n = conditions_.offset(coordinate + 1) - offset;
    const MatrixXd none = MatrixXd::Zero(n, n);
    const VectorXd nothing = VectorXd::Zero(n);
    return blocks_.emplace(coordinate, ConservedMomentum::Block{coordinate, offset, none, none, nothing, nothing})
        .first->second;
  }

  void add_fields() {
    for (std::size_t g = 0; g < candidates().generators.size(); ++g) {
      const double coefficient = z_(candidates().generator(g));
      if (coefficient == 0) continue;
      for (const auto& [coordinate, field] : candidates().generators[g]) {
        block(coordinate).A += coefficient * field.A;
        block(coordinate).b += coefficient * field.b;
      }
    }
  }

  void add_turns() {
    for (std::size_t k = 0; k < candidates().turns.size(); ++k) {
      const double coefficient = z_(static_cast<Eigen::Index>(k));
      if (coefficient == 0) continue;
      for (const auto& [direction, weight] : candidates().turns[k].couplings)
        result_.couplings.push_back({coefficient * direction, weight});
    }
  }

  void add_gauge() {
    for (std::size_t k = 0; k < candidates().gauge.size(); ++k) {
      const auto [coordinate, i, j] = candidates().gauge[k];
      const double coefficient = z_(candidates().first_gauge() + static_cast<Eigen::Index>(k));
      if (coefficient == 0) continue;
      if (j < 0) {
        block(coordinate).linear(i) += coefficient;
      } else {
        block(coordinate).quadratic(i, j) += coefficient;
        block(coordinate).quadratic(j, i) += coefficient;
      }
    }
  }

  const SymmetryConditions& conditions_;
  In z_;
  std::map<int, ConservedMomentum::Block> blocks_;
  ConservedMomentum result_;
};

}  // namespace

ConservedMomentum assembled(const SymmetryConditions& conditions, In z) { return Assembly(conditions, z).momentum(); }

ConservedMomentum in_units_of_model(ConservedMomentum momentum, const Units& units) {
  const double action = units.energy * units.time;
  for (auto& [coordinate, offset, A, quadratic, b, linear] : momentum.blocks) {
    const VectorXd length = units.length.segment(offset, b.size()), inverse = length.cwiseInverse();
    A = length.asDiagonal() * A * inverse.asDiagonal();
    b = length.cwiseProduct(b);
    linear = (action * inverse.cwiseProduct(linear)).unaryExpr(&without_rounding);
    quadratic = MatrixXd(action * inverse.asDiagonal() * quadratic * inverse.asDiagonal()).unaryExpr(&without_rounding);
  }
  for (auto& [direction, weight] : momentum.couplings) {
    direction = direction.cwiseProduct(units.length);
    weight = weight.cwiseQuotient(units.length);
  }
  momentum.energy *= units.time;
  return momentum;
}

double ConservedMomentum::value(const System& system, Workspace& w, const State& state) const {
  VectorXd p(system.ambient()), X(system.ambient());
  system.momentum(w, state.t, state.q, state.v, p);
  field(state.q, X);
  const double J = X.dot(p) - gauge(state.q);
  return energy == 0 ? J : J - energy * system.energy(w, state.t, state.q, state.v).total;
}

void ConservedMomentum::field(In q, Out X) const {
  X.setZero();
  for (const Block& block : blocks) {
    const auto n = block.b.size();
    auto here = X.segment(block.offset, n);
    here.noalias() = block.A * q.segment(block.offset, n);
    here += block.b;
  }
  for (const auto& [direction, weight] : couplings) X += weight.dot(q) * direction;
}

double ConservedMomentum::gauge(In q) const {
  double F = 0;
  for (const Block& block : blocks) {
    const auto here = q.segment(block.offset, block.b.size());
    F += block.linear.dot(here) + here.dot(block.quadratic.lazyProduct(here)) / 2;
  }
  return F;
}

}  // namespace hamel
