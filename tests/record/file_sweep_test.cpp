// What a model file and a few words make of the starts of members.
#include "hamel/record/file_sweep.hpp"

#include <gtest/gtest.h>

namespace hamel {
namespace {

std::string refusal_of_sweep(const std::string& text, const SweepRequest& request) {
  try {
    const ModelFile file = parse_model(text, "model", {}, {}, formulas_asked(request));
    const FileSweep sweep(file, request);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

constexpr const char* leaning = R"toml(
[parameters]
a = 0.1
b = "2*a"
c = 1
[coordinates]
q = "S2"
[energy]
kinetic = "c*norm2(q')/2"
[start]
q = ["sin(b)", 0, "cos(b)"]
[run]
step = 0.1
until = 1
)toml";

TEST(FileSweep, HasCapsAroundOnePoint) {
  SweepRequest request{.vary = {"a=0.1:0.2:3"}, .samples = {"start.q ~ cap(5 deg)"}, .members = 3};
  EXPECT_NE(refusal_of_sweep(leaning, request)
                .find("the cap of start.q is around the start of the model file, which follows a, and a varies"),
            std::string::npos);
  request.vary = {"c=1:2:3"};
  EXPECT_EQ(refusal_of_sweep(leaning, request), "");
}

constexpr const char* turning = R"toml(
[coordinates]
R = "SO3"
P = "SE3"
[bodies.one]
attitude = "R"
mass = 1
inertia = "diag(1, 2, 3)"
[bodies.two]
attitude = "rotation(P)"
position = "position(P)"
mass = 1
inertia = "diag(1, 2, 3)"
[start]
R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
omega.R = [0.1, 0.2, 0.3]
P = "pose(I3, [0, 0, 0])"
"P'" = [[0, -0.3, 0.2, 0.4], [0.3, 0, -0.1, 0.5], [-0.2, 0.1, 0, 0.6]]
[run]
step = 0.1
until = 1
integrator = "rkmk4"
)toml";

// An entry of what the start says in another way.
TEST(FileSweep, LeavesTheOtherEntriesOfAStartAsTheyAre) {
  const auto xi_of = [&](const std::string& name) {
    const SweepRequest request{.vary = {name + "=7:7:1"}, .keep = {"final"}};
    const ModelFile file = parse_model(turning, "model", {}, {}, {});
    const FileSweep sweep(file, request);
    const std::vector<double> row{7};
    const State start = sweep.members().start(sweep.members().system, row);
    VectorXd xi(9);
    const auto& coordinates = file.model.coordinates();
    VectorXd part(3), pose(6);
    coordinates[0].space.rates(start.q.head(9), start.v.head(9), part);
    const Eigen::Index size = coordinates[1].space.ambient();
    coordinates[1].space.rates(start.q.tail(size), start.v.tail(size), pose);
    xi << part, pose;
    return xi;
  };
  VectorXd wanted(9);
  wanted << 0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6;
  const auto with = [&](Eigen::Index k) {
    VectorXd changed = wanted;
    changed(k) = 7;
    return changed;
  };
  EXPECT_LT((xi_of("start.xi.R.y") - with(1)).norm(), 1e-13);
  EXPECT_LT((xi_of("start.omega.P.z") - with(5)).norm(), 1e-13);
  EXPECT_LT((xi_of("start.velocity.P.x") - with(6)).norm(), 1e-13);
}

}  // namespace
}  // namespace hamel
