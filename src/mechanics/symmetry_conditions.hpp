// What must vanish for a symmetry, evaluated at random states.
//
//   energies:     sum over terms of dL_k(X) - dF/dt = 0         (for a Hamiltonian the terms are -H_k, X lifted to
//   momenta) forces:       f . X = 0 constraints:  c'(q) X = 0, each
//
// Each is linear in the unknowns of Candidates. Terms are kept apart, so that each is judged by its own size.
#pragma once

#include "hamel/mechanics/kernel.hpp"
#include "hamel/model/lower.hpp"
#include "mechanics/candidates.hpp"
#include "mechanics/expressions.hpp"

namespace hamel {

// On the manifold and its constraints; `fibre` is the velocity, or the momentum for a Hamiltonian.
struct SymmetrySample {
  VectorXd q, fibre, v;
  VectorXd derivatives, force;  // as the kernel returns them
};

class SymmetryConditions {
 public:
  SymmetryConditions(const Model& model, const LoweredModel& lowered, const Parameters& parameters);
  SymmetryConditions(const SymmetryConditions&) = delete;
  SymmetryConditions& operator=(const SymmetryConditions&) = delete;

  const Candidates& candidates() const { return candidates_; }
  int ambient() const { return static_cast<int>(offsets_.back()); }
  int conditions() const { return 2 + constraints_; }
  int terms() const { return energies_ + 2 + constraints_; }
  int condition_of(int term) const { return term <= energies_ ? 0 : term - energies_; }
  double gauge_unit() const { return gauge_unit_; }  // F is counted in this unit, so that all unknowns are alike
  int offset(int coordinate) const { return offsets_[at(coordinate)]; }

  // The motion has tangent velocities. The chords of the variational integrator have any.
  enum class Velocities { tangent, any };
  std::vector<SymmetrySample> samples(Eigen::Index count, Velocities velocities, Random& random) const;

  // How much each unknown contributes to each term, and the size of what was added up for it: terms x unknowns.
  void contributions(const SymmetrySample& sample, Velocities velocities, MatrixXd& value, MatrixXd& size) const;

  // dL/dq' (for a Hamiltonian mu) and -dE/dq at a sample with tangent velocity.
  void gradients(const SymmetrySample& sample, VectorXd& p, VectorXd& L_q) const;
  MatrixXd tangent_basis(In q) const;  // orthonormal, of the manifold and its constraints

 private:
  struct Derivatives {
    Kernel kernel;                             // (q, fibre, u, {t}) -> (derivatives, f, v)
    std::vector<std::pair<int, int>> pattern;  // term and variable of each: q, then fibre, then t
  };
  Derivatives derivatives_of(Exprs terms, const LoweredModel& lowered, const Exprs& fibre,
                             const Parameters& parameters) const;
  std::vector<bool> coordinates_with_gauge(const Exprs& terms, const LoweredModel& lowered, const Exprs& fibre,
                                           const Parameters& parameters) const;
  void evaluate(SymmetrySample& sample, Velocities velocities, In u, double t) const;
  void find_centre_turns();
  bool draw(SymmetrySample& sample, Velocities velocities, Random& random) const;
  bool move_to_constraints(VectorXd& q) const;
  MatrixXd factor_bases(In q) const;
  void constraint(In q, VectorXd& c, MatrixXd& G) const;
  const Derivatives& derivatives(Velocities velocities) const {
    return velocities == Velocities::any && by_hamiltonian_ ? any_ : tangent_;
  }
  // By coordinate what its fields do to it, and what turns of the centre of mass do to all.
  struct Motion {
    std::vector<MatrixXd> of;
    MatrixXd turned;
  };
  template <class Act>
  Motion motion(In x, Act act) const;
  void add_gauge(const SymmetrySample& sample, MatrixXd& value, MatrixXd& size) const;

  struct Column {  // a field that acts on a coordinate, and the unknown it belongs to
    Eigen::Index unknown;
    const AffineField* field;
  };

  std::vector<Manifold> spaces_;
  std::vector<int> offsets_, coordinate_of_;  // by coordinate; by entry of q
  int energies_ = 0, constraints_ = 0, inputs_ = 0;
  bool by_hamiltonian_ = false;
  double gauge_unit_ = 1;
  Candidates candidates_;
  std::vector<std::vector<Column>> fields_of_;  // by coordinate
  Derivatives tangent_, any_;
  Kernel constraint_;  // (q) -> (c, G)
};

}  // namespace hamel
