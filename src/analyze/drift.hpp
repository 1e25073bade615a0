// Steady motions whose rate is not given but follows from the balance of forces: the fall of a body with drag. They
// belong to symmetries of the motion that conserve no momentum: fields X with a(q, v) equivariant, in which gravity may
// pull and drag may brake. At each point q the rates rho are those for which the forces do no work along any of them,
//
//   X_k . F(q, v = sum rho_j X_j(q)) = 0,
//
// and the search goes on as for equilibria, with K of this frame as it changes from point to point.
#pragma once

#include <string>
#include <vector>

#include "hamel/analyze/linear_model.hpp"
#include "hamel/symmetry/noether.hpp"

namespace hamel {

struct NamedGenerator {
  std::string name;
  Generator field;
};

enum class Along { translations, all };
// Modulo those that conserve a momentum.
std::vector<NamedGenerator> braked_symmetries(const Linearization& linearization, double t, In u,
                                              const std::vector<ConservedMomentum>& conserved, Along along);

class Drift {
 public:
  Drift(const Linearization& linearization, std::vector<NamedGenerator> fields, VectorXd u)
      : linearization_(linearization), fields_(std::move(fields)), u_(std::move(u)) {}

  // Throws where no rates balance.
  LinearModel model_at(double t, In q) const;
  // Is it one later, too?
  bool is_steady(const LinearModel& model) const;
  std::vector<std::pair<std::string, double>> rates_of(const LinearModel& model) const;

 private:
  Generator moving(const VectorXd& rates) const;
  VectorXd first_rates(double t, In q) const;
  MatrixXd by_rates(const LinearModel& model, const MatrixXd& along) const;

  const Linearization& linearization_;
  std::vector<NamedGenerator> fields_;
  VectorXd u_;
};

}  // namespace hamel
