#include "mechanics/momentum_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "hamel/graph/print.hpp"
#include "hamel/model/formula.hpp"

namespace hamel {
namespace {

constexpr int most_terms = 60;  // of a formula that is still worth reading

struct Motion {
  double coefficient;
  std::string field, coordinate;
};

std::vector<Motion> motions(const Model& model, const Candidates& candidates, In coefficients) {
  std::vector<Motion> result;
  for (std::size_t g = 0; g < candidates.generators.size(); ++g) {
    const double coefficient = coefficients(static_cast<Eigen::Index>(g));
    if (coefficient == 0) continue;
    for (const auto& [coordinate, field] : candidates.generators[g])
      result.push_back({coefficient, field.name, model.coordinates()[static_cast<std::size_t>(coordinate)].name});
  }
  return result;
}

void append_term(std::string& text, double coefficient, const std::string& what) {
  if (text.empty())
    text = coefficient < 0 ? "-" : "";
  else
    text += coefficient < 0 ? " - " : " + ";
  if (std::abs(coefficient) != 1) text += fmt::format("{:.6g} ", std::abs(coefficient));
  text += what;
}

bool is_plane_rotation(const std::string& field) { return field == "rotation"; }

// The one motion that all coordinates share; empty if there is none. In a plane, a rotation is one about e3.
std::string common_motion(const std::vector<Motion>& motions) {
  std::string common;
  for (const Motion& motion : motions) {
    const std::string name = spatial_name(motion.field);
    if (motion.coefficient != 1) return {};
    if (common.empty() || (is_plane_rotation(common) && name == "rotation about e3")) common = name;
    if (name != common && !(is_plane_rotation(name) && common == "rotation about e3")) return {};
  }
  return common;
}

std::string momentum_of(const std::string& motion) {
  const auto replaced = [&](const std::string& what, const std::string& by) {
    return motion.starts_with(what) ? by + motion.substr(what.size()) : std::string();
  };
  for (const auto& [what, by] : {std::pair<std::string, std::string>{"rotation", "angular momentum"},
                                 {"translation", "momentum"},
                                 {"right rotation", "body angular momentum"},
                                 {"right translation", "body momentum"}})
    if (std::string name = replaced(what, by); !name.empty()) return name;
  return {};
}

class Components {
 public:
  explicit Components(const Model& model) {
    for (const Coordinate& coordinate : model.coordinates()) {
      const auto [rows, cols] = coordinate.space.shape();
      add(q_, Formula::symbol(
                  {.role = Role::coordinate, .name = coordinate.name, .slot = 0, .first_index = model.first_index()},
                  rows, cols));
      add(p_,
          Formula::symbol(
              {.role = Role::momentum, .name = "p_" + coordinate.name, .slot = 0, .first_index = model.first_index()},
              rows, cols));
    }
  }
  Expr q(Eigen::Index i) const { return q_[static_cast<std::size_t>(i)]; }
  Expr p(Eigen::Index i) const { return p_[static_cast<std::size_t>(i)]; }

 private:
  static void add(std::vector<Expr>& variables, const Formula& symbol) {
    for (int j = 0; j < symbol.cols(); ++j)
      for (int i = 0; i < symbol.rows(); ++i) variables.push_back(Graph::current().variable(symbol(i, j).to_string()));
  }
  std::vector<Expr> q_, p_;
};

Expr momentum_expression(const Components& components, const ConservedMomentum::Block& block) {
  Expr sum;
  const auto q = [&](Eigen::Index i) { return components.q(block.offset + i); };
  for (Eigen::Index i = 0; i < block.b.size(); ++i) {
    Expr X = block.b(i);
    for (Eigen::Index j = 0; j < block.b.size(); ++j) X += block.A(i, j) * q(j);
    sum += components.p(block.offset + i) * X;
  }
  for (Eigen::Index i = 0; i < block.b.size(); ++i) {
    sum -= block.linear(i) * q(i);
    sum -= block.quadratic(i, i) / 2 * (q(i) * q(i));
    for (Eigen::Index j = 0; j < i; ++j) sum -= block.quadratic(i, j) * (q(i) * q(j));
  }
  return sum;
}

}  // namespace

std::string generator_text(const Model& model, const Candidates& candidates, In coefficients) {
  std::string text;
  for (const Motion& motion : motions(model, candidates, coefficients))
    append_term(text, motion.coefficient, fmt::format("{} of {}", motion.field, motion.coordinate));
  if (const double time = coefficients(candidates.time()); time != 0) append_term(text, time, "shift of time");
  return text;
}

std::string momentum_name(const Model& model, const Candidates& candidates, In coefficients) {
  const std::vector<Motion> all = motions(model, candidates, coefficients);
  std::vector<std::string> coordinates;
  for (const Motion& motion : all) coordinates.push_back(motion.coordinate);
  std::string name = momentum_of(common_motion(all));
  if (!name.empty()) {
    name += fmt::format(" ({})", fmt::join(coordinates, ", "));
  } else {
    for (const Motion& motion : all)
      append_term(name, motion.coefficient, fmt::format("{} of {}", motion.field, motion.coordinate));
    name = "momentum of " + name;
  }
  if (const double time = coefficients(candidates.time()); time != 0) append_term(name, -time, "energy");
  return name;
}

std::string momentum_formula(const Model& model, const ConservedMomentum& momentum) {
  Eigen::Index terms = 0;
  for (const auto& block : momentum.blocks)
    terms += (block.A.array() != 0).count() + (block.b.array() != 0).count() + (block.quadratic.array() != 0).count();
  if (terms > most_terms) return {};
  Graph graph;
  const Graph::Scope scope(graph);
  const Components components(model);
  Expr sum;
  for (const auto& block : momentum.blocks) sum += momentum_expression(components, block);
  if (momentum.energy != 0) sum -= momentum.energy * graph.variable("E");
  return print(sum);
}

}  // namespace hamel
