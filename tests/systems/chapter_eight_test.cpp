// The gallery's models on the spaces of chapter 8 of the book: its equations of Euler-Lagrange and Hamilton written
// down by hand, the four forms against one another, and motions that are known without hamel.
#include <Eigen/LU>
#include <cmath>

#include "gallery/files.hpp"
#include "hamel/linear/dense.hpp"
#include "systems/support.hpp"

namespace hamel::test::chapter_eight_test {
namespace {

constexpr double gravity = 9.81;

// Without those far from the origin of a space that is not compact: there digits are lost.
Samples near_origin(const System& system) {
  Samples samples = random_samples(system, 200);
  std::erase_if(samples.states, [](const State& s) { return s.q.norm() > 4; });
  EXPECT_GE(samples.states.size(), 20U);
  samples.states.resize(std::min(samples.states.size(), std::size_t{50}));
  return samples;
}

void expect_by_hand(const System& system, const ByHand& hand) {
  Samples samples = near_origin(system);
  expect_equations(system, hand, samples);
  samples.states.resize(5);
  expect_forms_agree(system, samples, 1e-10);
}

State gallery_start(const std::string& id, const System& system) {
  std::vector<std::string> remarks;
  return start_state(gallery_model(id), system, remarks);
}

// The classical method of order 4, in steps of 1/1000.
using Equations = std::function<VectorXd(const VectorXd& y)>;
VectorXd after(double duration, VectorXd y, const Equations& f) {
  constexpr double h = 1e-3;
  for (int k = 0; k < std::lround(duration / h); ++k) {
    const VectorXd a = f(y), b = f(y + h / 2 * a), c = f(y + h / 2 * b), d = f(y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return y;
}

// ---- 8.6: groups ----------------------------------------------------------------------------------------------------

// A left-invariant kinetic energy xi.(I xi)/2, and a force f of the potential.
struct LeftInvariant {
  MatrixXd inertia;
  std::function<MatrixXd(const Vector3d& xi)> algebra;
  std::function<Vector3d(const Vector3d& xi, const Vector3d& mu)> coadjoint;  // ad*_xi mu
  std::function<Vector3d(const VectorXd& q)> force;

  Vector3d velocity(const Vector3d& mu) const { return inertia.inverse() * mu; }
  Vector3d momentum_rate(const VectorXd& q, const Vector3d& xi) const { return coadjoint(xi, inertia * xi) + force(q); }
  static MatrixXd matrix(const VectorXd& q) {
    const auto n = std::lround(std::sqrt(q.size()));
    return q.reshaped(n, n);
  }

  ByHand equations() const {
    ByHand hand;
    hand.omega = [*this](const VectorXd& q, const VectorXd& xi) -> VectorXd {  // book (8.45)
      return velocity(momentum_rate(q, xi));
    };
    hand.pi = [*this](const VectorXd& q, const VectorXd& mu) -> Rates {  // book (8.51), (8.52)
      const Vector3d xi = velocity(mu);
      return {(matrix(q) * algebra(xi)).reshaped(), momentum_rate(q, xi)};
    };
    return hand;
  }
};

LeftInvariant planar_body() {
  constexpr double m = 1.2, J = 0.3, c = 0.4;
  LeftInvariant body;
  body.inertia = Matrix3d{{J + m * c * c, 0, m * c}, {0, m, 0}, {m * c, 0, m}};
  body.algebra = [](const Vector3d& xi) { return Matrix3d{{0, -xi(0), xi(1)}, {xi(0), 0, xi(2)}, {0, 0, 0}}; };
  // ad_(omega, v)(eta, chi) = (0, omega S chi - eta S v)
  body.coadjoint = [](const Vector3d& xi, const Vector3d& mu) {
    const Vector2d v = xi.tail(2), p = mu.tail(2), turned = -xi(0) * quarter_turn() * p;
    return Vector3d(-p.dot(quarter_turn() * v), turned(0), turned(1));
  };
  body.force = [](const VectorXd& q) {
    const Vector2d f = -m * gravity * Matrix2d(q.reshaped(3, 3).topLeftCorner(2, 2)).transpose() * Vector2d::UnitY();
    return Vector3d(c * f(1), f(0), f(1));
  };
  return body;
}

TEST(ChapterEight, PlanarBodyOnSE2) {
  expect_by_hand(derive(from_gallery("planar-body-se2")), planar_body().equations());
}

// The centre of mass falls on a parabola; the body turns at a constant rate.
TEST(ChapterEight, PlanarBodyFalls) {
  const System system = derive(from_gallery("planar-body-se2"));
  const State start = gallery_start("planar-body-se2", system);
  constexpr double t = 1.7, c = 0.4, omega = 6;
  const Vector2d centre = Vector2d(c, 0) + t * Vector2d(2, 5 + c * omega) - Vector2d(0, gravity * t * t / 2);
  const Matrix2d R{{std::cos(omega * t), -std::sin(omega * t)}, {std::sin(omega * t), std::cos(omega * t)}};
  Matrix3d g = Matrix3d::Identity();
  g.topLeftCorner(2, 2) = R;
  g.topRightCorner(2, 1) = centre - c * R.col(0);
  EXPECT_LE(distance(state_after(system, start, t).q, flat(g)), 1e-10);
}

// Of the basis H, E, F: [H, E] = 2 E, [H, F] = -2 F, [E, F] = H.
LeftInvariant free_body() {
  LeftInvariant body;
  body.inertia = Vector3d(1, 2, 3).asDiagonal();
  body.algebra = [](const Vector3d& xi) { return Matrix2d{{xi(0), xi(1)}, {xi(2), -xi(0)}}; };
  body.coadjoint = [](const Vector3d& xi, const Vector3d& mu) {
    const double h = xi(0), e = xi(1), f = xi(2);
    return Vector3d(2 * f * mu(2) - 2 * e * mu(1), 2 * h * mu(1) - f * mu(0), e * mu(0) - 2 * h * mu(2));
  };
  body.force = [](const VectorXd&) { return Vector3d(0, 0, 0); };
  return body;
}

TEST(ChapterEight, FreeBodyOnSL2) { expect_by_hand(derive(from_gallery("free-body-sl2")), free_body().equations()); }

TEST(ChapterEight, FreeBodyOnSL2Moves) {
  const System system = derive(from_gallery("free-body-sl2"));
  const State start = gallery_start("free-body-sl2", system);
  const LeftInvariant body = free_body();
  const VectorXd y = after(3, stack({start.q, body.inertia * Vector3d(0.3, 0.8, -0.6)}), [&](const VectorXd& now) {
    const Rates rates = body.equations().pi(now.head(4), now.tail(3));
    return stack({rates.q, rates.partner});
  });
  EXPECT_LE(distance(state_after(system, start, 3).q, y.head(4)), 1e-9);
}

// ---- 8.2: embedded manifolds ----------------------------------------------------------------------------------------

// The projection P(x), D(x, mu) = d(P(x) mu)/dx, and dU/dx, of a particle of mass 1.
struct Embedding {
  std::function<MatrixXd(const VectorXd& x)> P;
  std::function<VectorXd(const VectorXd& x, const VectorXd& mu, const VectorXd& change)> D;
  std::function<VectorXd(const VectorXd& x)> U_x;

  MatrixXd matrix_of_D(const VectorXd& x, const VectorXd& mu) const {
    MatrixXd result(x.size(), x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) result.col(i) = D(x, mu, VectorXd::Unit(x.size(), i));
    return result;
  }

  ByHand equations() const {
    ByHand hand;
    // Book (8.5), (8.7): x'' = -P dU/dx + P' x'
    hand.velocity = [*this](const VectorXd& x, const VectorXd& v) -> VectorXd { return -P(x) * U_x(x) + D(x, v, v); };
    // Book (8.15), (8.16), with H = |mu|^2/2 + U
    hand.mu = [*this](const VectorXd& x, const VectorXd& mu) -> Rates {
      const MatrixXd p = P(x), d = matrix_of_D(x, mu);
      return {p * mu, -p * U_x(x) + (p * d.transpose() * p + d * p - p * d.transpose()) * mu};
    };
    return hand;
  }
};

MatrixXd symmetric_part(const MatrixXd& A) { return (A + A.transpose()) / 2; }

// P Y = Y - Q sym(Q^T Y), and so D dQ = -dQ sym(Q^T mu) - Q sym(dQ^T mu).
Embedding stiefel() {
  const auto frame = [](const VectorXd& x) -> MatrixXd { return x.reshaped(4, 2); };
  Embedding result;
  result.P = [frame](const VectorXd& x) {
    const MatrixXd Q = frame(x);
    MatrixXd P(8, 8);
    for (int i = 0; i < 8; ++i) {
      const MatrixXd Y = frame(VectorXd::Unit(8, i));
      P.col(i) = (Y - Q * symmetric_part(Q.transpose() * Y)).reshaped();
    }
    return P;
  };
  result.D = [frame](const VectorXd& x, const VectorXd& mu, const VectorXd& change) -> VectorXd {
    const MatrixXd Q = frame(x), M = frame(mu), dQ = frame(change);
    return (-dQ * symmetric_part(Q.transpose() * M) - Q * symmetric_part(dQ.transpose() * M)).reshaped();
  };
  result.U_x = [frame](const VectorXd& x) -> VectorXd {
    return (Eigen::Vector4d(1, 2, 4, 7).asDiagonal() * frame(x)).reshaped();
  };
  return result;
}

TEST(ChapterEight, OscillatorOnAStiefelManifold) {
  const System system = derive(from_gallery("stiefel-oscillator"));
  EXPECT_EQ(system.space().dimension(), 5);
  ByHand hand = stiefel().equations();
  hand.pi = hand.mu;  // the basis of an embedded manifold is its projection
  hand.omega = hand.velocity;
  expect_by_hand(system, hand);
}

// Without the potential: Q(t) = [Q V] exp(t [A -S; I A]) [I; 0] exp(-t A), with A = Q^T V and S = V^T V at the start
// (Edelman, Arias, Smith 1998).
TEST(ChapterEight, GeodesicsOfAStiefelManifold) {
  const System system = derive(from_gallery("stiefel-oscillator", {{"A", MatrixXd::Zero(4, 4)}}));
  constexpr double t = 1.4;
  for (const State& start : random_samples(system, 5).states) {
    const MatrixXd Q = start.q.reshaped(4, 2), V = start.v.reshaped(4, 2), A = Q.transpose() * V;
    MatrixXd both(4, 4), block(4, 4);
    both << Q, V;
    block << A, -V.transpose() * V, Matrix2d::Identity(), A;
    const MatrixXd expected = both * linear::exponential(t * block).leftCols(2) * linear::exponential(-t * A);
    EXPECT_LE(distance(state_after(system, start, t).q, expected.reshaped()), 1e-9);
  }
}

// A surface F = 0 in space: P = I - n n^T/|n|^2 with the normal n = grad F, and n' = hess F.
Embedding surface(const std::function<Vector3d(const VectorXd& x)>& normal,
                  const std::function<Matrix3d(const VectorXd& x)>& hessian) {
  Embedding result;
  result.P = [=](const VectorXd& x) -> MatrixXd {
    const Vector3d n = normal(x);
    return Matrix3d::Identity() - n * n.transpose() / n.squaredNorm();
  };
  result.D = [=](const VectorXd& x, const VectorXd& mu, const VectorXd& change) -> VectorXd {
    const Vector3d n = normal(x), dn = hessian(x) * change;
    const double size = n.squaredNorm();
    return -(dn * n.dot(mu) + n * dn.dot(mu)) / size + 2 * n * n.dot(mu) * n.dot(dn) / (size * size);
  };
  result.U_x = [](const VectorXd&) -> VectorXd { return Vector3d(0, 0, gravity); };
  return result;
}

// ---- 8.2: projections -----------------------------------------------------------------------------------------------

constexpr double hub_radius = 1.0, tube_radius = 0.4;

TEST(ChapterEight, ParticleOnAProjectedManifold) {
  const System system = derive(from_gallery("particle-on-projected-torus"));
  EXPECT_EQ(system.space().dimension(), 2);
  // F = ((rho - a)^2 + z^2)/2
  const auto normal = [](const VectorXd& x) {
    const double w = 1 - hub_radius / std::hypot(x(0), x(1));
    return Vector3d(w * x(0), w * x(1), x(2));
  };
  const auto hessian = [](const VectorXd& x) {
    const double rho = std::hypot(x(0), x(1)), w = 1 - hub_radius / rho, u = hub_radius / std::pow(rho, 3);
    return Matrix3d{{w + u * x(0) * x(0), u * x(0) * x(1), 0}, {u * x(0) * x(1), w + u * x(1) * x(1), 0}, {0, 0, 1}};
  };
  ByHand hand = surface(normal, hessian).equations();
  hand.pi = hand.mu;
  hand.omega = hand.velocity;
  expect_by_hand(system, hand);
}

// In the angles (theta, phi) about the axis and about the tube.
TEST(ChapterEight, ParticleOnAProjectedManifoldMoves) {
  const System system = derive(from_gallery("particle-on-projected-torus"));
  constexpr double a = hub_radius, b = tube_radius;
  const VectorXd y = after(2, Eigen::Vector4d(0, 0, 1.5 / (a + b), 1 / b), [](const VectorXd& now) -> VectorXd {
    const double phi = now(1), turning = now(2), rolling = now(3), rho = a + b * std::cos(phi);
    return Eigen::Vector4d(turning, rolling, 2 * b * std::sin(phi) / rho * turning * rolling,
                           -(rho * std::sin(phi) * turning * turning + gravity * std::cos(phi)) / b);
  });
  const double rho = a + b * std::cos(y(1));
  const Vector3d expected(rho * std::cos(y(0)), rho * std::sin(y(0)), b * std::sin(y(1)));
  EXPECT_LE(distance(state_after(system, gallery_start("particle-on-projected-torus", system), 2).q, expected), 1e-8);
}

// ---- 8.7: homogeneous spaces ----------------------------------------------------------------------------------------

// A rotation and two boosts.
const std::vector<Matrix3d> lorentz = {Matrix3d{{0, -1, 0}, {1, 0, 0}, {0, 0, 0}},
                                       Matrix3d{{0, 0, 1}, {0, 0, 0}, {1, 0, 0}},
                                       Matrix3d{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}};

Matrix3d lorentz_tangents(const Vector3d& q) {  // B(q)
  Matrix3d B;
  for (int k = 0; k < 3; ++k) B.col(k) = lorentz[static_cast<std::size_t>(k)] * q;
  return B;
}

// Book (8.66): d/dt dL/ds + ad*_s dL/ds - T*R_g dL/dg = 0 for the lifted L(g, s) = |s g q0|^2/2 - U(g q0). `isotropy`
// is how much of what leaves q at rest is in s.
Rates homogeneous_hamilton(const Vector3d& q, const Vector3d& pi, double isotropy) {
  const Matrix3d B = lorentz_tangents(q);
  const auto shortest = [](const Matrix3d& A, const Vector3d& b) -> Vector3d {
    return linear::shortest_least_squares(A, b, 1e-10);
  };
  const Vector3d p = shortest(B.transpose(), pi);
  const Vector3d at_rest(q.z(), q.y(), -q.x());
  const Vector3d s = shortest(B, p) + isotropy * at_rest;
  Matrix3d S = Matrix3d::Zero();
  for (int k = 0; k < 3; ++k) S += s(k) * lorentz[static_cast<std::size_t>(k)];
  Vector3d rate;
  for (int k = 0; k < 3; ++k) {
    const Matrix3d& E = lorentz[static_cast<std::size_t>(k)];
    const double coadjoint = p.dot((S * E - E * S) * q);
    const double moved = p.dot(S * E * q) - gravity * (E * q).z();
    rate(k) = -coadjoint + moved;
  }
  return {S * q, rate};
}

TEST(ChapterEight, ParticleOnAHomogeneousSpace) {
  const System system = derive(from_gallery("particle-on-hyperboloid"));
  EXPECT_EQ(system.space().dimension(), 2);
  const Matrix3d G = Vector3d(-1, -1, 1).asDiagonal();
  ByHand hand =
      surface([=](const VectorXd& x) -> Vector3d { return G * x; }, [=](const VectorXd&) { return G; }).equations();
  for (const double isotropy : {0.0, 1.7}) {
    hand.pi = [=](const VectorXd& q, const VectorXd& pi) { return homogeneous_hamilton(q, pi, isotropy); };
    expect_by_hand(system, hand);
  }
}

// In the distance r from the axis and the azimuth: z = sqrt(1 + r^2), r^2 azimuth' constant.
TEST(ChapterEight, ParticleOnAHomogeneousSpaceMoves) {
  const System system = derive(from_gallery("particle-on-hyperboloid"));
  const State start = gallery_start("particle-on-hyperboloid", system);
  const VectorXd y = after(2, Eigen::Vector4d(1, 0, start.v(0), start.v(1)), [](const VectorXd& now) -> VectorXd {
    const double r = now(0), speed = now(2), turning = now(3), z2 = 1 + r * r, inertia = 1 + r * r / z2;
    const double force = r * turning * turning - gravity * r / std::sqrt(z2) - speed * speed * r / (z2 * z2);
    return Eigen::Vector4d(speed, turning, force / inertia, -2 * speed * turning / r);
  });
  const double r = y(0), azimuth = y(1);
  const Vector3d expected(r * std::cos(azimuth), r * std::sin(azimuth), std::sqrt(1 + r * r));
  EXPECT_LE(distance(state_after(system, start, 2).q, expected), 1e-9);
}

}  // namespace
}  // namespace hamel::test::chapter_eight_test
