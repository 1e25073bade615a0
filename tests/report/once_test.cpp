// A run with its report lowers the model once, whatever is asked of it: what `hamel run --report` does, step by step,
// and `hamel check`. A law { lqr = ... } makes it two models: the gains come from the one whose inputs are free, and
// the motion is that of the one whose inputs follow the law.
#include <gtest/gtest.h>

#include <filesystem>

#include "gallery/files.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/model/lower.hpp"
#include "hamel/record/file_run.hpp"
#include "hamel/record/recorded_run.hpp"
#include "hamel/report/run_page.hpp"
#include "hamel/report/view_options.hpp"
#include "hamel/textbook/textbook.hpp"

namespace hamel::once_test {
namespace {

struct Asked {
  const char *model, *integrator;
  std::size_t lowered = 1;
};
std::ostream& operator<<(std::ostream& out, const Asked& asked) { return out << asked.model; }

class Once : public testing::TestWithParam<Asked> {};
// With constraints, with outputs, with a group, with a regulator; by methods that derive something of their own.
INSTANTIATE_TEST_SUITE_P(Models, Once,
                         testing::Values(Asked{"planar-slider-crank", "gauss8"},
                                         Asked{"spherical-pendulum-three-strings", "variational-midpoint"},
                                         Asked{"heavy-top", "gauss4"}, Asked{"kepler-restricted-two-body", "rk4"},
                                         Asked{"controlled-pendulum", "rk4", 2},
                                         Asked{"chain-pendulum-on-cart-regulated", "variational", 2}));

TEST_P(Once, AModelIsLoweredInARunWithItsReport) {
  const std::size_t before = lowered_models();
  const ModelFile file = test::gallery_model(GetParam().model);
  const System system = derive(file.model);
  check_view(file);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  const std::string record = testing::TempDir() + "once.h5", report = testing::TempDir() + "once.html";
  RunSettings settings{.until = {start.t + 5 * file.run.step}, .path = record, .overwrite = true};
  settings.outputs = recorded_outputs(file);
  settings.conserved = file.conserved;
  recorded_run(system, start, method_named(GetParam().integrator, file.run.step, 0), settings, header_of(file));
  write_report(report, record, file, true);
  EXPECT_EQ(lowered_models(), before + GetParam().lowered);
  std::filesystem::remove(record);
  std::filesystem::remove(report);

  static_cast<void>(examine_equilibria(file, system, remarks));
  static_cast<void>(examine_conserved(file, system));
  static_cast<void>(textbook_equations(file.model, Form::omega));
  EXPECT_EQ(lowered_models(), before + GetParam().lowered);
}

}  // namespace
}  // namespace hamel::once_test
