#include "symmetry/momentum_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "hamel/graph/print.hpp"
#include "hamel/model/formula.hpp"
#include "hamel/model/name_list.hpp"

namespace hamel {
namespace {

constexpr int most_terms = 60;  // of a formula that is still worth reading

struct Motion {
  double coefficient;
  std::string field;
  int coordinate;
};

std::vector<Motion> motions(const Candidates& candidates, In coefficients) {
  std::vector<Motion> result;
  for (std::size_t g = 0; g < candidates.generators.size(); ++g) {
    const double coefficient = coefficients(candidates.generator(g));
    if (coefficient == 0) continue;
    for (const auto& [coordinate, field] : candidates.generators[g])
      result.push_back({coefficient, field.name, coordinate});
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

const std::string& coordinate_name(const Model& model, const Motion& motion) {
  return model.coordinates()[static_cast<std::size_t>(motion.coordinate)].name;
}

// What is turned back appears with the opposite sign.
void append_turns(std::string& text, const Candidates& candidates, In coefficients) {
  for (std::size_t k = 0; k < candidates.turns.size(); ++k)
    if (const double coefficient = coefficients(static_cast<Eigen::Index>(k)); coefficient != 0)
      append_term(text, -coefficient, candidates.turns[k].name + " of the centre of mass");
}

std::string text_of_motions(const Model& model, const Candidates& candidates, In coefficients) {
  std::string text;
  for (const Motion& motion : motions(candidates, coefficients))
    append_term(text, motion.coefficient, fmt::format("{} of {}", motion.field, coordinate_name(model, motion)));
  append_turns(text, candidates, coefficients);
  return text;
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

bool is_rotation(const std::string& motion, const std::string& rotation) {
  return motion == rotation || (is_plane_rotation(rotation) && motion == "rotation about e3");
}

std::string momentum_of(const std::string& motion) {
  const auto replaced = [&](const std::string& what, const std::string& by) {
    return motion.starts_with(what) ? by + motion.substr(what.size()) : std::string();
  };
  for (const auto& [what, by] : {std::pair<std::string, std::string>{"rotation", "angular momentum"},
                                 {"translation", "momentum"},
                                 {"shift", "momentum"},
                                 {"right rotation", "body angular momentum"},
                                 {"right translation", "body momentum"}})
    if (std::string name = replaced(what, by); !name.empty()) return name;
  return {};
}

// Of a rotation that leaves the centre of mass where it is: the axis goes through it.
std::string about_the_centre(const std::string& momentum) {
  return momentum + (momentum == "angular momentum" ? " about the centre of mass" : " through the centre of mass");
}

// By its common motion, if it has one: "angular momentum about e3".
std::string simple_name(const Candidates& candidates, In coefficients) {
  const std::string motion = common_motion(motions(candidates, coefficients));
  const VectorXd turns = coefficients.head(candidates.generator(0));
  if (turns.isZero(0)) return momentum_of(motion);
  Eigen::Index k = 0;
  if (turns.cwiseAbs().maxCoeff(&k) != 1 || turns.sum() != 1 || turns.cwiseAbs().sum() != 1) return {};
  const std::string& turn = candidates.turns[static_cast<std::size_t>(k)].name;
  return is_rotation(motion, turn) ? about_the_centre(momentum_of(motion)) : std::string();
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

// X = A q + b, component by component of all that moves.
struct Row {
  double b = 0;
  std::map<Eigen::Index, double> A;
};

using Rows = std::map<Eigen::Index, Row>;

Rows rows_of(const ConservedMomentum& momentum) {
  Rows rows;
  const auto add = [&](Eigen::Index i, Eigen::Index j, double coefficient) {
    if (coefficient != 0) rows[i].A[j] += coefficient;
  };
  for (const auto& block : momentum.blocks)
    for (Eigen::Index i = 0; i < block.b.size(); ++i) {
      for (Eigen::Index j = 0; j < block.b.size(); ++j) add(block.offset + i, block.offset + j, block.A(i, j));
      if (block.b(i) != 0) rows[block.offset + i].b += block.b(i);
    }
  for (const auto& [direction, weight] : momentum.couplings)
    for (Eigen::Index i = 0; i < direction.size(); ++i)
      for (Eigen::Index j = 0; direction(i) != 0 && j < weight.size(); ++j) add(i, j, direction(i) * weight(j));
  for (auto& [i, row] : rows) std::erase_if(row.A, [](const auto& entry) { return std::abs(entry.second) < 1e-14; });
  return rows;
}

Expr gauge_expression(const Components& components, const ConservedMomentum::Block& block) {
  Expr sum;
  const auto q = [&](Eigen::Index i) { return components.q(block.offset + i); };
  for (Eigen::Index i = 0; i < block.b.size(); ++i) {
    sum += block.linear(i) * q(i);
    sum += block.quadratic(i, i) / 2 * (q(i) * q(i));
    for (Eigen::Index j = 0; j < i; ++j) sum += block.quadratic(i, j) * (q(i) * q(j));
  }
  return sum;
}

// X . p - F of the components from begin to end.
Expr part_of_momentum(const Components& components, const Rows& rows, const ConservedMomentum& momentum,
                      Eigen::Index begin, Eigen::Index end) {
  Expr sum;
  for (auto row = rows.lower_bound(begin); row != rows.lower_bound(end); ++row) {
    Expr X = row->second.b;
    for (const auto& [j, coefficient] : row->second.A) X += coefficient * components.q(j);
    sum += components.p(row->first) * X;
  }
  for (const auto& block : momentum.blocks)
    if (block.offset == begin) sum -= gauge_expression(components, block);
  return sum;
}

}  // namespace

std::string generator_text(const Model& model, const Candidates& candidates, In coefficients) {
  std::string text = text_of_motions(model, candidates, coefficients);
  if (const double time = coefficients(candidates.time()); time != 0) append_term(text, time, "shift of time");
  return text;
}

std::string momentum_name(const Model& model, const Candidates& candidates, In coefficients) {
  std::string name = simple_name(candidates, coefficients);
  if (!name.empty()) {
    std::vector<std::string> coordinates;
    for (const Motion& motion : motions(candidates, coefficients))
      coordinates.push_back(coordinate_name(model, motion));
    name += fmt::format(" ({})", name_list(coordinates));
  } else {
    name = "momentum of " + text_of_motions(model, candidates, coefficients);
  }
  if (const double time = coefficients(candidates.time()); time != 0) append_term(name, -time, "energy");
  return name;
}

std::string turn_alone(const Candidates& candidates, In coefficients) {
  const auto turns = static_cast<Eigen::Index>(candidates.turns.size());
  if ((coefficients.head(turns).array() != 0).count() != 1) return {};
  if (!coefficients.segment(turns, candidates.time() + 1 - turns).isZero(0)) return {};
  Eigen::Index k = 0;
  coefficients.head(turns).cwiseAbs().maxCoeff(&k);
  return candidates.turns[static_cast<std::size_t>(k)].name;
}

bool is_common_rotation(const Candidates& candidates, In coefficients, const std::string& rotation) {
  return coefficients(candidates.time()) == 0 &&
         is_rotation(common_motion(motions(candidates, coefficients)), rotation);
}

std::string momentum_formula(const Model& model, const ConservedMomentum& momentum) {
  const Rows rows = rows_of(momentum);
  Eigen::Index terms = 0;
  for (const auto& [i, row] : rows) terms += static_cast<Eigen::Index>(row.A.size()) + (row.b != 0 ? 1 : 0);
  for (const auto& block : momentum.blocks) terms += (block.quadratic.array() != 0).count();
  if (terms > most_terms) return {};
  Graph graph;
  const Graph::Scope scope(graph);
  const Components components(model);
  Expr sum;
  for (Eigen::Index begin = 0; const Coordinate& coordinate : model.coordinates()) {
    const Eigen::Index end = begin + coordinate.space.ambient();
    sum += part_of_momentum(components, rows, momentum, begin, end);
    begin = end;
  }
  if (momentum.energy != 0) sum -= momentum.energy * graph.variable("E");
  return print(sum);
}

}  // namespace hamel
