#include "evidence.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <array>
#include <cmath>

namespace hamel::errata {
namespace {

State random_state(const System& system, double t) {
  Random random(20);
  const VectorXd q = system.space().random_point(random);
  return {t, q, system.space().random_tangent(q, random)};
}

// Begins like the motion: q' = v and v' = a at s = 0.
State follow(const System& system, const State& state, const VectorXd& a, double s) {
  State next{state.t + s, state.q, state.v};
  system.space().retract(state.q, s * state.v, next.q);
  system.space().tangent_project(next.q, state.v + s * a, next.v);
  return next;
}

VectorXd acceleration(const System& system, const VectorXd& q, const VectorXd& v) {
  Workspace work(system);
  VectorXd a(system.ambient());
  system.acceleration(work, 0, q, v, a);
  return a;
}

}  // namespace

Model gallery(const std::string& id, const Overrides& settings) {
  return read_model(HAMEL_SOURCE_DIR "/models/" + id + ".toml", settings).model;
}

Motion::Motion(const std::string& id, const Overrides& settings, double t)
    : system(derive(gallery(id, settings))), state(random_state(system, t)) {
  derive_rates();
}

Motion::Motion(const std::string& id, const Overrides& settings, const VectorXd& point, const VectorXd& velocity)
    : Motion(gallery(id, settings), point, velocity) {}

Motion::Motion(const Model& model, const VectorXd& point, const VectorXd& velocity)
    : system(derive(model)), state{0, point, velocity} {
  system.check(state, 1e-9);
  derive_rates();
}

void Motion::derive_rates() {
  Workspace work(system);
  q = state.q, v = state.v;
  const auto evaluate = [&](Form form, VectorXd& partner, VectorXd& rate) {
    Field field(system, form);
    const VectorXd y = field.pack(work, state);
    VectorXd y_rate(field.size());
    field(work, state.t, y, y_rate);
    partner = y.tail(field.partners()), rate = y_rate.tail(field.partners());
  };
  VectorXd same;
  evaluate(Form::velocity, same, a);
  multipliers = work.multipliers;
  evaluate(Form::omega, xi, xi_rate);
  evaluate(Form::mu, mu, mu_rate);
  evaluate(Form::pi, pi, pi_rate);
  energy = system.energy(work, state.t, q, v).total;
}

Evidence remainders(const VectorXd& printed, const VectorXd& corrected) {
  return remainders(printed.lpNorm<Eigen::Infinity>(), corrected.lpNorm<Eigen::Infinity>());
}
Evidence remainders(double printed, double corrected) { return {std::abs(printed), std::abs(corrected)}; }
std::function<Evidence()> example(std::string words, const std::function<Evidence()>& check) {
  return [words = std::move(words), check] {
    Evidence evidence = check();
    evidence.words = words;
    return evidence;
  };
}

std::function<Evidence()> no_product(Size left, Size right) {
  return [=]() -> Evidence {
    if (left.cols == right.rows) return {};
    return {.sizes = fmt::format("{} x {} times {} x {}", left.rows, left.cols, right.rows, right.cols)};
  };
}
std::function<Evidence()> no_sum(Size left, Size right) {
  return [=]() -> Evidence {
    if (left.rows == right.rows && left.cols == right.cols) return {};
    return {.sizes = fmt::format("{} x {} and {} x {}", left.rows, left.cols, right.rows, right.cols)};
  };
}

VectorXd derivative(const Curve& f, double step) {
  constexpr std::array weights = {5.0 / 6, -5.0 / 21, 5.0 / 84, -5.0 / 504, 1.0 / 1260};  // of order 10
  VectorXd sum = VectorXd::Zero(f(0).size());
  for (int k = 5; k >= 1; --k) sum += weights[static_cast<std::size_t>(k - 1)] * (f(k * step) - f(-k * step));
  return sum / step;
}

VectorXd gradient(const Function& f, const VectorXd& x) {
  return jacobian([&](const VectorXd& y) { return number(f(y)); }, x).transpose();
}

MatrixXd jacobian(const std::function<VectorXd(const VectorXd&)>& f, const VectorXd& x) {
  MatrixXd result(f(x).size(), x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i)
    result.col(i) = derivative([&](double s) { return f(x + s * VectorXd::Unit(x.size(), i)); });
  return result;
}

MatrixXd hessian(const Function& f, const VectorXd& x) {
  return jacobian([&](const VectorXd& y) { return gradient(f, y); }, x);
}

double rate_along(const Motion& motion, const std::function<double(const State&)>& quantity) {
  return derivative([&](double s) { return number(quantity(follow(motion.system, motion.state, motion.a, s))); },
                    2e-3)(0);
}

Response response(const System& system, const VectorXd& equilibrium, const VectorXd& dq, const VectorXd& dv) {
  const auto moved = [&](double s) {
    State state{0, equilibrium, dv};
    system.space().retract(equilibrium, s * dq, state.q);
    system.space().tangent_project(state.q, s * dv, state.v);
    return state;
  };
  const auto a = [&](double s) {
    const State state = moved(s);
    return acceleration(system, state.q, state.v);
  };
  const auto xi_rate = [&](double s) {
    const State state = moved(s);
    VectorXd result(system.rates());
    system.space().rates_of_acceleration(state.q, state.v, acceleration(system, state.q, state.v), result);
    return result;
  };
  return {derivative(a), derivative(xi_rate)};
}

double zero_eigenvalues(const System& system, const VectorXd& equilibrium) {
  MatrixXd N(system.ambient(), system.space().dimension()), stiffness(N.rows(), N.cols());
  system.space().tangent_basis(equilibrium, N);
  for (Eigen::Index i = 0; i < N.cols(); ++i)
    stiffness.col(i) = response(system, equilibrium, N.col(i), VectorXd::Zero(N.rows())).a;
  Eigen::FullPivLU<MatrixXd> lu(stiffness);
  lu.setThreshold(1e-6);
  return 2 * static_cast<double>(N.cols() - lu.rank());
}

Matrix3d exponential(const Vector3d& angle) {
  return Eigen::AngleAxisd(angle.norm(), angle.normalized()).toRotationMatrix();
}
Matrix3d right_jacobian(const Vector3d& angle) {
  const double t = angle.norm();
  const Matrix3d S = hat(angle);
  return Matrix3d::Identity() - (1 - std::cos(t)) / (t * t) * S + (t - std::sin(t)) / (t * t * t) * S * S;
}
Matrix3d matrix(const VectorXd& q, int begin) { return Eigen::Map<const Matrix3d>(q.data() + begin); }

VectorXd number(double x) { return VectorXd::Constant(1, x); }

VectorXd random_vector(int size, unsigned seed) {
  Random random(seed);
  std::normal_distribution<double> normal;
  VectorXd result(size);
  for (double& x : result) x = normal(random);
  return result;
}
Vector3d random_direction(unsigned seed) { return random_vector(3, seed).normalized(); }
Matrix3d random_rotation(unsigned seed) { return exponential(random_vector(3, seed)); }

VectorXd solve(const MatrixXd& A, const VectorXd& b) { return A.partialPivLu().solve(b); }
MatrixXd inverse(const MatrixXd& A) { return A.inverse(); }

Vector3d moment(const Matrix3d& R, const Matrix3d& G) {
  Vector3d sum(0, 0, 0);
  for (int i = 0; i < 3; ++i) sum += Vector3d(R.row(i)).cross(Vector3d(G.row(i)));
  return sum;
}

Matrix3d gradient_by_matrix(const std::function<double(const Matrix3d&)>& f, const Matrix3d& R) {
  return matrix(gradient([&](const VectorXd& x) { return f(matrix(x)); }, flat(R)));
}

}  // namespace hamel::errata
