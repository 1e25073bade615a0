// Book chapter 7: one rigid body on SE(3), against its equations (corrected where the print errs). Every system is
// written on SE(3), with body rates, and on SO(3) x R^3; the kinetic energy by mass and inertia, and in omega. Those on
// SE(3) by mass and inertia are files of the gallery.
#include <Eigen/LU>
#include <array>
#include <hamel/manifold/rn.hpp>
#include <hamel/manifold/se3.hpp>
#include <hamel/manifold/so3.hpp>

#include "gallery/files.hpp"
#include "hamel/linear/dense.hpp"
#include "systems/bodies.hpp"

namespace hamel::test::pose_test {
namespace {

using Matrix6d = Eigen::Matrix<double, 6, 6>;

const Vector3d e3 = Vector3d::UnitZ();
const Matrix3d I = Matrix3d::Identity();
const Matrix3d inertia{{1.1, 0.1, -0.2}, {0.1, 1.4, 0.15}, {-0.2, 0.15, 1.7}};
constexpr double m = 1.3, g = 9.81;

enum class Written { as_body, with_omega };
constexpr std::array both = {Written::as_body, Written::with_omega};

enum class Frame { group, product };  // SE(3) with body rates, or SO(3) x R^3 with x' in space
constexpr std::array frames = {Frame::group, Frame::product};

struct Placed {
  Formula R, x;
};
Placed place(Model& model, Frame frame) {
  if (frame == Frame::product) return {model.coordinate<SO3>("R"), model.coordinate("x", Rn(3))};
  const Formula pose = model.coordinate<SE3>("pose");
  return {rotation(pose), position(pose)};
}

void add_body(Model& model, Written written, const Placed& at, double mass, const Matrix3d& J, const Vector3d& center) {
  const Formula inertia_matrix = model.parameter("J", J), c = model.parameter("c", center),
                mass_ = model.parameter("m", mass);
  if (written == Written::as_body) {
    model.body("body",
               {.attitude = at.R, .position = at.x, .mass = mass_, .inertia = inertia_matrix, .center_of_mass = c});
    return;
  }
  const Formula w = omega(at.R), v = transpose(at.R) * rate(at.x);  // book (7.13)
  model.kinetic(mass_ / 2 * squared_norm(v) + mass_ * dot(w, cross(c, v)) + dot(w, inertia_matrix * w) / 2);
}

// The moment in the body frame and the force in space that act on a body at (R, x).
struct Load {
  Vector3d moment, force;
};
using Loading = std::function<Load(const Matrix3d& R, const Vector3d& x)>;

// Body frame at the centre of mass: book (7.19) to (7.22), and (7.35) to (7.38) or (8.58) to (8.61).
ByHand flying(Frame frame, double mass, const Matrix3d& J, const Loading& load) {
  const Matrix3d inverse = J.inverse();
  const bool group = frame == Frame::group;
  ByHand hand;
  hand.omega = [=](const VectorXd& q, const VectorXd& xi) -> VectorXd {
    const Vector3d w = xi.head<3>(), v = xi.tail<3>();
    const auto [M, F] = load(attitude(q), q.tail<3>());
    const Vector3d v_rate = group ? attitude(q).transpose() * F / mass - w.cross(v) : Vector3d(F / mass);
    return stack({inverse * (M - w.cross(J * w)), v_rate});
  };
  hand.pi = [=](const VectorXd& q, const VectorXd& pi) -> Rates {
    const Vector3d Pi = pi.head<3>(), p = pi.tail<3>(), w = inverse * Pi;
    const auto [M, F] = load(attitude(q), q.tail<3>());
    const Vector3d x_rate = (group ? attitude(q) * p : p) / mass;
    const Vector3d p_rate = group ? p.cross(w) + attitude(q).transpose() * F : F;
    return {pose(attitude(q) * hat(w), x_rate), stack({Pi.cross(w) + M, p_rate})};
  };
  return group ? complete({Part::pose}, hand) : complete({Part::attitude, Part::space}, hand);
}

TEST(Pose, FreeAndInUniformGravity) {
  for (const double gravity : {0.0, g})
    for (const Frame frame : frames)
      for (const Written written : both) {
        Model model("body in uniform gravity");
        const Placed at = place(model, frame);
        add_body(model, written, at, m, inertia, Vector3d::Zero());
        model.potential(model.parameter("weight", m * gravity) * at.x.z());
        const auto load = [=](const Matrix3d&, const Vector3d&) -> Load {  // book (7.39), (7.40)
          return {Vector3d::Zero(), -m * gravity * e3};
        };
        expect_by_hand(model, flying(frame, m, inertia, load));
        if (frame == Frame::product) continue;
        const std::string id = gravity == 0 ? "free-rigid-body-se3" : "rigid-body-gravity-se3";
        expect_by_hand(from_gallery(id, {{"m", m}, {"J", inertia}}), flying(frame, m, inertia, load));
      }
}

struct Spring {
  double stiffness, length;
  Vector3d on_body, in_space;
};

Model suspended_in_a_file(double mass, const Matrix3d& J, const std::vector<Spring>& springs) {
  const auto n = static_cast<Eigen::Index>(springs.size());
  MatrixXd stiffness(n, 1), length(n, 1), on_body(n, 3), in_space(n, 3);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Spring& spring = springs[static_cast<std::size_t>(i)];
    stiffness(i) = spring.stiffness;
    length(i) = spring.length;
    on_body.row(i) = spring.on_body;
    in_space.row(i) = spring.in_space;
  }
  std::vector<Setting> settings = {{"m", mass}, {"J", J}, {"kappa", stiffness}, {"l", length}, {"rho", on_body}};
  if (n == 1 && in_space.isZero()) {
    settings.back() = {"rho", springs.front().on_body};
    return from_gallery("rigid-body-single-elastic-support", settings);
  }
  settings.emplace_back("n", static_cast<double>(n));
  settings.emplace_back("z", in_space);
  return from_gallery("elastically-supported-rigid-body", settings);
}

Model suspended(Frame frame, double mass, const Matrix3d& J, const std::vector<Spring>& springs) {
  if (frame == Frame::group) return suspended_in_a_file(mass, J, springs);
  Model model("elastically supported body");
  const Placed at = place(model, frame);
  add_body(model, Written::as_body, at, mass, J, Vector3d::Zero());
  model.potential(mass * g * at.x.z());
  for (const Spring& s : springs) {
    const Formula stretched = norm(at.x + at.R * Formula(s.on_body) - Formula(s.in_space));
    model.potential(s.stiffness / 2 * pow(stretched - s.length, 2));
  }
  return model;
}

Loading pulled(double mass, const std::vector<Spring>& springs) {  // book (7.47), (7.48)
  return [=](const Matrix3d& R, const Vector3d& x) {
    Load load{Vector3d::Zero(), -mass * g * e3};
    for (const Spring& s : springs) {
      const Vector3d reach = s.in_space - (x + R * s.on_body);
      const Vector3d force = s.stiffness * (reach.norm() - s.length) * reach.normalized();
      load.force += force;
      load.moment += s.on_body.cross(R.transpose() * force);
    }
    return load;
  };
}

TEST(Pose, ElasticallySupported) {
  const std::vector<Spring> springs = {{30, 0.7, {0.3, 0.1, 0.2}, {0, 0, 5}},
                                       {45, 1.1, {-0.2, 0.2, 0.1}, {4, 1, 3}},
                                       {25, 0.9, {0.1, -0.3, -0.1}, {-3, 4, 2}}};
  for (const Frame frame : frames)
    for (const std::size_t count : {std::size_t{1}, std::size_t{3}}) {
      const std::vector<Spring> some(springs.begin(), springs.begin() + static_cast<std::ptrdiff_t>(count));
      expect_by_hand(suspended(frame, m, inertia, some), flying(frame, m, inertia, pulled(m, some)));
    }
}

TEST(Pose, ElasticSupportReference) {
  const Matrix3d J = Vector3d(0.3, 0.4, 0.5).asDiagonal();
  for (const Frame frame : frames) {
    const System system = derive(suspended(frame, 2, J, {{50, 1, {0.1, 0.2, 0.3}, Vector3d::Zero()}}));
    const State start =
        system.state(0, pose(I, {0.1, 0, -1.6}), stack({Vector3d(0.2, -0.1, 0.3), Vector3d(0, 0.5, 0)}));
    const State end = state_after(system, start, 1);
    EXPECT_LE(distance(end.q.tail<3>(), Vector3d(-0.03992374691, 0.20666298228, -1.70645433043)), 1e-9);
    EXPECT_LE(distance(end.v.tail<3>(), Vector3d(0.05808335893, -0.10040847589, 0.60421985051)), 1e-9);
    const Vector3d w = vee(attitude(end.q).transpose() * attitude(end.v));
    EXPECT_LE(distance(w, Vector3d(-1.32412164143, 1.80318691510, 0.19431278571)), 1e-9);
    Workspace work(system);
    EXPECT_NEAR(system.energy(work, 1, end.q, end.v).total, -28.38217347825, 1e-9);
    const Vector3d x = end.q.tail<3>(), v = end.v.tail<3>();
    EXPECT_NEAR((attitude(end.q) * J * w + 2 * x.cross(v)).z(), 0.25, 1e-10);
  }
}

Model dumbbell(Frame frame, double mass, double length, const Matrix3d& J) {
  if (frame == Frame::group) return from_gallery("dumbbell-satellite", {{"m", mass}, {"l", length}, {"J", J}});
  Model model("dumbbell satellite");
  const Placed at = place(model, frame);
  add_body(model, Written::as_body, at, mass, J, Vector3d::Zero());
  for (const double side : {0.5, -0.5}) model.potential(-mass / 2 / norm(at.x + at.R * Formula(side * length * e3)));
  return model;
}

TEST(Pose, DumbbellSatellite) {
  constexpr double length = 0.6;
  const auto load = [](const Matrix3d& R, const Vector3d& x) -> Load {  // book (7.61), (7.62), corrected
    Load total{Vector3d::Zero(), Vector3d::Zero()};
    for (const double side : {0.5, -0.5}) {
      const Vector3d rho = side * length * e3, y = x + R * rho;
      total.force -= m / 2 * y / std::pow(y.norm(), 3);
      total.moment -= m / 2 * rho.cross(R.transpose() * x) / std::pow(y.norm(), 3);
    }
    return total;
  };
  for (const Frame frame : frames) expect_by_hand(dumbbell(frame, m, length, inertia), flying(frame, m, inertia, load));
}

TEST(Pose, DumbbellReference) {
  const Matrix3d J = Vector3d(0.012, 0.012, 0.002).asDiagonal(), R0 = rotation_by({0.5, 0.3, 0});
  const Vector3d w0(0.2, 0.9, 0.1), v0(0, 1, 0.1);
  for (const Frame frame : frames) {
    const System system = derive(dumbbell(frame, 1, 0.2, J));
    const VectorXd xi = stack({w0, frame == Frame::group ? Vector3d(R0.transpose() * v0) : v0});
    const State end = state_after(system, system.state(0, pose(R0, Vector3d::UnitX()), xi), 3);
    const Matrix3d R = attitude(end.q);
    const Vector3d w = vee(R.transpose() * attitude(end.v)), x = end.q.tail<3>(), v = end.v.tail<3>();
    EXPECT_LE(distance(x, Vector3d(-0.95342475635, 0.13613519317, 0.00893879845)), 1e-9);
    EXPECT_LE(distance(w, Vector3d(-0.73762285750, 1.38440089357, 0.1)), 1e-9);
    EXPECT_LE(distance(R.transpose() * e3, Vector3d(-0.32851595894, 0.66521891456, 0.67049314720)), 1e-9);
    Workspace work(system);
    EXPECT_NEAR(system.energy(work, 3, end.q, end.v).total, -0.48610408614, 1e-10);
    EXPECT_LE(distance(R * J * w + x.cross(v), Vector3d(0.00313899139, -0.09043165232, 1.00458622456)), 1e-9);
  }
}

Model offset_body(Frame frame, Written written, double mass, const Matrix3d& J, const Vector3d& center) {
  if (frame == Frame::group && written == Written::as_body)
    return from_gallery("rigid-body-se3-offset", {{"m", mass}, {"J", J}, {"rho", center}});
  Model model("body with offset centre of mass");
  const Placed at = place(model, frame);
  add_body(model, written, at, mass, J, center);
  model.potential(mass * g * (at.x + at.R * Formula(center)).z());
  return model;
}

Matrix6d body_mass(double mass, const Matrix3d& J, const Vector3d& c, const Matrix3d& R) {
  Matrix6d M;
  M << J, mass * hat(c) * R.transpose(), mass * R * hat(c).transpose(), mass * I;
  return M;
}

TEST(Pose, OffsetCentreOfMassOnTheGroup) {
  const Vector3d c(0.1, -0.2, 0.3);
  const Matrix3d J = inertia;
  const Matrix6d M = body_mass(m, J, c, I);
  ByHand hand;
  hand.omega = [=](const VectorXd& q, const VectorXd& xi) -> VectorXd {  // book (7.15), (7.16)
    const Vector3d w = xi.head<3>(), v = xi.tail<3>(), down = -m * g * attitude(q).transpose() * e3;
    const Vector3d turn = -w.cross(J * w + m * c.cross(v)) + m * v.cross(c.cross(w)) + c.cross(down);
    const Vector3d move = -m * w.cross(v - c.cross(w)) + down;
    return linear::solve(M, stack({turn, move}));
  };
  hand.pi = [=](const VectorXd& q, const VectorXd& pi) -> Rates {  // book (7.31) to (7.34), corrected
    const VectorXd xi = linear::solve(M, pi);
    const Vector3d Pi = pi.head<3>(), p = pi.tail<3>(), w = xi.head<3>(), v = xi.tail<3>();
    const Vector3d down = -m * g * attitude(q).transpose() * e3;
    return {pose(attitude(q) * hat(w), attitude(q) * v),
            stack({Pi.cross(w) + p.cross(v) + c.cross(down), p.cross(w) + down})};
  };
  for (const Written written : both)
    expect_by_hand(offset_body(Frame::group, written, m, J, c), complete({Part::pose}, hand));
}

TEST(Pose, OffsetCentreOfMassOnTheProduct) {
  const Vector3d c(0.1, -0.2, 0.3);
  const Matrix3d J = inertia;
  const auto gravity_moment = [=](const Matrix3d& R) -> Vector3d { return -m * g * c.cross(R.transpose() * e3); };
  ByHand hand;
  hand.omega = [=](const VectorXd& q, const VectorXd& xi) -> VectorXd {  // book (7.17), (7.18), corrected
    const Matrix3d R = attitude(q);
    const Vector3d w = xi.head<3>(), turn = gravity_moment(R) - w.cross(J * w);
    const Vector3d move = m * R * (hat(w) * hat(c) * w) - m * g * e3;
    return linear::solve(body_mass(m, J, c, R), stack({turn, move}));
  };
  hand.pi = [=](const VectorXd& q, const VectorXd& pi) -> Rates {  // book (8.58) to (8.61)
    const Matrix3d R = attitude(q);
    const VectorXd xi = linear::solve(body_mass(m, J, c, R), pi);
    const Vector3d Pi = pi.head<3>(), w = xi.head<3>(), x_rate = xi.tail<3>();
    const Vector3d turn = Pi.cross(w) + m * w.cross(c).cross(R.transpose() * x_rate) + gravity_moment(R);
    return {pose(R * hat(w), x_rate), stack({turn, -m * g * e3})};
  };
  for (const Written written : both)
    expect_by_hand(offset_body(Frame::product, written, m, J, c), complete({Part::attitude, Part::space}, hand));
}

TEST(Pose, OffsetCentreOfMassReference) {
  const Vector3d c(0.1, -0.2, 0.3), w0(0.7, -0.4, 0.9), v0(0.1, 0.2, 0.3);
  for (const Frame frame : frames) {
    const System system = derive(offset_body(frame, Written::as_body, 2, Vector3d(1, 1.2, 0.9).asDiagonal(), c));
    const State end = state_after(system, system.state(0, pose(I, Vector3d::Zero()), stack({w0, v0})), 1);
    const Matrix3d R = attitude(end.q);
    EXPECT_LE(distance(end.q.tail<3>(), Vector3d(0.06036408794, 0.08732151096, -4.64408846419)), 1e-9);
    EXPECT_LE(distance(vee(R.transpose() * attitude(end.v)), Vector3d(0.43847425366, -0.38451816923, 1.05940783771)),
              1e-9);
    EXPECT_LE(distance(R.transpose() * end.v.tail<3>(), Vector3d(-5.42090662439, -2.57625534330, -7.51814840691)),
              1e-9);
    const Vector3d fallen = c + v0 + w0.cross(c) - g / 2 * e3;
    EXPECT_LE(distance(end.q.tail<3>() + R * c, fallen), 1e-10);
  }
}

// In uniform gravity, or none, a body turns as if it were free: its angular momentum about its centre of mass is
// constant in space.
TEST(Pose, AngularMomentumAboutTheCentreOfMass) {
  const Vector3d c(0.1, -0.2, 0.3);
  const auto expect_constant = [](const Model& model, const Vector3d& center) {
    const Matrix3d J = inertia - m * hat(center).transpose() * hat(center);
    const System system = derive(model);
    expect_conserved(system, random_samples(system, 1).states.front(), 3, [=](const State& s, const VectorXd&) {
      const Matrix3d R = attitude(s.q);
      return VectorXd(R * J * vee(R.transpose() * attitude(s.v)));
    });
  };
  const std::vector<Setting> settings = {{"m", m}, {"J", inertia}};
  expect_constant(from_gallery("free-rigid-body-se3", settings), Vector3d::Zero());
  expect_constant(from_gallery("rigid-body-gravity-se3", settings), Vector3d::Zero());
  expect_constant(from_gallery("rigid-body-se3-offset", {{"m", m}, {"J", inertia}, {"rho", c}}), c);
}

// Moment and force in the body frame.
TEST(Pose, BodyWrench) {
  Model model("spacecraft");
  const Formula pose_ = model.coordinate<SE3>("pose");
  model.body("craft", {.attitude = rotation(pose_), .position = position(pose_), .mass = m, .inertia = inertia});
  model.torque(pose_, model.input("wrench", 6));
  const System system = derive(model);
  const Samples samples = random_samples(system);
  const Vector3d M = samples.inputs.head<3>(), F = samples.inputs.tail<3>();
  const auto load = [=](const Matrix3d& R, const Vector3d&) -> Load { return {M, R * F}; };
  expect_equations(system, flying(Frame::group, m, inertia, load), samples);
  expect_power_balance(system, random_samples(system, 10));
}

}  // namespace
}  // namespace hamel::test::pose_test
