// What every structure-preserving method promises, over all kinds of systems: order, symmetry, symplecticity, manifold.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <tuple>

#include "hamel/integrate/request.hpp"
#include "integrate/systems.hpp"

namespace hamel::test::battery_test {
namespace {

struct Candidate {
  std::string name;
  int order;
  std::function<Method(double)> with_step;
};
std::ostream& operator<<(std::ostream& out, const Candidate& c) { return out << c.name; }

// The symplectic methods of the table, up to an order that can be seen.
std::vector<Candidate> find_candidates() {
  std::vector<Candidate> result;
  for (const auto& [name, method, info] : methods_of_the_table(1, 1e-9))
    if (info.symplectic && info.order <= 8)
      result.push_back({name, info.order, [method = method](double h) { return with_step(method, h); }});
  return result;
}
const std::vector<Candidate> candidates = find_candidates();

using Parameter = std::tuple<Candidate, Case>;

bool is(const Candidate& candidate, std::string_view name) { return candidate.name.starts_with(name); }

std::vector<Parameter> combined(const std::vector<Case>& cases) {
  std::vector<Parameter> result;
  for (const Candidate& candidate : candidates)
    for (const Case& c : cases)
      if (is_for(describe(candidate.with_step(1)), c)) result.emplace_back(candidate, c);
  return result;
}
std::string name_of(const testing::TestParamInfo<Parameter>& parameter) {
  return std::get<0>(parameter.param).name + "On" + std::get<1>(parameter.param).name;
}

class Battery : public testing::TestWithParam<Parameter> {
 protected:
  const Candidate& candidate() const { return std::get<0>(GetParam()); }
  const char* system_name() const { return std::get<1>(GetParam()).name; }
  const Example example = std::get<1>(GetParam()).make();
};
INSTANTIATE_TEST_SUITE_P(Methods, Battery, testing::ValuesIn(combined(all_cases())), name_of);

TEST_P(Battery, HasItsOrder) {
  static std::map<std::string, State> references;
  constexpr double duration = 0.8;
  const auto [entry, is_new] = references.try_emplace(system_name());
  if (is_new) entry->second = reference(example, duration);
  const State& exact = entry->second;
  const int order = candidate().order, coarse = order == 2 ? 80 : order == 4 ? 24 : order == 6 ? 12 : 8;
  const auto error = [&](int steps) {
    return distance(advance(example, example.start, candidate().with_step(duration / steps), steps), exact);
  };
  // Below rounding and the error of the reference there is no order to see.
  const double first = error(coarse), second = error(2 * coarse);
  const double expected = std::min<double>(order, std::log2(first / 2e-12)) - (order > 4 ? 0.8 : 0.3);
  EXPECT_GT(std::log2(first / second), expected) << first << " " << second;
  EXPECT_LT(first, 0.2);
}

class FittedOrder : public testing::TestWithParam<Candidate> {};
INSTANTIATE_TEST_SUITE_P(Methods, FittedOrder, testing::ValuesIn(candidates),
                         [](const auto& candidate) { return candidate.param.name; });

// Where the steps are short enough, the order is what it should be, no more and no less.
TEST_P(FittedOrder, IsNominal) {
  const Example example = double_pendulum();
  constexpr double duration = 1;
  static const State exact = advance(example, example.start, Gauss{.step = duration / 100, .order = 16}, 100);
  const int order = GetParam().order, steps = order == 2 ? 200 : order == 4 ? 80 : order == 6 ? 40 : 32;
  const auto error = [&](int n) {
    return distance(advance(example, example.start, GetParam().with_step(duration / n), n), exact);
  };
  const double coarse = error(steps), fine = error(3 * steps / 2);
  EXPECT_NEAR(std::log(coarse / fine) / std::log(1.5), order, 0.15) << coarse << " " << fine;
}

TEST_P(Battery, IsSymmetric) {
  const State there = advance(example, example.start, candidate().with_step(0.02), 20);
  EXPECT_LT(distance(advance(example, there, candidate().with_step(-0.02), 20), example.start), 2e-12);
}

TEST_P(Battery, KeepsTheManifold) {
  const System& system = example.system;
  const auto stepper = make_stepper(system, candidate().with_step(0.02));
  stepper->start(example.start);
  Workspace work(system);
  State state;
  VectorXd tangent(system.ambient()), c(system.constraints());
  for (int k = 0; k < 100; ++k) {
    stepper->step(INFINITY);
    stepper->current(state);
    const double size = state.q.cwiseAbs().maxCoeff();
    ASSERT_LT(system.space().defect(state.q), 3e-14 * std::max(1.0, std::pow(size, 4))) << "step " << k;
    system.space().tangent_project(state.q, state.v, tangent);
    ASSERT_LT((state.v - tangent).norm(), 3e-14 * std::max(1.0, state.v.norm())) << "step " << k;
    if (system.constraints() == 0) continue;
    system.constraint(work, state.q, c);
    ASSERT_LT(c.cwiseAbs().maxCoeff(), 3e-14) << "step " << k;
  }
}

class Symplectic : public Battery {};
// Symmetric projection, which Gauss methods need on the quartic torus, is not symplectic.
std::vector<Parameter> symplectic() {
  std::vector<Parameter> result = combined(conservative_cases());
  std::erase_if(result, [](const Parameter& p) {
    return is(std::get<0>(p), "Gauss") && std::string_view(std::get<1>(p).name) == "Torus";
  });
  return result;
}
INSTANTIATE_TEST_SUITE_P(Methods, Symplectic, testing::ValuesIn(symplectic()), name_of);

// A patch of the tangent bundle around a state: q by retraction, the velocity projected.
State patch(const System& system, const State& centre, const MatrixXd& N, const VectorXd& x) {
  const auto d = N.cols();
  State state = centre;
  system.space().retract(centre.q, N * x.head(d), state.q);
  system.space().tangent_project(state.q, centre.v + N * x.tail(d), state.v);
  return state;
}

VectorXd canonical(const System& system, const State& state) {
  VectorXd z(2 * system.ambient());
  z << state.q, momentum(system, state);
  return z;
}

// The two-form dq ^ dp on the patch, after a map of states: differences of sixth order.
MatrixXd two_form(const Example& example, const std::function<State(const State&)>& map) {
  const System& system = example.system;
  const int a = system.ambient(), d = system.space().dimension();
  MatrixXd N(a, d);
  system.space().tangent_basis(example.start.q, N);
  const double e = 6e-3;
  MatrixXd Z(2 * a, 2 * d);
  for (int j = 0; j < 2 * d; ++j) {
    const auto difference = [&](double s) -> VectorXd {
      const VectorXd direction = VectorXd::Unit(2 * d, j);
      return canonical(system, map(patch(system, example.start, N, s * direction))) -
             canonical(system, map(patch(system, example.start, N, -s * direction)));
    };
    Z.col(j) = (45 * difference(e) - 9 * difference(2 * e) + difference(3 * e)) / (60 * e);
  }
  const MatrixXd half = Z.topRows(a).transpose() * Z.bottomRows(a);
  return half - half.transpose();
}

TEST_P(Symplectic, TwoFormIsKept) {
  const MatrixXd before = two_form(example, [](const State& s) { return s; });
  const MatrixXd after =
      two_form(example, [&](const State& s) { return advance(example, s, candidate().with_step(0.05), 2); });
  EXPECT_GT(before.cwiseAbs().maxCoeff(), 0.1);
  EXPECT_LT((after - before).cwiseAbs().maxCoeff(), 1e-9 * std::max(1.0, before.cwiseAbs().maxCoeff()));
}

// The test itself must be able to fail: a map that is not symplectic.
TEST(SymplecticTest, SeesWhatIsNotSymplectic) {
  const Example example = double_pendulum();
  const MatrixXd before = two_form(example, [](const State& s) { return s; });
  const MatrixXd after = two_form(example, [&](const State& s) { return advance(example, s, Rk4{0.05}, 4); });
  EXPECT_GT((after - before).cwiseAbs().maxCoeff(), 1e-6);
}

}  // namespace
}  // namespace hamel::test::battery_test
