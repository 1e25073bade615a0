// The models of the gallery on a GPU, by the text that it would run, compiled for the host: those that fit have the
// bits of this machine's stepper.
#include <gtest/gtest.h>

#include <hamel/mechanics/parts.hpp>
#include <set>

#include "ensemble/compare.hpp"
#include "gallery/files.hpp"

namespace hamel::test {
namespace {

class GalleryOnDevice : public ::testing::TestWithParam<std::string> {};

// Straight code of these is too long.
const std::set<std::string> too_long = {"falling-rope", "flapping-wing", "molecules-on-sphere"};

bool has_canonical_program(const System& system) {
  if (!system.has_energies() || system.has_hamiltonian()) return false;
  try {
    return canonical(system).is_all_programs();
  } catch (const std::invalid_argument&) {  // no canonical equations
    return false;
  }
}

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
       {Method(Rk4{.step = h}), Method(Dop853{.step = h}), Method(LieRk{.step = h}), Method(Variational{.step = h}),
        Method(Gauss{.step = h, .order = 4}), Method(Gauss{.step = h, .order = 6}), Method(Gauss{.step = h})}) {
    const bool is_lie = std::holds_alternative<LieRk>(method), is_gauss = std::holds_alternative<Gauss>(method),
               needs_motion = !is_gauss && !std::holds_alternative<Variational>(method);
    const bool has_program = needs_motion ? system.has_energies() && !motion(system).empty()
                             : is_gauss   ? has_canonical_program(system)
                                          : system.path() == Path::constant_mass;
    const bool fits = has_program && !(is_lie && !are_known);
    // Quadratic invariants are kept in long double here, and in pairs of numbers there.
    const bool has_bits = !is_lie && !(fits && is_gauss && !canonical(system).invariants().empty());
    try {
      expect_bits_of_stepper(system, start, method, 4, has_bits ? 0 : 1e-13);
      EXPECT_TRUE(fits);
    } catch (const std::invalid_argument& error) {
      EXPECT_TRUE(!fits || too_long.contains(GetParam())) << error.what();
      EXPECT_NE(std::string(error.what()).find("does not run on a GPU: "), std::string::npos) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GalleryOnDevice, ::testing::ValuesIn(gallery_ids()),
                         [](const auto& given) { return test_name(given.param); });

}  // namespace
}  // namespace hamel::test
