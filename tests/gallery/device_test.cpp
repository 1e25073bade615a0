// The models of the gallery on a GPU, by the text that it would run, compiled for the host: those that fit have the
// bits of this machine's stepper.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <hamel/mechanics/parts.hpp>
#include <set>

#include "ensemble/compare.hpp"
#include "gallery/files.hpp"

namespace hamel::test {
namespace {

std::vector<std::string> ids() {
  std::vector<std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(gallery_folder()))
    if (entry.path().extension() == ".toml") result.push_back(entry.path().stem().string());
  std::sort(result.begin(), result.end());
  return result;
}

class GalleryOnDevice : public ::testing::TestWithParam<std::string> {};

// Straight code of these is too long.
const std::set<std::string> too_long = {"falling-rope", "flapping-wing", "molecules-on-sphere"};

TEST_P(GalleryOnDevice, HasTheBitsOfTheStepper) {
  const ModelFile file = gallery_model(GetParam());
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  const double h = file.run.step > 0 ? file.run.step : 1e-3;
  bool are_known = true;  // the groups of all factors
  for (const Manifold& factor : system.space().factors())
    are_known = are_known && (factor.is_flat() || factor.turning() != Turning::none);
  for (const Method& method :
       {Method(Rk4{.step = h}), Method(Dop853{.step = h}), Method(LieRk{.step = h}), Method(Variational{.step = h})}) {
    const bool is_lie = std::holds_alternative<LieRk>(method),
               needs_motion = !std::holds_alternative<Variational>(method);
    const bool fits =
        system.path() == Path::constant_mass && !(needs_motion && motion(system).empty()) && !(is_lie && !are_known);
    try {
      expect_bits_of_stepper(system, start, method, 4, is_lie ? 1e-13 : 0);
      EXPECT_TRUE(fits);
    } catch (const std::invalid_argument& error) {
      EXPECT_TRUE(!fits || too_long.contains(GetParam())) << error.what();
      EXPECT_NE(std::string(error.what()).find("does not run on a GPU: "), std::string::npos) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GalleryOnDevice, ::testing::ValuesIn(ids()),
                         [](const auto& given) { return test_name(given.param); });

}  // namespace
}  // namespace hamel::test
