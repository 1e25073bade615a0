// Book, chapters 1 to 3.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "evidence.hpp"

namespace hamel::errata {
namespace {

const Vector3d e3 = Vector3d::UnitZ();
constexpr double g = 9.81;

struct Paraboloid : Motion {
  Paraboloid() : Motion("particle-hyperbolic-paraboloid") {}
  static MatrixXd mass(const VectorXd& q) {
    return Matrix2d{{1 + 4 * q(0) * q(0), -4 * q(0) * q(1)}, {-4 * q(0) * q(1), 1 + 4 * q(1) * q(1)}};
  }
  static double kinetic(const VectorXd& q, const VectorXd& p) { return p.dot(solve(mass(q), p)) / 2; }
  static double potential(const VectorXd& q) { return g * (q(1) * q(1) - q(0) * q(0)); }
  VectorXd kinetic_gradient() const {
    return gradient([&](const VectorXd& x) { return kinetic(x, pi); }, q);
  }
  Vector2d potential_gradient() const { return 2 * g * Vector2d(-q(0), q(1)); }
};

Evidence hamilton_of_quadratic_energy() {
  const Paraboloid m;
  const VectorXd T_q = m.kinetic_gradient(), U_q = m.potential_gradient();
  return remainders(m.pi_rate - (T_q - U_q), m.pi_rate - (-T_q - U_q));
}

Evidence hamilton_on_paraboloid() {
  const Paraboloid m;
  const double q1 = m.q(0), q2 = m.q(1), p1 = m.pi(0), p2 = m.pi(1), D = 1 + 4 * (q1 * q1 + q2 * q2);
  const Vector2d kinetic =
      4 * (p1 * q1 - p2 * q2) / (D * D) *
      Vector2d(-4 * p1 * q2 * q2 - 4 * p2 * q1 * q2 - p1, 4 * p2 * q1 * q1 + 4 * p1 * q1 * q2 + p2);
  return remainders(m.pi_rate - (kinetic - m.potential_gradient()), m.pi_rate - (-kinetic - m.potential_gradient()));
}

Evidence gradients_of_legendre_transform() {  // dL/dq = -dH/dq at fixed p
  const Paraboloid m;
  const VectorXd H_q = m.kinetic_gradient() + m.potential_gradient();
  Workspace work(m.system);
  VectorXd L_q(2);
  m.system.force(work, 0, m.q, m.v, L_q);
  return remainders(L_q + m.v, L_q + H_q);
}

Evidence linear_paraboloid() {
  const System system = derive(gallery("particle-hyperbolic-paraboloid"));
  const double stiffness = response(system, Vector2d(0, 0), Vector2d(1, 0), Vector2d(0, 0)).a(0);
  const double eigenvalue = std::sqrt(stiffness);
  return remainders(eigenvalue - 2 * g, eigenvalue - std::sqrt(2 * g));
}

Motion rotating_frame() { return Motion("particle-rotating-frame", {{"w", "[0.3, -0.2, 0.5]"}, {"k", "1.3"}}); }
const Vector3d frame_rate(0.3, -0.2, 0.5);

Evidence hamilton_in_rotating_frame() {
  const Motion m = rotating_frame();
  const VectorXd turn = hat(frame_rate) * m.pi;
  return remainders(m.pi_rate - (turn - 1.3 * m.q), m.pi_rate - (-turn - 1.3 * m.q));
}

VectorXd reversed_acceleration(const Motion& m) {
  Workspace work(m.system);
  VectorXd a(m.system.ambient());
  m.system.acceleration(work, 0, m.q, -m.v, a);
  return a;
}

Evidence time_reversal() {
  const Motion m = rotating_frame();
  const Paraboloid even;
  return remainders(reversed_acceleration(m) - m.a, reversed_acceleration(even) - even.a);
}

// A point of the torus of section 8.4 and a velocity.
Evidence augmented_lagrangian() {
  const double t = 0.7, s = 0.4;
  const Vector3d x((2 + std::cos(s)) * std::cos(t), (2 + std::cos(s)) * std::sin(t), std::sin(s));
  const Vector3d along(-x(1), x(0), 0), around(-std::sin(s) * std::cos(t), -std::sin(s) * std::sin(t), std::cos(s));
  const Motion m("holonomic-multiplier-system", {}, x, 0.3 * along + 0.8 * around);
  const VectorXd f_x =
      gradient([](const VectorXd& y) { return std::pow(std::hypot(y(0), y(1)) - 2, 2) + y(2) * y(2) - 1; }, x);
  const double lambda = m.multipliers(0);
  return remainders(m.a + g * e3 - lambda * f_x, m.a + g * e3 + lambda * f_x);
}

Vector3d attitude_field(const Matrix3d& R) {
  Vector3d sum(0, 0, 0);
  for (int i = 0; i < 3; ++i) sum += Vector3d(Vector3d::Unit(i)).cross(Vector3d(R.row(i)));
  return sum;
}

Evidence attitude_spectrum() {
  const Matrix3d E = Vector3d(1, -1, -1).asDiagonal();
  const MatrixXd linear = jacobian(
      [&](const VectorXd& xi) -> VectorXd {
        const Vector3d angle = xi;
        return attitude_field(angle.norm() == 0 ? E : (E * exponential(angle)).eval());
      },
      Vector3d(0, 0, 0));
  Vector3d spectrum = ((linear + linear.transpose()) / 2).selfadjointView<Eigen::Lower>().eigenvalues();
  return remainders(spectrum - Vector3d(-2, 2, 2), spectrum - Vector3d(0, 0, 2));
}

Evidence
attitude_equilibria() {  // a rotation by pi about any axis is at rest; how far it is from the four that are listed
  const Vector3d axis = random_direction();
  const Matrix3d R = 2 * axis * axis.transpose() - Matrix3d::Identity();
  double nearest = (R - Matrix3d::Identity()).norm();
  for (int i = 0; i < 3; ++i) {
    const Matrix3d E = 2 * Vector3d::Unit(i) * Vector3d::Unit(i).transpose() - Matrix3d::Identity();
    nearest = std::min(nearest, (R - E).norm());
  }
  return remainders(nearest, attitude_field(R).norm());
}

Evidence exponential_coordinates() {
  const Vector3d xi = 0.8 * random_direction();
  const Matrix3d R = exponential(xi), rate = R * hat(attitude_field(R));
  const Matrix3d printed = R.transpose() * hat(attitude_field(R));
  const double theta = xi.norm();
  const VectorXd along =
      derivative([&](double s) { return flat(exponential(xi * (1 - 2 * std::sin(theta) / theta * s))); });
  return remainders(flat(printed + printed.transpose()), along - flat(rate));
}

// R (I + S(x)) = I - S(x) is linear in x.
double cayley_remainder(const Matrix3d& R) {
  MatrixXd A(9, 3);
  for (int i = 0; i < 3; ++i) A.col(i) = flat((R + Matrix3d::Identity()) * hat(Vector3d::Unit(i)));
  const VectorXd b = flat(Matrix3d::Identity() - R), x = A.completeOrthogonalDecomposition().solve(b);
  return (A * x - b).norm();
}
Evidence cayley() {
  const Vector3d axis = random_direction();
  return remainders(cayley_remainder(exponential(M_PI * axis)), cayley_remainder(exponential(3.0 * axis)));
}

Evidence range_of_angle() {  // sin(theta) = |x x y|, for 4 in [0, 2 pi) and for the angle in [0, pi]
  const Vector3d e = random_direction(1), x = e.cross(random_direction(2)).normalized(), y = exponential(4 * e) * x;
  const double sine = x.cross(y).norm();
  return remainders(std::sin(4.0) - sine, std::sin(2 * M_PI - 4) - sine);
}

Evidence dimension_of_curve() {  // of the vectors normal to two gradients in R^3
  MatrixXd gradients(2, 3);
  gradients << random_vector(3, 1).transpose(), random_vector(3, 2).transpose();
  const auto kernel = 3.0 - static_cast<double>(Eigen::FullPivLU<MatrixXd>(gradients).rank());
  return remainders(kernel - 2, kernel - 1);
}

Evidence velocity_on_torus() {
  const Motion m("particle-on-torus");
  const double R = 2, r = 0.6, c = m.q(2), s = m.q(3);
  const auto position = [&](const State& x, int i) { return i < 2 ? (R + r * x.q(2)) * x.q(i) : r * x.q(3); };
  Vector3d velocity;
  for (int i = 0; i < 3; ++i) velocity(i) = rate_along(m, [&](const State& x) { return position(x, i); });
  const Vector3d first = m.xi(0) * (R + r * c) * Vector3d(-m.q(1), m.q(0), 0);
  const Vector3d printed(-r * c * s, -r * c * s, r * c), corrected(-r * m.q(0) * s, -r * m.q(1) * s, r * c);
  return remainders(velocity - first - m.xi(1) * printed, velocity - first - m.xi(1) * corrected);
}

Evidence ends_of_rod() {
  const double radius = 1.3, length = 0.9;
  const Matrix3d R = random_rotation();
  const Vector3d axis = R * e3,
                 x = std::sqrt(radius * radius - length * length / 4) * axis.cross(random_direction(3)).normalized();
  return remainders((x + length / 2 * R.transpose() * e3).norm() - radius, (x + length / 2 * axis).norm() - radius);
}

Evidence ellipse() {
  const double a = 1.7, b = 0.6;
  const Vector2d q = random_vector(2).normalized();
  const auto off = [&](const Vector2d& x) { return x(0) * x(0) / (a * a) + x(1) * x(1) / (b * b) - 1; };
  return remainders(off({q(0) / a, q(1) / b}), off({a * q(0), b * q(1)}));
}

Evidence body_rates() {  // problem 2.11(d)
  const Motion m("free-rigid-body-so3");
  const Matrix3d R = matrix(m.q), R_rate = matrix(m.v);
  return remainders(m.xi - vee(R.transpose() * R), m.xi - vee(R.transpose() * R_rate));
}

}  // namespace

Chapter background() {
  return {
      book,
      "chapters 1 to 3",
      {
          {slip, "1.1.4, orthogonal unit vectors of $\\mathbb R^3$", R"($S(x)y=1$ or $S(x)y=-1$)",
           R"($S(x)y=e$ or $S(x)y=-e$, with a unit vector $e$ normal to both)", "", no_sum({3, 1}, {1, 1})},
          {slip, "1.1.4, angle of vectors of $\\mathbb R^3$", R"($\theta\in[0,2\pi)$)",
           R"($\theta\in[0,\pi]$, since $\sin\theta=\lVert x\times y\rVert\ge0$)", "",
           example("$x$ and $x$ turned by 4", range_of_angle)},
          {theory, "(1.10), (1.12)", R"(every $R\in SO(3)$ is $(I-S(x))(I+S(x))^{-1}$ for some $x$)",
           R"(every $R$ that is not a rotation by $\pi$)",
           R"(the map is not onto: half turns, which many equilibria are, have no such $x$)",
           example("a rotation by $\\pi$ is not of this form, one by 3 is", cayley)},
          {slip, "1.2.5.2, cotangent space of a curve in $\\mathbb R^3$", "of dimension 2", "of dimension 1", "",
           example("the vectors normal to two gradients", dimension_of_curve)},
          {notation, "1.2.5.3, $T^*S^{n-1}$", R"($\mathbb R^3\times(\mathbb R^3)^*$)",
           R"($\mathbb R^n\times(\mathbb R^n)^*$)", ""},
          {notation, "1.2.1, 1.2.2, (1.29), (1.30)", "$l$ constraints, then $m$", "one letter for both", ""},
          {notation, "(1.37), (1.39)", R"($T_x^*M=\bigcap_{i=1}^mT_x^*M_i$)",
           "add that covectors are identified with tangent vectors here", ""},
          {notation, "1.3.2, 8.4", "index one, index two, with a reference to Brenan, Campbell, Petzold",
           "index 2 and 3 in the count of that reference", ""},
          {glyph, "(1.54), problem 1.31(a)", R"($\big(\frac d{dt}\frac{\partial f(x)}{\partial x}\big)^T\dot x$)",
           R"($\big(\frac d{dt}\frac{\partial f(x)}{\partial x}\big)\dot x$)", "transpose", no_product({3, 2}, {3, 1})},
          {result, "1.3.5.3, equilibria; problem 2.20",
           R"($\sum_{i=1}^3e_i\times R^Te_i=0$ has exactly four solutions, $I$ and three diagonal matrices)",
           R"($I$ and every rotation by $\pi$)",
           "the three equilibria are points of a whole projective plane of them, and none of them is isolated",
           example("a rotation by $\\pi$ about a random axis is at rest, and is none of the four",
                   attitude_equilibria)},
          {result, "1.3.5.3, eigenvalues at $E_2,E_3,E_4$", "2, 2, -2", "2, 0, 0",
           "unstable still, but no hyperbolic points: two directions lead along the plane of equilibria",
           attitude_spectrum},
          {result, "1.3.5.3, exponential coordinates",
           R"($\dot\xi=e^{-\xi}S\big(\sum_{i=1}^3e_i\times e^{-\xi}e_i\big)$)",
           R"($\dot\xi=-\frac{2\sin\theta}{\theta}\xi$, $\theta$ the angle of $e^\xi$)",
           R"(the right side is not skew, so that $\xi$ leaves $\mathfrak{so}(3)$; the linear field that follows is right)",
           exponential_coordinates},
          {slip, "problems 1.18(b), 1.19(b), 2.9, 2.10",
           R"($\phi(q)=[q_1/a,\ q_2/b]^T$ from the circle to the ellipse with the semiaxes $a$, $b$)",
           R"($\phi(q)=[aq_1,\ bq_2]^T$)", "", ellipse},
          {slip, "problems 1.32, 1.33", R"($2x^T\lambda$ in an equation of vectors)", R"($2x\lambda$)", "",
           no_sum({1, 3}, {3, 1})},
          {result, "(2.15), second column",
           R"($[-r(e_1^Tq_2)e_2^Tq_2,\ -r(e_1^Tq_2)e_2^Tq_2,\ r(e_1^Tq_2)]^T\omega_2$)",
           R"($[-r(e_1^Tq_1)e_2^Tq_2,\ -r(e_2^Tq_1)e_2^Tq_2,\ r(e_1^Tq_2)]^T\omega_2$)",
           "the velocity is not tangent to the torus", velocity_on_torus},
          {slip, "2.7.13, ends of the rod", R"($x_1=x+\frac L2R^Te_3$, $x_2=x-\frac L2R^Te_3$)",
           R"($x_1=x+\frac L2Re_3$, $x_2=x-\frac L2Re_3$)", "", ends_of_rod},
          {glyph, "problem 2.11(d)", R"($\omega=(R^T\hat R)^\vee$; evaluated with $R$ for $\hat R$)",
           R"($\omega=(R^T\dot R)^\vee$)", "hat for dot, almost certainly of the conversion", body_rates},
          {glyph, "problem 2.15", R"($\dot r_i\in S^2$)", R"($r_i\in S^2$)", "dot"},
          {glyph, "problem 2.16", R"($R\in SE(2)$)", R"($R\in SO(2)$)", "letter", no_sum({3, 3}, {2, 2})},
          {glyph, "3.3.2", R"($\frac{\partial L(q,\dot q)}{\partial q}=-\frac{\partial H(q,p)}{\partial p}$)",
           R"($\frac{\partial L(q,\dot q)}{\partial q}=-\frac{\partial H(q,p)}{\partial q}$)", "letter",
           gradients_of_legendre_transform},
          {glyph, "(3.15)",
           R"($\dot p=\frac{\partial}{\partial q}\big\{\frac12p^TM^I(q)p\big\}-\frac{\partial U(q)}{\partial q}$)",
           R"($\dot p=-\frac{\partial}{\partial q}\big\{\frac12p^TM^I(q)p\big\}-\frac{\partial U(q)}{\partial q}$)",
           "sign; (3.37), which follows from it, has the same one", hamilton_of_quadratic_energy},
          {theory, "3.4.3", "Lagrangian and Hamiltonian flows are invariant under time reversal",
           R"(if $L$ is even in $\dot q$)",
           "it fails for all gyroscopic systems: rotating frames, magnetic forces, the examples 3.7.5 and 5.6.2",
           example(R"($\ddot q(q,-\dot q)\ne\ddot q(q,\dot q)$ in 3.7.5, and equal in 3.7.3)", time_reversal)},
          {theory, "3.5, 8.4, augmented Lagrangian",
           R"($L^a(q,\dot q,\lambda)=L(q,\dot q)+\sum_{i=1}^m\lambda_if_i(q)$)",
           R"($L^a(q,\dot q,\lambda)=L(q,\dot q)-\sum_{i=1}^m\lambda_if_i(q)$, if (3.16) is to follow)",
           "multipliers, that is forces of reaction, come out with the opposite sign", augmented_lagrangian},
          {notation, "3.5, 8.4, domain",
           R"($L^a:T^*\mathbb R^n\times\mathbb R^m\to\mathbb R$, $L^a:T^*M\times\mathbb R^m\to\mathbb R$)",
           R"($T\mathbb R^n$, $TM$)", ""},
          {notation, "3.6", R"($F:[t_0,t_f]\times\mathbb R^n\to T^*\mathbb R^n$)",
           R"($F(t,q,\dot q)$, as the example with drag has it)", ""},
          {glyph, "(3.37)",
           R"($\dot p=\frac{4(p_1q_1-p_2q_2)}{m(1+4(q_1^2+q_2^2))^2}\begin{bmatrix}-4p_1q_2^2-4p_2q_1q_2-p_1\\4p_2q_1^2+4p_1q_1q_2+p_2\end{bmatrix}+mg\begin{bmatrix}2q_1\\-2q_2\end{bmatrix}$)",
           R"($\dot p=-\frac{4(p_1q_1-p_2q_2)}{m(1+4(q_1^2+q_2^2))^2}\begin{bmatrix}-4p_1q_2^2-4p_2q_1q_2-p_1\\4p_2q_1^2+4p_1q_1q_2+p_2\end{bmatrix}+mg\begin{bmatrix}2q_1\\-2q_2\end{bmatrix}$)",
           "sign; it follows from (3.15)", hamilton_on_paraboloid},
          {glyph, "3.7.3.4", R"($m\dot\xi_1-2mg\xi_1=0$, $m\dot\xi_2+2mg\xi_2=0$; evaluated by an eigenvalue)",
           R"($m\ddot\xi_1-2mg\xi_1=0$, $m\ddot\xi_2+2mg\xi_2=0$; the eigenvalues that follow are right)", "dots",
           linear_paraboloid},
          {glyph, "(3.44)", R"($\dot p=S(\omega)p-\frac{\partial U(Rq)}{\partial q}$)",
           R"($\dot p=-S(\omega)p-\frac{\partial U(Rq)}{\partial q}$)", "sign", hamilton_in_rotating_frame},
          {notation, "3.7.5", "refers to (3.6)", "(3.4)", ""},
          {notation, "3.7.4.3", "the Runge-Lenz vector belongs to a Lorentz group",
           R"(add: for unbounded orbits; for bounded ones the group is $SO(4)$)", ""},
          {slip, "problem 3.11", R"(a Lagrangian on $T\mathbb R^6$ with configurations in it)",
           R"(configurations in $\mathbb R^6$ without collisions)", "", no_sum({12, 1}, {6, 1})},
          {slip, "problems 3.14, 3.17", R"($R$ from the inertial to the moving frame; $[m_{ij}]$ of positive entries)",
           R"(from the moving to the inertial frame; positive definite)", ""},
      }};
}

}  // namespace hamel::errata
