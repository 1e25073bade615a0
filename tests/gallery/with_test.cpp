// Other parameters: System::with gives the bits of reading the model with --set and deriving it anew, from the start
// on. A regulator that a file asks for is made anew by --set, and stays as it is otherwise.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "gallery/files.hpp"
#include "hamel/integrate/integrate.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/model/lower.hpp"

namespace hamel::test::with_test {
namespace {

constexpr int draws = 5, steps = 3;

Overrides smaller(const std::string& id) {
  if (id == "molecules-on-sphere") return {{"n", "12"}};
  return id == "falling-rope" || id == "spin-chain" ? Overrides{{"n", "20"}} : Overrides{};
}

// Each parameter that may change and follows no other, times a factor near one; of vectors each component.
ParameterValues drawn(const Model& model, std::mt19937_64& random) {
  std::uniform_real_distribution<double> factor(0.8, 1.25);
  ParameterValues values;
  for (std::size_t k = 0; k < model.parameters().size(); ++k) {
    const Parameter& parameter = model.parameters()[k];
    if (!model.origin(k).fixed_by.empty() || model.origin(k).formula) continue;
    MatrixXd value = parameter.value;
    if (value.cols() == 1)
      for (double& x : value.reshaped()) x *= factor(random);
    else
      value *= factor(random);
    values.emplace_back(parameter.name, value);
  }
  return values;
}

Overrides as_overrides(const std::string& id, const ParameterValues& values) {
  Overrides overrides = smaller(id);
  for (const auto& [name, value] : values) overrides.emplace_back(name, Setting(name, value).value);
  return overrides;
}

// All that a system says about itself and its motion, or why it does not.
struct Account {
  std::vector<VectorXd> numbers;
  std::string refusal;
};

void tell(const System& system, const State& state, Account& account) {
  Workspace w(system);
  VectorXd rate(system.ambient());
  if (system.model().has_field()) {
    system.field(w, state.t, state.q, rate);
  } else {
    system.acceleration(w, state.t, state.q, state.v, rate);
    const Energy energy = system.energy(w, state.t, state.q, state.v);
    account.numbers.push_back(Eigen::Vector3d(energy.kinetic, energy.potential, energy.total));
    VectorXd p(system.ambient());
    system.momentum(w, state.t, state.q, state.v, p);
    account.numbers.push_back(p);
  }
  account.numbers.push_back(rate);
  account.numbers.push_back(w.multipliers);
}

Account account_of(const System& system, const ModelFile& file) {
  Account account;
  try {
    std::vector<std::string> remarks;
    const State start = start_state(file, system, remarks);
    account.numbers = {parameter_values(system.model()), start.q, start.v};
    tell(system, start, account);
    const double step = file.run.step > 0 ? file.run.step : 1e-3;
    for (const char* name : {"variational", "variational-midpoint", "gauss8", "rk4"}) try {
        const auto run = integrate(system, start, method_named(name, step, 0), {.t = start.t + steps * step});
        account.numbers.push_back(run.back().q);
        account.numbers.push_back(run.back().v);
      } catch (const std::exception&) {
        account.numbers.push_back(VectorXd::Constant(1, -1));  // a method that is not for this model
      }
  } catch (const std::exception& error) {
    account.refusal = error.what();
  }
  return account;
}

class With : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Gallery, With, testing::ValuesIn(gallery_ids()),
                         [](const auto& id) { return test_name(id.param); });

template <class Make>
std::string refusal_of(Make make) {
  try {
    static_cast<void>(make());
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

bool has_regulator(const ModelFile& file) { return file.text.find("lqr = ") != std::string::npos; }

ModelFile with_its_regulator(ModelFile file, const ParameterValues& values) {
  file.model = file.model.with(values);
  return file;
}

TEST_P(With, OtherParametersIsDerivedAnew) {
  const ModelFile file = gallery_model(GetParam(), smaller(GetParam()));
  const System system = derive(file.model);
  std::mt19937_64 random(12);
  int compared = 0;
  for (int tries = 0; compared < draws && tries < 40; ++tries) {
    const ParameterValues values = drawn(file.model, random);
    const auto read = [&] { return gallery_model(GetParam(), as_overrides(GetParam(), values)); };
    if (!refusal_of(read).empty()) {  // no body has this inertia
      EXPECT_NE(refusal_of([&] { return system.with(values); }), "");
      continue;
    }
    ++compared;
    const ModelFile anew = has_regulator(file) ? with_its_regulator(file, values) : read();
    const Account expected = account_of(derive(anew.model), anew), found = account_of(system.with(values), file);
    EXPECT_EQ(found.refusal.empty(), expected.refusal.empty()) << found.refusal << expected.refusal;
    ASSERT_EQ(found.numbers.size(), expected.numbers.size());
    for (std::size_t i = 0; i < found.numbers.size(); ++i)
      ASSERT_EQ(found.numbers[i], expected.numbers[i]) << "number " << i << ", draw " << compared;
  }
  EXPECT_EQ(compared, draws);
}

}  // namespace
}  // namespace hamel::test::with_test
