#include "integrate/gauss_text.hpp"

#include <fmt/format.h>

#include "hamel/program/device_text.hpp"
#include "integrate/gauss_tableau.hpp"

namespace hamel {
namespace {

constexpr const char* gauss_sums = R"(
FUNCTION number add(number before, number change, number* lost) {
  change += *lost;
  const number after = before + change, added = after - before;
  *lost = (before - (after - added)) + (change - added);
  return after;
}
FUNCTION number largest(const number* x, int n) {
  number result = size_of(x[0]);
  EACH(i, n) result = larger(result, size_of(x[i]));
  return result;
}
)";

constexpr const char* gauss_pairs = R"(
typedef struct { number high, low; } Pair;
FUNCTION Pair pair_of(number high, number low) {
  Pair pair;
  pair.high = high;
  pair.low = low;
  return pair;
}
FUNCTION Pair sum_of(number a, number b) {
  const number sum = a + b, added = sum - a;
  return pair_of(sum, (a - (sum - added)) + (b - added));
}
FUNCTION Pair plus_product(Pair sum, number factor, Pair a, Pair b) {
  const number product = a.high * b.high;
  const number rest = exactly_fused(a.high, b.high, -product) + (a.high * b.low + a.low * b.high);
  const number term = factor * product;
  const Pair next = sum_of(sum.high, term);
  return pair_of(next.high, sum.low + (next.low + (exactly_fused(factor, product, -term) + factor * rest)));
}
FUNCTION void keep_invariants(const number* y0, const number* lost0, number* y, number* lost) {
  const number zero = ALL(0.0);
  const Pair one = pair_of(ALL(1.0), zero);
  Pair way[NQ], middle[NQ], sum;
  number move[NQ], factor;
  EACH(i, NQ) {
    move[i] = zero;
    const Pair straight = sum_of(y[i], -y0[i]);
    way[i] = sum_of(straight.high, straight.low + (lost[i] - lost0[i]));
    middle[i] = sum_of(y[i], -way[i].high / 2.0);
    middle[i].low += lost[i] - way[i].low / 2.0;
  }
)";

// The polynomial that is 1 at node j and 0 at the others, in the operations of GaussCore.
double node_polynomial(const std::vector<double>& nodes, std::size_t j, double x) {
  double value = 1;
  for (std::size_t m = 0; m < nodes.size(); ++m)
    if (m != j) value *= (x - nodes[m]) / (nodes[j] - nodes[m]);
  return value;
}

template <class Value>
std::string numbers_text(int stages, Value value) {
  std::string text;
  for (int k = 0; k < stages; ++k) text += device_literal(value(k)) + ", ";
  return text;
}
template <class Value>
std::string vector_text(const char* name, int stages, Value value) {
  return fmt::format("TABLE {}[] = {{{}}};\n", name, numbers_text(stages, value));
}
template <class Value>
std::string matrix_text(const char* name, int stages, Value value) {
  std::string rows;
  for (int k = 0; k < stages; ++k)
    rows += fmt::format("{{{}}},", numbers_text(stages, [&](int j) { return value(k, j); }));
  return fmt::format("TABLE {}[][{}] = {{{}}};\n", name, stages, rows);
}

}  // namespace

std::string gauss_tableau_text(int stages) {
  const GaussTableau tableau = gauss_tableau(stages);
  std::vector<double> nodes;
  for (const Coefficient& c : tableau.c) nodes.push_back(c.value<double>());
  const auto node = [&](int k) { return nodes[static_cast<std::size_t>(k)]; };
  const auto weight = [&](int k) -> const Coefficient& { return tableau.b[static_cast<std::size_t>(k)]; };
  const auto basis = [&](int j, double x) { return node_polynomial(nodes, static_cast<std::size_t>(j), x); };
  const auto exact = [&](int k, int j) { return tableau.coefficient(k, j).exact; };
  const auto rest = [&](int k, int j) { return tableau.coefficient(k, j).correction<double>(); };
  return vector_text("gauss_c", stages, node) + vector_text("gauss_b", stages, [&](int k) { return weight(k).exact; }) +
         vector_text("gauss_b_rest", stages, [&](int k) { return weight(k).correction<double>(); }) +
         vector_text("gauss_begin", stages, [&](int j) { return basis(j, 0); }) +
         matrix_text("gauss_A", stages, exact) + matrix_text("gauss_A_rest", stages, rest) +
         matrix_text("gauss_A_whole", stages, [&](int k, int j) { return exact(k, j) + rest(k, j); }) +
         matrix_text("gauss_next", stages, [&](int k, int j) { return basis(j, 1 + 1 * node(k)); });
}

std::string gauss_arithmetic_text(const Parts& parts, int ambient) {
  std::string raise, curved = "0";
  for (int i = 0; i < ambient; ++i) {
    if (parts.is_curved(i)) curved += fmt::format(" || (i) == {}", i);
    const std::vector<int>& together = parts.together_with(i);
    if (together.front() != i) continue;
    raise += fmt::format("  size = size_of(x[{}]);\n", i);
    for (const int k : together) raise += fmt::format("  size = larger(size, size_of(x[{}]));\n", k);
    for (const int k : together) raise += fmt::format("  scale[{0}] = larger(scale[{0}], size);\n", k);
  }
  return gauss_sums + fmt::format(
                          "FUNCTION void raise(number* scale, const number* x) {{\n  number size;\n{}}}\n"
                          "#define IS_CURVED(i) ({})\n",
                          raise, curved);
}

std::string gauss_keeper_text(const std::vector<QuadraticInvariant>& invariants) {
  std::string text = gauss_pairs;
  for (const QuadraticInvariant& c : invariants) {
    std::string change, lower;
    const auto add = [&](double value, int i, const std::string& other) {
      change += fmt::format("  sum = plus_product(sum, ALL({}), way[{}], {});\n", device_literal(value), i, other);
    };
    for (const auto& [i, j, value] : c.curvature) {
      add(value, i, fmt::format("middle[{}]", j));
      lower += fmt::format("  move[{}] += factor * {} * y[{}];\n", i, device_literal(value), j);
    }
    for (const auto& [i, value] : c.slope) {
      add(value, i, "one");
      lower += fmt::format("  move[{}] += factor * {};\n", i, device_literal(value));
    }
    text += fmt::format("  sum = pair_of(zero, zero);\n{}  factor = -(sum.high + sum.low) / {};\n{}", change,
                        device_literal(c.steepness), lower);
  }
  return text + "  EACH(i, NQ) y[i] = add(y[i], move[i], &lost[i]);\n}\n";
}

}  // namespace hamel
