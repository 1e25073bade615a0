// Routh's reduction, book 3.4.2: reduced models are files that run, and their motion is that of the whole.
#include "hamel/symmetry/routh.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hamel/integrate/integrate.hpp"
#include "hamel/language/model_file.hpp"

namespace hamel::routh_test {
namespace {

struct Whole {
  ModelFile file;
  System system;
  State start;

  explicit Whole(ModelFile from) : file(std::move(from)), system(derive(file.model)) {
    std::vector<std::string> remarks;
    start = start_state(file, system, remarks);
  }
};

Whole gallery(const std::string& id) { return Whole(read_model(HAMEL_SOURCE_DIR "/models/" + id + ".toml")); }

constexpr const char* kepler = R"toml(
name = "A \"planet\""
[parameters]
m = 2
k = 3
[coordinates]
r = "R1"
phi = "R1"
[energy]
kinetic = "m/2*(r'[1]^2 + r[1]^2*phi'[1]^2)"
potential = "-k/r[1]"
[start]
r = [1]
phi = [0.2]
"r'" = [0.1]
"phi'" = [1.3]
)toml";

constexpr const char* spherical = R"toml(
name = "A pendulum in angles"
[coordinates]
a = "R1"
phi = "R1"
[energy]
kinetic = "(a'[1]^2 + sin(a[1])^2*phi'[1]^2)/2"
potential = "9.81*cos(a[1])"
[start]
a = [2]
phi = [0]
"a'" = [0]
"phi'" = [1]
)toml";

Method precise() { return Dop853{.relative = 1e-12, .absolute = 1e-13}; }

// The largest distance of the two motions, whole and reconstructed, and of their energies.
double difference(const Whole& whole, const std::string& coordinate, double until, double every,
                  std::optional<double> momentum = {}) {
  State start = whole.start;
  const RouthReduction reduction = routh_reduction(whole.system, start, coordinate, momentum);
  const Whole reduced(parse_model(reduction.text, "reduced.toml"));
  const auto small = integrate(reduced.system, reduced.start, precise(), {.t = until, .every = every});
  const std::vector<State> rebuilt = reconstruct(whole.system, start, reduction, small.states);
  const auto large = integrate(whole.system, rebuilt.front(), precise(), {.t = until, .every = every});
  double largest = 0;
  EXPECT_EQ(rebuilt.size(), large.states.size());
  const double offset = energy(whole.system, rebuilt[0]).total - energy(reduced.system, reduced.start).total;
  for (std::size_t k = 0; k < rebuilt.size(); ++k) {
    largest = std::max(largest, (rebuilt[k].q - large.states[k].q).lpNorm<Eigen::Infinity>());
    largest = std::max(largest, (rebuilt[k].v - large.states[k].v).lpNorm<Eigen::Infinity>());
    EXPECT_NEAR(energy(whole.system, large.states[k]).total - energy(reduced.system, small.states[k]).total, offset,
                1e-8);
  }
  if (!momentum) {
    EXPECT_LT((rebuilt[0].v - start.v).norm(), 1e-12) << "begins as the whole does";
  }
  return largest;
}

TEST(Routh, FindsCyclicCoordinatesByItself) {
  EXPECT_EQ(cyclic_coordinates(parse_model(kepler, "kepler").model), std::vector<std::string>{"phi"});
  EXPECT_EQ(cyclic_coordinates(gallery("furuta-pendulum").file.model), std::vector<std::string>{"q[1]"});
  EXPECT_TRUE(cyclic_coordinates(gallery("double-planar-pendulum").file.model).empty());
}

// The amended potential p^2/(2 m r^2) - k/r, whose energy is that of the whole.
TEST(Routh, AmendsThePotentialOfAPlanet) {
  const Whole whole(parse_model(kepler, "kepler"));
  const RouthReduction reduction = routh_reduction(whole.system, whole.start, "phi");
  EXPECT_NEAR(reduction.momentum, 2 * 1.3, 1e-15);
  const Whole reduced(parse_model(reduction.text, "reduced"));
  for (const double r : {0.5, 1.0, 2.0}) {
    const State state = reduced.system.state(0, VectorXd::Constant(1, r), VectorXd::Constant(1, 0.7));
    EXPECT_NEAR(energy(reduced.system, state).total, 0.49 + 2.6 * 2.6 / (4 * r * r) - 3 / r, 1e-12);
    EXPECT_NEAR(acceleration(reduced.system, state)(0), (2.6 * 2.6 / (2 * r * r * r) - 3 / (r * r)) / 2, 1e-12);
  }
}

TEST(Routh, ReducedMotionsAreThoseOfTheWhole) {
  EXPECT_LT(difference(Whole(parse_model(kepler, "kepler")), "phi", 10, 0.005), 1e-9);
  EXPECT_LT(difference(Whole(parse_model(spherical, "spherical")), "phi", 3, 0.001), 1e-9);
  EXPECT_LT(difference(gallery("furuta-pendulum"), "q[1]", 3, 0.001), 1e-9);  // with terms linear in the rates
}

TEST(Routh, ReconstructsToFourthOrder) {
  const Whole whole = gallery("furuta-pendulum");
  const double coarse = difference(whole, "q[1]", 2, 0.04), fine = difference(whole, "q[1]", 2, 0.02);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3);
}

TEST(Routh, TakesAnotherMomentum) {
  EXPECT_LT(difference(gallery("furuta-pendulum"), "q[1]", 1, 0.001, 3.0), 1e-9);
  EXPECT_LT(difference(Whole(parse_model(spherical, "spherical")), "phi", 2, 0.001, 1.5), 1e-9);
}

// Wheels of a spacecraft: what is left moves on SE(3) and circles.
TEST(Routh, KeepsOtherSpaces) {
  const Whole whole = gallery("spacecraft-reaction-wheels");
  const std::vector<std::string> cyclic = cyclic_coordinates(whole.file.model);
  ASSERT_FALSE(cyclic.empty());
  EXPECT_LT(difference(whole, cyclic.front(), 1, 0.01), 1e-8);
}

template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Routh, RefusesWhatItCannotReduce) {
  const Whole furuta = gallery("furuta-pendulum");
  EXPECT_EQ(refusal([&] { routh_reduction(furuta.system, furuta.start, "q[2]"); }),
            "q[2] is no cyclic coordinate on R or S1 of Furuta pendulum; there is q[1]");
  const Whole damped = gallery("chain-pendulum-on-cart-regulated");
  EXPECT_NE(refusal([&] { routh_reduction(damped.system, damped.start, "x"); }).find("forces"), std::string::npos);
  const Whole crank = gallery("planar-slider-crank");
  EXPECT_NE(refusal([&] { routh_reduction(crank.system, crank.start, "x"); }).find("constraints"), std::string::npos);
}

}  // namespace
}  // namespace hamel::routh_test
