#include "hamel/graph/expr.hpp"

#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "hamel/graph/interruption.hpp"

namespace hamel {

namespace {

thread_local Graph* current_graph = nullptr;

std::uint32_t next_serial() {
  static std::atomic<std::uint32_t> serial{0};
  return ++serial;
}

std::uint32_t mix(std::uint64_t x) {
  x *= 0x9E3779B97F4A7C15u;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9u;
  return static_cast<std::uint32_t>(x >> 32);
}

std::uint32_t hash_of(const Node& n) {
  const std::uint64_t head = (std::uint64_t{n.a} << 32) | n.b;
  const std::uint64_t tail = (std::uint64_t{n.c} << 8) | static_cast<std::uint64_t>(n.op);
  return mix(head ^ tail * 0xD6E8FEB86659FD93u);
}

std::uint32_t hash_of(double value) { return mix(std::bit_cast<std::uint64_t>(value)); }

}  // namespace

Graph::Graph() : serial_(next_serial()), table_(64), constants_{0.0, 1.0} {
  append({Op::constant, 0});
  append({Op::constant, 1});
}

Graph::Graph(const Graph* beginning)
    : serial_(next_serial()),
      beginning_(beginning->serial_),
      inherited_(static_cast<std::uint32_t>(beginning->nodes_.size())),
      nodes_(beginning->nodes_),
      table_(beginning->table_),
      occupied_(beginning->occupied_),
      constants_(beginning->constants_),
      names_(beginning->names_) {
  if (!beginning->frozen_) throw std::logic_error("a graph can begin with a frozen one only: freeze it first");
}

Graph::Scope::Scope(Graph& graph) : previous_(current_graph) { current_graph = &graph; }
Graph::Scope::~Scope() { current_graph = previous_; }

Graph& Graph::current() {
  if (!current_graph) {
    throw std::logic_error(
        "no current graph in this thread: put `hamel::Graph graph; hamel::Graph::Scope scope(graph);` "
        "before the first expression");
  }
  return *current_graph;
}

void Graph::refuse_foreign() {
  throw std::logic_error(
      "an expression of another graph was used in this one: expressions of different graphs do not mix; "
      "build both in one Graph::Scope");
}

std::uint32_t Graph::append(const Node& node) {
  if (nodes_.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("a graph holds at most 2^32 - 1 nodes: split the model into several graphs");
  }
  if (nodes_.size() % 4096 == 0) check_interruption();
  if (frozen_) throw std::logic_error("this graph is frozen: begin another one with it, and add to that");
  nodes_.push_back(node);
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void Graph::grow_table() {
  std::vector<Slot> old(2 * table_.size());
  old.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == 0) continue;
    std::size_t at = slot.hash & mask;
    while (table_[at].id != 0) at = (at + 1) & mask;
    table_[at] = slot;
  }
}

template <class Same, class Create>
std::uint32_t Graph::find_or_create(std::uint32_t hash, Same same, Create create) {
  if (2 * occupied_ >= table_.size()) grow_table();
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash & mask;
  for (; table_[at].id != 0; at = (at + 1) & mask) {
    if (table_[at].hash == hash && same(nodes_[table_[at].id])) return table_[at].id;
  }
  const std::uint32_t id = create();
  table_[at] = {id, hash};
  ++occupied_;
  return id;
}

Expr Graph::intern(const Node& node) {
  return expr(find_or_create(
      hash_of(node), [&](const Node& other) { return other == node; }, [&] { return append(node); }));
}

Expr Graph::intern(Op op, Expr a, Expr b, Expr c) { return intern({op, a.id_, b.id_, c.id_}); }

Expr Graph::constant(double value) {
  if (!std::isfinite(value)) throw std::domain_error(fmt::format("a constant must be finite, not {}", value));
  if (value == 0.0) return {};  // also -0.0
  if (value == 1.0) return expr(1);
  return expr(find_or_create(
      hash_of(value), [&](const Node& n) { return n.op == Op::constant && constants_[n.a] == value; },
      [&] {
        constants_.push_back(value);
        return append({Op::constant, static_cast<std::uint32_t>(constants_.size() - 1)});
      }));
}

Expr Graph::variable(std::string name) {
  names_.push_back(std::move(name));
  return expr(append({Op::variable, static_cast<std::uint32_t>(names_.size() - 1)}));
}

std::vector<Expr> Graph::variables(const std::string& name, int count) {
  std::vector<Expr> result;
  for (int i = 0; i < count; ++i) result.push_back(variable(fmt::format("{}[{}]", name, i)));
  return result;
}

double Graph::constant_value(std::uint32_t id) const {
  if (node(id).op != Op::constant) throw std::logic_error(fmt::format("node {} is not a constant", id));
  return constants_[node(id).a];
}

const std::string& Graph::variable_name(std::uint32_t id) const {
  if (node(id).op != Op::variable) throw std::logic_error(fmt::format("node {} is not a variable", id));
  return names_[node(id).a];
}

Expr::Expr(double value) {
  if (value == 1.0) {
    id_ = 1;
  } else if (!std::isfinite(value)) {
    throw std::domain_error(fmt::format("a constant must be finite, not {}", value));
  } else if (value != 0.0) {
    *this = Graph::current().constant(value);
  }
}

bool Expr::is_constant() const { return id_ <= 1 || Graph::current().node(*this).op == Op::constant; }
bool Expr::is_constant(double value) const { return is_constant() && this->value() == value; }

double Expr::value() const {
  if (id_ <= 1) return id_;
  const Graph& graph = Graph::current();
  if (graph.node(*this).op != Op::constant) {
    throw std::logic_error("value() of an expression that is not a constant: use evaluate()");
  }
  return graph.constant_value(id_);
}

Expr& Expr::operator+=(Expr other) { return *this = *this + other; }
Expr& Expr::operator-=(Expr other) { return *this = *this - other; }
Expr& Expr::operator*=(Expr other) { return *this = *this * other; }
Expr& Expr::operator/=(Expr other) { return *this = *this / other; }

Expr operator+(Expr a, Expr b) { return Graph::current().make(Op::add, a, b); }
Expr operator-(Expr a, Expr b) { return Graph::current().make(Op::subtract, a, b); }
Expr operator*(Expr a, Expr b) { return Graph::current().make(Op::multiply, a, b); }
Expr operator/(Expr a, Expr b) { return Graph::current().make(Op::divide, a, b); }
Expr operator-(Expr a) { return Graph::current().make(Op::negate, a); }
Expr pow(Expr base, Expr exponent) { return Graph::current().make(Op::power, base, exponent); }
Expr pow(Expr base, int exponent) { return Graph::current().integer_power(base, exponent); }
Expr pow(Expr base, double exponent) { return pow(base, Expr(exponent)); }
#define FUNCTION_1(name, ...) \
  Expr name(Expr a) { return Graph::current().make(Op::name, a); }
#define FUNCTION_2(name, ...) \
  Expr name(Expr a, Expr b) { return Graph::current().make(Op::name, a, b); }
#include "hamel/graph/functions.def"
Expr less(Expr a, Expr b) { return Graph::current().make(Op::less, a, b); }
Expr less_equal(Expr a, Expr b) { return Graph::current().make(Op::less_equal, a, b); }
Expr select(Expr condition, Expr if_true, Expr if_false) {
  return Graph::current().make(Op::select, condition, if_true, if_false);
}

}  // namespace hamel
