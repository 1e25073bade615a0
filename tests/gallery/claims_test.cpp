// Every model of the gallery: what is said about it holds, and its run keeps what the motion keeps.
#include "gallery/claims.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <hamel/integrate/method.hpp>
#include <hamel/record/recorded_run.hpp>
#include <hamel/symmetry/noether.hpp>

namespace hamel::test::claims_test {
namespace {

constexpr double rounding = 1e-12;

TEST(Gallery, EveryModelHasItsClaims) {
  std::set<std::string> claimed;
  for (const Claim& claim : claims())
    EXPECT_TRUE(claimed.insert(claim.id).second) << claim.where << ": " << claim.id << " twice";
  EXPECT_EQ(std::vector(claimed.begin(), claimed.end()), gallery_ids());
}

// "S1 x S2^3": equal neighbours are taken together.
std::string space_of(const Model& model) {
  std::vector<std::pair<std::string, int>> powers;
  for (const Coordinate& coordinate : model.coordinates()) {
    const std::string name = coordinate.space.name();
    if (powers.empty() || powers.back().first != name) powers.emplace_back(name, 0);
    ++powers.back().second;
  }
  std::vector<std::string> factors;
  for (const auto& [name, power] : powers) factors.push_back(power == 1 ? name : fmt::format("{}^{}", name, power));
  return fmt::format("{}", fmt::join(factors, " x "));
}

std::string without_coordinates(const std::string& name) { return name.substr(0, name.find(" (")); }

class GalleryModel : public ::testing::TestWithParam<Claim> {
 protected:
  ModelFile file = gallery_model(GetParam().id, GetParam().smaller);
};

TEST_P(GalleryModel, IsDescribed) {
  EXPECT_FALSE(file.description.empty());
  EXPECT_FALSE(file.source.empty());
  EXPECT_GT(file.run.step, 0);
  const double every = file.run.until.every > 0 ? file.run.until.every : file.run.step,
               outputs = file.run.until.t / every;
  EXPECT_GE(outputs, 500 - 1e-9) << "too few for a picture of the motion";
  EXPECT_LE(outputs, 3001 + 1e-9) << "more than anyone looks at";
}

TEST_P(GalleryModel, HasItsSpaceAndMomenta) {
  const Claim& claim = GetParam();
  SCOPED_TRACE(claim.where);
  EXPECT_EQ(space_of(file.model), claim.space);
  EXPECT_EQ(derive(file.model).degrees_of_freedom(), claim.degrees_of_freedom);
  const NoetherReport found = conserved_momenta(file.model);
  std::set<std::string> names;
  for (const ConservedMomentum& momentum : found.momenta) names.insert(without_coordinates(momentum.name));
  EXPECT_EQ(names, claim.momenta);
  EXPECT_EQ(found.energy_conserved, claim.energy);
}

// What `hamel run` does with the file as it stands, to its end, and what its summary says.
TEST_P(GalleryModel, KeepsItsInvariants) {
  const Claim& claim = GetParam();
  SCOPED_TRACE(claim.where);
  const ModelFile full = gallery_model(claim.id);
  const RunSection& run = full.run;
  const System system = derive(full.model);
  std::vector<std::string> remarks;
  const State start = start_state(full, system, remarks);
  RunSettings settings{.until = run.until};
  for (const Model::Named& claimed : full.conserved) settings.conserved.push_back({claimed.name, claimed.formula});
  const RunSummary summary =
      recorded_run(system, start, method_named(run.integrator, run.step, run.tolerance), settings);
  EXPECT_TRUE(summary.finished);
  EXPECT_EQ(summary.steps, std::ceil((run.until.t - start.t) / run.step - 1e-6)) << "no step was halved";
  EXPECT_EQ(summary.energy.conserved, claim.energy);
  if (claim.energy) {
    EXPECT_LE(summary.energy.max_error, claim.drift * summary.energy.terms);
  }
  for (const RunSummary::MomentumErrors& momentum : summary.momenta)
    EXPECT_LE(momentum.max_error, rounding * (1 + std::abs(momentum.initial))) << momentum.name;
  for (const Followed& quantity : summary.followed()) EXPECT_NE(quantity.kept(), Kept::lost) << quantity.name;
  EXPECT_LE(summary.manifold.max_error, rounding);
  EXPECT_LE(summary.constraints.max_error, rounding);
}

INSTANTIATE_TEST_SUITE_P(Models, GalleryModel, ::testing::ValuesIn(claims()),
                         [](const auto& test) { return test_name(test.param.id); });

}  // namespace
}  // namespace hamel::test::claims_test
