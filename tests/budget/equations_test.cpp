// What printed equations may cost, in CPU time, memory and characters: three times what was measured.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <hamel/language/model_file.hpp>
#include <hamel/textbook/textbook.hpp>

#include "budget/cost.hpp"

namespace hamel::test::equations_budget {
namespace {

struct Printed {
  std::string name, file;
  Overrides set;
  Cost cost;  // of all four forms
  std::size_t characters;
};

void PrintTo(const Printed& printed, std::ostream* out) { *out << printed.name; }

class EquationsBudget : public ::testing::TestWithParam<Printed> {};

TEST_P(EquationsBudget, IsKept) {
  const auto& [name, file, set, cost, characters] = GetParam();
  expect_within(name, cost, [&] {
    const Model model = read_model(file, set).model;
    for (const Form form : {Form::velocity, Form::omega, Form::mu, Form::pi}) {
      std::size_t length = 0;
      for (const std::string& line : lines(textbook_equations(model, form))) length += line.size();
      if (length > characters) throw std::runtime_error(fmt::format("{} characters", length));
    }
  });
}

const std::string in_gallery = HAMEL_SOURCE_DIR "/models/", in_tests = HAMEL_SOURCE_DIR "/tests/language/believed/";

INSTANTIATE_TEST_SUITE_P(
    Models, EquationsBudget,
    ::testing::Values(Printed{"chain_10", in_gallery + "chain-pendulum.toml", {{"n", "10"}}, {1.5, 60}, 8000},
                      Printed{"tether_20", in_gallery + "orbiting-tether.toml", {}, {4, 80}, 30000},
                      Printed{"robot", in_gallery + "revolute-robot-3d.toml", {}, {0.3, 50}, 2000},
                      Printed{"two_gimbals", in_tests + "two-gimbals.toml", {}, {0.3, 50}, 3000},
                      Printed{"full_body", in_gallery + "full-body-problem.toml", {}, {0.5, 50}, 3000}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace hamel::test::equations_budget
