// Units are a choice: with other units of length and time, every model conserves the same momenta.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gallery/claims.hpp"
#include "symmetry/search.hpp"

namespace hamel::test::units_test {
namespace {

// By entry of q: places are measured in `unit`, directions and attitudes in none.
VectorXd lengths(const Model& model, double unit) {
  VectorXd result(0);
  for (const auto& [name, space] : model.coordinates()) {
    const auto n = space.ambient();
    const auto begin = result.size();
    result.conservativeResize(begin + n);
    result.tail(n).setConstant(space.dimension() != n ? 1 : unit);
    if (space.name() == "SE3") result.tail(3).setConstant(unit);
  }
  return result;
}

// What is lowered is a function of q/length, v/(length/time), mu/(time/length) and t/time.
LoweredModel in_other_units(const LoweredModel& lowered, const VectorXd& length, double time) {
  std::unordered_map<std::uint32_t, Expr> places;
  for (std::size_t i = 0; i < lowered.q.size(); ++i) {
    const double unit = length(static_cast<Eigen::Index>(i));
    places[lowered.q[i].id()] = unit * lowered.q[i];
    places[lowered.v[i].id()] = unit / time * lowered.v[i];
    if (!lowered.mu.empty()) places[lowered.mu[i].id()] = time / unit * lowered.mu[i];
  }
  places[lowered.t.id()] = time * lowered.t;
  const auto changed = [&](const std::vector<Expr>& all) { return substitute(all, places); };
  LoweredModel result = lowered;
  result.kinetic = changed(lowered.kinetic);
  result.potential = changed(lowered.potential);
  result.lagrangian = changed(lowered.lagrangian);
  result.hamiltonian = changed(lowered.hamiltonian);
  result.constraints = changed(lowered.constraints);
  result.rayleigh = changed({lowered.rayleigh})[0];
  for (auto& [force, rate] : result.forces) {
    const auto both = changed({force, rate});
    force = both[0];
    rate = both[1];
  }
  return result;
}

NoetherReport found_in_units(const Model& model, const VectorXd& length, double time) {
  Graph graph;
  const Graph::Scope scope(graph);
  return conserved_momenta(model, in_other_units(lower(model), length, time));
}

std::vector<std::string> names(const NoetherReport& report) {
  std::vector<std::string> result;
  for (const ConservedMomentum& momentum : report.momenta) result.push_back(momentum.name);
  return result;
}

// The same motion, whose size may depend on the units.
void expect_same_field(const ConservedMomentum& expected, const ConservedMomentum& found, const VectorXd& q,
                       const VectorXd& length, const std::string& which) {
  VectorXd X(q.size()), Y(q.size());
  expected.field(q, X);
  found.field(q.cwiseQuotient(length), Y);
  Y = Y.cwiseProduct(length);
  EXPECT_NEAR(std::abs(X.stableNormalized().dot(Y.stableNormalized())), 1, 1e-9) << which << ": " << expected.name;
}

class UnitsOfLengthAndTime : public ::testing::TestWithParam<Claim> {};

TEST_P(UnitsOfLengthAndTime, MakeNoDifferenceToMomenta) {
  const Model model = gallery_model(GetParam().id, GetParam().smaller).model.held();  // its inputs at zero
  const NoetherReport expected = conserved_momenta(model);
  EXPECT_TRUE(expected.undecided.empty());
  Random random(3);
  VectorXd q(0);
  for (const auto& [name, space] : model.coordinates()) {
    const VectorXd point = space.random_point(random);
    q.conservativeResize(q.size() + point.size());
    q.tail(point.size()) = point;
  }
  for (const double unit : {1e-9, 1e-6, 1e6, 1e9})
    for (const auto& [of_length, time] : {std::pair(unit, 1.0), {1.0, unit}, {unit, 1 / unit}}) {
      const VectorXd length = lengths(model, of_length);
      const NoetherReport found = found_in_units(model, length, time);
      const std::string which = fmt::format("units of length {}, time {}", of_length, time);
      EXPECT_EQ(names(found), names(expected)) << which;
      EXPECT_EQ(found.energy_conserved, expected.energy_conserved) << which;
      EXPECT_EQ(found.functional_rank, expected.functional_rank) << which;
      EXPECT_TRUE(found.undecided.empty()) << which << ": " << found.undecided.front();
      for (std::size_t k = 0; k < std::min(found.momenta.size(), expected.momenta.size()); ++k) {
        EXPECT_EQ(found.momenta[k].exact_for_variational, expected.momenta[k].exact_for_variational) << which;
        expect_same_field(expected.momenta[k], found.momenta[k], q, length, which);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Models, UnitsOfLengthAndTime, ::testing::ValuesIn(claims_with_energies()),
                         [](const auto& test) { return test_name(test.param.id); });

}  // namespace
}  // namespace hamel::test::units_test
