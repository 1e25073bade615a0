#include "hamel/graph/differentiate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "graph/between.hpp"
#include "graph/node_set.hpp"
#include "graph/rules.hpp"

namespace hamel {

namespace {

// The arguments of every node turned round: who uses it. Offsets and targets in one row after the other.
struct Users {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> user;
};

Users users_of(const Between& between) {
  const auto n = static_cast<std::uint32_t>(between.size());
  Users users{std::vector<std::size_t>(n + 1), {}};
  for (std::uint32_t i = 0; i < n; ++i) {
    for (const std::uint32_t argument : between.arguments(i)) {
      if (argument != Between::none) ++users.begin[argument + 1];
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) users.begin[i + 1] += users.begin[i];
  users.user.resize(users.begin[n]);
  std::vector<std::size_t> fill(users.begin.begin(), users.begin.end() - 1);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (const std::uint32_t argument : between.arguments(i)) {
      if (argument != Between::none) users.user[fill[argument]++] = i;
    }
  }
  return users;
}

// Finds what one node reaches, again and again, at the cost of what it reaches.
class Explorer {
 public:
  explicit Explorer(std::size_t size) : seen_(size, 0) {}

  // In ascending order; valid until the next call.
  template <class ForEachNeighbour>
  std::span<const std::uint32_t> from(std::uint32_t start, ForEachNeighbour for_each_neighbour) {
    explore(start, for_each_neighbour);
    if (found_.size() < seen_.size() / 16) {
      std::sort(found_.begin(), found_.end());
    } else {
      found_.clear();
      for (std::uint32_t node = 0; node < seen_.size(); ++node) {
        if (seen_[node] == round_) found_.push_back(node);
      }
    }
    return found_;
  }

  template <class ForEachNeighbour>
  std::size_t count_from(std::uint32_t start, ForEachNeighbour for_each_neighbour) {
    explore(start, for_each_neighbour);
    return found_.size();
  }

 private:
  template <class ForEachNeighbour>
  void explore(std::uint32_t start, ForEachNeighbour for_each_neighbour) {
    found_.clear();
    ++round_;
    if (start != Between::none) visit(start);
    for (std::size_t next = 0; next < found_.size(); ++next) {
      for_each_neighbour(found_[next], [this](std::uint32_t node) { visit(node); });
    }
  }

  void visit(std::uint32_t node) {
    if (seen_[node] == round_) return;
    seen_[node] = round_;
    found_.push_back(node);
  }

  std::vector<std::uint32_t> seen_, found_;
  std::uint32_t round_ = 0;
};

class Sweeps {
  auto downwards() const {
    return [this](std::uint32_t node, auto visit) {
      for (const std::uint32_t argument : between_.arguments(node)) {
        if (argument != Between::none) visit(argument);
      }
    };
  }

  auto upwards() const {
    return [this](std::uint32_t node, auto visit) {
      for (std::size_t i = users_.begin[node]; i < users_.begin[node + 1]; ++i) visit(users_.user[i]);
    };
  }

 public:
  Sweeps(Graph& graph, std::span<const Expr> f, std::span<const Expr> x)
      : graph_(graph), between_(graph, f, x), explorer_(between_.size()), value_(between_.size()) {}

  const Between& between() const { return between_; }
  void index_users() { users_ = users_of(between_); }

  std::size_t count_from_output(std::size_t row) { return explorer_.count_from(between_.output(row), downwards()); }
  std::size_t count_from_variable(std::size_t column) {
    return explorer_.count_from(between_.variable(column), upwards());
  }

  // Calls found(column, df_row/dx_column), columns in descending order of ids.
  template <class Found>
  void backward(std::size_t row, Found found) {
    if (between_.output(row) == Between::none) return;
    value_[between_.output(row)] = 1;
    const auto nodes = explorer_.from(between_.output(row), downwards());
    for (auto next = nodes.rbegin(); next != nodes.rend(); ++next) {
      const std::uint32_t node = *next;
      const Expr adjoint = std::exchange(value_[node], Expr());
      if (adjoint == Expr()) continue;
      if (between_.column(node) != Between::none) {
        found(between_.column(node), adjoint);
      } else {
        distribute(node, adjoint);
      }
    }
  }

  // Calls found(node, its derivative by x_column), in ascending order of ids.
  template <class Found>
  void forward(std::size_t column, Found found) {
    if (between_.variable(column) == Between::none) return;
    const std::span<const std::uint32_t> nodes = explorer_.from(between_.variable(column), upwards());
    value_[nodes.front()] = 1;
    for (const std::uint32_t node : nodes.subspan(1)) value_[node] = pushed_to(node);
    for (const std::uint32_t node : nodes) {
      const Expr tangent = std::exchange(value_[node], Expr());
      if (tangent != Expr()) found(node, tangent);
    }
  }

  // All tangents at once, for the direction v of the variables.
  const std::vector<Expr>& forward(std::span<const Expr> v) {
    for (std::uint32_t node = 0; node < between_.size(); ++node) {
      const std::uint32_t column = between_.column(node);
      value_[node] = column == Between::none ? pushed_to(node) : v[column];
    }
    return value_;
  }

 private:
  void distribute(std::uint32_t node, Expr adjoint) {
    const std::uint32_t id = between_.id(node);
    const Node n = graph_.node(id);
    const Between::Arguments& arguments = between_.arguments(node);
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t argument = arguments[static_cast<std::size_t>(k)];
      if (argument == Between::none) continue;
      const Expr contribution = pull_back(graph_, n, graph_.expr(id), adjoint, k);
      value_[argument] = accumulate(graph_, value_[argument], contribution);
    }
  }

  Expr pushed_to(std::uint32_t node) {
    const std::uint32_t id = between_.id(node);
    const auto [a, b, c] = between_.arguments(node);
    const auto of = [this](std::uint32_t argument) { return argument == Between::none ? Expr() : value_[argument]; };
    return push_forward(graph_, Node(graph_.node(id)), graph_.expr(id), {of(a), of(b), of(c)});
  }

  Graph& graph_;
  Between between_;
  Users users_;
  Explorer explorer_;
  std::vector<Expr> value_;  // adjoints or tangents; zero between sweeps
};

// Whether row by row (backwards) visits no more nodes than column by column (forwards). The cheaper count ends the
// race, so that asking never costs much more than the sweeps themselves.
bool rows_are_cheaper(Sweeps& sweeps, std::size_t rows, std::size_t columns) {
  std::size_t row = 0, column = 0, row_cost = 0, column_cost = 0;
  while (true) {
    if (row_cost <= column_cost) {
      if (row == rows) return true;
      row_cost += sweeps.count_from_output(row++);
    } else {
      if (column == columns) return false;
      column_cost += sweeps.count_from_variable(column++);
    }
  }
}

SparseEntries by_rows(Sweeps& sweeps, std::size_t rows) {
  SparseEntries entries;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t begin = entries.size();
    sweeps.backward(row, [&](std::uint32_t column, Expr value) {
      entries.push_back({static_cast<int>(row), static_cast<int>(column), value});
    });
    std::sort(entries.begin() + static_cast<std::ptrdiff_t>(begin), entries.end(),
              [](const Entry& a, const Entry& b) { return a.col < b.col; });
  }
  return entries;
}

// The rows that each node is, as lists: several outputs may be one node.
struct RowsOfNode {
  std::vector<std::uint32_t> first, next;
};

RowsOfNode rows_of_node(const Between& between, std::size_t rows) {
  RowsOfNode lists{std::vector<std::uint32_t>(between.size(), Between::none),
                   std::vector<std::uint32_t>(rows, Between::none)};
  for (std::size_t row = rows; row-- > 0;) {
    if (between.output(row) == Between::none) continue;
    lists.next[row] = std::exchange(lists.first[between.output(row)], static_cast<std::uint32_t>(row));
  }
  return lists;
}

SparseEntries by_columns(Sweeps& sweeps, std::size_t rows, std::size_t columns) {
  const RowsOfNode lists = rows_of_node(sweeps.between(), rows);
  SparseEntries entries;
  for (std::size_t column = 0; column < columns; ++column) {
    sweeps.forward(column, [&](std::uint32_t node, Expr value) {
      for (std::uint32_t row = lists.first[node]; row != Between::none; row = lists.next[row]) {
        entries.push_back({static_cast<int>(row), static_cast<int>(column), value});
      }
    });
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.row != b.row ? a.row < b.row : a.col < b.col; });
  return entries;
}

}  // namespace

std::vector<Expr> gradient(Expr f, std::span<const Expr> x) {
  Sweeps sweeps(Graph::current(), {&f, 1}, x);
  std::vector<Expr> result(x.size());
  sweeps.backward(0, [&](std::uint32_t column, Expr value) { result[column] = value; });
  return result;
}

SparseEntries jacobian(std::span<const Expr> f, std::span<const Expr> x) {
  Sweeps sweeps(Graph::current(), f, x);
  sweeps.index_users();
  return rows_are_cheaper(sweeps, f.size(), x.size()) ? by_rows(sweeps, f.size())
                                                      : by_columns(sweeps, f.size(), x.size());
}

SparseEntries hessian(Expr f, std::span<const Expr> x) {
  const SparseEntries lower_and_upper = jacobian(gradient(f, x), x);
  // Mixed derivatives are equal: the upper triangle repeats the nodes of the lower one, and where one of the two
  // was found to be zero, both are.
  std::vector<std::size_t> by_column(lower_and_upper.size());
  for (std::size_t i = 0; i < by_column.size(); ++i) by_column[i] = i;
  std::sort(by_column.begin(), by_column.end(), [&](std::size_t i, std::size_t j) {
    const Entry &a = lower_and_upper[i], &b = lower_and_upper[j];
    return a.col != b.col ? a.col < b.col : a.row < b.row;
  });
  SparseEntries result;
  std::size_t mirror = 0;
  for (const Entry& entry : lower_and_upper) {
    const auto before = [&](const Entry& m) { return m.col != entry.row ? m.col < entry.row : m.row < entry.col; };
    while (mirror < by_column.size() && before(lower_and_upper[by_column[mirror]])) ++mirror;
    if (mirror == by_column.size()) break;
    const Entry& mirrored = lower_and_upper[by_column[mirror]];
    if (mirrored.col != entry.row || mirrored.row != entry.col) continue;
    result.push_back({entry.row, entry.col, entry.row >= entry.col ? entry.value : mirrored.value});
  }
  return result;
}

std::vector<Expr> directional_derivative(std::span<const Expr> f, std::span<const Expr> x, std::span<const Expr> v) {
  if (x.size() != v.size()) {
    throw std::invalid_argument(
        fmt::format("directional derivative: {} variables but a direction of {} components", x.size(), v.size()));
  }
  Sweeps sweeps(Graph::current(), f, x);
  const std::vector<Expr>& tangent = sweeps.forward(v);
  std::vector<Expr> result(f.size());
  for (std::size_t row = 0; row < f.size(); ++row) {
    const std::uint32_t node = sweeps.between().output(row);
    if (node != Between::none) result[row] = tangent[node];
  }
  return result;
}

void TimeDerivative::set_rate(Expr variable, Expr rate) {
  const Graph& graph = Graph::current();
  if (graph.node(variable).op == Op::constant) throw std::invalid_argument("a constant has no rate to set");
  const auto [known, is_new] = rates_.emplace(variable.id(), rate);
  if (!is_new && known->second != rate) {
    throw std::logic_error(fmt::format(
        "the rate of node {} was set or used before with another value: set all rates before the first derivative",
        variable.id()));
  }
}

Expr TimeDerivative::operator()(Expr f) {
  Graph& graph = Graph::current();
  if (const Expr* known = find(f)) return *known;
  const auto is_known = [this](std::uint32_t id) { return rates_.contains(id); };
  NodeSet reached(graph);
  reached.insert_reachable(graph, {&f, 1}, is_known);
  reached.sort();
  for (const std::uint32_t id : reached.ids()) {
    if (is_known(id)) continue;
    const Node n = graph.node(id);
    const auto rate_of = [&](std::uint32_t argument) { return rates_.at(argument); };
    const int count = arity(n.op);
    Tangents d;
    if (count > 0) d.a = rate_of(n.a);
    if (count > 1) d.b = rate_of(n.b);
    if (count > 2) d.c = rate_of(n.c);
    rates_[id] = count == 0 ? Expr() : push_forward(graph, n, graph.expr(id), d);
  }
  return rates_.at(f.id());
}

const Expr* TimeDerivative::find(Expr f) const {
  Graph::current().node(f);  // refuses expressions of another graph
  const auto known = rates_.find(f.id());
  return known == rates_.end() ? nullptr : &known->second;
}

}  // namespace hamel
