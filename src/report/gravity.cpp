#include "report/gravity.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "hamel/linear/dense.hpp"
#include "hamel/linear/product.hpp"
#include "report/walk.hpp"

namespace hamel {

namespace {

using Eigen::Index;

constexpr std::size_t most_terms = 2000, most_fitted_terms = 200, most_fitted_places = 40;

// A formula with all of its points shifted. Points inside of points are not looked for: they move along.
class Shift {
 public:
  explicit Shift(const Model& model) {
    for (const Model::Named& point : model.points()) add(point.formula);
    for (const Formula& point : moving_points(model)) add(point);
    if (!nodes_.empty()) return;
    for (std::size_t k = 0; k < model.coordinates().size(); ++k) add(model.coordinate(k));
  }

  void by(int axis) {
    axis_ = axis;
    done_.clear();
  }

  Formula operator()(const Formula& formula) {
    std::vector<const Formula*> pending = {&formula};
    while (!pending.empty()) {
      const Formula& next = *pending.back();
      const std::size_t waiting = pending.size();
      if (!done_.contains(&next.node()))
        for (const Formula& arg : inner(next))
          if (!done_.contains(&arg.node())) pending.push_back(&arg);
      if (pending.size() > waiting) continue;
      done_.try_emplace(&next.node(), shifted(next));
      pending.pop_back();
    }
    return done_.at(&formula.node());
  }

 private:
  using Node = Formula::Node;

  void add(const Formula& point) {
    if (!point.is_vector() || point.rows() < 2 || point.rows() > 3) return;
    const Node& node = point.node();
    nodes_.insert(&node);
    if (node.kind == Kind::stack)  // x.z is the third of its entries, no node of its own
      for (std::size_t i = 0; i < node.args.size(); ++i) entries_.emplace(&node.args[i].node(), static_cast<int>(i));
    if (!node.label.empty()) labels_.insert(node.label);
    if (node.kind == Kind::symbol) slots_.insert(node.symbol.slot);
  }

  bool is_point(const Node& node) const {
    if (node.cols != 1 || node.rows < 2 || node.rows > 3) return false;
    if (nodes_.contains(&node) || (!node.label.empty() && labels_.contains(node.label))) return true;
    return node.kind == Kind::symbol && node.symbol.role == Role::coordinate && slots_.contains(node.symbol.slot);
  }

  // Rates do not change with the shift.
  std::span<const Formula> inner(const Formula& formula) const {
    const Node& node = formula.node();
    if (is_point(node) || entries_.contains(&node) || node.kind == Kind::rate || node.kind == Kind::angular_velocity)
      return {};
    return node.args;
  }

  Formula shifted(const Formula& formula) const {
    const Node& node = formula.node();
    if (is_point(node)) return axis_ < node.rows ? formula + unit_vector(axis_, node.rows) : formula;
    if (const auto entry = entries_.find(&node); entry != entries_.end())
      return entry->second == axis_ ? formula + 1 : formula;
    if (inner(formula).empty()) return formula;
    auto copy = std::make_shared<Node>(node);
    for (Formula& arg : copy->args) arg = done_.at(&arg.node());
    return Formula(std::shared_ptr<const Node>(copy));
  }

  std::set<const Node*> nodes_;
  std::unordered_map<const Node*, int> entries_;
  std::set<std::string> labels_;
  std::set<int> slots_;
  int axis_ = 0;
  std::unordered_map<const Node*, Formula> done_;
};

struct Weighed {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  std::vector<Formula> others = {};  // terms that are no weight
};

Weighed by_shift(const Model& model, LoweredModel& lowered, const Sampler& sampler, const std::vector<Formula>& terms) {
  const auto values = [&](const std::vector<Formula>& formulas) {
    const MatrixXe all = lower(Formula::vector(formulas), model, lowered);
    return sampler.values({all.data(), formulas.size()});
  };
  const MatrixXd before = values(terms);
  std::vector<MatrixXd> changes;
  Shift shift(model);
  for (int axis = 0; axis < 3; ++axis) {
    shift.by(axis);
    std::vector<Formula> moved;
    for (const Formula& term : terms) moved.push_back(shift(term));
    changes.push_back(values(moved) - before);
  }
  Weighed found;
  for (Index i = 0; i < before.rows(); ++i) {
    const auto is_constant = [&](const MatrixXd& change) {
      const double size = before.row(i).cwiseAbs().maxCoeff() + change.row(i).cwiseAbs().maxCoeff();
      return change.row(i).maxCoeff() - change.row(i).minCoeff() <= 1e-10 * size;
    };
    if (!std::all_of(changes.begin(), changes.end(), is_constant))
      found.others.push_back(terms[static_cast<std::size_t>(i)]);
    else
      found.sum += Eigen::Vector3d(changes[0](i, 0), changes[1](i, 0), changes[2](i, 0));
  }
  return found;
}

Weighed by_fit(const Model& model, LoweredModel& lowered, std::span<const Vector3e> places,
               const std::vector<Formula>& terms) {
  std::vector<Expr> entries;
  for (const Vector3e& x : places.first(std::min(places.size(), most_fitted_places)))
    entries.insert(entries.end(), x.begin(), x.end());
  const auto unknowns = static_cast<Index>(entries.size());
  const Sampler many(model, lowered, static_cast<int>(unknowns) + 9);
  const auto centred = [](const MatrixXd& values) {
    return (values.colwise() - values.rowwise().mean()).transpose().eval();
  };
  const MatrixXd A = centred(many.values(entries));
  const MatrixXe all = lower(Formula::vector(terms), model, lowered);
  const MatrixXd energies = centred(many.values({all.data(), terms.size()}));
  Weighed found;
  for (Index i = 0; i < energies.cols() && A.allFinite(); ++i) {
    const VectorXd energy = energies.col(i);
    const VectorXd weights = energy.allFinite() ? linear::shortest_least_squares(A, energy) : VectorXd::Zero(A.cols());
    if (!((A * weights - energy).norm() <= 1e-9 * energy.norm()))
      found.others.push_back(terms[static_cast<std::size_t>(i)]);
    else
      found.sum += weights.reshaped(3, unknowns / 3).rowwise().sum();
  }
  return found;
}

// First of energies as they are written, then of the summands of those that have other parts, too.
Eigen::Vector3d weight_in(const std::vector<Formula>& energies, const auto& weigh) {
  const Weighed whole = weigh(energies);
  if (whole.others.empty()) return whole.sum;
  return whole.sum + weigh(summands(whole.others)).sum;
}

Eigen::Vector3d snapped_to_axes(const Eigen::Vector3d& direction) {
  Eigen::Vector3d snapped = direction;
  for (double& component : snapped)
    if (std::abs(component) < 1e-6) component = 0;
  return snapped.normalized();
}

}  // namespace

std::optional<Eigen::Vector3d> against_gravity(const Model& model, LoweredModel& lowered, const Sampler& sampler,
                                               std::span<const Vector3e> places) {
  std::vector<Formula> energies = potential_energies(model);
  std::erase_if(energies, [](const Formula& term) { return !term.depends_on(Role::coordinate); });
  const std::size_t terms = summands(energies).size();
  if (energies.empty() || terms > most_terms) return std::nullopt;
  const MatrixXe all = lower(Formula::vector(energies), model, lowered);
  const double size = sampler.values({all.data(), energies.size()}).cwiseAbs().maxCoeff();
  const auto is_none = [&](const Eigen::Vector3d& direction) { return !(direction.norm() > 1e-12 * size); };
  Eigen::Vector3d up =
      weight_in(energies, [&](const std::vector<Formula>& some) { return by_shift(model, lowered, sampler, some); });
  if (is_none(up) && !places.empty() && terms <= most_fitted_terms)
    up = weight_in(energies, [&](const std::vector<Formula>& some) { return by_fit(model, lowered, places, some); });
  if (is_none(up)) return std::nullopt;
  return snapped_to_axes(up.normalized());
}

}  // namespace hamel
