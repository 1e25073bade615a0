// Units are a choice: the same system in metres and in nanometres, in seconds and in years, rests at the same places.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "hamel/analyze/equilibria.hpp"
#include "hamel/manifold/spaces.hpp"

namespace hamel::test::equilibria_units_test {
namespace {

struct Units {
  double length, time;  // of the model, in its own sizes
};
const std::vector<Units> all_units = {{1, 1}, {1e9, 1}, {1e-9, 1}, {1, 1e9}, {1, 1e-9}, {1e9, 1e-9}, {1e-9, 1e9}};

// A bead in a double well carries a pendulum: 3 x 2 equilibria, of which one is stable on each side.
Model bead(const Units& units) {
  const double l = units.length, w = 1 / units.time;
  Model model("bead");
  const auto x = model.coordinate("x", Rn(2));
  const auto q = model.coordinate<S1>("q");
  const Formula end = x + 0.3 * l * q;
  model.kinetic(0.5 * squared_norm(rate(x)) + 0.2 * squared_norm(rate(end)));
  model.potential(pow(x.x(), 4) * (w * w / (4 * l * l)) - 0.5 * w * w * x.x() * x.x() + w * w * x.y() * x.y());
  model.potential(0.4 * w * w * l * end.y());
  return model;
}

// A body in a double well for its place, with a spring for its attitude: a pose, whose rates have different units.
Model block(const Units& units) {
  const double l = units.length, w = 1 / units.time;
  Model model("block");
  const auto pose = model.coordinate("G", SE3());
  const Formula x = position(pose), R = rotation(pose);
  model.kinetic(0.5 * squared_norm(rate(x)) + 0.1 * l * l * squared_norm(omega(pose)));
  model.potential(w * w * (pow(x.x(), 4) / (4 * l * l) - 0.5 * x.x() * x.x() + x.y() * x.y() + 2.0 * x.z() * x.z()));
  const Formula up = R * unit_vector(2);
  model.potential(w * w * l * l * (0.3 * up.z() + 0.1 * (R * unit_vector(0)).x()));
  return model;
}

// Two masses on a rod, in a wave of potential: places in the plane with a constraint.
Model rod(const Units& units) {
  const double l = units.length, w = 1 / units.time;
  Model model("rod");
  const auto a = model.coordinate("a", Rn(2));
  const auto b = model.coordinate("b", Rn(2));
  model.kinetic(0.5 * squared_norm(rate(a)) + 0.5 * squared_norm(rate(b)));
  model.potential(w * w * (squared_norm(a) + 0.5 * b.x() * b.x() + l * b.y()));
  model.constraint("rod", squared_norm(b - a) - 0.25 * l * l);
  return model;
}

// Pushed to and fro where x is not zero: at rest at x = 0 only, for good.
Model pushed(const Units& units) {
  const double l = units.length, w = 1 / units.time;
  Model model("pushed");
  const auto x = model.coordinate("x", Rn(1));
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(w * w * (pow(x.x(), 4) / (4 * l * l) - 0.5 * x.x() * x.x()));
  model.force_on(x, 0.1 * w * w * sin(0.7 * w * model.time()) * x);
  return model;
}

// Sorted, in units of the model: verdict, family and point of each.
std::vector<std::string> described(const Equilibria& all, const Units& units) {
  std::vector<std::string> lines;
  for (const Equilibrium& one : all.found) {
    std::string line = fmt::format("{} {} {:.4g}", name(one.stability.verdict), one.stability.family,
                                   one.energy / (units.length * units.length) * units.time * units.time + 1e-9);
    for (const std::complex<double>& value : one.stability.spectrum.all())
      line += fmt::format(" {:.3f} {:.3f}", std::abs(value.real()) * units.time, std::abs(value.imag()) * units.time);
    lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

void expect_the_same(const std::function<Model(const Units&)>& model, std::size_t count) {
  const std::vector<std::string> expected = described(equilibria(derive(model({1, 1}))), {1, 1});
  EXPECT_EQ(expected.size(), count);
  for (const Units& units : all_units) {
    const Equilibria all = equilibria(derive(model(units)));
    EXPECT_EQ(described(all, units), expected) << units.length << ", " << units.time << ": " << all.remark;
  }
}

TEST(EquilibriaUnits, OfABeadWithAPendulum) { expect_the_same(bead, 6); }
TEST(EquilibriaUnits, OfABodyInSpace) { expect_the_same(block, 12); }
TEST(EquilibriaUnits, OfARodWithAConstraint) { expect_the_same(rod, 2); }
TEST(EquilibriaUnits, OfForcesThatDependOnTime) { expect_the_same(pushed, 1); }

}  // namespace
}  // namespace hamel::test::equilibria_units_test
