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

std::vector<std::string> names(const std::vector<Expr>& variables) {
  std::vector<std::string> result;
  for (const Expr variable : variables) result.push_back(print(variable));
  return result;
}

TEST(Exported, ComponentsAreCalledAsInModelFiles) {
  const Model body = read_model(HAMEL_SOURCE_DIR "/models/planar-body-se2.toml").model;
  const Equations rates = equations(body, Form::omega), momenta = equations(body, Form::mu);
  const Graph::Scope first(*rates.graph);
  EXPECT_EQ(names(rates.partner), (std::vector<std::string>{"xi(g)[1]", "xi(g)[2]", "xi(g)[3]"}));
  EXPECT_EQ(names(rates.unknowns), (std::vector<std::string>{"xi(g)'[1]", "xi(g)'[2]", "xi(g)'[3]"}));
  const std::string text = print(rates);
  EXPECT_NE(text.find("  M[1,1] = "), std::string::npos) << text;
  EXPECT_EQ(text.find("[0"), std::string::npos) << text;
  EXPECT_EQ(xi(body.coordinate(0))[0].to_string(), "xi(g)[1]");
  const Graph::Scope second(*momenta.graph);
  EXPECT_EQ(print(momenta.legendre.front().left), "mu_g[1,1]");
  EXPECT_EQ(print(momenta.momentum_rates.back().left), "mu_g'[3,3]");
}

}  // namespace
}  // namespace hamel::test
