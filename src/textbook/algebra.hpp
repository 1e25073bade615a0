// Vector algebra in a normal form: sums of terms, each a number times powers of scalar atoms times a product of matrix
// and vector atoms. Products are expanded and like terms collected as the sums are built, with what holds on the
// manifolds:
//
//   q.q = 1, q.q' = 0, q.omega = 0    R^T R = I    a x a = 0    a x (b x c) = b (a.c) - c (a.b)    hat(a) b = a x b
//
// Atoms with equal keys are equal. A vector core is a chain A B ... v; a row vector is stored as the column that it is
// the transpose of.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "hamel/model/formula.hpp"

namespace hamel::textbook {

struct Atom;
class Sum;
struct Definition;
using AtomPtr = std::shared_ptr<const Atom>;
using Core = std::vector<AtomPtr>;

enum class Sort {
  symbol,
  number,      // a vector or matrix of numbers
  cross,       // of two cores
  hat,         // of a core
  outer,       // a b^T of two cores
  vee,         // of a sum
  dot,         // a.(C b): the cores a and C b; a is a single atom
  triple,      // a.(b x c)
  trace,       // of a core
  norm,        // of a sum
  group,       // a scalar sum, as a factor
  function,    // of sums
  comparison,  // 1 where the first sum is less than the second, else 0
};

// What a symbol is to the point q of a sphere that it belongs to.
enum class OnSphere { no, point, rate, normal };

struct Leaf {
  Formula formula = 0.0;  // what it is written as
  std::string order{};    // sorts symbols: first letter the rank, then the coordinate
  bool is_constant = false, is_rate = false, is_acceleration = false, is_rotation = false, is_symmetric = false;
  OnSphere sphere = OnSphere::no;
  int coordinate = -1;
  std::shared_ptr<const Definition> definition{};  // what a name stands for, and what is known of a constant matrix
};

struct Factor {
  AtomPtr atom;
  double exponent;
};

struct Term {
  double coefficient = 1;
  std::vector<Factor> factors{};  // in the order in which they were met
  Core core{};

  std::string key() const;
};

class Sum {
 public:
  Sum(int rows, int cols) : rows_(rows), cols_(cols) {}
  Sum(double number);  // NOLINT(google-explicit-constructor)

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  bool is_scalar() const { return rows_ == 1 && cols_ == 1; }
  bool is_zero() const { return terms_.empty(); }
  bool is_number() const;  // a scalar number
  double number() const;
  bool is_constant() const;
  bool has_rates() const;
  const std::vector<Term>& terms() const { return terms_; }
  std::string key() const;

  void add(Term term);
  Sum& operator+=(const Sum& other);

 private:
  int rows_, cols_;
  std::vector<Term> terms_;
  std::unordered_map<std::string, std::size_t> index_;
};

struct Atom {
  Sort sort;
  int rows = 1, cols = 1;
  std::string key{};
  Leaf leaf{};
  bool transposed = false;
  Eigen::MatrixXd value{};
  std::vector<Core> cores{};
  std::vector<Sum> sums{};
  std::string function{};
  bool is_constant = false;  // made of numbers and parameters alone
  bool has_rates = false;
};

// A name has the derivatives of its value; a rotation L those of L' = L hat(turning), where `turning` is linear in the
// rates of `moves`. A diagonal matrix J has J e_i = diagonal[i] e_i.
struct Definition {
  struct Move {
    Sum point, rate;
  };
  Sum value{0.0}, turning{0.0};
  std::vector<Move> moves{};
  std::vector<Sum> diagonal{};
};

Sum symbol(const Leaf& leaf);  // of the shape of its formula
Sum constant(const Eigen::MatrixXd& value);
Sum from(const AtomPtr& atom);  // 1 * atom
Sum from(const Core& core);

Sum operator+(Sum a, const Sum& b);
Sum operator-(const Sum& a);
Sum operator-(Sum a, const Sum& b);
Sum operator*(const Sum& a, const Sum& b);  // scalar * anything, matrix * matrix or vector, row * column, column * row
Sum power(const Sum& base, double exponent);
Sum reciprocal(const Sum& a);
Sum dot(const Sum& a, const Sum& b);
Sum cross(const Sum& a, const Sum& b);
Sum hat(const Sum& a);
Sum vee(const Sum& a);
Sum transpose(const Sum& a);
Sum trace(const Sum& a);
Sum norm(const Sum& a);
Sum function(const std::string& name, const std::vector<Sum>& arguments);
Sum call(const std::string& name, const std::vector<Sum>& arguments);  // a square root is a power; sin(-a) is -sin(a)
Sum indicator(const std::string& comparison, const Sum& a, const Sum& b);
Sum as_factor(const Sum& a);  // a sum of several terms becomes one atom, times what its terms share
std::vector<Factor> common_factors(const Sum& sum);
Sum divided(const Sum& sum, double number, const std::vector<Factor>& factors);

Sum sum_of(int rows, int cols, const std::vector<Term>& terms);
Sum scaled(const Term& scale, const Sum& sum);  // by the number and the factors of a term

// Of cores: what the functions above are made of.
Sum prepend(const AtomPtr& matrix, const Core& core);
Sum dot(const Core& a, const Core& b);
Sum cross(const Core& a, const Core& b);
Sum triple(const Core& a, const Core& b, const Core& c);
Sum trace(const Core& core, int size);
Sum transpose(const Core& matrices);  // of matrices only

// A matrix that has no vector form, a determinant for one, is refused with this.
struct NoVectorForm {
  std::string reason;
};

// So is a sum that no one would read.
struct TooLong {
  std::string how;
};
constexpr std::size_t longest_sum = 40000;

}  // namespace hamel::textbook
