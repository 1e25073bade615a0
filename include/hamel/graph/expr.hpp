// Scalar expressions in a hash-consed graph.
//
// A Graph owns nodes; an Expr is a small handle to one of them. Equal expressions are one node, constants and
// the neutral elements 0 and 1 are folded on construction, and the arguments of a node always have smaller ids
// than the node itself: walking ids upwards is a topological order, so nothing here ever recurses on depth.
//
// Expressions are built in the current graph of the thread:   Graph graph;  Graph::Scope scope(graph);
// Expr is an Eigen scalar: formulas written as templates on the scalar build graphs as they are.
#pragma once

#include <Eigen/Core>
#include <compare>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hamel {

enum class Op : std::uint8_t {
  constant,
  variable,
  add,
  subtract,
  multiply,
  divide,
  negate,
  power,          // a^b, real exponent
  integer_power,  // a^k, k a constant integer
#define FUNCTION(name, ...) name,
#include "hamel/graph/functions.def"
  less,        // 1 where a < b, else 0
  less_equal,  // 1 where a <= b, else 0
  select,      // b where a is not 0, else c
  // of programs alone (program/fuse.hpp); no graph has them
  multiply_add,       // a b + c
  multiply_subtract,  // a b - c
  subtract_multiply,  // c - a b
};

int arity(Op op);
std::string_view name(Op op);
double apply(Op op, double a, double b = 0, double c = 0);  // on numbers; not for constants and variables

// Ids of the arguments; unused ones are 0. A constant keeps the index of its value in a, a variable the index
// of its name, an integer power its exponent (as std::int32_t) in b.
struct Node {
  Op op;
  std::uint32_t a = 0, b = 0, c = 0;
  friend bool operator==(const Node&, const Node&) = default;
};

class Graph;

class Expr {
 public:
  Expr() = default;    // zero
  Expr(double value);  // NOLINT(google-explicit-constructor): an Eigen scalar converts from numbers
  Expr(int value) : Expr(static_cast<double>(value)) {}  // NOLINT(google-explicit-constructor)

  std::uint32_t id() const { return id_; }
  bool is_constant() const;
  bool is_constant(double value) const;
  double value() const;  // of a constant

  Expr& operator+=(Expr other);
  Expr& operator-=(Expr other);
  Expr& operator*=(Expr other);
  Expr& operator/=(Expr other);

  // Structural identity (equal nodes are one node), not a comparison of values.
  friend bool operator==(Expr a, Expr b) { return a.id_ == b.id_; }

 private:
  friend class Graph;
  Expr(std::uint32_t id, std::uint32_t graph) : id_(id), graph_(graph) {}
  std::uint32_t id_ = 0;     // node 0 is the constant 0 in every graph, node 1 the constant 1
  std::uint32_t graph_ = 0;  // which graph; 0 for the constants that every graph has
};

class Graph {
 public:
  Graph();
  // Begins with all of another one, which is frozen; the expressions of that one are expressions of this
  // one, too. So what is made here does not depend on what else is made from the same beginning, and goes with it.
  explicit Graph(const Graph* beginning);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Makes a graph the current one of this thread until the end of the block.
  class Scope {
   public:
    explicit Scope(Graph& graph);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Graph* previous_;
  };
  static Graph& current();  // throws std::logic_error where none is

  Expr variable(std::string name);                                  // a new variable each time
  std::vector<Expr> variables(const std::string& name, int count);  // name[0], name[1], ...
  Expr constant(double value);
  Expr make(Op op, Expr a, Expr b = {}, Expr c = {});  // folds, then interns
  Expr integer_power(Expr base, int exponent);

  void freeze() { frozen_ = true; }  // no node can be added any more
  std::size_t size() const { return nodes_.size(); }
  const Node& node(std::uint32_t id) const { return nodes_[id]; }  // valid until the next node is made
  const Node& node(Expr e) const {                                 // refuses expressions of another graph
    require_own(e);
    return nodes_[e.id_];
  }
  Expr expr(std::uint32_t id) const { return {id, id <= 1 ? 0 : serial_}; }
  double constant_value(std::uint32_t id) const;
  const std::string& variable_name(std::uint32_t id) const;

 private:
  struct Slot {
    std::uint32_t id = 0, hash = 0;  // id 0: empty
  };

  void require_own(Expr e) const {
    if (e.graph_ != 0 && e.graph_ != serial_ && (e.graph_ != beginning_ || e.id_ >= inherited_)) refuse_foreign();
  }
  [[noreturn]] static void refuse_foreign();

  std::uint32_t append(const Node& node);
  Expr intern(Op op, Expr a, Expr b = {}, Expr c = {});
  Expr intern(const Node& node);
  template <class Same, class Create>
  std::uint32_t find_or_create(std::uint32_t hash, Same same, Create create);
  void grow_table();

  bool is_constant(Expr e) const { return nodes_[e.id_].op == Op::constant; }
  double value(Expr e) const { return constants_[nodes_[e.id_].a]; }
  bool is_negative(Expr e) const;
  bool is_product_with_constant(Expr e) const;
  Expr folded(Op op, Expr a, Expr b, Expr c);
  Expr add(Expr a, Expr b);
  Expr subtract(Expr a, Expr b);
  Expr multiply(Expr a, Expr b);
  Expr scale(Expr number, Expr a);
  Expr divide(Expr a, Expr b);
  Expr negate(Expr a);
  Expr power(Expr base, Expr exponent);
  Expr function(Op op, Expr a);
  Expr function(Op op, Expr a, Expr b);
  Expr compare(Op op, Expr a, Expr b);
  Expr choose(Expr condition, Expr if_true, Expr if_false);

  std::uint32_t serial_;
  std::uint32_t beginning_ = 0, inherited_ = 0;  // the graph that it begins with, and how many nodes that has
  bool frozen_ = false;
  std::vector<Node> nodes_;
  std::vector<Slot> table_;  // open addressing, linear probing; the size is a power of two
  std::size_t occupied_ = 0;
  std::vector<double> constants_;
  std::vector<std::string> names_;
};

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);
inline Expr operator+(Expr a) { return a; }
Expr pow(Expr base, Expr exponent);  // a constant integer exponent becomes an integer power
Expr pow(Expr base, int exponent);
Expr pow(Expr base, double exponent);
#define FUNCTION_1(name, ...) Expr name(Expr a);
#define FUNCTION_2(name, ...) Expr name(Expr a, Expr b);
#include "hamel/graph/functions.def"
Expr less(Expr a, Expr b);
Expr less_equal(Expr a, Expr b);
Expr select(Expr condition, Expr if_true, Expr if_false);

std::ostream& operator<<(std::ostream& out, Expr e);  // as text; a very long formula only as its node

// What Eigen's generic code asks of a scalar.
inline Expr conj(Expr a) { return a; }
inline Expr real(Expr a) { return a; }
inline Expr imag(Expr) { return {}; }
inline Expr abs2(Expr a) { return a * a; }

template <class Scalar>
using VectorX = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
template <class Scalar>
using MatrixX = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
using VectorXe = VectorX<Expr>;
using MatrixXe = MatrixX<Expr>;

}  // namespace hamel

namespace Eigen {
template <>
struct NumTraits<hamel::Expr> : GenericNumTraits<hamel::Expr> {
  using Real = hamel::Expr;
  using NonInteger = hamel::Expr;
  using Nested = hamel::Expr;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 8,
    MulCost = 8
  };
  static hamel::Expr epsilon() { return {}; }
  static hamel::Expr dummy_precision() { return {}; }
  static int digits10() { return 15; }
};
template <class Op>
struct ScalarBinaryOpTraits<hamel::Expr, double, Op> {
  using ReturnType = hamel::Expr;
};
template <class Op>
struct ScalarBinaryOpTraits<double, hamel::Expr, Op> {
  using ReturnType = hamel::Expr;
};
}  // namespace Eigen
