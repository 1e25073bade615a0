// A spring is drawn where the energy of a distance has the shape of one, between things that are seen.
#include <gtest/gtest.h>

#include <hamel/manifold/factors.hpp>

#include "gallery/files.hpp"
#include "report/at_rest.hpp"

namespace hamel::springs_test {
namespace {

std::size_t springs(const Model& model, const ViewOptions& options = {}) {
  const Scene scene = test::scene_at_rest(model, options);
  return static_cast<std::size_t>(std::count_if(
      scene.objects.begin(), scene.objects.end(),
      [](const SceneObject& object) { return object.kind == Drawn::link && object.style == LinkStyle::spring; }));
}

// Two particles, and an energy of their distance.
std::size_t springs_of(const std::function<Formula(const Formula&)>& energy, bool in_lagrangian = false) {
  Model model("two particles");
  auto x = model.coordinates("x", Rn(3), 2);
  for (const Formula& point : x) model.kinetic(squared_norm(rate(point)) / 2);
  const Formula term = energy(x[0] - x[1]);
  in_lagrangian ? model.lagrangian(-term) : model.potential(term);
  return springs(model);
}

TEST(Springs, AreEnergiesThatGrowWithTheDistance) {
  EXPECT_EQ(springs_of([](const Formula& d) { return 3 * squared_norm(d); }), 1U);
  EXPECT_EQ(springs_of([](const Formula& d) { return 3 * squared_norm(d); }, true), 1U);
  EXPECT_EQ(springs_of([](const Formula& d) { return 2 * pow(norm(d) - 1, 2); }), 1U);
  EXPECT_EQ(springs_of([](const Formula& d) { return 2 * dot(d, d) + pow(norm(d), 4); }), 1U);
  EXPECT_EQ(springs_of([](const Formula& d) {  // a string: it cannot push
              return select(less(norm(d), 1), 0.0, pow(norm(d) - 1, 2));
            }),
            1U);
}

TEST(Springs, AreNotInvented) {
  EXPECT_EQ(springs_of([](const Formula& d) { return -3 * squared_norm(d); }), 0U);  // the centrifugal force
  EXPECT_EQ(springs_of([](const Formula& d) { return -3 * squared_norm(d); }, true), 0U);
  EXPECT_EQ(springs_of([](const Formula& d) { return -1 / sqrt(squared_norm(d) + 0.01); }), 0U);
  EXPECT_EQ(springs_of([](const Formula& d) { return tanh(norm(d)); }), 0U);
  EXPECT_EQ(springs_of([](const Formula& d) { return cos(norm(d)); }), 0U);
  EXPECT_EQ(springs_of([](const Formula& d) { return -exp(-squared_norm(d)); }), 0U);
  EXPECT_EQ(springs_of([](const Formula& d) { return pow(squared_norm(d), -1); }), 0U);
}

TEST(Springs, HaveEndsThatAreSeen) {
  Model model("spins");
  auto q = model.coordinates<S2>("q", 2);
  for (const Formula& direction : q) model.kinetic(squared_norm(rate(direction)) / 2);
  model.potential(squared_norm(q[0] - q[1]));  // of directions, not of places
  EXPECT_EQ(springs(model), 0U);
}

TEST(Springs, AreDrawnOnceThoughTheViewNamesThem) {
  const std::pair<const char*, std::size_t> expected[] = {{"elastically-supported-rigid-body", 4},
                                                          {"rigid-body-single-elastic-support", 1},
                                                          {"spherical-pendulum-three-strings", 3},
                                                          {"product-linear-manifolds", 1}};
  for (const auto& [id, count] : expected) {
    const ModelFile file = test::gallery_model(id);
    EXPECT_EQ(springs(file.model, view_options(file.view)), count) << id;
  }
}

}  // namespace
}  // namespace hamel::springs_test
