#include "hamel/derive/expressions.hpp"

namespace hamel {

Expr sum(const Exprs& terms) {
  Expr total;
  for (Expr term : terms) total += term;
  return total;
}

Exprs sums(Exprs a, const Exprs& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

Exprs values_of(const SparseEntries& entries) {
  Exprs result;
  for (const auto& entry : entries) result.push_back(entry.value);
  return result;
}

Exprs dense(const SparseEntries& entries, int rows, int cols) {
  Exprs result(at(rows * cols));
  for (const auto& [i, j, value] : entries) result[at(j * rows + i)] += value;
  return result;
}

Exprs applied_force(const std::vector<std::pair<Expr, Expr>>& forces, Expr rayleigh, const Exprs& v) {
  Expr power = -rayleigh;
  std::unordered_map<std::uint32_t, Expr> strength;
  for (const auto& [force, rate] : forces) {
    const Expr held = Graph::current().variable("force");
    strength[held.id()] = force;
    power += held * rate;
  }
  return substitute(gradient(power, v), strength);
}

}  // namespace hamel
