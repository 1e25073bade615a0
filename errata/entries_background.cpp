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

Evidence geodesic_lagrangian() {  // the smallest eigenvalue of L_vv should not be 0
  const VectorXd v = random_vector(3);
  const auto smallest = [&](const Function& L) {
    return Eigen::SelfAdjointEigenSolver<MatrixXd>(hessian(L, v)).eigenvalues()(0);
  };
  return remainders(smallest([](const VectorXd& x) { return x.norm(); }) - 1,
                    smallest([](const VectorXd& x) { return x.squaredNorm() / 2; }) - 1);
}

Evidence body_rates() {  // problem 2.11(d)
  const Motion m("free-rigid-body-so3");
  const Matrix3d R = matrix(m.q), R_rate = matrix(m.v);
  return remainders(m.xi - vee(R.transpose() * R), m.xi - vee(R.transpose() * R_rate));
}

Evidence basis_of_plane() {  // x = q1 (1,-1,0) + q2 (0,-1,1) + e3, and the basis of (2.1) with v = q'
  const Motion m("particle-inclined-plane");
  const Vector3d velocity = m.v(0) * Vector3d(1, -1, 0) + m.v(1) * Vector3d(0, -1, 1);
  const auto in_basis = [&](double v2) { return Vector3d(m.v(0) * Vector3d(1, -1, 0) + v2 * Vector3d(0, 1, -1)); };
  return remainders(velocity - in_basis(m.v(1)), velocity - in_basis(-m.v(1)));
}

}  // namespace

Chapter background() {
  return {
      book,
      "Dynamics on Manifolds, chapters 1 to 3",
      {
          {"1.1.4", R"($S(x)y=1$, $S(x)y=-1$)", R"($S(x)y=\pm e$)", "identity", no_sum({3, 1}, {1, 1})},
          {"1.1.4, range of the angle", R"($\theta\in[0,2\pi)$)",
           R"($\theta\in[0,\pi]$, since $\sin\theta=\lVert x\times y\rVert$; evidence: $x$ turned by 4)", "statement",
           range_of_angle},
          {"1.1.5, (1.10), (1.12)", R"(every $R\in SO(3)$ is $(I-S(x))(I+S(x))^{-1}$)",
           R"(every $R$ that is not a rotation by $\pi$; evidence: a rotation by $\pi$ and one by 3)", "statement",
           cayley},
          {"1.2.5.2, cotangent space of a curve in $\\mathbb R^3$", "of dimension 2", "of dimension 1", "dimension",
           dimension_of_curve},
          {"1.2.5.3, $T^*S^{n-1}$", R"($\mathbb R^3\times(\mathbb R^3)^*$)",
           R"($\mathbb R^n\times(\mathbb R^n)^*$; evidence: $n=4$)", "dimension", no_sum({3, 1}, {4, 1})},
          {"1.2.2, (1.29), (1.30)", "$l$ constraints, then $m$", "one letter for both", "notation",
           unchecked("notation")},
          {"(1.37), (1.39)", R"($T_x^*M=\cap T_x^*M_i$)", "only for covectors that are identified with tangent vectors",
           "statement", unchecked("a statement about dual spaces")},
          {"1.3.2", "index one, index two", "index 2 and 3 in the usual count of differentiations", "wording",
           unchecked("terminology")},
          {"(1.54), problem 1.31(a)", R"($\big(\frac d{dt}\frac{\partial f}{\partial x}\big)^T\dot x$)",
           R"($\big(\frac d{dt}\frac{\partial f}{\partial x}\big)\dot x$)", "Euler-Lagrange",
           no_product({3, 2}, {3, 1})},
          {"1.3.5.3, equilibria", R"($\sum_ie_i\times R^Te_i=0$ has four solutions)",
           R"($I$ and every rotation by $\pi$; evidence: the distance of one from the four, and the field there)",
           "equilibrium", attitude_equilibria},
          {"1.3.5.3, problem 2.20, spectrum at the other equilibria", "2, 2, -2", "2, 0, 0", "linearization",
           attitude_spectrum},
          {"1.3.5.3, exponential coordinates", R"($\dot\xi=e^{-\xi}S(\sum e_i\times e^{-\xi}e_i)$, which is not skew)",
           R"($\dot\xi=-\frac{2\sin\theta}{\theta}\xi$, $\theta=\lVert\xi\rVert$)", "kinematics",
           exponential_coordinates},
          {"problems 1.18(b), 1.19(b), 2.9, 2.10", R"($\phi(q)=[q_1/a,\ q_2/b]^T$ from the circle to the ellipse)",
           R"($\phi(q)=[aq_1,\ bq_2]^T$)", "kinematics", ellipse},
          {"problems 1.32, 1.33", R"($2x^T\lambda$ in an equation of vectors)", R"($2x\lambda$)", "Euler-Lagrange",
           no_sum({1, 3}, {3, 1})},
          {"(2.15), second column", R"($[-r(e_1^Tq_2)e_2^Tq_2,\ -r(e_1^Tq_2)e_2^Tq_2,\ r\,e_1^Tq_2]^T$)",
           R"($[-r(e_1^Tq_1)e_2^Tq_2,\ -r(e_2^Tq_1)e_2^Tq_2,\ r\,e_1^Tq_2]^T$)", "kinematics", velocity_on_torus},
          {"(2.25), lower entry", R"($-r\,x\,e_1^TSq\,(r\,e_1^Tq-x)$: the fraction bar is not to be seen)",
           R"($-\dfrac{r\,x\,e_1^TSq}{r\,e_1^Tq-x}$)", "kinematics",
           unchecked("the bar may be lost in the digital copy only")},
          {"2.7.13, ends of the rod", R"($x\pm\frac L2R^Te_3$)", R"($x\pm\frac L2Re_3$)", "kinematics", ends_of_rod},
          {"problem 2.11(d)", R"($\omega=(R^T\hat R)^\vee$; evaluated with $R$ for $\hat R$)",
           R"($\omega=(R^T\dot R)^\vee$)", "kinematics", body_rates},
          {"problem 2.16", R"($R\in SE(2)$)", R"($R\in SO(2)$)", "dimension", no_sum({3, 3}, {2, 2})},
          {"3.3.2", R"($\frac{\partial L}{\partial q}=-\frac{\partial H}{\partial p}$)",
           R"($\frac{\partial L}{\partial q}=-\frac{\partial H}{\partial q}$)", "Legendre",
           gradients_of_legendre_transform},
          {"(3.15)", R"($\dot p=\frac{\partial}{\partial q}\{\frac12p^TM^I(q)p\}-\frac{\partial U}{\partial q}$)",
           R"($\dot p=-\frac{\partial}{\partial q}\{\frac12p^TM^I(q)p\}-\frac{\partial U}{\partial q}$)", "Hamilton",
           hamilton_of_quadratic_energy},
          {"3.4.3", "every flow is invariant under time reversal",
           R"(if $L$ is even in $\dot q$; evidence: $\ddot q(q,-\dot q)-\ddot q(q,\dot q)$ in 3.7.5 and in 3.7.3)",
           "statement", time_reversal},
          {"3.5, 8.4", R"($L^a=L+\sum\lambda_if_i$, with (3.16))", R"($L^a=L-\sum\lambda_if_i$)", "multipliers",
           augmented_lagrangian},
          {"3.6", R"($F:[t_0,t_f]\times\mathbb R^n$)", R"($F(t,q,\dot q)$, as in the example with drag)", "statement",
           unchecked("a statement about a domain")},
          {"3.7.2, basis of the plane", R"(that of (2.1) with $v_2=\dot q_2$)", R"($v_2=-\dot q_2$)", "kinematics",
           basis_of_plane},
          {"(3.37)", R"($+\frac{4(p_1q_1-p_2q_2)}{mD^2}[\dots]$)", R"($-\frac{4(p_1q_1-p_2q_2)}{mD^2}[\dots]$)",
           "Hamilton", hamilton_on_paraboloid},
          {"3.7.3.4", R"($m\dot\xi_1-2mg\xi_1=0$; evaluated by its eigenvalue)", R"($m\ddot\xi_1-2mg\xi_1=0$)",
           "linearization", linear_paraboloid},
          {"(3.44)", R"($\dot p=S(\omega)p-\frac{\partial U(Rq)}{\partial q}$)",
           R"($\dot p=-S(\omega)p-\frac{\partial U(Rq)}{\partial q}$)", "Hamilton", hamilton_in_rotating_frame},
          {"3.7.5, 3.2.4, 3.7.4.3",
           "the rotating frame cites (3.6); Christoffel symbols mean curvature; a Lorentz symmetry",
           R"((3.4); not by themselves; $SO(4)$ or $SO(3,1)$ on phase space)", "statement",
           unchecked("statements, no equation is affected")},
          {"problem 3.11", R"($T\mathbb R^6$)", R"($\mathbb R^6$ without collisions)", "dimension",
           no_sum({12, 1}, {6, 1})},
          {"problem 3.15(c)", R"($L=\lVert\dot q\rVert$)",
           R"($L=\frac12\lVert\dot q\rVert^2$; evidence: the smallest eigenvalue of $L_{\dot q\dot q}$, less 1)",
           "Legendre", geodesic_lagrangian},
          {"problems 2.15, 3.14, 3.17",
           R"($\dot r_i\in S^2$; $R$ from inertial to moving; $[m_{ij}]$ of positive entries)",
           R"($r_i\in S^2$; from moving to inertial; positive definite)", "statement",
           unchecked("wording of problems")},
      }};
}

}  // namespace hamel::errata
