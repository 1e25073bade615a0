#include "hamel/model/model.hpp"

#include "model/numbers.hpp"

namespace hamel {
namespace {

struct ModelTest : testing::Test {
  Model model{"test"};
  Formula m = model.parameter("m", 2.0), g = model.parameter("g", 9.81);
  Formula x = model.coordinate("x", Rn(3)), q = model.coordinate<S2>("q");
  Formula R = model.coordinate<SO3>("R"), pose = model.coordinate<SE3>("pose"), a = model.coordinate<S1>("a");
  Formula u = model.input("u");
  MatrixXd I = MatrixXd::Identity(3, 3);
};

TEST_F(ModelTest, RefusesNames) {
  EXPECT_EQ(message_of([&] { model.parameter("x", 1.0); }), "the name x is already taken by a coordinate");
  EXPECT_EQ(message_of([&] { model.coordinate<S2>("m"); }), "the name m is already taken by a parameter");
  EXPECT_EQ(message_of([&] { model.input("u"); }), "the name u is already taken by an input");
  EXPECT_EQ(message_of([&] { model.parameter("", 1.0); }), "a name must not be empty");
  EXPECT_EQ(message_of([&] { model.parameter("t", 1.0); }), "the name t is taken by time; choose another name");
  for (const char* name : {"2x", "x y", "x'", "x[]", "x[a]", "_x", "x.y", "x[1]y"})
    EXPECT_EQ(message_of([&] { model.parameter(name, 1.0); }),
              "\"" + std::string(name) +
                  "\" is not a legal name: use a letter, then letters, digits and underscores, "
                  "then an index like [2]");
  EXPECT_EQ(message_of([&] { model.parameter("x_2b", 1.0); }), "no error");
}

TEST_F(ModelTest, KeepsFamiliesAndPlainNamesApart) {
  model.point("p[0]", x);
  EXPECT_EQ(message_of([&] { model.point("p[1]", 2 * x); }), "no error");
  EXPECT_EQ(message_of([&] { model.point("p[1]", x); }), "the name p[1] is already taken by a point");
  EXPECT_EQ(message_of([&] { model.point("x[1]", x); }), "the name x is already taken by a coordinate");
  EXPECT_EQ(message_of([&] { model.parameter("p", 1.0); }), "the name p is already taken by the point family p[...]");
  EXPECT_EQ(message_of([&] { model.coordinates<S2>("p", 2); }),
            "the name p is already taken by the point family p[...]");
}

TEST_F(ModelTest, RefusesWrongValues) {
  EXPECT_EQ(message_of([&] { model.parameter("b", std::nan("")); }),
            "the value of parameter b must be finite, not nan or inf");
  EXPECT_EQ(message_of([&] { model.parameter("b", {}); }), "parameter b has no value");
  EXPECT_EQ(message_of([&] { model.input("b", 0); }), "input b must have at least one component, got 0");
  EXPECT_EQ(message_of([&] { model.coordinates<S2>("b", 0); }), "coordinates b must be at least one, got 0");
}

TEST_F(ModelTest, RefusesSymbolsOfOtherModels) {
  Model other("other");
  const Formula y = other.coordinate("y", Rn(3)), k = other.parameter("k", 1.0);
  EXPECT_EQ(
      message_of([&] { model.kinetic(squared_norm(rate(x)) + squared_norm(rate(y))); }),
      "unknown symbol y: it is not a coordinate of model \"test\"; formulas of one model cannot be used in another");
  EXPECT_EQ(
      message_of([&] { model.potential(k * x.z()); }),
      "unknown symbol k: it is not a parameter of model \"test\"; formulas of one model cannot be used in another");
  EXPECT_EQ(
      message_of([&] { model.point("p", y); }),
      "unknown symbol y: it is not a coordinate of model \"test\"; formulas of one model cannot be used in another");
}

TEST_F(ModelTest, AcceptsItsFormulasAfterACopy) {
  Model copy = model;
  copy.kinetic(squared_norm(rate(x)));
  EXPECT_EQ(copy.kinetic_terms().size(), 1U);
  EXPECT_TRUE(model.kinetic_terms().empty());
}

TEST_F(ModelTest, RefusesEnergies) {
  EXPECT_EQ(message_of([&] { model.kinetic(rate(x)); }),
            "kinetic energy must be a scalar, got x' (3x1); did you mean its squared norm?");
  EXPECT_EQ(message_of([&] { model.potential(R); }), "potential energy must be a scalar, got R (3x3)");
  EXPECT_EQ(message_of([&] { model.kinetic(m * g * x.z()); }),
            "kinetic energy must contain a rate, got m*g*x.z; did you mean potential?");
  EXPECT_EQ(message_of([&] { model.potential(m * rate(x).z()); }),
            "potential energy must not contain rates, got m*x'.z; use kinetic or lagrangian");
  EXPECT_EQ(message_of([&] { model.potential(u * x.z()); }),
            "potential energy must not contain inputs, got u*x.z; inputs act by force, force_on or torque");
  EXPECT_EQ(message_of([&] { model.potential(squared_norm(model.momentum(x))); }),
            "potential energy must not contain momenta, got norm2(mu_x); they are for hamiltonian");
  EXPECT_EQ(message_of([&] { model.dissipation(m * x.z()); }), "dissipation must contain a rate, got m*x.z");
}

TEST_F(ModelTest, RefusesHamiltonianWithOtherEnergies) {
  const Formula H = squared_norm(model.momentum(x)) / (2 * m);
  EXPECT_EQ(message_of([&] { model.hamiltonian(H + squared_norm(omega(q))); }),
            "hamiltonian must not contain rates, got norm2(mu_x)/(2*m) + norm2(omega(q)); write it with momentum(...)");
  model.hamiltonian(H);
  EXPECT_EQ(message_of([&] { model.kinetic(squared_norm(rate(x))); }),
            "a model has a Hamiltonian or kinetic, potential and Lagrangian terms, not both: got the kinetic energy "
            "norm2(x') after norm2(mu_x)/(2*m)");
  Model lagrangian("other");
  const Formula y = lagrangian.coordinate("y", Rn(1));
  lagrangian.kinetic(pow(rate(y), 2));
  EXPECT_EQ(message_of([&] { lagrangian.hamiltonian(pow(lagrangian.momentum(y), 2)); }),
            "a model has a Hamiltonian or kinetic, potential and Lagrangian terms, not both: got the hamiltonian "
            "mu_y^2 after y'^2");
}

TEST_F(ModelTest, RefusesMomentaOfParts) {
  EXPECT_EQ(message_of([&] { model.momentum(2 * x); }), "momentum needs a coordinate, got 2*x (3x1)");
  EXPECT_EQ(message_of([&] { model.momentum(x.z()); }),
            "momentum belongs to a whole coordinate, got x.z (scalar); take its components instead");
}

TEST_F(ModelTest, RefusesPointsAndConstraints) {
  EXPECT_EQ(message_of([&] { model.point("p", R); }), "point p must be a vector, got R (3x3)");
  EXPECT_EQ(message_of([&] { model.point("p", rate(x)); }), "point p must not contain rates, got x'");
  EXPECT_EQ(message_of([&] { model.constraint("c", rate(x).z()); }), "constraint c must not contain rates, got x'.z");
  EXPECT_EQ(message_of([&] { model.constraint("c", x.z() - u); }), "constraint c must not contain inputs, got x.z - u");
  EXPECT_EQ(message_of([&] { model.constraint("c", m - 1); }), "constraint c depends on no coordinate: m - 1");
  model.constraint("c", x.z());
  EXPECT_EQ(message_of([&] { model.constraint("c", x.x()); }), "there is already a constraint c");
}

TEST_F(ModelTest, RefusesForces) {
  EXPECT_EQ(message_of([&] { model.force(x, u); }), "force u (scalar) does not have the shape of its point x (3x1)");
  EXPECT_EQ(message_of([&] { model.force(unit_vector(2), u * unit_vector(2)); }),
            "a force at e3 (3x1) does no work: the point depends on no coordinate");
  EXPECT_EQ(message_of([&] { model.force_on(R, x); }),
            "force x (3x1) does not have the shape of its coordinate R (3x3)");
  EXPECT_EQ(message_of([&] { model.force_on(2 * x, x); }), "force_on needs a coordinate, got 2*x (3x1)");
  EXPECT_EQ(message_of([&] { model.torque(x, x); }),
            "torque acts on S1, S2, SO3 or SE3; x is on R3: use force or force_on");
  EXPECT_EQ(message_of([&] { model.torque(q, u); }), "torque on q (S2) must have 3 components, got u (scalar)");
  EXPECT_EQ(message_of([&] { model.torque(a, x); }), "torque on a (S1) must have 1 component, got x (3x1)");
  EXPECT_EQ(message_of([&] { model.torque(pose, u); }),
            "torque on pose (SE3) must have 3 components (or 6: moment and force in the body frame), got u (scalar)");
}

TEST_F(ModelTest, RefusesBodies) {
  const auto with = [&](auto change) {
    RigidBody body{.attitude = R, .position = x, .mass = m, .inertia = I};
    change(body);
    return message_of([&] { model.body("b", body); });
  };
  EXPECT_EQ(with([&](RigidBody& b) { b.attitude = q; }), "the attitude of body b must be 3x3, got q (3x1)");
  EXPECT_EQ(with([&](RigidBody& b) { b.mass = x; }), "the mass of body b must be a scalar, got x (3x1)");
  EXPECT_EQ(with([&](RigidBody& b) { b.inertia = m; }), "the inertia of body b must be 3x3, got m (scalar)");
  EXPECT_EQ(with([&](RigidBody& b) { b.position = u; }), "the position of body b must be 3x1, got u (scalar)");
  EXPECT_EQ(with([&](RigidBody& b) { b.center_of_mass = R; }), "the center of mass of body b must be 3x1, got R (3x3)");
  EXPECT_EQ(with([&](RigidBody& b) { b.mass = -1; }), "the mass of body b must not be negative, got -1");
  EXPECT_EQ(with([&](RigidBody& b) { b.mass = x.z(); }),
            "mass, inertia and center of mass of body b must be constant, got x.z (scalar)");
  const Formula negative = model.parameter("w", -3.0);
  EXPECT_EQ(with([&](RigidBody& b) { b.mass = negative / 2; }),
            "the mass of body b must not be negative, got w/2 = -1.5");
  EXPECT_EQ(
      with([&](RigidBody& b) { b.inertia = Formula(Eigen::Vector3d(1, 3.5, 2).asDiagonal().toDenseMatrix()); }),
      "the inertia of body b is that of no body: about the origin of its frame, its principal moments are 1, 2 and "
      "3.5, and the largest is more than the sum of the others");
  EXPECT_EQ(with([&](RigidBody& b) { b.inertia = negative * Formula(Eigen::Matrix3d::Identity()); }),
            "the inertia of body b is that of no body: about the origin of its frame, its principal moments are -3, -3 "
            "and -3, and the largest is more than the sum of the others");
  EXPECT_EQ(with([&](RigidBody& b) {
              b.mass = 1;
              b.center_of_mass = Formula(Eigen::Vector3d(1, 0, 0));
              b.inertia = Formula(Eigen::Vector3d(1, 1, 1).asDiagonal().toDenseMatrix());
            }),
            "the inertia of body b is that of no body: about its centre of mass, its principal moments are 0, 0 and 1, "
            "and the largest is more than the sum of the others");
  I(0, 1) = 0.25;
  EXPECT_EQ(with([&](RigidBody& b) { b.inertia = I; }),
            "the inertia of body b must be symmetric; it differs from its transpose by 0.25");
  EXPECT_EQ(with([&](RigidBody& b) { b.inertia = model.parameter("J", I); }),
            "the inertia of body b must be symmetric; it differs from its transpose by 0.25");
  EXPECT_EQ(with([&](RigidBody& b) { b.attitude = b.inertia = Formula(Eigen::Matrix3d::Identity()), b.mass = 0; }),
            "body b has no kinetic energy: give it a mass and a moving position, or an inertia and a moving attitude");
  EXPECT_TRUE(model.kinetic_terms().empty());
}

// A rod, a plate, and a mass at a distance: the largest moment is the sum of the others, in any units.
TEST_F(ModelTest, TakesThinBodies) {
  int count = 0;
  for (const double unit : {1e-30, 1.0, 1e30})
    for (const Eigen::Vector3d& moments : {Eigen::Vector3d(1, 1, 0), Eigen::Vector3d(0.1, 0.2, 0.1 + 0.2)})
      model.body("thin" + std::to_string(count++), {.attitude = R,
                                                    .position = x,
                                                    .mass = unit,
                                                    .inertia = Formula((unit * moments).asDiagonal().toDenseMatrix())});
  model.body("far", {.attitude = R,
                     .position = x,
                     .mass = 3,
                     .inertia = Formula(Eigen::Vector3d(0, 0.27, 0.27).asDiagonal().toDenseMatrix()),
                     .center_of_mass = Formula(Eigen::Vector3d(0.3, 0, 0))});
  EXPECT_EQ(model.bodies().size(), 7U);
}

TEST_F(ModelTest, ReportsIncompleteModels) {
  EXPECT_EQ(message_of([] { check_complete(Model("empty")); }), "model \"empty\" has no coordinates");
  Model cart("cart");
  const Formula y = cart.coordinate("y", Rn(1)), p = cart.coordinate<S2>("p[1]");
  cart.kinetic(pow(rate(y), 2));
  EXPECT_EQ(message_of([&] { check_complete(cart); }),
            "coordinate p[1] has no inertia: its rate p'[1] appears in no kinetic energy or Lagrangian; add a kinetic "
            "term or constrain it away");
  cart.constraint("straight", p.z() - 1);
  EXPECT_EQ(message_of([&] { check_complete(cart); }), "no error");
  cart.momentum(y);
  EXPECT_EQ(message_of([&] { check_complete(cart); }),
            "the momentum of y is used, but model \"cart\" has no Hamiltonian");
}

TEST_F(ModelTest, ReportsCoordinatesWithoutMomentum) {
  model.hamiltonian(squared_norm(model.momentum(x)));
  EXPECT_EQ(message_of([&] { check_complete(model); }),
            "coordinate q cannot move: its momentum appears in no term of the Hamiltonian; use momentum(q)");
}

TEST_F(ModelTest, AngularVelocityIsInertia) {
  Model top("top");
  const Formula attitude = top.coordinate<SO3>("R");
  top.kinetic(squared_norm(omega(attitude)));
  EXPECT_EQ(message_of([&] { check_complete(top); }), "no error");
}

TEST_F(ModelTest, BodySkipsWhatVanishes) {
  model.body("top", {.attitude = R, .inertia = model.parameter("J", I)});
  EXPECT_EQ(model.kinetic_terms().back().to_string(), "trace(R'*(trace(J)/2*I3 - J)*transpose(R'))/2");
  const Formula c = model.body("ball", {.attitude = R, .position = x, .mass = m, .inertia = I});
  EXPECT_EQ(model.kinetic_terms().back().to_string(), "m/2*norm2(x') + trace(R'*diag(0.5, 0.5, 0.5)*transpose(R'))/2");
  EXPECT_EQ(model.points().back().formula.to_string(), "x");
  EXPECT_EQ(c.to_string(), "ball");
}

}  // namespace
}  // namespace hamel
