// Traces of products and vectors of skew parts.
#include <Eigen/Geometry>
#include <utility>

#include "textbook/atoms.hpp"

namespace hamel::textbook {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;

// tr(M hat(b) hat(a)) = b.(M a) - (a.b) tr M
Sum trace_with_two_hats(const Core& M, const Core& b, const Core& a) {
  const Sum x = from(a), y = from(b);
  if (M.empty()) return -2.0 * dot(x, y);
  if (is_number(M)) return dot(y, constant(M[0]->value - M[0]->value.trace() * MatrixXd::Identity(3, 3)) * x);
  return dot(y, from(M) * x) - dot(x, y) * trace(M, 3);
}

Core turned(const Core& core, std::size_t by) {
  Core result(core.begin() + static_cast<std::ptrdiff_t>(by), core.end());
  result.insert(result.end(), core.begin(), core.begin() + static_cast<std::ptrdiff_t>(by));
  return result;
}

Sum plain_trace(Core core) {
  Core first = core;
  for (std::size_t k = 1; k < core.size(); ++k)
    if (const Core other = turned(core, k); key_of(other) < key_of(first)) first = other;
  Atom atom{.sort = Sort::trace};
  atom.cores = {first};
  return from(intern(std::move(atom)));
}

}  // namespace

Sum trace(const Core& core, int size) {
  if (core.empty()) return size;
  if (is_number(core)) return core[0]->value.trace();
  if (core.size() > 1 && are_inverse(core.front(), core.back())) {
    const Core inner(core.begin() + 1, core.end() - 1);
    return trace(inner, core.front()->cols);
  }
  for (std::size_t k = 0; k < core.size(); ++k) {
    const Core turn = turned(core, k);
    if (turn[0]->sort == Sort::outer) {
      const Sum a = from(turn[0]->cores[0]);
      return dot(from(turn[0]->cores[1]), core.size() > 1 ? from(tail(turn)) * a : a);
    }
    if (turn.size() > 1 && turn[0]->sort == Sort::hat && turn[1]->sort == Sort::hat)
      return trace_with_two_hats({turn.begin() + 2, turn.end()}, turn[0]->cores[0], turn[1]->cores[0]);
  }
  for (std::size_t k = 0; k < core.size(); ++k)
    if (const Core turn = turned(core, k); turn[0]->sort == Sort::hat) {
      if (turn.size() == 1) return 0.0;
      return -2.0 * dot(from(turn[0]->cores[0]), vee(from(tail(turn))));
    }
  return plain_trace(core);
}

Sum vee(const Sum& a) {
  Sum result(3, 1);
  for (const Term& term : a.terms()) {
    const Core& core = term.core;
    if (core.empty() || (core.size() == 1 && core[0]->leaf.is_symmetric)) continue;
    if (core.size() == 1 && core[0]->sort == Sort::hat) {
      result += scaled(term, from(core[0]->cores[0]));
    } else if (core.size() == 1 && core[0]->sort == Sort::outer) {
      result += scaled(term, 0.5 * cross(core[0]->cores[1], core[0]->cores[0]));
    } else if (is_number(core)) {
      const MatrixXd& w = core[0]->value;
      result += scaled(term, constant(Vector3d(w(2, 1) - w(1, 2), w(0, 2) - w(2, 0), w(1, 0) - w(0, 1)) / 2));
    } else {
      Atom atom{.sort = Sort::vee, .rows = 3, .cols = 1};
      atom.sums = {from(core)};
      result += scaled(term, from(intern(std::move(atom))));
    }
  }
  return result;
}

}  // namespace hamel::textbook
