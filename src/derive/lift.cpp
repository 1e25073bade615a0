#include "hamel/derive/lift.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "hamel/derive/expressions.hpp"

namespace hamel {
namespace {

// How a node depends on the configuration.
enum class Degree : std::uint8_t { constant, affine, other };

Degree degree_of(const Node& node, Degree a, Degree b) {
  switch (node.op) {
    case Op::add:
    case Op::subtract:
      return std::max(a, b);
    case Op::negate:
      return a;
    case Op::multiply:
      if (a == Degree::constant) return b;
      return b == Degree::constant ? a : Degree::other;
    case Op::divide:
      return b == Degree::constant ? a : Degree::other;
    default:
      return a == Degree::constant && b == Degree::constant ? Degree::constant : Degree::other;
  }
}

}  // namespace

class Lifting {
 public:
  Lifting(const Model& model, const LoweredModel& lowered)
      : model_(model), lowered_(lowered), graph_(Graph::current()) {
    for (const auto* terms : {&lowered.kinetic, &lowered.potential, &lowered.lagrangian, &lowered.constraints})
      roots_.insert(roots_.end(), terms->begin(), terms->end());
    for (const auto& [force, rate] : lowered.forces) roots_.insert(roots_.end(), {force, rate});
    roots_.push_back(lowered.rayleigh);
  }

  Lifted run() {
    find_points();
    rewrite();
    choose_variables();
    return std::move(result_);
  }

 private:
  using Ids = std::unordered_set<std::uint32_t>;

  std::unordered_map<std::uint32_t, Degree> degrees(const std::vector<std::uint32_t>& nodes,
                                                    const Ids& linear_variables) const {
    Ids constants;
    for (Expr parameter : lowered_.parameters) constants.insert(parameter.id());
    std::unordered_map<std::uint32_t, Degree> degree;
    for (const auto id : nodes) {
      const Node& node = graph_.node(id);
      if (node.op == Op::constant || constants.contains(id))
        degree[id] = Degree::constant;
      else if (node.op == Op::variable)
        degree[id] = linear_variables.contains(id) ? Degree::affine : Degree::other;
      else {
        const int n = arity(node.op);
        const Degree a = degree.at(node.a), b = n > 1 ? degree.at(node.b) : Degree::constant;
        const Degree c = n > 2 ? degree.at(node.c) : Degree::constant;
        degree[id] = c == Degree::constant ? degree_of(node, a, b) : Degree::other;
      }
    }
    return degree;
  }

  static Ids ids(const std::vector<Expr>& expressions) {
    Ids result;
    for (Expr e : expressions) result.insert(e.id());
    return result;
  }

  // Points: sums of two moving parts, affine in q, whose rate enters the energies other than through further points.
  void find_points() {
    const auto nodes = reachable(roots_);
    const auto velocity_degree = degrees(nodes, ids(lowered_.v));
    Ids carrying;  // rates that are squared, multiplied by a force, ...
    std::unordered_map<std::uint32_t, int> linear_uses;
    for (const auto id : nodes) {
      const Node& node = graph_.node(id);
      const auto use = [&](std::uint32_t argument) {
        if (velocity_degree.at(argument) != Degree::affine) return;
        if (velocity_degree.at(id) == Degree::affine)
          ++linear_uses[argument];
        else
          carrying.insert(argument);
      };
      const int n = arity(node.op);
      if (n > 0) use(node.a);
      if (n > 1 && node.op != Op::integer_power) use(node.b);
      if (n > 2) use(node.c);
    }
    for (const auto& [force, rate] : lowered_.forces) carrying.insert(rate.id());

    // Position nodes need not be reachable from the energies themselves: only their rates are.
    std::vector<Expr> positions;
    std::vector<std::uint32_t> candidates;
    const std::uint32_t end = static_cast<std::uint32_t>(graph_.size());
    for (std::uint32_t id = 0; id < end; ++id) {
      const Op op = graph_.node(id).op;
      if (op != Op::add && op != Op::subtract) continue;
      const Expr* rate = lowered_.rate.find(graph_.expr(id));
      if (rate == nullptr || rate->is_constant()) continue;
      candidates.push_back(id);
      positions.push_back(graph_.expr(id));
    }
    const auto position_degree = degrees(reachable(positions), ids(lowered_.q));
    for (const auto id : candidates) {
      const Node& node = graph_.node(id);
      if (position_degree.at(node.a) != Degree::affine || position_degree.at(node.b) != Degree::affine) continue;
      const Expr rate = *lowered_.rate.find(graph_.expr(id));
      const Op rate_op = graph_.node(rate.id()).op;
      if (rate_op != Op::add && rate_op != Op::subtract) continue;
      const auto uses = linear_uses.find(rate.id());
      if (carrying.contains(rate.id()) || (uses != linear_uses.end() && uses->second > 1)) points_.push_back(id);
    }
  }

  // Puts variables in the place of the points and their rates.
  void rewrite() {
    result_.Q = lowered_.q;
    result_.V = lowered_.v;
    std::vector<std::uint32_t> distinct;
    Ids taken;
    for (const auto id : points_)
      if (taken.insert(lowered_.rate.find(graph_.expr(id))->id()).second) distinct.push_back(id);
    std::unordered_map<std::uint32_t, Expr> replacement;
    for (const auto id : distinct) {
      const Expr point = graph_.expr(id), rate = *lowered_.rate.find(point);
      const std::string name = "x" + std::to_string(result_.point_values.size());
      const Expr X = graph_.variable(name), W = graph_.variable(name + "'");
      definitions_.push_back(rate);
      result_.point_values.push_back(point);
      result_.point_rates.push_back(rate);
      result_.Q.push_back(X);
      result_.V.push_back(W);
      replacement[id] = X;
      replacement[rate.id()] = W;
    }
    replacement_ = std::move(replacement);
    const auto rewritten = [&](const std::vector<Expr>& f) { return substitute(f, replacement_); };
    result_.kinetic = rewritten(lowered_.kinetic);
    result_.potential = rewritten(lowered_.potential);
    result_.lagrangian = rewritten(lowered_.lagrangian);
    result_.constraints = rewritten(lowered_.constraints);
    result_.rayleigh = rewritten({lowered_.rayleigh}).front();
    for (const auto& [force, rate] : lowered_.forces) {
      const auto both = rewritten({force, rate});
      result_.forces.emplace_back(both[0], both[1]);
    }
  }

  // The rates of the points, in terms of rates of coordinates and of other points. All at once: each substitution
  // costs as much as it has replacements.
  std::vector<Expr> rates_of_points() const {
    std::vector<Expr> parts, sums;
    for (Expr rate : definitions_) {
      const Node& node = graph_.node(rate.id());
      parts.insert(parts.end(), {graph_.expr(node.a), graph_.expr(node.b)});
    }
    parts = substitute(parts, replacement_);
    for (std::size_t k = 0; k < definitions_.size(); ++k) {
      const Expr a = parts[2 * k], b = parts[2 * k + 1];
      sums.push_back(graph_.node(definitions_[k].id()).op == Op::add ? a + b : a - b);
    }
    return sums;
  }

  // The linear combination that a rate is.
  Lifted::Row combination(Expr sum) const {
    std::vector<Expr> variables;
    std::vector<int> indices;
    for (Expr variable : dependencies(std::vector<Expr>{sum})) {
      const auto index = index_of_rate_.find(variable.id());
      if (index == index_of_rate_.end()) continue;
      variables.push_back(variable);
      indices.push_back(index->second);
    }
    const auto coefficients = gradient(sum, variables);
    Lifted::Row row;
    for (std::size_t i = 0; i < variables.size(); ++i) row.emplace_back(indices[i], coefficients[i]);
    return row;
  }

  void choose_variables() {
    const int ambient = static_cast<int>(lowered_.q.size());
    for (int i = 0; i < static_cast<int>(result_.V.size()); ++i) index_of_rate_[result_.V[at(i)].id()] = i;
    std::vector<Lifted::Row> definitions;
    for (Expr rate : rates_of_points()) definitions.push_back(combination(rate));

    factor_of_.assign(at(ambient), -1);
    const auto& coordinates = model_.coordinates();
    for (int f = 0; f < static_cast<int>(coordinates.size()); ++f)
      for (int i = lowered_.offsets[at(f)]; i < lowered_.offsets[at(f + 1)]; ++i) factor_of_[at(i)] = f;

    result_.places = places(definitions);
    replaced_by_ = result_.places.chosen();
    build_map(definitions, ambient);
  }

  // What depends on parameters alone, else 0.
  Exprs constant_parts(Exprs expressions) const {
    const Ids parameters = ids(lowered_.parameters);
    for (Expr& e : expressions)
      for (Expr variable : dependencies(Exprs{e}))
        if (!parameters.contains(variable.id())) e = Expr();
    return expressions;
  }

  // d2T/dV2, by variable of V
  Exprs inertias() const {
    Exprs energies = result_.kinetic, diagonal(result_.V.size());
    energies.insert(energies.end(), result_.lagrangian.begin(), result_.lagrangian.end());
    for (const auto& [row, col, value] : jacobian(gradient(sum(energies), result_.V), result_.V))
      if (row == col) diagonal[at(row)] = value;
    return diagonal;
  }

  PointPlaces places(const std::vector<Lifted::Row>& definitions) const {
    PointPlaces places;
    for (const int f : factor_of_) places.by_basis_.push_back(is_by_basis(model_.coordinates()[at(f)].space));
    if (definitions.empty()) return places;
    Exprs numbers = inertias();
    for (const auto& row : definitions) {
      auto& rates = places.rates_of_.emplace_back();
      for (const auto& [index, coefficient] : row) {
        rates.push_back(index);
        numbers.push_back(coefficient);
      }
    }
    places.numbers_ = Constants(constant_parts(std::move(numbers)), {lowered_.parameters, parameter_values(model_)});
    return places;
  }

  void build_map(const std::vector<Lifted::Row>& definitions, int ambient) {
    const int points = static_cast<int>(definitions.size());
    result_.E.assign(at(ambient + points), {});
    bases_.assign(at(ambient), {});
    curvatures_.assign(at(ambient), Expr());
    std::vector<int> of_groups;
    int natural = 0;
    const auto& coordinates = model_.coordinates();
    for (int f = 0; f < static_cast<int>(coordinates.size()); ++f) {
      const Manifold& factor = coordinates[at(f)].space;
      const int begin = lowered_.offsets[at(f)], end = lowered_.offsets[at(f + 1)];
      result_.natural.push_back(natural);
      if (is_by_basis(factor)) {
        add_basis(f, begin, end);
        for (int i = begin; i < end; ++i) of_groups.push_back(i);
        natural += factor.rates();
        continue;
      }
      natural += end - begin;
      for (int i = begin; i < end; ++i) {
        const int k = replaced_by_[at(i)];
        const int z = static_cast<int>(result_.z.size());
        result_.z.push_back({false, f});
        result_.E[at(k < 0 ? i : ambient + k)] = {{z, Expr(1.0)}};
      }
    }
    result_.natural.push_back(natural);
    for (const int i : of_groups) result_.E[at(i)] = {{static_cast<int>(result_.z.size()) + i, Expr(1.0)}};
    for (int i = 0; i < ambient + points; ++i) known_.push_back(!result_.E[at(i)].empty());
    solve_definitions(definitions, ambient);
    for (const Lifted::Row& row : result_.E) add_tangent_row(row);
  }

  // A row of A from one of E: the ambient rates of groups by their bases.
  void add_tangent_row(const Lifted::Row& row) {
    Lifted::Row tangent;
    Expr offset;
    const int nz = static_cast<int>(result_.z.size());
    for (const auto& [index, coefficient] : row) {
      if (index < nz) {
        add_scaled(tangent, {{index, Expr(1.0)}}, coefficient);
        continue;
      }
      add_scaled(tangent, bases_[at(index - nz)], coefficient);
      offset += coefficient * curvatures_[at(index - nz)];
    }
    std::sort(tangent.begin(), tangent.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    result_.A.push_back(std::move(tangent));
    result_.offset.push_back(offset);
  }

  // Replaced coordinates from their points, and the points that are only names for sums. Definitions mostly build
  // on earlier ones, so few passes are needed.
  void solve_definitions(const std::vector<Lifted::Row>& definitions, int ambient) {
    std::vector<int> replaced_coordinate(definitions.size(), -1);
    for (int i = 0; i < ambient; ++i)
      if (replaced_by_[at(i)] >= 0) replaced_coordinate[at(replaced_by_[at(i)])] = i;
    for (bool progress = true; progress;) {
      progress = false;
      for (int k = 0; k < static_cast<int>(definitions.size()); ++k) {
        const int target = replaced_coordinate[at(k)] >= 0 ? replaced_coordinate[at(k)] : ambient + k;
        if (known_[at(target)]) continue;
        const bool ready = std::all_of(definitions[at(k)].begin(), definitions[at(k)].end(), [&](const auto& entry) {
          return entry.first == target || known_[at(entry.first)];
        });
        if (!ready) continue;
        solve_definition(definitions[at(k)], ambient + k, target);
        known_[at(target)] = progress = true;
      }
    }
    const auto unknown = std::find(known_.begin(), known_.end(), false);
    if (unknown != known_.end()) throw NoPivot(static_cast<int>(unknown - known_.begin()));
  }

  // point = sum of coefficient * coordinate, solved for one of the coordinates or for the point itself.
  void solve_definition(const Lifted::Row& definition, int point, int target) {
    Lifted::Row row;
    Expr own(1.0);
    const Expr sign = target == point ? Expr(1.0) : Expr(-1.0);
    if (target != point) row = result_.E[at(point)];
    for (const auto& [index, coefficient] : definition) {
      if (index == target)
        own = coefficient;
      else
        add_scaled(row, result_.E[at(index)], sign * coefficient);
    }
    for (auto& [z, coefficient] : row) coefficient /= own;
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    result_.E[at(target)] = std::move(row);
  }

  void add_basis(int f, int begin, int end) {
    const Manifold& factor = model_.coordinates()[at(f)].space;
    VectorXe q(end - begin);
    for (int i = begin; i < end; ++i) q(i - begin) = lowered_.q[at(i)];
    VectorXe v(end - begin);
    for (int i = begin; i < end; ++i) v(i - begin) = lowered_.v[at(i)];
    const MatrixXe B = factor.basis(q);
    const VectorXe curvature = factor.curvature(q, v);
    const int z = static_cast<int>(result_.z.size());
    for (int j = 0; j < factor.rates(); ++j) result_.z.push_back({false, f});
    for (int i = begin; i < end; ++i) {
      curvatures_[at(i)] = curvature(i - begin);
      for (int j = 0; j < factor.rates(); ++j)
        if (!B(i - begin, j).is_constant(0)) bases_[at(i)].emplace_back(z + j, B(i - begin, j));
    }
  }

  static void add_scaled(Lifted::Row& row, const Lifted::Row& other, Expr factor) {
    for (const auto& [z, coefficient] : other) {
      const auto found = std::find_if(row.begin(), row.end(), [z = z](const auto& entry) { return entry.first == z; });
      if (found == row.end())
        row.emplace_back(z, factor * coefficient);
      else
        found->second += factor * coefficient;
    }
  }

  const Model& model_;
  const LoweredModel& lowered_;
  Graph& graph_;
  std::vector<Expr> roots_;
  std::vector<std::uint32_t> points_;  // position nodes, ascending
  std::vector<Expr> definitions_;      // their rates
  std::unordered_map<std::uint32_t, Expr> replacement_;
  std::unordered_map<std::uint32_t, int> index_of_rate_;
  std::vector<int> factor_of_, replaced_by_;
  std::vector<Lifted::Row> bases_;  // of the groups: their ambient rates in terms of z'
  std::vector<Expr> curvatures_;
  std::vector<bool> known_;
  Lifted result_;
};

bool is_by_basis(const Manifold& factor) { return !factor.has_constraints(); }

std::string lifting_obstacle(const Manifold& factor) {
  if (factor.has_constraints()) return {};
  const std::string name = factor.name();
  if (!factor.has_formulas()) return name + " has no formula for its basis";
  if (factor.rates() != factor.dimension())
    return fmt::format("{} has {} quasi-velocities, more than its dimension {}", name, factor.rates(),
                       factor.dimension());
  if (!factor.has_retraction_formula()) return name + " has no formula for its retraction";
  return {};
}

Lifted lift(const Model& model, const LoweredModel& lowered) { return Lifting(model, lowered).run(); }

}  // namespace hamel
