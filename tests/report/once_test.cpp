// A run with its report lowers the model once, whatever is asked of it: what `hamel run --report` does, step by step.
#include <gtest/gtest.h>

#include "gallery/files.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/model/lower.hpp"
#include "hamel/record/recorded_run.hpp"
#include "hamel/report/draw.hpp"
#include "hamel/report/view_options.hpp"
#include "hamel/symmetry/noether.hpp"
#include "hamel/textbook/textbook.hpp"

namespace hamel::once_test {
namespace {

// With constraints, with outputs, with a group; by methods that derive something of their own.
class Once : public testing::TestWithParam<std::pair<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Models, Once,
                         testing::Values(std::pair{"planar-slider-crank", "gauss8"},
                                         std::pair{"spherical-pendulum-three-strings", "variational-midpoint"},
                                         std::pair{"heavy-top", "gauss4"},
                                         std::pair{"kepler-restricted-two-body", "rk4"}));

TEST_P(Once, AModelIsLoweredInARunWithItsReport) {
  const auto& [id, integrator] = GetParam();
  const ModelFile file = test::gallery_model(id);
  const std::size_t before = lowered_models();
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  RunSettings settings{.until = {start.t + 5 * file.run.step}};
  for (const Model::Named& output : file.outputs) settings.outputs.push_back({output.name, output.formula});
  for (const Model::Named& claim : file.conserved) settings.conserved.push_back({claim.name, claim.formula});
  settings.symmetries = conserved_momenta(file.model);
  recorded_run(system, start, method_named(integrator, file.run.step, 0), settings);
  static_cast<void>(examine_equilibria(file, system, remarks));
  static_cast<void>(examine_conserved(file, system));
  static_cast<void>(textbook_equations(file.model, Form::omega));
  static_cast<void>(scene_of(file.model, std::vector{start}, view_options(file.view)));
  EXPECT_EQ(lowered_models(), before + 1);
}

}  // namespace
}  // namespace hamel::once_test
