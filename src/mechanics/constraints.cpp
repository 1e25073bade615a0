#include "hamel/mechanics/constraints.hpp"

namespace hamel {

Constraints::Workspace Constraints::workspace() const {
  Workspace w;
  w.c = VectorXd::Zero(size());
  w.G = G_;
  if (size() > 0) w.scratch = VectorXd::Zero(static_cast<Eigen::Index>(kernel_.program().scratch_size()));
  return w;
}

void Constraints::evaluate(Workspace& w, In q) const {
  if (size() > 0) kernel_.run<1, 2>({q.data()}, {w.c.data(), w.G.values.data()}, w.scratch.data());
}

void Constraints::add_reaction(Workspace& w, In q, In multipliers, Out f) const {
  if (size() == 0) return;
  evaluate(w, q);
  w.G.subtract_transposed(multipliers, f);
}

std::vector<const Program*> Constraints::programs() const {
  if (size() == 0) return {};
  return {&kernel_.program()};
}

}  // namespace hamel
