// The momenta that are found automatically are those of the book and of its corrections, no more and no fewer.
#include <gtest/gtest.h>

#include <hamel/symmetry/noether.hpp>

#include "systems/models.hpp"

namespace hamel::test::momenta_test {
namespace {

struct Expected {
  Model (*model)();
  std::size_t momenta;
};

class Momenta : public ::testing::TestWithParam<Expected> {};

TEST_P(Momenta, AreThoseOfTheBook) {
  const Model model = GetParam().model();
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(report.momenta.size(), GetParam().momenta) << model.name();
  EXPECT_TRUE(report.energy_conserved) << model.name();
  EXPECT_TRUE(report.undecided.empty()) << model.name();
}

INSTANTIATE_TEST_SUITE_P(
    Systems, Momenta,
    ::testing::Values(Expected{planar_pendulum, 0}, Expected{particle_rotating_hoop, 0},
                      Expected{two_elastic_planar_pendulums, 1}, Expected{double_planar_pendulum, 0},
                      Expected{particle_on_torus, 1}, Expected{furuta_pendulum, 1}, Expected{revolute_robot, 1},
                      Expected{spherical_pendulum, 1}, Expected{particle_rotating_sphere, 1},
                      Expected{spherical_pendulum_three_strings, 0}, Expected{two_elastic_spherical_pendulums, 3},
                      Expected{double_spherical_pendulum, 1}, Expected{horizontal_pendulum_on_cart, 4},
                      Expected{planar_spherical_pendulum, 0}, Expected{spherical_pendulum_on_cart, 4},
                      Expected{[] { return chain_pendulum(3); }, 1}, Expected{[] { return free_free_chain(3); }, 6}),
    [](const auto& test) { return "Number" + std::to_string(test.index); });

}  // namespace
}  // namespace hamel::test::momenta_test
