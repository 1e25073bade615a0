// Units are a choice: with all energies, forces and dissipations times a number, every model moves as before.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <hamel/integrate/integrate.hpp>
#include <hamel/integrate/method.hpp>

#include "gallery/claims.hpp"

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

namespace hamel::test::scale_test {
namespace {

// A file with a factor before everything that has the unit of an energy: its text, with some pieces written anew.
class ScaledText {
 public:
  ScaledText(const std::string& text, const std::string& factor) : text_(text), factor_(factor) {
    for (std::size_t end = 0; end != std::string::npos; end = text.find('\n', end + 1)) lines_.push_back(end);
    const toml::table file = toml::parse(text);
    if (const auto* energies = file["energy"].as_table())
      for (auto&& [name, formula] : *energies) add(formula);
    for (const char* section : {"bodies", "forces"})
      if (const auto* all = file[section].as_table())
        for (auto&& [name, one] : *all)
          for (const char* key : {"mass", "inertia", "force", "torque"})
            if (const toml::node* node = one.as_table()->get(key)) add(*node);
  }

  std::string result() const {
    std::string all = text_;
    for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece) {
      const auto [begin, end] = *piece;
      const std::string old = all.substr(begin, end - begin),
                        formula = old[0] == '"' ? old.substr(1, old.size() - 2) : old;
      all.replace(begin, end - begin, fmt::format("\"{}*({})\"", factor_, formula));
    }
    return all;
  }

 private:
  void add(const toml::node& node) {
    if (const auto* list = node.as_array()) {
      for (const toml::node& element : *list) add(element);
      return;
    }
    pieces_.emplace(place(node.source().begin), place(node.source().end));
  }
  std::size_t place(const toml::source_position& position) const {
    return lines_[position.line - 1] + position.column - (position.line == 1 ? 1 : 0);
  }

  const std::string& text_;
  std::string factor_;
  std::vector<std::size_t> lines_;                        // where each one begins, less one
  std::set<std::pair<std::size_t, std::size_t>> pieces_;  // of the text
};

ModelFile with_factor(const Claim& claim, double factor) {
  const std::string text = ScaledText(gallery_model(claim.id).text, fmt::format("{:.17g}", factor)).result();
  return parse_model(text, claim.id, claim.smaller);
}
ModelFile with_parameter(const Claim& claim, double factor) {
  std::string text = ScaledText(gallery_model(claim.id).text, "unit_of_energy").result();
  const std::string section = "[parameters]\n";
  const std::size_t place = text.find(section);
  text.insert(place == std::string::npos ? text.find("[coordinates]") : place + section.size(),
              fmt::format("{}unit_of_energy = {:.17g}\n", place == std::string::npos ? section : "", factor));
  return parse_model(text, claim.id, claim.smaller);
}

std::vector<std::pair<std::string, Method>> methods(const RunSection& run) {
  std::vector<std::pair<std::string, Method>> all;
  for (const char* name : {"variational", "variational4", "variational-midpoint", "gauss2", "gauss8", "gauss16",
                           "rkmk4", "commutator_free4", "rk2", "rk4", "rk4-reprojected"})
    all.emplace_back(name, method_named(name, run.step, 0));
  all.emplace_back("gauss8 by tolerance", method_named("gauss8", 0, 1e-10));
  all.emplace_back("rk45", method_named("rk45", 0, 1e-9));
  all.emplace_back("rk4, mu", Rk4{.step = run.step, .form = Form::mu});
  all.emplace_back("rk4, pi", Rk4{.step = run.step, .form = Form::pi});
  return all;
}

// A few steps, by every method: where they end, or why they are refused.
struct Motion {
  std::string refused;
  State end;
};

std::vector<Motion> motions(const ModelFile& file) {
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  std::vector<Motion> result;
  for (const auto& [name, method] : methods(file.run)) {
    try {
      result.push_back(
          {"", integrate(system, start, method, {.t = start.t + 5 * file.run.step, .keep = false}).back()});
    } catch (const std::exception& error) {
      result.push_back({error.what(), {}});
    }
  }
  return result;
}

double difference(const VectorXd& a, const VectorXd& b, double least) {
  return (a - b).lpNorm<Eigen::Infinity>() / std::max(a.lpNorm<Eigen::Infinity>(), least);
}

class UnitOfEnergy : public ::testing::TestWithParam<Claim> {
 protected:
  void expect_same_motion(const ModelFile& other, const std::string& factor, double rounding) {
    const std::vector<Motion> found = motions(other);
    const auto all = methods(file_.run);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& [name, method] = all[i];
      const double tolerance = describe(method).adaptive ? 1e-6 : rounding;
      EXPECT_EQ(found[i].refused, expected_[i].refused) << name << ", energies times " << factor;
      if (!found[i].refused.empty() || !expected_[i].refused.empty()) continue;
      EXPECT_LE(difference(expected_[i].end.q, found[i].end.q, 1e-3), tolerance)
          << name << ", energies times " << factor;
      EXPECT_LE(difference(expected_[i].end.v, found[i].end.v, 1e-3), 100 * tolerance)
          << name << ", energies times " << factor;
    }
  }

  ModelFile file_ = gallery_model(GetParam().id, GetParam().smaller);
  std::vector<Motion> expected_ = motions(file_);
};

TEST_P(UnitOfEnergy, MakesNoDifference) {
  for (const double factor : {1e-30, 1e-13, 1e30})
    expect_same_motion(with_factor(GetParam(), factor), fmt::format("{}", factor), 1e-11);
  expect_same_motion(with_parameter(GetParam(), 1e-13), "a parameter of 1e-13", 1e-11);
  expect_same_motion(with_factor(GetParam(), std::ldexp(1.0, 100)), "2^100", 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Models, UnitOfEnergy, ::testing::ValuesIn(claims_with_energies()),
                         [](const auto& test) { return test_name(test.param.id); });

}  // namespace
}  // namespace hamel::test::scale_test
