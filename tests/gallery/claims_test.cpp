// Every model of the gallery: what is said about it holds, and a short run keeps what the motion keeps.
#include "gallery/claims.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <hamel/integrate/integrate.hpp>
#include <hamel/integrate/method_name.hpp>
#include <hamel/mechanics/noether.hpp>

namespace hamel::test {
namespace {

constexpr double rounding = 1e-12;

TEST(Gallery, EveryModelHasItsClaims) {
  std::set<std::string> claimed, present;
  for (const Claim& claim : claims()) EXPECT_TRUE(claimed.insert(claim.id).second) << claim.id << " twice";
  for (const auto& entry : std::filesystem::directory_iterator(gallery_folder()))
    present.insert(entry.path().stem().string());
  EXPECT_EQ(claimed, present);
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
  const double every = file.run.every > 0 ? file.run.every : file.run.step, outputs = file.run.until / every;
  EXPECT_GE(outputs, 500 - 1e-9) << "too few for a picture of the motion";
  EXPECT_LE(outputs, 3001 + 1e-9) << "more than anyone looks at";
}

TEST_P(GalleryModel, HasItsSpaceAndMomenta) {
  const Claim& claim = GetParam();
  EXPECT_EQ(space_of(file.model), claim.space);
  EXPECT_EQ(derive(file.model).degrees_of_freedom(), claim.degrees_of_freedom);
  const NoetherReport found = conserved_momenta(file.model);
  std::set<std::string> names;
  for (const ConservedMomentum& momentum : found.momenta) names.insert(without_coordinates(momentum.name));
  EXPECT_EQ(names, claim.momenta);
  EXPECT_EQ(found.energy_conserved, claim.energy);
}

// The worst of what should be constant along a run.
struct Errors {
  double energy = 0, scale = 0, momenta = 0, manifold = 0, constraints = 0;
};

class Watch {
 public:
  Watch(const System& system, const NoetherReport& noether, const State& start)
      : system_(system), noether_(noether), work_(system), zeros_(system.constraints()) {
    if (!system.is_first_order()) energy_ = system.energy(work_, start.t, start.q, start.v).total;
    for (const ConservedMomentum& momentum : noether.momenta) momenta_.push_back(momentum.value(system, work_, start));
  }

  bool operator()(const State& state) {
    const Energy now = system_.is_first_order() ? Energy{} : system_.energy(work_, state.t, state.q, state.v);
    errors.energy = std::max(errors.energy, std::abs(now.total - energy_));
    errors.scale = std::max({errors.scale, std::abs(now.total), std::abs(now.kinetic)});
    for (std::size_t k = 0; k < momenta_.size(); ++k) {
      const double change = std::abs(noether_.momenta[k].value(system_, work_, state) - momenta_[k]);
      errors.momenta = std::max(errors.momenta, change / (1 + std::abs(momenta_[k])));
    }
    errors.manifold = std::max(errors.manifold, system_.space().defect(state.q));
    if (zeros_.size() > 0) system_.constraint(work_, state.q, zeros_);
    errors.constraints = std::max(errors.constraints, zeros_.size() > 0 ? zeros_.lpNorm<Eigen::Infinity>() : 0.0);
    return true;
  }

  Errors errors;

 private:
  const System& system_;
  const NoetherReport& noether_;
  Workspace work_;
  VectorXd zeros_;
  double energy_ = 0;
  std::vector<double> momenta_;
};

TEST_P(GalleryModel, KeepsItsInvariants) {
  const Claim& claim = GetParam();
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  system.check(start);
  const NoetherReport noether = conserved_momenta(file.model);
  Watch watch(system, noether, start);
  const RunSection& run = file.run;
  constexpr int steps = 200;
  integrate(system, start, method_named(run.integrator, run.step, run.tolerance),
            {.t = start.t + steps * run.step, .keep = false}, [&](const State& state) { return watch(state); });
  const Errors& errors = watch.errors;
  if (claim.energy) {
    EXPECT_LE(errors.energy, claim.drift * errors.scale);
  }
  EXPECT_LE(errors.momenta, rounding);
  EXPECT_LE(errors.manifold, rounding);
  EXPECT_LE(errors.constraints, rounding);
}

std::string test_name(const ::testing::TestParamInfo<Claim>& test) {
  std::string name = test.param.id;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Models, GalleryModel, ::testing::ValuesIn(claims()), test_name);

}  // namespace
}  // namespace hamel::test
