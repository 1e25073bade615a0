// Native code and the interpreter give the same bits: every model of the gallery, by every kind of program.
#include <gtest/gtest.h>

#include "gallery/files.hpp"
#include "hamel/integrate/integrate.hpp"
#include "hamel/integrate/stepper.hpp"
#include "program/temporary.hpp"

namespace hamel::test {
namespace {

constexpr double long_enough = 1e12;  // for a compiler to pay
constexpr int steps = 6;

// Large models are compiled as smaller ones of the same shape.
Overrides smaller(const std::string& id) { return id == "molecules-on-sphere" ? Overrides{{"n", "12"}} : Overrides{}; }

struct Steps {
  std::vector<State> states;
  bool native;
};

Steps few_steps(const ModelFile& file, const Method& method, bool compiles) {
  const Environment tier("HAMEL_NATIVE", compiles ? "1" : "0");
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const auto stepper = make_stepper(system, method);
  State state = start_state(file, system, remarks);
  stepper->start(state);
  stepper->prepare(compiles ? long_enough : 0);
  Steps result;
  for (int k = 0; k < steps; ++k) {
    stepper->step(INFINITY);
    stepper->current(state);
    result.states.push_back(state);
  }
  const std::vector<bool> native = stepper->native();
  result.native = std::count(native.begin(), native.end(), true) > 0;
  return result;
}

class Tiers : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Gallery, Tiers, testing::ValuesIn(gallery_ids()),
                         [](const auto& id) { return test_name(id.param); });

TEST_P(Tiers, GiveTheSameBits) {
  const ModelFile file = gallery_model(GetParam(), smaller(GetParam()));
  const double step = file.run.step > 0 ? file.run.step : 1e-3;
  int compared = 0;
  for (const char* name : {"variational", "gauss8", "rk4"}) {
    SCOPED_TRACE(name);
    const Method method = method_named(name, step, 0);
    Steps interpreted;
    try {
      interpreted = few_steps(file, method, false);
    } catch (const std::exception&) {
      continue;  // a method that is not for this model
    }
    ASSERT_FALSE(interpreted.native);
    const Steps native = few_steps(file, method, true);
    if (!native.native) GTEST_SKIP() << "no compiler";
    ++compared;
    for (int k = 0; k < steps; ++k) {
      const auto i = static_cast<std::size_t>(k);
      ASSERT_EQ(native.states[i].t, interpreted.states[i].t);
      ASSERT_EQ(native.states[i].q, interpreted.states[i].q) << "step " << k;
      ASSERT_EQ(native.states[i].v, interpreted.states[i].v) << "step " << k;
    }
  }
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace hamel::test
