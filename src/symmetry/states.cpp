#include "symmetry/states.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hamel/program/evaluate.hpp"
#include "symmetry/space_parts.hpp"

namespace hamel {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

VectorXd normal_vector(Eigen::Index n, Random& random) {
  std::normal_distribution<double> normal;
  return VectorXd::NullaryExpr(n, [&] { return normal(random); });
}

}  // namespace

int patience(int unknowns, int most, int fewest) {
  return std::clamp(most * 1000 / std::max(unknowns, 1), fewest, most);
}

SymmetryStates::SymmetryStates(const Model& model, const LoweredModel& lowered, const Parameters& parameters)
    : offsets_(lowered.offsets),
      constraints_(static_cast<int>(lowered.constraints.size())),
      inputs_(static_cast<int>(lowered.u.size())),
      inertias_(VectorXd::Ones(static_cast<Eigen::Index>(model.coordinates().size()))) {
  for (std::size_t c = 0; c < model.coordinates().size(); ++c) {
    spaces_.push_back(model.coordinates()[c].space);
    coordinate_of_.insert(coordinate_of_.end(), at(spaces_.back().ambient()), static_cast<int>(c));
  }
  for (const double value : parameters.values) parameters_.emplace_back(value);
  Exprs slopes;
  std::vector<linear::SparseRows::Place> places;
  for (const auto& [row, col, value] : jacobian(lowered.constraints, lowered.q)) {
    places.push_back({row, col});
    slopes.push_back(value);
  }
  slopes_ = {constraints_, ambient(), places};
  constraint_ = Program("constraint", {lowered.q, parameters.variables}, {lowered.constraints, slopes});
}

int SymmetryStates::kinds(const Size& size) const {
  constexpr double alike = 100;
  const VectorXd all = masses(size.place);
  return all.maxCoeff() <= alike * all.minCoeff() ? 1 : 3;
}

// Rates of lengths are speeds; those of directions and attitudes are speeds over lengths.
VectorXd SymmetryStates::masses(double place) const {
  VectorXd result = inertias_;
  for (std::size_t c = 0; c < spaces_.size(); ++c)
    if (!spaces_[c].is_flat() && !spaces_[c].is_pose()) result(static_cast<Eigen::Index>(c)) /= place * place;
  return result;
}

VectorXd SymmetryStates::rates(const Size& size, int kind) const {
  const VectorXd all = masses(size.place);
  const double mean = std::exp(all.array().log().mean());
  VectorXd result(ambient());
  for (std::size_t c = 0; c < spaces_.size(); ++c) {
    auto here = result.segment(offsets_[c], spaces_[c].ambient());
    here.setConstant(spaces_[c].is_flat() ? size.rate : size.rate / size.place);
    if (spaces_[c].is_pose()) here.tail(3).setConstant(size.rate);
    here *= std::pow(mean / all(static_cast<Eigen::Index>(c)), kind / 2.0);
  }
  return result;
}

// Points of R^n are as they are; others are on their manifold to rounding.
void SymmetryStates::place(SymmetryState& state, double size, Random& random) const {
  state.q.resize(ambient());
  state.q_error.setZero(ambient());
  for (std::size_t c = 0; c < spaces_.size(); ++c) {
    auto here = state.q.segment(offsets_[c], spaces_[c].ambient());
    here = spaces_[c].random_point(random);
    if (spaces_[c].is_flat())
      here *= size;
    else
      state.q_error.segment(offsets_[c], here.size()).setConstant(here.lpNorm<Eigen::Infinity>());
    if (spaces_[c].is_pose()) here.tail(3) *= size;
  }
}

bool SymmetryStates::draw(SymmetryState& state, const Size& size, int kind, Fibre fibre, Random& random) const {
  place(state, size.place, random);
  if (constraints_ > 0 && !move_to_constraints(state)) return false;
  const VectorXd sizes = rates(size, kind);
  state.fibre = sizes.cwiseProduct(normal_vector(ambient(), random));
  state.fibre_error.setZero(ambient());
  if (fibre == Fibre::tangent) draw_tangent(state, sizes, random);
  state.u = normal_vector(inputs_, random);
  state.t = size.place / size.rate * normal_vector(1, random)(0);
  return true;
}

// Rates of R^n are as they are, unless constraints tie them; others are tangent to rounding.
void SymmetryStates::draw_tangent(SymmetryState& state, const VectorXd& sizes, Random& random) const {
  const TangentSpace tangent = tangent_space(state, sizes);
  VectorXd y = normal_vector(tangent.directions(), random), size = y.cwiseAbs();
  tangent.project(y);
  state.fibre = tangent.vector(y);
  state.fibre_error = tangent.sizes(size + y.cwiseAbs());
  for (std::size_t c = 0; c < spaces_.size() && constraints_ == 0; ++c)
    if (spaces_[c].is_flat()) state.fibre_error.segment(offsets_[c], spaces_[c].ambient()).setZero();
}

linear::SparseRows SymmetryStates::constraint(const SymmetryState& state, std::vector<Rounded>& c) const {
  std::vector<Rounded> q, derivatives(static_cast<std::size_t>(slopes_.values.size()));
  for (Eigen::Index i = 0; i < ambient(); ++i) q.emplace_back(state.q(i), state.q_error(i));
  c.resize(at(constraints_));
  const std::array<const Rounded*, 2> in = {q.data(), parameters_.data()};
  const std::array<Rounded*, 2> out = {c.data(), derivatives.data()};
  evaluate(constraint_, in.data(), out.data());
  linear::SparseRows slopes = slopes_;
  for (std::size_t k = 0; k < derivatives.size(); ++k)
    slopes.values(static_cast<Eigen::Index>(k)) = derivatives[k].value;
  return slopes;
}

TangentSpace SymmetryStates::tangent_space(const SymmetryState& state, const VectorXd& rates) const {
  TangentSpace result(spaces_, offsets_, state.q, rates);
  if (constraints_ == 0) return result;
  std::vector<Rounded> c;
  result.constrain(constraint(state, c));
  return result;
}

// Gauss-Newton along the manifold, until nothing but rounding is left of the constraints.
bool SymmetryStates::move_to_constraints(SymmetryState& state) const {
  const int most_iterations = patience(ambient(), 200, 30);
  constexpr double few = 8, longest_turn = 0.5;
  std::vector<Rounded> c;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    for (std::size_t k = 0; k < spaces_.size(); ++k) {
      const auto here = state.q.segment(offsets_[k], spaces_[k].ambient());
      state.q_error.segment(offsets_[k], here.size()).setConstant(few * here.lpNorm<Eigen::Infinity>());
    }
    const linear::SparseRows slopes = constraint(state, c);
    if (!slopes.values.allFinite()) return false;
    if (std::all_of(c.begin(), c.end(), [](const Rounded& x) { return std::abs(x.value) <= epsilon * x.error; }))
      return true;
    TangentSpace tangent(spaces_, offsets_, state.q, VectorXd::Ones(ambient()));
    tangent.constrain(slopes);
    VectorXd residual(constraints_);
    for (Eigen::Index i = 0; i < constraints_; ++i) residual(i) = -c[static_cast<std::size_t>(i)].value;
    VectorXd step = tangent.vector(tangent.shortest(residual));
    if (!step.allFinite()) return false;
    double turn = 0;
    for (std::size_t k = 0; k < spaces_.size(); ++k)
      if (!spaces_[k].is_flat()) turn = std::max(turn, step.segment(offsets_[k], spaces_[k].ambient()).norm());
    if (turn > longest_turn) step *= longest_turn / turn;
    for (std::size_t k = 0; k < spaces_.size(); ++k) {
      auto part = state.q.segment(offsets_[k], spaces_[k].ambient());
      spaces_[k].retract(part, step.segment(offsets_[k], spaces_[k].ambient()), part);
    }
  }
  return false;
}

}  // namespace hamel
