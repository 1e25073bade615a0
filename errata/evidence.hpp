// What checks are made of: a system of models/ at a random state, and derivatives by differences.
//
//   const Motion m("double-planar-pendulum");
//   return remainders(m.pi_rate - printed, m.pi_rate - corrected);
#pragma once

#include <hamel/language/model_file.hpp>
#include <hamel/mechanics/field.hpp>

#include "errata.hpp"
#include "vectors.hpp"

namespace hamel::errata {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using vectors::flat;
using vectors::hat;
using vectors::projector;
using vectors::quarter_turn;
using vectors::stack;
using vectors::vee;

Model gallery(const std::string& id, const Overrides& settings = {});

// A state, drawn at random unless it is given, and all that hamel derives there.
struct Motion {
  explicit Motion(const std::string& id, const Overrides& settings = {}, double t = 0);
  Motion(const Model& model, const VectorXd& q, const VectorXd& v);
  Motion(const std::string& id, const Overrides& settings, const VectorXd& q, const VectorXd& v);

  System system;
  State state;
  VectorXd q, v, a;                   // q' = v, q'' = a
  VectorXd xi, xi_rate;               // quasi-velocities: omega on S^1 and S^2, Omega on SO(3), ...
  VectorXd mu, mu_rate, pi, pi_rate;  // momenta
  VectorXd multipliers;               // of constraints
  double energy = 0;

 private:
  void derive_rates();
};

// Of what should vanish: the largest component.
Evidence remainders(const VectorXd& printed, const VectorXd& corrected);
Evidence remainders(double printed, double corrected);
// What is said instead of the two numbers, where they would only decorate a statement.
std::function<Evidence()> example(std::string words, const std::function<Evidence()>& check);

// Matrices that cannot be multiplied, added or equated.
struct Size {
  int rows, cols;
};
std::function<Evidence()> no_product(Size left, Size right);
std::function<Evidence()> no_sum(Size left, Size right);

using Function = std::function<double(const VectorXd&)>;
using Curve = std::function<VectorXd(double)>;
VectorXd derivative(const Curve& f, double step = 0.004);  // at 0
VectorXd gradient(const Function& f, const VectorXd& x);
MatrixXd jacobian(const std::function<VectorXd(const VectorXd&)>& f, const VectorXd& x);
MatrixXd hessian(const Function& f, const VectorXd& x);

// d/dt along the motion.
double rate_along(const Motion& motion, const std::function<double(const State&)>& quantity);

// The linear system at an equilibrium: what q'' and xi' become when q_e moves by dq and is given the velocity dv.
struct Response {
  VectorXd a, xi_rate;
};
Response response(const System& system, const VectorXd& equilibrium, const VectorXd& dq, const VectorXd& dv);

// How many eigenvalues of the linear system are 0: two for each direction without stiffness.
double zero_eigenvalues(const System& system, const VectorXd& equilibrium);

Matrix3d exponential(const Vector3d& angle);
Matrix3d right_jacobian(const Vector3d& angle);     // omega = J_r(theta) theta' of exp(S(theta))
Matrix3d matrix(const VectorXd& q, int begin = 0);  // stored column by column
VectorXd number(double x);
VectorXd random_vector(int size, unsigned seed = 7);
Vector3d random_direction(unsigned seed = 7);
Matrix3d random_rotation(unsigned seed = 7);
VectorXd solve(const MatrixXd& A, const VectorXd& b);
MatrixXd inverse(const MatrixXd& A);

// sum_i r_i x g_i for the rows r_i of R and g_i of a gradient G: book (6.5)
Vector3d moment(const Matrix3d& R, const Matrix3d& G);
Matrix3d gradient_by_matrix(const std::function<double(const Matrix3d&)>& f, const Matrix3d& R);

}  // namespace hamel::errata
