#include "derive/discrete.hpp"

namespace hamel {
namespace {

Expr between(Expr begin, Expr end, double s) {
  if (s == 0) return begin;
  if (s == 1) return end;
  return s == 0.5 ? 0.5 * (begin + end) : (1 - s) * begin + s * end;
}

std::unordered_map<std::uint32_t, Expr> at_node(const Chord& chord, double s) {
  std::unordered_map<std::uint32_t, Expr> place;
  for (std::size_t i = 0; i < chord.Q.size(); ++i) {
    place[chord.V[i].id()] = chord.chord[i];
    if (s > 0) place[chord.Q[i].id()] = between(chord.Q[i], chord.end[i], s);
  }
  if (s > 0) place[chord.t.id()] = chord.t + s * chord.h;
  return place;
}

// sum_i w_i x_i, of weights that add up to 1.
Expr mean(const Quadrature& rule, const std::vector<Exprs>& samples, std::size_t k) {
  const auto nodes = rule.nodes();
  bool same_value = true, same_weight = true;
  Expr sum, weighted;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    same_value = same_value && samples[i][k] == samples[0][k];
    same_weight = same_weight && nodes[i].weight == nodes[0].weight;
    sum += samples[i][k];
    weighted += nodes[i].weight * samples[i][k];
  }
  if (same_value) return samples[0][k];
  return same_weight ? nodes[0].weight * sum : weighted;
}

}  // namespace

DiscreteLagrangian discretise(const Quadrature& rule, const Chord& chord, const Exprs& momentum, const Exprs& force) {
  const std::size_t n = momentum.size();
  DiscreteLagrangian result{Exprs(n), Exprs(n), Exprs(n)};
  std::vector<Exprs> momenta;
  for (const auto& [s, weight] : rule.nodes()) {
    const auto place = at_node(chord, s);
    momenta.push_back(substitute(momentum, place));
    const Exprs forces = substitute(force, place);
    for (std::size_t k = 0; k < n; ++k) {
      if (s < 1) result.force_begin[k] += 2 * weight * (1 - s) * forces[k];
      if (s > 0) result.force_end[k] += 2 * weight * s * forces[k];
    }
  }
  for (std::size_t k = 0; k < n; ++k) result.momentum[k] = mean(rule, momenta, k);
  return result;
}

}  // namespace hamel
