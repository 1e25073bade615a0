#include "manifold/gallery.hpp"

#include "hamel/graph/differentiate.hpp"
#include "hamel/manifold/spaces.hpp"

namespace hamel::gallery {
namespace {

Eigen::MatrixXd unit(int n, int i, int j) {
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(n, n);
  E(i, j) = 1;
  return E;
}

VectorXe one(Expr value) { return VectorXe::Constant(1, value); }

VectorXe sphere_constraint(const VectorXe& x) { return one(x.squaredNorm() - 1); }
VectorXe ellipsoid(const VectorXe& x) { return one(x(0) * x(0) + x(1) * x(1) + 4 * x(2) * x(2) - 1); }
VectorXe torus(const VectorXe& x) {
  const Expr ring = sqrt(x(0) * x(0) + x(1) * x(1)) - 2;
  return one(ring * ring + x(2) * x(2) - 0.25);
}
VectorXe great_circle(const VectorXe& x) {
  VectorXe c(2);
  c << x.squaredNorm() - 1, x(0) + 2 * x(1) - x(2);
  return c;
}
VectorXe slider_crank(const VectorXe& x) {  // (q, x) in S^1 x R, book (2.25)
  VectorXe c(2);
  const Expr along = 0.5 * x(0) - x(2), across = 0.5 * x(1);
  c << x(0) * x(0) + x(1) * x(1) - 1, along * along + across * across - 1;
  return c;
}
VectorXe normalized(const VectorXe& x) { return x / sqrt(x.squaredNorm()); }
VectorXe onto_paraboloid(const VectorXe& x) {  // vertically, so not the nearest point
  VectorXe y = x;
  y(2) = x(1) * x(1) - x(0) * x(0);
  return y;
}

std::vector<Member> make_all() {
  const Eigen::VectorXd e3 = Eigen::Vector3d::UnitZ(), e1 = Eigen::Vector2d::UnitX();
  std::vector<Member> list;
  const auto add = [&](const char* label, Manifold m, double reach) { list.push_back({label, std::move(m), reach}); };
  add("R1", Rn{1}, 10);
  add("R5", Rn{5}, 10);
  add("S1", S1{}, 20);
  add("S2", S2{}, 20);
  add("Sphere2", Sphere{2}, 20);
  add("Sphere5", Sphere{5}, 20);
  add("SO3", SO3{}, 20);
  add("SE3", SE3{}, 20);
  add("EmbeddedSphere", Embedded{3, sphere_constraint, "embedded sphere"}, 0.9);
  add("Ellipsoid", Embedded{3, ellipsoid, "ellipsoid"}, 0.05);
  add("Torus", Embedded{3, torus, "torus"}, 0.3);
  add("GreatCircle", Embedded{3, great_circle, "great circle"}, 0.9);
  add("SliderCrank", Embedded{3, slider_crank, "slider-crank"}, 0.2);
  add("Stiefel", Stiefel{4, 2}, 0.5);
  add("ProjectedSphere", Projected{3, 2, normalized, "projected sphere"}, 3);
  add("Paraboloid", Projected{3, 2, onto_paraboloid, "hyperbolic paraboloid"}, 2);
  add("GroupSO2", LieGroup{so2(), "SO(2)"}, 3);
  add("GroupSO3", LieGroup{so3(), "SO(3)"}, 4);
  add("GroupSE2", LieGroup{se2(), "SE(2)"}, 3);
  add("GroupSE3", LieGroup{se3(), "SE(3)"}, 3);
  add("GroupSL2", LieGroup{sl2(), "SL(2)"}, 1);
  add("Heisenberg", LieGroup{heisenberg(), "Heisenberg"}, 3);
  add("SE2", SE2(), 3);
  add("SO4", SO(4), 3);
  add("OrbitS1", Homogeneous{so2(), e1, "SO(2) orbit"}, 3);
  add("OrbitS2", Homogeneous{so3(), e3, "SO(3) orbit"}, 3);
  add("OrbitHyperboloid",
      Homogeneous{
          {unit(3, 0, 1) - unit(3, 1, 0), unit(3, 0, 2) + unit(3, 2, 0), unit(3, 1, 2) + unit(3, 2, 1)}, e3, "H2"},
      1);
  add("Product", product({S2{}, Rn{2}, SO3{}}), 3);
  add("NestedProduct", product({S1{}, product({SE3{}, product({S2{}, LieGroup{so2(), "SO(2)"}})}), Rn{3}}), 3);
  return list;
}

}  // namespace

const std::vector<Member>& all() {
  static const std::vector<Member> members = make_all();
  return members;
}

const Manifold& named(const std::string& label) {
  for (const Member& member : all())
    if (member.label == label) return member.manifold;
  throw std::invalid_argument("no manifold " + label);
}

std::vector<Eigen::MatrixXd> so2() { return {unit(2, 1, 0) - unit(2, 0, 1)}; }
std::vector<Eigen::MatrixXd> so3() {
  return {unit(3, 2, 1) - unit(3, 1, 2), unit(3, 0, 2) - unit(3, 2, 0), unit(3, 1, 0) - unit(3, 0, 1)};
}
std::vector<Eigen::MatrixXd> se2() { return {unit(3, 1, 0) - unit(3, 0, 1), unit(3, 0, 2), unit(3, 1, 2)}; }
std::vector<Eigen::MatrixXd> se3() {
  std::vector<Eigen::MatrixXd> basis;
  for (const Eigen::MatrixXd& turn : so3()) {
    basis.push_back(Eigen::MatrixXd::Zero(4, 4));
    basis.back().topLeftCorner(3, 3) = turn;
  }
  for (int k = 0; k < 3; ++k) basis.push_back(unit(4, k, 3));
  return basis;
}
std::vector<Eigen::MatrixXd> sl2() { return {unit(2, 0, 0) - unit(2, 1, 1), unit(2, 0, 1), unit(2, 1, 0)}; }
std::vector<Eigen::MatrixXd> heisenberg() { return {unit(3, 0, 1), unit(3, 1, 2), unit(3, 0, 2)}; }

VectorXd value(const Formula& formula, const VectorXd& x, const VectorXd& y) {
  Graph graph;
  const Graph::Scope scope(graph);
  std::vector<Expr> variables = graph.variables("x", static_cast<int>(x.size()));
  const VectorXe ex = Eigen::Map<const VectorXe>(variables.data(), x.size());
  const std::vector<Expr> more = graph.variables("y", static_cast<int>(y.size()));
  const VectorXe ey = Eigen::Map<const VectorXe>(more.data(), y.size());
  variables.insert(variables.end(), more.begin(), more.end());
  const VectorXe f = formula(ex, ey);
  std::vector<double> numbers(x.begin(), x.end());
  numbers.insert(numbers.end(), y.begin(), y.end());
  const std::vector<double> result = evaluate(std::vector<Expr>(f.begin(), f.end()), variables, numbers);
  return Eigen::Map<const VectorXd>(result.data(), static_cast<Eigen::Index>(result.size()));
}

std::vector<VectorXd> points(const Manifold& m) {
  Random random(7);
  const VectorXd reference = m.reference_point();
  std::vector<VectorXd> list{reference, retract(m, reference, 1e-8 * unit_tangent(m, reference, random))};
  if (m.name() == "S1" || m.name() == "S2" || m.name() == "S5") {
    list.push_back(-reference);
    list.push_back(retract(m, -reference, 1e-9 * unit_tangent(m, reference, random)));
  }
  for (int k = 0; k < 4; ++k) list.push_back(m.random_point(random));
  return list;
}

VectorXd retract(const Manifold& m, const VectorXd& q, const VectorXd& v) {
  VectorXd result(m.ambient());
  m.retract(q, v, result);
  return result;
}
VectorXd inverse_retract(const Manifold& m, const VectorXd& q, const VectorXd& other) {
  VectorXd v(m.ambient());
  m.inverse_retract(q, other, v);
  return v;
}
VectorXd exponential(const Manifold& m, const VectorXd& q, const VectorXd& v) {
  VectorXd result(m.ambient());
  m.exponential(q, v, result);
  return result;
}
VectorXd logarithm(const Manifold& m, const VectorXd& q, const VectorXd& other) {
  VectorXd v(m.ambient());
  m.logarithm(q, other, v);
  return v;
}
VectorXd project(const Manifold& m, const VectorXd& x) {
  VectorXd q(m.ambient());
  m.project(x, q);
  return q;
}
VectorXd tangent_project(const Manifold& m, const VectorXd& q, const VectorXd& v) {
  VectorXd w(m.ambient());
  m.tangent_project(q, v, w);
  return w;
}
VectorXd velocity(const Manifold& m, const VectorXd& q, const VectorXd& xi) {
  VectorXd v(m.ambient());
  m.velocity(q, xi, v);
  return v;
}
VectorXd rates(const Manifold& m, const VectorXd& q, const VectorXd& v) {
  VectorXd xi(m.rates());
  m.rates(q, v, xi);
  return xi;
}

VectorXd unit_tangent(const Manifold& m, const VectorXd& q, Random& random) {
  return m.random_tangent(q, random).normalized();
}

}  // namespace hamel::gallery
