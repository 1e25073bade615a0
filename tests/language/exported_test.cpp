// The models of models/ with more quasi-velocities than dimensions: their exported C computes what the engine computes.
#include <gtest/gtest.h>

#include <algorithm>

#include "export/compiled.hpp"
#include "hamel/derive/equations.hpp"
#include "hamel/language/model_file.hpp"

namespace hamel::test {
namespace {

std::vector<std::string> models_of_the_gallery() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(HAMEL_SOURCE_DIR "/models"))
    paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool any(const Model& model, bool (*is)(const Manifold&)) {
  return std::any_of(model.coordinates().begin(), model.coordinates().end(),
                     [&](const Coordinate& q) { return is(q.space); });
}

bool is_orbit_or_image(const Manifold& space) {
  return space.rates() > space.dimension() && !space.has_constraint_formula();
}
bool is_direction(const Manifold& space) { return space.turning() == Turning::direction; }

TEST(Exported, RedundantRatesAreThoseOfTheEngineLong) {
  if (!has_compiler()) GTEST_SKIP() << "there is no cc";
  constexpr std::size_t few = 6;  // coordinates: long ones take the compiler long
  int orbits_and_images = 0, directions = 0;
  for (const std::string& path : models_of_the_gallery()) {
    const Model model = read_model(path).model;
    if (model.has_field() || !model.hamiltonian_terms().empty() || !model.constraints().empty()) continue;
    if (any(model, is_orbit_or_image)) {
      ++orbits_and_images;
      for (const Form form : forms(model)) expect_same_field(model, form, random_state(model));
    } else if (any(model, is_direction) && model.coordinates().size() <= few) {
      ++directions;
      expect_same_field(model, Form::omega, random_state(model));
    }
  }
  EXPECT_GE(orbits_and_images, 2);
  EXPECT_GE(directions, 15);
}

}  // namespace
}  // namespace hamel::test
