// The table of spaces: every row makes the space that its name says, and refuses what it cannot make.
#include "hamel/manifold/spaces.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <tuple>

#include "hamel/graph/print.hpp"
#include "message.hpp"

namespace hamel::spaces_test {
namespace {

using test::message_of;

const Eigen::Matrix2d quarter_turn{{0, -1}, {1, 0}};

std::string error_of_numbers(std::string_view name, const std::vector<int>& numbers) {
  return message_of<std::invalid_argument>([&] { space_by_name(name, numbers); });
}
std::string error_of_matrices(std::string_view name, const std::vector<MatrixXd>& matrices) {
  return message_of<std::invalid_argument>([&] { space_by_name(name, matrices, "text"); });
}

void expect_same_space(const Manifold& one, const Manifold& other) {
  SCOPED_TRACE(other.name());
  EXPECT_EQ(one.name(), other.name());
  ASSERT_EQ(one.ambient(), other.ambient());
  EXPECT_EQ(one.dimension(), other.dimension());
  EXPECT_EQ(one.shape(), other.shape());
  EXPECT_EQ(one.turning(), other.turning());
  EXPECT_EQ(one.is_flat(), other.is_flat());
  EXPECT_EQ(one.is_unit_sphere(), other.is_unit_sphere());
  EXPECT_EQ(one.is_pose(), other.is_pose());
  EXPECT_EQ(one.generators().matrices, other.generators().matrices);
  EXPECT_EQ(one.reference_point(), other.reference_point());
  ASSERT_EQ(one.rates(), other.rates());
  Random random(2);
  const VectorXd q = one.random_point(random), xi = VectorXd::LinSpaced(one.rates(), -0.4, 0.9);
  VectorXd v(one.ambient()), w(one.ambient());
  one.velocity(q, xi, v);
  other.velocity(q, xi, w);
  EXPECT_EQ(v, w);
}

TEST(SpaceTable, MakesWhatFactoriesMake) {
  const std::vector<std::tuple<std::string, std::vector<int>, Manifold>> spaces = {
      {"R", {1}, Rn(1)},     {"R", {7}, Rn(7)},
      {"S", {1}, S1()},      {"S", {2}, S2()},
      {"S", {3}, Sphere(3)}, {"SO", {2}, SO2()},
      {"SO", {3}, SO3()},    {"SO", {4}, SO(4)},
      {"SE", {2}, SE2()},    {"SE", {3}, SE3()},
      {"SE", {4}, SE(4)},    {"SL", {2}, SL2()},
      {"SL", {3}, SL(3)},    {"Stiefel", {4, 2}, Stiefel(4, 2)}};
  std::set<std::string_view> covered;
  for (const auto& [name, numbers, space] : spaces) {
    expect_same_space(space_by_name(name, numbers), space);
    covered.insert(find_space(name)->name);
  }
  for (const SpaceRow& row : space_rows())
    EXPECT_TRUE(row.is_of_matrices() || covered.contains(row.name)) << row.name << " is not tested";
}

TEST(SpaceTable, MakesSpacesOfMatrices) {
  const Eigen::Vector2d e1(1, 0);
  expect_same_space(space_by_name("group", {quarter_turn}, "turns"), LieGroup({quarter_turn}, "turns"));
  expect_same_space(space_by_name("orbit", {e1, quarter_turn}, "circle"), Homogeneous({quarter_turn}, e1, "circle"));
}

TEST(SpaceTable, NamesAreThoseOfTheSpaces) {
  for (const SpaceRow& row : space_rows()) {
    EXPECT_EQ(find_space(row.name), &row) << row.name << " stands twice";
    EXPECT_EQ(row.is_of_matrices(), row.make == nullptr) << row.name;
    EXPECT_TRUE(row.example.starts_with(row.name));
    EXPECT_TRUE(row.forms.starts_with(row.name));
    if (!row.is_numbered()) continue;
    for (const int n : {row.least, row.least + 1, 3}) {
      const Manifold space = space_by_name(row.name, std::array{n});
      EXPECT_EQ(space.name(), std::string(row.name) + std::to_string(n));
    }
  }
}

TEST(SpaceTable, HasTheDimensionsOfTheGroups) {
  for (int n = 2; n <= 5; ++n) {
    EXPECT_EQ(SO(n).dimension(), n * (n - 1) / 2);
    EXPECT_EQ(SE(n).dimension(), n * (n + 1) / 2);
    EXPECT_EQ(SL(n).dimension(), n * n - 1);
  }
  EXPECT_EQ(Manifold(Stiefel(5, 2)).dimension(), 7);
}

// The general construction has the rates of the class.
TEST(SpaceTable, GroupsHaveTheRatesOfTheirClasses) {
  Random random(4);
  const Eigen::Vector3d Omega(0.3, -0.8, 0.5), V(0.2, 0.7, -0.1);
  VectorXd rates(6), turned(9), by_group(9), moved(12), by_displacement(16);
  rates << Omega, V;
  const VectorXd R = SO3().random_point(random), G = SE3().random_point(random);
  Manifold(SO3()).velocity(R, Omega, turned);
  SO(3).velocity(R, Omega, by_group);
  EXPECT_LE((by_group - turned).norm(), 1e-15);
  Eigen::Matrix4d g = Eigen::Matrix4d::Identity();
  g.topRows(3) = G.reshaped(3, 4);
  Manifold(SE3()).velocity(G, rates, moved);
  SE(3).velocity(g.reshaped(), rates, by_displacement);
  EXPECT_LE((by_displacement.reshaped(4, 4).topRows(3) - moved.reshaped(3, 4)).norm(), 1e-15);
}

// In formulas people read 0.5, and no 0.4999999999999998.
TEST(SpaceTable, GroupRatesAreExact) {
  Graph graph;
  const Graph::Scope scope(graph);
  for (const Manifold& group : {SO2(), SE2(), SL2(), SO(4)}) {
    const int n = group.ambient(), rates = group.rates();
    const auto matrix = [n](const char* name) -> VectorXe {
      const std::vector<Expr> entries = Graph::current().variables(name, n);
      return Eigen::Map<const VectorXe>(entries.data(), n);
    };
    const VectorXe xi = group.group_rates(matrix("q"), matrix("v"));
    ASSERT_EQ(xi.size(), rates);
    for (const Expr component : xi)
      EXPECT_EQ(print(component).find("0.4999"), std::string::npos) << group.name() << ": " << print(component);
  }
}

TEST(SpaceTable, RefusesWrongSizes) {
  for (const SpaceRow& row : space_rows()) {
    if (!row.is_numbered()) continue;
    for (const int n : {row.least - 1, row.most + 1, -3})
      EXPECT_EQ(error_of_numbers(row.name, {n}),
                fmt::format("the dimension of {} must be {} to {}, got {}", row.name, row.least, row.most, n));
    EXPECT_EQ(error_of_numbers(row.name, {}),
              fmt::format("{} needs 1 number, as in {}; it has 0", row.name, row.example));
    EXPECT_EQ(error_of_numbers(row.name, {2, 2}),
              fmt::format("{} needs 1 number, as in {}; it has 2", row.name, row.example));
  }
  EXPECT_EQ(error_of_numbers("Stiefel", {4}), "Stiefel needs 2 numbers, as in Stiefel(4, 2); it has 1");
  EXPECT_EQ(error_of_numbers("Stiefel", {2, 2}), "Stiefel(2, 2) must have 1 to n - 1 vectors of R^n");
  EXPECT_EQ(error_of_numbers("Stiefel", {21, 2}), "the dimension of Stiefel must be 1 to 20, got 21");
  EXPECT_EQ(error_of_numbers("T", {2}), "unknown space T");
}

TEST(SpaceTable, RefusesNumbersForMatricesAndMatricesForNumbers) {
  const std::string group = "group needs matrices, a basis of its algebra, as in group([[0, -1], [1, 0]]); it has ";
  EXPECT_EQ(error_of_numbers("group", {2}), group + "1");
  EXPECT_EQ(error_of_matrices("group", {}), group + "0");
  EXPECT_EQ(error_of_matrices("orbit", {Eigen::Vector2d(1, 0)}),
            "orbit needs a vector and the matrices that move it, as in orbit([1, 0], [[0, -1], [1, 0]]); it has 1");
  EXPECT_EQ(error_of_matrices("orbit", {quarter_turn, quarter_turn}),
            "an orbit begins with a vector, not with a 2 x 2 matrix");
  EXPECT_EQ(error_of_matrices("SO", {quarter_turn}), "SO needs 1 number, as in SO3; it has 1");
  EXPECT_EQ(error_of_matrices("T", {quarter_turn}), "unknown space T");
}

}  // namespace
}  // namespace hamel::spaces_test
