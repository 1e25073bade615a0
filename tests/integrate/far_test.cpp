// Where the origin is makes no difference: directions and attitudes are kept, and found, as well far away from it.
#include <gtest/gtest.h>

#include <hamel/integrate/integrate.hpp>
#include <hamel/manifold/rn.hpp>
#include <hamel/manifold/s2.hpp>
#include <hamel/manifold/se3.hpp>

#include "hamel/mechanics/geometry.hpp"
#include "integrate/systems.hpp"

namespace hamel::test::far_test {
namespace {

Example free_chain(double distance) {
  Model model("free chain");
  const Formula x = model.coordinate("x", Rn(3));
  Formula point = x;
  model.kinetic(squared_norm(rate(x)) / 2);
  VectorXd q(3 + 9), xi(3 + 9);
  q.head(3) << distance, 0, -distance / 3;
  xi.head(3) << 0.1, 0, -0.2;
  int k = 3;
  for (const Formula& direction : model.coordinates<S2>("q", 3)) {
    point = point + 0.8 * direction;
    model.kinetic(squared_norm(rate(point)) / 2);
    q.segment(k, 3) << 0.6, 0, 0.8;
    xi.segment(k, 3) << 0, 0.3 * k, 0;
    k += 3;
  }
  System system = derive(model);
  State start = system.state(0, q, xi);
  return {"free chain", std::move(system), start};
}

// A free body whose centre of mass is off the origin of its frame.
Example free_pose(double distance) {
  Model model("free pose");
  const Formula G = model.coordinate<SE3>("G");
  model.body("body", {.attitude = rotation(G),
                      .position = position(G),
                      .mass = 1.2,
                      .inertia = Formula(Eigen::MatrixXd(Eigen::Vector3d(1, 1.4, 1.9).asDiagonal())),
                      .center_of_mass = Formula(Eigen::MatrixXd(Eigen::Vector3d(0.1, 0.2, 0)))});
  System system = derive(model);
  VectorXd q(12), xi(6);
  q << 1, 0, 0, 0, 1, 0, 0, 0, 1, distance, 0, -distance / 3;
  xi << 1, 2, 0.3, 0.2, 0.1, 0;
  State start = system.state(0, q, xi);
  return {"free pose", std::move(system), start};
}

struct Found {
  VectorXd q;  // without the place
  double defect;
};

Found after(const Example& example, const Method& method, Eigen::Index begin, Eigen::Index size) {
  double defect = 0;
  const Trajectory run = integrate(example.system, example.start, method, {.t = 2});
  for (const State& state : run.states)
    for (int f = 0; f < example.system.geometry().factors(); ++f) {
      const Manifold& space = example.system.geometry().space(f);
      defect = std::max(defect, space.defect(state.q.segment(example.system.geometry().offset(f), space.ambient())));
    }
  return {run.back().q.segment(begin, size), defect};
}

const std::vector<Method> methods = {Variational{0.01}, Variational{0.02, 4},
                                     Variational{0.01, 2, Quadrature::midpoint}, Gauss{.step = 0.02, .order = 8}};

TEST(FarFromTheOrigin, DirectionsOfAChain) {
  for (const Method& method : methods) {
    const Found here = after(free_chain(0), method, 3, 9);
    EXPECT_LE(here.defect, 2e-15);
    for (const double distance : {1e4, 1e8}) {
      const Found there = after(free_chain(distance), method, 3, 9);
      EXPECT_LE(there.defect, 2e-15) << describe(method).name << " at " << distance;
      EXPECT_LE((there.q - here.q).lpNorm<Eigen::Infinity>(), 1e-13) << describe(method).name << " at " << distance;
    }
  }
}

TEST(FarFromTheOrigin, AttitudeOfAPose) {
  for (const Method& method : methods) {
    const Found here = after(free_pose(0), method, 0, 9), there = after(free_pose(1e6), method, 0, 9);
    EXPECT_LE(here.defect, 1e-14);
    EXPECT_LE(there.defect, 1e-14) << describe(method).name;
    EXPECT_LE((there.q - here.q).lpNorm<Eigen::Infinity>(), 1e-12) << describe(method).name;
  }
}

}  // namespace
}  // namespace hamel::test::far_test
