// Random states at which symmetries are put to the test.
//
// They have all sizes that may matter. Rates are alike, or
// such that all coordinates have like energies or like momenta, so that none hides in the rounding errors of another.
#pragma once

#include "hamel/derive/expressions.hpp"
#include "hamel/derive/kernel.hpp"
#include "hamel/graph/rounded.hpp"
#include "hamel/manifold/tangent_space.hpp"
#include "hamel/model/lower.hpp"
#include "symmetry/units.hpp"

namespace hamel {

// `fibre` is the velocity, or the momentum for a Hamiltonian. Errors are in units of epsilon, as those of Rounded.
struct SymmetryState {
  VectorXd q, fibre, u;
  double t = 0;
  VectorXd q_error, fibre_error;
};

// How often something is tried that may fail: of very many unknowns each time is long, and what failed a few times will
// fail again.
int patience(int unknowns, int most, int fewest);

class SymmetryStates {
 public:
  SymmetryStates(const Model& model, const LoweredModel& lowered, const Parameters& parameters);

  int ambient() const { return offsets_.back(); }
  const std::vector<Manifold>& spaces() const { return spaces_; }
  const std::vector<int>& offsets() const { return offsets_; }
  int coordinate_of(int entry) const { return coordinate_of_[at(entry)]; }
  const std::vector<Rounded>& parameters() const { return parameters_; }

  // What a rate of one gives each coordinate for a momentum; all are one at first.
  void set_inertias(VectorXd inertias) { inertias_ = std::move(inertias); }

  // The motion has tangent velocities. The chords of the variational integrator have any, and momenta are any.
  enum class Fibre { tangent, any };
  using Size = StateSize;
  int kinds(
      const Size& size) const;  // of rates: alike, of like energies, of like momenta; one where these are the same
  // False where the state could not be moved onto the constraints.
  bool draw(SymmetryState& state, const Size& size, int kind, Fibre fibre, Random& random) const;

  // Of the manifold and its constraints; rows have the sizes of `rates`.
  TangentSpace tangent_space(const SymmetryState& state, const VectorXd& rates) const;

 private:
  VectorXd masses(double place) const;               // by coordinate: what moves with the speeds of rates of one
  VectorXd rates(const Size& size, int kind) const;  // by entry of q
  void place(SymmetryState& state, double size, Random& random) const;
  void draw_tangent(SymmetryState& state, const VectorXd& sizes, Random& random) const;
  bool move_to_constraints(SymmetryState& state) const;
  linear::SparseRows constraint(const SymmetryState& state, std::vector<Rounded>& c) const;  // returns G

  std::vector<Manifold> spaces_;
  std::vector<int> offsets_, coordinate_of_;  // by coordinate; by entry of q
  int constraints_ = 0, inputs_ = 0;
  std::vector<Rounded> parameters_;
  VectorXd inertias_;   // by coordinate
  Program constraint_;  // (q, parameters) -> (c, G where it may be non-zero)
  linear::SparseRows slopes_;
};

}  // namespace hamel
