// Products of cores and what they simplify to.
#include <Eigen/Geometry>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "hamel/linear/product.hpp"
#include "textbook/atoms.hpp"

namespace hamel::textbook {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;

bool is_vector(const Core& core) { return core.back()->cols == 1; }

bool is_skew_number(const AtomPtr& atom) {
  return atom->sort == Sort::number && atom->rows == 3 && atom->cols == 3 && atom->value == -atom->value.transpose();
}

MatrixXd vee_of(const MatrixXd& A) { return Vector3d(A(2, 1), A(0, 2), A(1, 0)); }

bool is_diagonal(const AtomPtr& atom) {
  return is_symbol(atom) && atom->leaf.definition != nullptr && !atom->leaf.definition->diagonal.empty();
}

// J n of a diagonal matrix and numbers n
Sum diagonal_product(const Atom& matrix, const MatrixXd& numbers) {
  Sum result(matrix.rows, 1);
  for (Eigen::Index i = 0; i < numbers.rows(); ++i) {
    const Sum unit = constant(MatrixXd::Identity(matrix.rows, matrix.rows).col(i));
    if (numbers(i, 0) != 0)
      result += numbers(i, 0) * (matrix.leaf.definition->diagonal[static_cast<std::size_t>(i)] * unit);
  }
  return result;
}

// A rotated cross product, R Q (x x y): its arms R Q x and R Q y.
bool is_rotated_cross(const Core& core) {
  for (std::size_t k = 0; k + 1 < core.size(); ++k)
    if (!is_rotation(core[k])) return false;
  return core.back()->sort == Sort::cross;
}

Sum rotated(const Core& rotations_and_last, const Core& vector) {
  Sum result = from(vector);
  for (auto k = rotations_and_last.rbegin() + 1; k != rotations_and_last.rend(); ++k) {
    Sum next(result.rows(), 1);
    for (const Term& term : result.terms()) next += scaled(term, prepend(*k, term.core));
    result = next;
  }
  return result;
}

struct Arms {
  Sum x, y;
};
Arms arms_of(const Core& rotated_cross) {
  const std::vector<Core>& cores = rotated_cross.back()->cores;
  return {rotated(rotated_cross, cores[0]), rotated(rotated_cross, cores[1])};
}

Core with_front(const AtomPtr& atom, const Core& core) {
  Core result{atom};
  result.insert(result.end(), core.begin(), core.end());
  return result;
}

Sum identity(int size) {
  Sum sum(size, size);
  sum.add({});
  return sum;
}

Sum dyad(const Sum& a, const Sum& b) { return a * transpose(b); }

Sum times(const Sum& matrices, const Core& core) { return core.empty() ? matrices : matrices * from(core); }

Sum transposed(const AtomPtr& atom) {
  if (atom->sort == Sort::number) return constant(atom->value.transpose());
  if (atom->sort == Sort::hat) return -from(atom);
  if (atom->sort == Sort::outer) {
    Atom swapped{.sort = Sort::outer, .rows = atom->cols, .cols = atom->rows};
    swapped.cores = {atom->cores[1], atom->cores[0]};
    return from(intern(std::move(swapped)));
  }
  if (atom->leaf.is_symmetric) return from(atom);
  Atom flipped = *atom;
  flipped.transposed = !flipped.transposed;
  std::swap(flipped.rows, flipped.cols);
  return from(intern(std::move(flipped)));
}

// Both ends are single vectors that are not cross products; chain = C b.
Sum plain_dot(const AtomPtr& a, const Core& chain) {
  Atom atom{.sort = Sort::dot};
  atom.cores = {{a}, chain};
  return from(intern(std::move(atom)));
}

int transposes(const Core& core) {
  int count = 0;
  for (const AtomPtr& atom : core) count += atom->transposed ? 1 : 0;
  return count;
}

Sum entry(const AtomPtr& unit, const AtomPtr& listed) {
  Eigen::Index axis = 0;
  unit->value.col(0).maxCoeff(&axis);
  Leaf leaf = listed->leaf;
  leaf.formula = leaf.formula[static_cast<int>(axis)];
  leaf.order += "[" + std::to_string(10000 + axis) + "]";
  return symbol(leaf);
}

bool is_unit(const AtomPtr& atom) {
  return atom->sort == Sort::number && atom->value.cols() == 1 && atom->value.sum() == 1 &&
         (atom->value.array() != 0.0).count() == 1;
}

// Inputs and parameters are lists of numbers more often than they are vectors.
bool is_listed(const AtomPtr& atom) {
  if (!is_symbol(atom)) return false;
  const Formula::Node& node = atom->leaf.formula.node();
  if (node.kind == Kind::stack) return true;
  return node.kind == Kind::symbol && (node.symbol.role == Role::parameter || node.symbol.role == Role::input);
}

bool on_one_sphere(const AtomPtr& a, const AtomPtr& b) {
  return is_symbol(a) && is_symbol(b) && a->leaf.sphere != OnSphere::no && b->leaf.sphere != OnSphere::no &&
         a->leaf.coordinate == b->leaf.coordinate;
}

// a.(C a) of a list
Sum in_entries(const AtomPtr& a, const MatrixXd& C) {
  const auto component = [&](Eigen::Index i) {
    return entry(constant(MatrixXd::Identity(C.rows(), C.rows()).col(i)).terms().front().core.front(), a);
  };
  Sum result(1, 1);
  for (Eigen::Index i = 0; i < C.rows(); ++i)
    for (Eigen::Index j = 0; j < C.cols(); ++j)
      if (C(i, j) != 0) result += C(i, j) * (component(i) * component(j));
  return result;
}

Sum symmetric_form(const AtomPtr& a, const MatrixXd& C) {
  if (is_listed(a) && (C.array() != 0.0).count() <= 3) return in_entries(a, C);
  const Sum matrix = constant((C + C.transpose()) / 2);
  Sum result(1, 1);
  for (const Term& term : matrix.terms()) {
    if (term.core.empty())
      result += scaled(term, dot(Core{a}, Core{a}));
    else
      result += scaled(term, plain_dot(a, {term.core[0], a}));
  }
  return result;
}

Sum direct_dot(const AtomPtr& a, const AtomPtr& b) {
  if (a->sort == Sort::number && b->sort == Sort::number) return a->value.col(0).dot(b->value.col(0));
  if (is_unit(a) && is_listed(b)) return entry(a, b);
  if (is_unit(b) && is_listed(a)) return entry(b, a);
  if (on_one_sphere(a, b)) {
    const OnSphere one = a->leaf.sphere, other = b->leaf.sphere;
    if (one == OnSphere::point && other == OnSphere::point) return 1.0;
    if (one == OnSphere::point || other == OnSphere::point) return 0.0;
  }
  return b->key < a->key ? plain_dot(b, {a}) : plain_dot(a, {b});
}

Sum dot_of_atom(const AtomPtr& a, const Core& chain) {
  const AtomPtr& b = chain.back();
  if (b->sort == Sort::cross || a->sort == Sort::cross) {
    // a.(C b) with b = x x y is (x x y).(C^T a)
    const bool left = a->sort == Sort::cross;
    const AtomPtr& product = left ? a : b;
    if (left) return triple(product->cores[0], product->cores[1], chain);
    const Core matrices(chain.begin(), chain.end() - 1);
    const Sum other = matrices.empty() ? from(a) : transpose(matrices) * from(a);
    Sum result(1, 1);
    for (const Term& term : other.terms())
      result += scaled(term, triple(product->cores[0], product->cores[1], term.core));
    return result;
  }
  if (chain.size() == 1) return direct_dot(a, b);
  const Core matrices(chain.begin(), chain.end() - 1);
  if (a->sort == Sort::number && matrices[0]->sort == Sort::number)
    return dot(constant(linear::transposed_product(matrices[0]->value, a->value)), from(tail(chain)));
  if (a->sort == Sort::number && is_diagonal(matrices[0]))
    return dot(diagonal_product(*matrices[0], a->value), from(tail(chain)));
  if (a->key == b->key && is_number(matrices)) return symmetric_form(a, matrices[0]->value);
  const Sum swapped = transpose(matrices);  // one term
  const Core& back = swapped.terms()[0].core;
  const bool swap =
      transposes(back) != transposes(matrices) ? transposes(back) < transposes(matrices) : b->key < a->key;
  if (!swap) return plain_dot(a, chain);
  Core other = back;
  other.push_back(a);
  return scaled(swapped.terms()[0], plain_dot(b, other));
}

Sum cross_with_product(const Core& a, const Core& rotated_cross) {
  const auto [x, y] = arms_of(rotated_cross);
  const Sum left = from(a);
  return x * dot(left, y) - y * dot(left, x);
}

Sum ordered_cross(const Core& a, const Core& b) {
  Atom atom{.sort = Sort::cross, .rows = 3, .cols = 1};
  const bool swap = precedes(b, a);
  atom.cores = swap ? std::vector<Core>{b, a} : std::vector<Core>{a, b};
  const Sum product = from(intern(std::move(atom)));
  return swap ? -product : product;
}

bool share_rotation(const Core& a, const Core& b) {
  return a.size() > 1 && b.size() > 1 && is_rotation(a[0]) && a[0]->key == b[0]->key;
}

Sum number_cross(const Core& a, const Core& b) {
  const Vector3d x = a[0]->value, y = b[0]->value;
  return constant(x.cross(y).eval());
}

Sum ordered_triple(Core a, Core b, Core c) {
  double sign = 1;
  const auto sort = [&](Core& x, Core& y) {
    if (!precedes(y, x)) return;
    std::swap(x, y);
    sign = -sign;
  };
  sort(a, b);
  sort(b, c);
  sort(a, b);
  Atom atom{.sort = Sort::triple};
  atom.cores = {a, b, c};
  return sign * from(intern(std::move(atom)));
}

}  // namespace

Sum symbol(const Leaf& leaf) {
  Atom atom{.sort = Sort::symbol, .rows = leaf.formula.rows(), .cols = leaf.formula.cols()};
  atom.leaf = leaf;
  return from(intern(std::move(atom)));
}

// The number or the sign that a matrix is a multiple by stands before it.
Sum constant(const MatrixXd& value) {
  const auto rows = static_cast<int>(value.rows()), cols = static_cast<int>(value.cols());
  if (value.size() == 1) return value(0, 0);
  Sum sum(rows, cols);
  if (value.isZero(0.0)) return sum;
  if (rows == 1) return transpose(constant(value.transpose()));
  const auto entries = value.reshaped();
  Eigen::Index first = 0;
  while (entries(first) == 0) ++first;
  const bool multiple = rows == cols && value.isApprox(value(0, 0) * MatrixXd::Identity(rows, cols), 1e-14);
  if (multiple) {
    sum.add({value(0, 0), {}, {}});
    return sum;
  }
  const double scale = (entries.array() != 0.0).count() == 1 ? entries(first) : entries(first) < 0 ? -1 : 1;
  Atom atom{.sort = Sort::number, .rows = rows, .cols = cols};
  atom.value = (value / scale).array() + 0.0;  // no -0
  sum.add({scale, {}, {intern(std::move(atom))}});
  return sum;
}

Sum prepend(const AtomPtr& matrix, const Core& core) {
  if (core.empty()) return from(matrix);
  const AtomPtr& first = core.front();
  if (matrix->sort == Sort::number && first->sort == Sort::number)
    return times(constant(linear::product(matrix->value, first->value)), tail(core));
  if (is_skew_number(matrix) && is_vector(core) && first->sort != Sort::number)
    return cross(constant(vee_of(matrix->value)), from(core));
  if (is_diagonal(matrix) && core.size() == 1 && first->sort == Sort::number && first->cols == 1)
    return diagonal_product(*matrix, first->value);
  if (are_inverse(matrix, first)) return core.size() == 1 ? identity(matrix->rows) : from(tail(core));
  if (matrix->sort == Sort::number && first->sort == Sort::outer)  // N a b^T
    return times(dyad(prepend(matrix, first->cores[0]), from(first->cores[1])), tail(core));
  if (matrix->sort == Sort::outer && first->sort == Sort::number && first->cols > 1)  // a b^T N
    return times(dyad(from(matrix->cores[0]), transpose(Core{first}) * from(matrix->cores[1])), tail(core));
  if (matrix->sort == Sort::outer && first->sort == Sort::outer) {  // a (b.c) d^T
    const Sum scale = dot(matrix->cores[1], first->cores[0]);
    return scale * times(dyad(from(matrix->cores[0]), from(first->cores[1])), tail(core));
  }
  if (is_vector(core)) {
    if (matrix->sort == Sort::hat) return cross(matrix->cores[0], core);
    if (matrix->sort == Sort::outer) {
      const Sum scale = dot(matrix->cores[1], core);
      return scale * from(matrix->cores[0]);
    }
  }
  return from(with_front(matrix, core));
}

Sum transpose(const Core& matrices) {
  if (matrices.empty()) throw std::logic_error("an empty product has no shape");
  Sum result = transposed(matrices.front());
  for (auto atom = matrices.begin() + 1; atom != matrices.end(); ++atom) result = transposed(*atom) * result;
  return result;
}

Sum dot(const Core& a, const Core& b) {
  Sum chain = from(b);
  for (std::size_t k = 0; k + 1 < a.size(); ++k) chain = transposed(a[k]) * chain;
  Sum result(1, 1);
  for (const Term& term : chain.terms()) result += scaled(term, dot_of_atom(a.back(), term.core));
  return result;
}

Sum cross(const Core& a, const Core& b) {
  if (key_of(a) == key_of(b)) return {3, 1};
  if (is_number(a) && is_number(b)) return number_cross(a, b);
  if (share_rotation(a, b)) return from(a[0]) * cross(from(tail(a)), from(tail(b)));
  if (is_rotated_cross(b)) return cross_with_product(a, b);
  if (is_rotated_cross(a)) return -cross_with_product(b, a);
  return ordered_cross(a, b);
}

Sum triple(const Core& a, const Core& b, const Core& c) {
  if (key_of(a) == key_of(b) || key_of(b) == key_of(c) || key_of(a) == key_of(c)) return 0.0;
  for (const auto& [x, y, z] : {std::tie(a, b, c), std::tie(b, c, a), std::tie(c, a, b)}) {
    if (is_rotated_cross(x)) return dot(cross_with_product(y, x), -from(z));
    if (is_number(y) && is_number(z)) return dot(from(x), number_cross(y, z));
    if (share_rotation(x, y) && share_rotation(y, z)) return triple(tail(x), tail(y), tail(z));
  }
  return ordered_triple(a, b, c);
}

}  // namespace hamel::textbook
