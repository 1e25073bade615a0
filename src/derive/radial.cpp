#include "derive/radial.hpp"

#include <algorithm>
#include <unordered_map>

namespace hamel {

std::optional<Radial> radial(Expr e, const Exprs& q) {
  const SparseEntries second = hessian(e, q);
  const auto is_of_the_diagonal = [&, k = 0](const Entry& entry) mutable {
    return entry.row == k && entry.col == k++ && entry.value.id() == second.front().value.id();
  };
  if (second.size() != q.size() || !std::all_of(second.begin(), second.end(), is_of_the_diagonal)) return std::nullopt;
  const Expr slope = second.front().value * 0.5;
  if (!jacobian(Exprs{slope}, q).empty()) return std::nullopt;
  std::unordered_map<std::uint32_t, Expr> zero;
  for (const Expr x : q) zero[x.id()] = Expr();
  const Expr at_zero = substitute(Exprs{e}, zero).front();
  const Exprs linear = substitute(gradient(e, q), zero);
  if (std::any_of(linear.begin(), linear.end(), [](Expr x) { return !x.is_constant(0); })) return std::nullopt;
  return Radial{at_zero, slope};
}

}  // namespace hamel
