// The coefficients of dop853 satisfy all conditions of their orders: one for each rooted tree (Hairer, Norsett, Wanner,
// section II.2); and the method does what they promise.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "hamel/integrate/dormand_prince.hpp"
#include "integrate/dop853_tableau.hpp"
#include "integrate/systems.hpp"

namespace hamel::test::dop853_test {
namespace {

constexpr std::size_t n = dop853::stages;
using Weights = std::array<double, n>;

template <std::size_t size>
Weights padded(const std::array<double, size>& row) {
  Weights result{};
  std::copy(row.begin(), row.end(), result.begin());
  return result;
}

std::array<Weights, n> matrix() {
  using namespace dop853;
  return {Weights{},  padded(a1), padded(a2),  padded(a3),  padded(a4), padded(a5),  padded(a6),  padded(a7),
          padded(a8), padded(a9), padded(a10), padded(a11), padded(b),  padded(a13), padded(a14), padded(a15)};
}

// A rooted tree: the product over its branches of A (stages of the branch), and its density gamma.
struct Tree {
  int order;
  double density;
  Weights stages;
};

// All trees of an order: a root with the branches of a smaller tree, and one branch that is not before those.
class Trees {
 public:
  explicit Trees(int orders) {
    Weights ones;
    ones.fill(1);
    trees_.push_back({1, 1, ones});
    last_branch_.push_back(0);
    for (int order = 2; order <= orders; ++order) add(order);
  }
  const std::vector<Tree>& all() const { return trees_; }

 private:
  void add(int order) {
    const std::size_t known = trees_.size();
    for (std::size_t body = 0; body < known; ++body)
      for (std::size_t branch = last_branch_[body]; branch < known; ++branch)
        if (trees_[body].order + trees_[branch].order == order) grow(body, branch);
  }
  // gamma(t) = |t| times that of the branches
  void grow(std::size_t body, std::size_t branch) {
    const Tree &trunk = trees_[body], &more = trees_[branch];
    Tree tree{trunk.order + more.order, 0, trunk.stages};
    tree.density = trunk.density / trunk.order * more.density * tree.order;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += A_[i][j] * more.stages[j];
      tree.stages[i] *= sum;
    }
    trees_.push_back(tree);
    last_branch_.push_back(branch);
  }

  std::array<Weights, n> A_ = matrix();
  std::vector<Tree> trees_;
  std::vector<std::size_t> last_branch_;
};

// By order, the largest defect of  sum_i w_i stages_i = s^order / gamma.
std::map<int, double> defects(const Weights& w, double s = 1) {
  static const Trees trees(9);
  std::map<int, double> result;
  for (const Tree& tree : trees.all()) {
    double sum = -std::pow(s, tree.order) / tree.density;
    for (std::size_t i = 0; i < n; ++i) sum += w[i] * tree.stages[i];
    result[tree.order] = std::max(result[tree.order], std::abs(sum));
  }
  return result;
}

void expect_order(const Weights& w, int order, double s = 1) {
  const std::map<int, double> found = defects(w, s);
  for (int k = 1; k <= order; ++k) EXPECT_LT(found.at(k), 2e-14) << "order " << k << " at " << s;
  EXPECT_GT(found.at(order + 1), 1e-7) << "more than order " << order << " at " << s;
}

Weights difference(Weights a, const Weights& b) {
  for (std::size_t i = 0; i < n; ++i) a[i] -= b[i];
  return a;
}

TEST(Dop853Coefficients, ThereAreAsManyTreesAsThereShouldBe) {
  const Trees trees(9);
  std::map<int, int> count;
  for (const Tree& tree : trees.all()) ++count[tree.order];
  EXPECT_EQ(count, (std::map<int, int>{{1, 1}, {2, 1}, {3, 2}, {4, 4}, {5, 9}, {6, 20}, {7, 48}, {8, 115}, {9, 286}}));
}

TEST(Dop853Coefficients, NodesAreSumsOfRows) {
  const auto A = matrix();
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (const double a : A[i]) sum += a;
    EXPECT_NEAR(sum, dop853::c[i], 2e-14) << i;
  }
}

TEST(Dop853Coefficients, HaveOrders8And5And3) {
  expect_order(padded(dop853::b), 8);
  expect_order(difference(padded(dop853::b), padded(dop853::e5)), 5);
  expect_order(difference(padded(dop853::b), padded(dop853::e3)), 3);
}

TEST(Dop853Coefficients, OfThePolynomialHaveOrder7) {
  for (const double s : {0.1, 0.35, 0.5, 0.8}) {
    const double r = 1 - s;
    Weights w{};
    for (std::size_t i = 0; i < n; ++i) {
      const double change = padded(dop853::b)[i], begin = i == 0 ? 1 : 0, end = i == dop853::steps ? 1 : 0;
      const double bend = dop853::d4[i] + s * (dop853::d5[i] + r * (dop853::d6[i] + s * dop853::d7[i]));
      w[i] = s * (change + r * (begin - change + s * (2 * change - begin - end + r * bend)));
    }
    const std::map<int, double> found = defects(w, s);
    for (int k = 1; k <= 7; ++k) EXPECT_LT(found.at(k), 2e-13) << "order " << k << " at " << s;
    EXPECT_GT(found.at(8), 1e-7);
  }
}

State dop853_at(const Example& example, const Dop853& method, double end) {
  const auto stepper = make_stepper(example.system, method);
  stepper->start(example.start);
  while (stepper->step(end) < end) {
  }
  State state;
  stepper->current(state);
  return state;
}

TEST(Dop853, IsOfOrderEight) {
  const Example example = double_pendulum();
  const State exact = advance(example, example.start, Gauss{.step = 0.01, .order = 16}, 200);
  const auto error = [&](double h) {
    return distance(dop853_at(example, {.relative = 1, .absolute = 1, .first_step = h, .largest_step = h}, 2), exact);
  };
  const double coarse = error(1. / 32), fine = error(1. / 48);
  EXPECT_NEAR(std::log(coarse / fine) / std::log(1.5), 8, 0.7) << coarse << " " << fine;
}

TEST(Dop853, KeepsItsTolerance) {
  for (const Form form : {Form::velocity, Form::omega, Form::mu, Form::pi})
    for (const Example& example : {double_pendulum(), body_pendulum(), torus_of_angles(), slider_crank()}) {
      const State exact = reference(example, 2);
      for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
        const State end = dop853_at(example, {.relative = tolerance, .absolute = tolerance, .form = form}, 2);
        EXPECT_LT(distance(end, exact), 100 * tolerance + 1e-10) << example.name << " " << static_cast<int>(form);
      }
    }
}

TEST(Dop853, TakesFewerStepsThanRk45) {
  const Example example = double_pendulum();
  const auto steps = [&](const Method& method) {
    const auto stepper = make_stepper(example.system, method);
    stepper->start(example.start);
    int count = 1;
    while (stepper->step(5) < 5) ++count;
    return count;
  };
  EXPECT_LT(6 * steps(Dop853{.relative = 1e-12}), steps(Rk45{.relative = 1e-12}));
}

TEST(Dop853, FindsItsStepsWhateverTheFirst) {
  const Example example = double_pendulum();
  const State exact = reference(example, 2);
  for (const double first : {1e-6, 0.0, 1e3})
    EXPECT_LT(distance(dop853_at(example, {.relative = 1e-9, .absolute = 1e-9, .first_step = first}, 2), exact), 1e-7);
}

// y' = y^2 has no solution beyond t = 1.
TEST(Dop853, SaysWhereItCannotGoOn) {
  DormandPrince8 solver(
      "blow-up", 1, [](double, In y, Out rate) { rate = y.cwiseProduct(y); }, Dop853{});
  solver.start(0, VectorXd::Ones(1));
  std::string what;
  try {
    while (solver.step(2) < 2) {
    }
  } catch (const StepError& error) {
    what = error.what();
    EXPECT_NEAR(error.time(), 1, 1e-9);
  }
  EXPECT_TRUE(what.starts_with("dop853 of blow-up cannot go on at t = 1")) << what;
}

}  // namespace
}  // namespace hamel::test::dop853_test
