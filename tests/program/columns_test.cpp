// Many states where they lie: the bits of each state alone.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hamel/program/program.hpp"
#include "program/bits.hpp"
#include "program/emit_columns.hpp"
#include "program/random_graph.hpp"
#include "program/temporary.hpp"

namespace hamel {
namespace {

class Columns : public testing::Test {
 protected:
  test::FreshCache cache;
  static constexpr std::size_t states = 24, from = 29, to = 31;  // rows that are further apart than states

  Graph graph;
  Graph::Scope scope{graph};
  std::vector<Expr> x = graph.variables("x", 5), y = graph.variables("y", 4), u = graph.variables("u", 2);
  std::vector<double> numbers = test::random_numbers((x.size() + y.size()) * from, 3), shared = {0.7, -1.3};

  std::vector<double> alone(const Program& program, std::size_t state) const {
    std::vector<double> inputs;
    for (std::size_t i = 0; i < x.size() + y.size(); ++i) inputs.push_back(numbers[i * from + state]);
    inputs.insert(inputs.end(), shared.begin(), shared.end());
    return test::bits_of(program, inputs);
  }
};

TEST_F(Columns, GiveTheBitsOfTheirStates) {
  std::vector<Expr> all = x;
  for (const auto* more : {&y, &u}) all.insert(all.end(), more->begin(), more->end());
  std::vector<Expr> f = test::random_expressions(all, test::exact_operations, 1200, 21), g(f.begin(), f.begin() + 6);
  f.insert(f.end(), {x[3], Expr(-2.5), u[1], x[1] * 0.1, f[3]});
  const Program program("columns", {x, y, u}, {f, g, {x[0] / x[1]}});
  ASSERT_EQ(program.columns(), nullptr);
  ASSERT_TRUE(program.compile_columns({.inputs = 2, .outputs = 2}));
  constexpr double untouched = 12345;
  std::vector<double> out((f.size() + g.size()) * to, untouched);
  const double* const in[] = {numbers.data(), numbers.data() + x.size() * from, shared.data()};
  double* const outputs[] = {out.data(), out.data() + f.size() * to};
  program.columns()(in, outputs, from, to, states);
  for (std::size_t k = 0; k < to; ++k) {
    const std::vector<double> expected = k < states ? alone(program, k) : std::vector<double>();
    for (std::size_t i = 0; i < f.size() + g.size(); ++i) {
      const double wanted = k < states ? expected[i] : untouched, is = out[i * to + k];
      ASSERT_TRUE(is == wanted || (std::isnan(is) && std::isnan(wanted))) << "state " << k << ", output " << i;
    }
  }
}

TEST_F(Columns, SayThatSomeAreNotFinite) {
  const Program program("columns", {x, y, u}, {{x[0] / y[0], x[1]}});
  ASSERT_TRUE(program.compile_columns({.inputs = 2, .outputs = 1}));
  std::vector<double> out(2 * to);
  double* const outputs[] = {out.data()};
  const auto run = [&] {
    const double* const in[] = {numbers.data(), numbers.data() + x.size() * from, shared.data()};
    return program.columns()(in, outputs, from, to, states);
  };
  EXPECT_EQ(run(), 1);
  numbers[from + 17] = std::numeric_limits<double>::quiet_NaN();  // x[1]
  EXPECT_EQ(run(), 0);
  numbers[from + 17] = 1;
  numbers[x.size() * from + 9] = 0;  // y[0]
  EXPECT_EQ(run(), 0);
}

TEST_F(Columns, AreLeftToLanesWhereAProgramIsLong) {
  Expr sum = x[0];
  for (std::size_t k = 0; k <= longest_in_columns; ++k) sum = sin(sum);
  EXPECT_FALSE(Program("long", {x, y, u}, {{sum}}).compile_columns({.inputs = 2, .outputs = 1}));
}

}  // namespace
}  // namespace hamel
