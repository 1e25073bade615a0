// Pages about equilibria: what they say is what the analysis found, and their film can be shown.
#include "hamel/report/linear_page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "gallery/files.hpp"
#include "hamel/analyze/modes.hpp"

namespace hamel::linear_page_test {
namespace {

using Json = nlohmann::json;

struct Examined {
  ModelFile file;
  System system;
  ExaminedPlace place;
};

Examined examined(const std::string& id, const std::string& at) {
  ModelFile file = test::gallery_model(id);
  const System system = derive(file.model.open());
  std::vector<std::string> remarks;
  for (const EquilibriumFinding& one : examine_equilibria(file, system, remarks))
    if (one.name == at) {
      const LinearModel linear = trimmed(Linearization(system), one.state);
      const Stability verdict = stability(Linearization(system), linear, conserved_momenta(system.model()).momenta);
      return {std::move(file), system, {at, linear, verdict}};
    }
  throw std::invalid_argument(id + " has no equilibrium " + at);
}

Json data_in(const Page& page) {
  const std::string html = to_html(page), begin = "id=\"hamel-data\">";
  const std::size_t first = html.find(begin) + begin.size();
  return Json::parse(html.substr(first, html.find("</script>", first) - first));
}

// NaN and infinity become null.
void expect_no_null(const Json& json, const std::string& where) {
  EXPECT_FALSE(json.is_null()) << where;
  if (json.is_structured())
    for (const auto& [key, value] : json.items()) expect_no_null(value, where + "/" + key);
}

TEST(LinearPage, HasTheEigenvaluesAndModesOfTheAnalysis) {
  for (const auto& [id, at] : {std::pair{"furuta-pendulum", "inverted"}, std::pair{"chain-pendulum-on-cart", "hanging"},
                               std::pair{"quadrotor-cable-load", "hover"}}) {
    const Examined all = examined(id, at);
    const Json data = data_in(linear_page(all.file, all.system, all.place));
    expect_no_null(data, id);
    const Json& place = data["modes"]["places"][0];
    const Spectrum& spectrum = all.place.stability.spectrum;
    ASSERT_EQ(place["open"].size(), spectrum.values.size()) << id;
    for (std::size_t k = 0; k < spectrum.values.size(); ++k) {
      EXPECT_NEAR(place["open"][k]["re"].get<double>(), spectrum.values[k].value.real(), 1e-9 * spectrum.rate);
      EXPECT_NEAR(place["open"][k]["im"].get<double>(), spectrum.values[k].value.imag(), 1e-9 * spectrum.rate);
      EXPECT_EQ(place["open"][k]["count"], spectrum.values[k].algebraic);
      const Json& mode = place["modes"].at(place["open"][k]["mode"].get<std::size_t>());
      EXPECT_NEAR(mode["frequency"].get<double>(), spectrum.values[k].frequency(), 1e-9 * spectrum.rate);
    }
    const std::vector<Mode> expected = modes(all.place.linear, spectrum, conserved_momenta(all.system.model()).momenta);
    ASSERT_EQ(place["modes"].size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      EXPECT_EQ(place["modes"][k]["course"], name(expected[k].course));
      EXPECT_EQ(place["modes"][k]["damping_ratio"], expected[k].eigenvalue.damping_ratio());
      EXPECT_EQ(place["modes"][k]["clips"].size(), 3u);
    }
    EXPECT_EQ(place["verdict"], name(all.place.stability.verdict));
    EXPECT_EQ(place["reason"], all.place.stability.reason);
  }
}

TEST(LinearPage, MarksZerosByTheSymmetryThatCausesThem) {
  const Examined all = examined("chain-pendulum-on-cart", "hanging");
  const Page page = linear_page(all.file, all.system, all.place);
  const ShownPlace& place = page.modes->places[0];
  const auto zero =
      std::find_if(place.open.begin(), place.open.end(), [](const PlaneMark& m) { return m.re == 0 && m.im == 0; });
  ASSERT_NE(zero, place.open.end());
  EXPECT_EQ(zero->cause, "translation along e1 of x; translation along e2 of x");
  EXPECT_EQ(zero->count, 4);
  EXPECT_EQ(place.modes[0].symmetry, "translation along e1 of x");
  EXPECT_EQ(place.modes[0].moves, "x");
}

TEST(LinearPage, ShowsAPendulumForOnePeriodAtEachAmplitude) {
  const Examined all = examined("spherical-pendulum", "hanging");
  const Page page = linear_page(all.file, all.system, all.place);
  const double period = 2 * std::numbers::pi * std::sqrt(0.9 / 9.81);
  const auto bob = std::find_if(page.scene.objects.begin(), page.scene.objects.end(), [&](const SceneObject& object) {
    return object.kind == Drawn::point && page.scene.tracks[static_cast<std::size_t>(object.at)].values.size() > 3;
  });
  ASSERT_NE(bob, page.scene.objects.end());
  const std::vector<float>& track = page.scene.tracks[static_cast<std::size_t>(bob->at)].values;
  double widest_before = 0;
  for (const Clip& clip : page.modes->places[0].modes[0].clips) {
    EXPECT_NEAR(clip.end - clip.begin, period, 1e-12);
    EXPECT_TRUE(clip.loops);
    double widest = 0;
    for (std::size_t frame = 0; frame < page.time.size(); ++frame) {
      if (page.time[frame] < clip.begin - 1e-12 || page.time[frame] > clip.end + 1e-12) continue;
      const Eigen::Vector3d at(track[3 * frame], track[3 * frame + 1], track[3 * frame + 2]);
      EXPECT_NEAR(at.norm(), 0.9, 1e-6);
      widest = std::max(widest, at.head(2).norm());
    }
    EXPECT_GT(widest, widest_before);
    widest_before = widest;
  }
}

TEST(LinearPage, ComparesTheLoopsOfARegulator) {
  const Examined all = examined("chain-pendulum-on-cart-controlled", "the goal of the control");
  const Regulator regulator = lqr(all.place.linear);
  const Page page = control_page(all.file, all.system, all.place, controllability(all.place.linear), regulator);
  expect_no_null(data_in(page), "control");
  const ShownPlace& place = page.modes->places[0];
  int states = 0;
  for (const PlaneMark& mark : place.closed) {
    states += mark.count;
    double nearest = 1e9;
    for (const Complex z : regulator.closed_loop) nearest = std::min(nearest, std::abs(z - Complex(mark.re, mark.im)));
    EXPECT_LT(nearest, 1e-6 * std::hypot(mark.re, mark.im));
  }
  EXPECT_EQ(states, 24);
  EXPECT_TRUE(std::any_of(place.modes.begin(), place.modes.end(), [](const ShownMode& m) { return m.closed; }));
  EXPECT_EQ(page.tables[0].rows.size(), 24u);
  const Regulator sampled = lqr(all.place.linear, {}, {.sample = 0.01});
  const Page held = control_page(all.file, all.system, all.place, controllability(all.place.linear), sampled);
  states = 0;
  for (const PlaneMark& mark : held.modes->places[0].closed) {
    EXPECT_LT(mark.re, 0);
    states += mark.count;
  }
  EXPECT_EQ(states, 24);
}

TEST(LinearPage, ShowsAllEquilibria) {
  const ModelFile file = test::gallery_model("chain-pendulum-on-cart");
  const System system = derive(file.model);
  const Equilibria all = equilibria(system);
  const Page page = equilibria_page(file, system, all);
  expect_no_null(data_in(page), "equilibria");
  ASSERT_EQ(page.modes->places.size(), 32u);
  for (std::size_t k = 0; k < 32; ++k) {
    EXPECT_EQ(page.modes->places[k].energy, all.found[k].energy);
    EXPECT_FALSE(page.modes->places[k].modes[0].clips.empty());
  }
  const ModelFile falling = test::gallery_model("particle-uniform-gravity");
  const System none = derive(falling.model);
  EXPECT_THROW(equilibria_page(falling, none, equilibria(none)), std::invalid_argument);
}

// Frames of many molecules are large: few modes are drawn, and the page can be written.
TEST(LinearPage, OfALargeModelStaysSmall) {
  Model model("many");
  for (int k = 0; k < 40; ++k) {
    const Formula x = model.coordinate("x[" + std::to_string(k) + "]", Rn(3));
    model.kinetic(squared_norm(rate(model.point("p[" + std::to_string(k) + "]", x))) / 2);
    model.potential((1.0 + k) * squared_norm(x) / 2);
  }
  ModelFile file{.path = {}, .text = {}, .model = model};
  const System system = derive(model);
  const LinearModel linear = linearize(system, system.state(0, VectorXd::Zero(120), VectorXd::Zero(120)));
  const Page page = linear_page(file, system, {"origin", linear, stability(Linearization(system), linear, {})});
  EXPECT_LT(to_html(page).size(), 20'000'000u);
  EXPECT_EQ(page.modes->places[0].modes.size(), 60u);
}

// Everything that can be named, on every kind of space, fields too.
TEST(LinearPage, CanBeMadeOfTheGallery) {
  for (const std::string id :
       {"heavy-top", "vf-s2-sine", "planar-slider-crank", "elastically-supported-rigid-body", "two-quadrotors-payload",
        "particle-rotating-hoop", "stiefel-oscillator", "particle-on-torus"}) {
    const ModelFile file = test::gallery_model(id);
    const System system = derive(file.model);
    std::vector<std::string> remarks;
    for (const EquilibriumFinding& one : examine_equilibria(file, system, remarks)) {
      const LinearModel linear = trimmed(Linearization(system), one.state);
      const ExaminedPlace place{one.name, linear, stability(Linearization(system), linear, {})};
      expect_no_null(data_in(linear_page(file, system, place)), id);
    }
  }
}

}  // namespace
}  // namespace hamel::linear_page_test
