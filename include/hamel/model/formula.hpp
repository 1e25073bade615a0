// Typed formulas: scalars, vectors and matrices as people write them.
//
// A Formula is a shared, immutable tree (a DAG: what is used twice is stored once) of small typed nodes. It is
// what error messages quote and what printed equations come from; numbers come from the scalar graph that it is
// lowered to (lower.hpp). Shapes are checked as the formula is built.
#pragma once

#include <Eigen/Core>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hamel/manifold/manifold.hpp"

namespace hamel {

enum class Role {
  parameter,
  coordinate,
  momentum,
  input,
  time,
  quantity,  // what equations of motion have names for: omega, q'', lambda; never part of a model
};

struct Symbol {
  Role role;
  std::string name;                    // "q", or "q[1]" for a member of an array
  int slot;                            // which parameter, coordinate or input of the model
  std::optional<Manifold> space = {};  // of a coordinate
  int model = 0;                       // the model that made it; 0 for time, which all share
  int first_index = 0;                 // of its components, in print: 0 in C++, 1 in model files

  Turning turning() const { return space ? space->turning() : Turning::none; }
  bool is_pose() const { return space && space->is_pose(); }
};

enum class Kind {
  number,  // a constant scalar, vector or matrix
  symbol,
  rate,  // d/dt of the argument along the motion
  add,
  subtract,
  negate,
  multiply,  // scalar * anything, matrix * matrix
  divide,    // anything / scalar
  power,
  function,  // of functions.def: by name, of scalars
  dot,
  cross,
  norm,
  squared_norm,
  hat,
  vee,   // of the skew part
  turn,  // the rotation about an axis by an angle
  transpose,
  trace,
  determinant,
  component,  // of a vector [i] or a matrix (i, j)
  block,      // rows x cols entries of a matrix, beginning at (i, j)
  stack,      // a vector of scalars, or (more than one column) a matrix of columns
  less,
  less_equal,
  select,
  angular_velocity,  // omega(q): scalar on S^1, q x q' on S^2, the body vector Omega on SO(3); xi(g) on a group
};

class Formula {
 public:
  struct Node;

  Formula(double value);                                       // NOLINT(google-explicit-constructor)
  Formula(int value) : Formula(static_cast<double>(value)) {}  // NOLINT(google-explicit-constructor)
  Formula(const Eigen::MatrixXd& value);                       // NOLINT(google-explicit-constructor)
  template <class Derived>
  Formula(const Eigen::MatrixBase<Derived>& value)  // NOLINT(google-explicit-constructor)
      : Formula(Eigen::MatrixXd(value)) {}
  explicit Formula(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  static Formula vector(const std::vector<Formula>& components);
  static Formula columns(const std::vector<Formula>& columns);
  static Formula symbol(const Symbol& symbol, int rows, int cols);
  Formula named(const std::string& label) const;  // the same formula; it prints as its label

  const Node& node() const { return *node_; }
  int rows() const;
  int cols() const;
  bool is_scalar() const { return rows() == 1 && cols() == 1; }
  bool is_vector() const { return cols() == 1; }
  bool is_number() const;
  bool is_zero() const;              // a number, all of whose entries are 0
  bool depends_on(Role role) const;  // is a symbol of this role anywhere in it?
  bool has_rates() const;            // a rate or an angular velocity
  bool has_angular_velocity() const;
  int first_index() const;        // of its components, in print
  std::string to_string() const;  // very long formulas are cut with "..."
  std::string brief() const;      // at most some 80 characters, for messages
  std::string quoted() const;     // that with the shape: "q (3x1)", "m (scalar)"

  Formula operator[](int i) const;  // component of a vector, from 0
  Formula operator()(int i, int j) const;
  Formula x() const { return (*this)[0]; }
  Formula y() const { return (*this)[1]; }
  Formula z() const { return (*this)[2]; }
  Formula column(int j) const;

 private:
  std::shared_ptr<const Node> node_;
};

using Scalar = Formula;
using Vec2 = Formula;
using Vec3 = Formula;
using Mat3 = Formula;

struct Formula::Node {
  ~Node();  // releases long chains without recursion

  Kind kind;
  int rows = 1, cols = 1;
  std::vector<Formula> args;
  Eigen::MatrixXd value;  // number
  Symbol symbol{};        // symbol
  std::string function;   // function
  int i = 0, j = 0;       // component, block
  std::string label;      // the name that was given to it, if any
  unsigned uses = 0;      // what is anywhere in it; see depends_on, has_rates
  int model = 0;          // whose symbols it contains; 0: none, -1: of several models
};

Formula operator+(const Formula& a, const Formula& b);
Formula operator-(const Formula& a, const Formula& b);
Formula operator-(const Formula& a);
Formula operator*(const Formula& a, const Formula& b);
Formula operator/(const Formula& a, const Formula& b);
Formula rate(const Formula& a);
Formula dot(const Formula& a, const Formula& b);
Formula cross(const Formula& a, const Formula& b);
Formula norm(const Formula& a);
Formula squared_norm(const Formula& a);
Formula hat(const Formula& a);
Formula vee(const Formula& a);
Formula turn(const Formula& axis, const Formula& angle);  // the axis may have any length
Formula transpose(const Formula& a);
Formula trace(const Formula& a);
Formula determinant(const Formula& a);
Formula omega(const Formula& coordinate);
Formula xi(const Formula& coordinate);  // on a matrix group: g' = g X, X = sum xi_k E_k
Formula rotation(const Formula& pose);  // of an SE(3) coordinate: its 3x3 part
Formula position(const Formula& pose);  // of an SE(3) coordinate: its 3-vector part
Formula pow(const Formula& base, const Formula& exponent);
#define FUNCTION_1(name, ...) Formula name(const Formula& a);
#define FUNCTION_2(name, ...) Formula name(const Formula& a, const Formula& b);
#include "hamel/graph/functions.def"
// The functions of functions.def, by name; refuses what is none.
Formula call(std::string_view function, const std::vector<Formula>& arguments);
// A curve through points, for interp(table, x): see graph/table.hpp. Two columns, x and y; numbers only.
Formula table(const std::string& name, const Formula& points);
Formula less(const Formula& a, const Formula& b);
Formula less_equal(const Formula& a, const Formula& b);
Formula select(const Formula& condition, const Formula& if_true, const Formula& if_false);
Formula unit_vector(int i, int dimension = 3);  // e1 is unit_vector(0)

// The terms of sums of scalars, through +, - and factors of numbers and parameters. A partial sum that is used more
// than once, like the heights h[k] = h[k-1] + l*q[k].z of a chain, is not taken apart: the terms would be too many.
std::vector<Formula> summands(const std::vector<Formula>& sums);

}  // namespace hamel
