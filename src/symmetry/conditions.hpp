// What must vanish for a symmetry, evaluated at random states.
//
//   energies:     sum over terms of dL_k(X) - dF/dt = 0    (for a Hamiltonian the terms are -H_k, X lifted to momenta)
//   forces:       f . X = 0
//   constraints:  c'(q) X = 0, each
//
// Each is linear in the unknowns of Candidates. Terms are kept apart, each with its rounding errors.
#pragma once

#include "symmetry/candidates.hpp"
#include "symmetry/states.hpp"

namespace hamel {

struct SymmetrySample {
  SymmetryState state;
  std::vector<Rounded> derivatives, force, v;  // as the program returns them
};

// How much each unknown contributes to a term at each sample.
struct SymmetryTerm {
  int condition;
  std::vector<Eigen::Index> unknowns;  // those that may contribute
  MatrixXd value, error;               // samples x unknowns; errors in units of epsilon
};

class SymmetryConditions {
 public:
  // The model is in the units, and the sizes are too.
  SymmetryConditions(const Model& model, const LoweredModel& lowered, const Parameters& parameters, const Units& units,
                     const std::vector<StateSize>& other_sizes);
  SymmetryConditions(const SymmetryConditions&) = delete;
  SymmetryConditions& operator=(const SymmetryConditions&) = delete;

  const Candidates& candidates() const { return candidates_; }
  const SymmetryStates& states() const { return states_; }
  int ambient() const { return states_.ambient(); }
  int offset(int coordinate) const { return states_.offsets()[at(coordinate)]; }

  using Fibre = SymmetryStates::Fibre;
  using Size = SymmetryStates::Size;
  // So many of each kind of rates; fewer where the energies are not defined at such states.
  std::vector<SymmetrySample> samples(Eigen::Index count, const Size& size, Fibre fibre, Random& random) const;
  const Size& size() const { return sizes_.front(); }
  const std::vector<Size>& sizes() const { return sizes_; }  // one, unless there are no such states, and others
  std::vector<SymmetryTerm> terms(const std::vector<SymmetrySample>& samples, Fibre fibre) const;

  // Coefficients of the unknowns: in the units of the model the first one is one.
  VectorXd in_units(const VectorXd& coefficients) const { return coefficients.cwiseQuotient(unit_of_unknowns_); }
  VectorXd in_units_of_model(const VectorXd& coefficients) const;

  // dL/dq' (for a Hamiltonian mu) and -dE/dq at a sample with tangent velocity.
  void gradients(const SymmetrySample& sample, std::vector<Rounded>& p, std::vector<Rounded>& L_q) const;

 private:
  struct Derivatives {
    Program program;                           // (q, fibre, u, {t}, parameters) -> (derivatives, f, v)
    std::vector<std::pair<int, int>> pattern;  // term and variable of each: q, then fibre, then t
  };
  Derivatives derivatives_of(Exprs terms, const LoweredModel& lowered, const Exprs& fibre,
                             const Parameters& parameters) const;
  std::vector<bool> coordinates_with_gauge(const Program& energies) const;
  void evaluate(SymmetrySample& sample, Fibre fibre) const;
  void choose_size();
  // In a row, outside the domain of the energies.
  int most_draws() const { return patience(ambient(), 40, 3); }
  bool draw(SymmetrySample& sample, const Size& size, int kind, Fibre fibre, Random& random) const;
  std::vector<Rounded> momentum(In q, In v, double t) const;
  VectorXd inertias() const;
  double inertia(int coordinate, const SymmetryState& state) const;
  void find_centre_turns();
  const Derivatives& derivatives(Fibre fibre) const { return fibre == Fibre::any && by_hamiltonian_ ? any_ : tangent_; }
  // By coordinate what its fields do to it, and what turns of the centre of mass do to all.
  struct Motion {
    struct Columns {
      MatrixXd value, error;
    };
    std::vector<Columns> of;
    Columns turned;
  };
  Motion motion(In x, In error, bool is_point) const;
  std::vector<SymmetryTerm> empty_terms(Fibre fibre, Eigen::Index samples) const;
  class Table;
  void add(const SymmetrySample& sample, Fibre fibre, Table& table) const;
  void add_gauge(const SymmetrySample& sample, Table& table) const;

  struct Column {  // a field that acts on a coordinate, and the unknown it belongs to
    Eigen::Index unknown;
    const AffineField* field;
  };

  SymmetryStates states_;
  std::vector<Size> sizes_;
  int energies_ = 0, constraints_ = 0;
  bool by_hamiltonian_ = false, has_forces_ = false;
  Candidates candidates_;
  VectorXd unit_of_unknowns_;
  std::vector<std::vector<Column>> fields_of_;  // by coordinate
  Derivatives tangent_, any_;
};

}  // namespace hamel
