// The linear models of the gallery beside the flow of the equations of motion itself: exp(A T) is its derivative.
#include <gtest/gtest.h>

#include <hamel/analyze/control.hpp>
#include <hamel/integrate/integrate.hpp>
#include <hamel/integrate/method.hpp>

#include "gallery/files.hpp"
#include "hamel/linear/dense.hpp"

namespace hamel::test::flow_test {
namespace {

struct Flow {
  System system;
  LinearModel linear;
  double time;

  // (x, x') after so long, in the basis of the linear model.
  VectorXd after(const VectorXd& x) const {
    const Eigen::Index n = linear.size();
    State start = linear.at;
    const VectorXd step = linear.basis * x.head(n), speed = linear.basis * x.tail(n);
    system.space().retract(linear.at.q, step, start.q);
    system.space().tangent_project(start.q, speed, start.v);
    const Trajectory run =
        integrate(system, start, Dop853{.relative = 1e-13, .absolute = 1e-15}, {.t = start.t + time});
    const State end = run.back();
    VectorXd result(2 * n);
    result << linear::least_squares(linear.basis, end.q - linear.at.q), linear::least_squares(linear.basis, end.v);
    return result;
  }

  MatrixXd derivative() const {
    const Eigen::Index n = 2 * linear.size();
    const double h = 1e-4;
    MatrixXd result(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      const VectorXd e = VectorXd::Unit(n, j);
      const auto slope = [&](double by) { return VectorXd((after(by * e) - after(-by * e)) / (2 * by)); };
      result.col(j) = (4 * slope(h) - slope(2 * h)) / 3;
    }
    return result;
  }
};

struct At {
  const char *model, *name;
};

TEST(LinearModels, AreTheDerivativesOfTheFlow) {
  for (const At& at :
       {At{"double-spherical-pendulum", "hanging"}, At{"pendulum-3d", "inverted"}, At{"furuta-pendulum", "hanging"},
        At{"elastically-supported-rigid-body", "level"}, At{"spherical-pendulum-on-cart", "hanging"},
        At{"chain-pendulum-on-cart-controlled", "the goal of the control"},  // with its law
        At{"quadrotor-cable-load", "hover"}}) {
    const ModelFile file = gallery_model(at.model);
    const System system = derive(file.model);
    std::vector<std::string> remarks;
    bool found = false;
    for (const EquilibriumFinding& claim : examine_equilibria(file, system, remarks)) {
      if (claim.name != at.name) continue;
      found = true;
      const LinearModel linear = linearize(system, claim.state);
      const double time = 0.1;
      const MatrixXd flow = Flow{system, linear, time}.derivative(),
                     expected = linear::exponential(time * linear.first_order().A);
      EXPECT_LE((flow - expected).norm(), 1e-7 * expected.norm()) << at.model;
    }
    EXPECT_TRUE(found) << at.model << " " << at.name;
  }
}

}  // namespace
}  // namespace hamel::test::flow_test
