// Curvature and the rates of projectors and bases, against differences along curves.
#include "hamel/mechanics/geometry.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "hamel/derive/formulation.hpp"
#include "hamel/manifold/embedded.hpp"
#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s2.hpp"
#include "hamel/manifold/se3.hpp"
#include "hamel/manifold/so3.hpp"

namespace hamel::geometry_test {
namespace {

Manifold torus() {
  return Embedded(
      3,
      [](const VectorXe& x) {
        const Expr s = x.squaredNorm() + 0.75;
        return VectorXe::Constant(1, s * s - 4 * (x(0) * x(0) + x(1) * x(1)));
      },
      "torus");
}

// A curve on a sphere: the gradients of its constraints are not orthogonal, and turn.
Manifold bent_circle() {
  return Embedded(
      3,
      [](const VectorXe& x) {
        VectorXe c(2);
        c << x.squaredNorm() - 1.0, 0.2 * x(0) * x(0) + 0.3 * x(1) - 0.5 * x(2);
        return c;
      },
      "bent_circle");
}

constexpr double h = 1e-3;  // differences of order 4
using Curve = std::function<VectorXd(double)>;

VectorXd first_derivative(const Curve& f) { return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h); }
VectorXd second_derivative(const Curve& f) {
  return (16 * (f(h) + f(-h)) - (f(2 * h) + f(-2 * h)) - 30 * f(0)) / (12 * h * h);
}

// Something else comes first: offsets count.
Model behind_a_point(const Manifold& space) {
  Model model("geometry");
  const auto x = model.coordinate("x", Rn(2));
  const auto q = model.coordinate("q", space);
  model.kinetic(squared_norm(rate(x)) + trace(transpose(rate(q)) * rate(q)));
  return model;
}

struct Place {
  std::string name;
  std::function<VectorXd(const Manifold&, Random&)> choose;
};

const std::vector<Place> places = {
    {"the reference point", [](const Manifold& space, Random&) { return space.reference_point(); }},
    {"1e-8 away from it",
     [](const Manifold& space, Random& random) {
       const VectorXd q = space.reference_point();
       VectorXd near(q.size());
       space.retract(q, 1e-8 * space.random_tangent(q, random), near);
       return near;
     }},
    {"a random point", [](const Manifold& space, Random& random) { return space.random_point(random); }},
    {"another one", [](const Manifold& space, Random& random) { return space.random_point(random); }}};

// A curve through a point, with velocity v and some acceleration.
struct Along {
  Along(const Manifold& space, const Place& place, Random& random)
      : geometry(geometry_of(space)), w(geometry.workspace()), product(geometry.space()), q(product.ambient()) {
    q << VectorXd::Random(2), place.choose(space, random);
    v = product.random_tangent(q, random);
    bend = product.random_tangent(q, random);
    p = VectorXd::NullaryExpr(q.size(), [&] { return std::normal_distribution<double>()(random); });
  }
  static Geometry geometry_of(const Manifold& space) {
    const Model model = behind_a_point(space);
    const Sheet sheet(model);
    return {model, sheet.lowered};
  }
  VectorXd operator()(double s) const {
    VectorXd result(q.size());
    product.retract(q, s * v + s * s / 2 * bend, result);
    return result;
  }
  VectorXd tangent_part(const VectorXd& point, const VectorXd& x) const {
    VectorXd result(x.size());
    product.tangent_project(point, x, result);
    return result;
  }

  Geometry geometry;
  Geometry::Workspace w;
  Manifold product;
  VectorXd q, v, bend, p;
};

class GeometryOf : public testing::TestWithParam<Manifold> {
 protected:
  void each_place(const std::function<void(Along&)>& check) {
    Random random(5);
    for (const Place& place : places) {
      SCOPED_TRACE(GetParam().name() + " at " + place.name);
      Along curve(GetParam(), place, random);
      check(curve);
    }
  }
};

TEST_P(GeometryOf, CurvatureIsWhatAccelerationsHaveBesideTangents) {
  each_place([](Along& curve) {
    const VectorXd a = second_derivative(curve);
    VectorXd gamma(a.size());
    curve.geometry.curvature(curve.q, curve.v, curve.w, gamma);
    const VectorXd rest = a - gamma;
    EXPECT_LT((rest - curve.tangent_part(curve.q, rest)).norm(), 1e-8 * (1 + a.norm()));
    if (!curve.geometry.is_given_by_basis(1)) {
      EXPECT_LT(curve.tangent_part(curve.q, gamma).norm(), 1e-12 * (1 + gamma.norm())) << "it is normal";
      return;
    }
    // q'' = B xi' + gamma
    const auto rates = [&](double s) {
      const VectorXd point = curve(s), velocity = first_derivative([&](double r) { return curve(s + r); });
      VectorXd xi(curve.product.rates());
      curve.product.rates(point, velocity, xi);
      return xi;
    };
    VectorXd along(a.size());
    curve.product.velocity(curve.q, first_derivative(rates), along);
    EXPECT_LT((rest - along).norm(), 1e-7 * (1 + a.norm()));
  });
}

TEST_P(GeometryOf, ProjectedRateIsThatOfTheProjector) {
  each_place([](Along& curve) {
    const VectorXd expected = first_derivative([&](double s) { return curve.tangent_part(curve(s), curve.p); });
    VectorXd rate(expected.size());
    curve.geometry.projected_rate(curve.q, curve.v, curve.p, curve.w, rate);
    EXPECT_LT((rate - expected).norm(), 1e-9 * (1 + expected.norm()));
  });
}

TEST_P(GeometryOf, BasisRateIsThatOfTheBasis) {
  each_place([](Along& curve) {
    const VectorXd expected = first_derivative([&](double s) {
      VectorXd pi(curve.product.rates());
      curve.product.covector_to_rates(curve(s), curve.p, pi);
      return pi;
    });
    VectorXd rate(expected.size());
    curve.geometry.basis_rate(curve.q, curve.v, curve.p, curve.w, rate);
    EXPECT_LT((rate - expected).norm(), 1e-9 * (1 + expected.norm()));
  });
}

INSTANTIATE_TEST_SUITE_P(Spaces, GeometryOf,
                         testing::Values(Manifold(S2{}), Manifold(SO3{}), Manifold(SE3{}), torus(), bent_circle()),
                         [](const auto& space) { return space.param.name(); });

}  // namespace
}  // namespace hamel::geometry_test
