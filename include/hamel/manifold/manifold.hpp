// A configuration space, as an object: what a factor of a product of manifolds knows.
//
// Each factor is a small class written as a template on the scalar (rn.hpp, s1.hpp, s2.hpp, ...). Manifold wraps
// any of them: for numbers (double), and for expressions (Expr) where a formula exists.
//
// Points and tangent vectors are vectors of R^a (a matrix is stored column by column). Tangent vectors are also
// written with quasi-velocities: q' = B(q) xi. They may be redundant: on S^2, xi = omega is a vector of R^3.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hamel/graph/expr.hpp"

namespace hamel {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using In = const Eigen::Ref<const VectorXd>&;
using Out = Eigen::Ref<VectorXd>;
using OutMatrix = Eigen::Ref<MatrixXd>;
using Random = std::mt19937_64;

// x -> A x + b, tangent to the manifold everywhere on it: a candidate symmetry.
struct AffineField {
  std::string name;
  MatrixXd A;
  VectorXd b;
};

// What of a space turns: nothing; a direction in the plane (S^1), whose angular velocity is a number; one in space
// (S^2), whose angular velocity is a vector normal to it; a body (SO(3), SE(3)), whose angular velocity is a vector in
// it.
enum class Turning : std::uint8_t { none, plane, direction, body };

// Some of the quasi-velocities, in print: omega_q on S^2, Omega_G and V_G on SE(3).
struct RateName {
  std::string name;
  int size;
};

// Matrices E_k that move the points of a space: g' = g (xi_1 E_1 + ...) on a group of matrices, which is `right`;
// q' = (xi_1 E_1 + ...) q on an orbit, which is `left`.
struct Generators {
  enum class Side : std::uint8_t { left, right };
  Side side = Side::left;
  std::vector<MatrixXd> matrices = {};  // none: the space is not given by any
};

class Manifold {
 public:
  class Concept;  // the interface that a factor is wrapped into, in any_manifold.hpp
  explicit Manifold(std::shared_ptr<const Concept> self) : self_(std::move(self)) {}
  template <class Factor>
  requires(!std::is_same_v<std::decay_t<Factor>, Manifold> &&
           !std::is_convertible_v<Factor, std::shared_ptr<const Concept>>)
      Manifold(Factor factor);  // NOLINT(google-explicit-constructor): S2{} is a Manifold

  std::string name() const;               // "S2", "R3", "SO3", "S2 x R2"
  int ambient() const;                    // a
  int dimension() const;                  // of the manifold
  int rates() const;                      // number of quasi-velocities, at least the dimension
  std::pair<int, int> shape() const;      // how a point is shown: {3, 1} for S^2, {3, 3} for SO(3), {3, 4} for SE(3)
  std::vector<Manifold> factors() const;  // of a product; any other manifold is its own only factor
  std::vector<Manifold> parts()
      const;  // of SE(3), its attitude and its position; any other factor is its own only part
  Turning turning() const;
  int angular_rates() const;                 // components of its angular velocity; 0 where nothing turns
  bool is_flat() const;                      // R^n
  bool is_unit_sphere() const;               // S^n
  bool is_pose() const;                      // an attitude and a position
  std::vector<RateName> rate_names() const;  // of the quasi-velocities
  Generators generators() const;             // of a group of matrices or an orbit

  // Numbers. None of these allocates for the factors of fixed size (R^n, S^1, S^2, S^n, SO(3), SE(3)).
  // The result of project, tangent_project, retract and exponential may be q itself; no other output may overlap an
  // input.
  double defect(In q) const;  // how far q is from the manifold: largest |c_i(q)| or the like
  void check(In q, const std::string& what,
             double tolerance = 1e-9) const;      // throws std::domain_error, says how far off
  void project(In x, Out q) const;                // the nearest point, or a good approximation of it
  void tangent_project(In q, In v, Out w) const;  // orthogonal: w = P(q) v
  void tangent_basis(In q, OutMatrix N) const;    // a x dimension, orthonormal columns
  void velocity(In q, In xi, Out v) const;        // v = B(q) xi
  void rates(In q, In v, Out xi) const;           // the xi of a tangent vector v (the one normal to the isotropy)
  void rates_of_acceleration(In q, In v, In a, Out xi_dot) const;  // xi' when q' = v, q'' = a
  void covector_to_rates(In q, In p, Out pi) const;                // pi = B(q)^T p
  void retract(In q, In v, Out result) const;                      // on the manifold, equal to q + v + O(v^2)
  void inverse_retract(In q, In other, Out v) const;
  bool has_exponential() const;
  void exponential(In q, In v, Out result) const;
  void logarithm(In q, In other, Out v) const;
  double injectivity_radius() const;  // of exp in the ambient metric (infinity for R^n)
  VectorXd random_point(Random& random) const;
  VectorXd random_tangent(In q, Random& random) const;  // P(q) times a standard normal vector
  VectorXd reference_point() const;                     // the identity, the north pole, the origin
  std::vector<AffineField> symmetries() const;  // candidates: a basis of the affine fields tangent to the manifold

  // Formulas. A factor is treated in one of two ways: by constraints c(q) = 0 with c' of full rank (R^n has none),
  // or, for groups and homogeneous spaces, by its basis B(q). has_constraints() says which.
  bool has_constraints() const;
  bool has_constraint_formula() const;            // so have SO(3) and SE(3), which are treated by their bases
  VectorXe constraints(const VectorXe& q) const;  // codimension many
  bool has_formulas() const;                      // is the basis available as a formula?
  MatrixXe basis(const VectorXe& q) const;        // B(q), a x rates
  VectorXe curvature(const VectorXe& q,
                     const VectorXe& v) const;  // q'' = B xi' + curvature, where xi are the rates of v
  VectorXe curvature_of_rates(const VectorXe& q, const VectorXe& xi) const;  // the same, where xi is known: cheaper
  VectorXe tangent_project(const VectorXe& q, const VectorXe& v) const;      // P(q) v
  bool has_rates_formula() const;
  VectorXe rates_of_acceleration(const VectorXe& q, const VectorXe& v, const VectorXe& a) const;  // xi'
  bool has_group_rates() const;                                      // is it a group of matrices?
  VectorXe group_rates(const VectorXe& q, const VectorXe& v) const;  // the xi of a tangent vector v
  bool has_retraction_formula() const;
  VectorXe retract(const VectorXe& q, const VectorXe& xi) const;  // by quasi-velocities: q + B(q) xi + O(xi^2)

  const Concept& self() const { return *self_; }

 private:
  std::shared_ptr<const Concept> self_;
};

Manifold product(const std::vector<Manifold>& factors);

}  // namespace hamel
