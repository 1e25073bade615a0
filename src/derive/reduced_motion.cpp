#include <algorithm>

#include "derive/motion_equations.hpp"
#include "hamel/derive/reduced.hpp"

namespace hamel {
namespace {

bool has_formula(const Manifold& space) {
  if (space.has_constraints()) return space.has_rates_formula();
  return space.has_formulas() && space.rates() == space.dimension();
}

bool has_motion(const Model& model) {
  const auto& coordinates = model.coordinates();
  return model.constraints().empty() && natural_unknowns(model).size() <= most_dense_unknowns &&
         std::all_of(coordinates.begin(), coordinates.end(), [](const Coordinate& q) { return has_formula(q.space); });
}

class ReducedMotion {
 public:
  explicit ReducedMotion(const Model& model) : m_(model) {
    int first = 0;
    for (std::size_t f = 0; f < model.coordinates().size(); ++f) {
      const Manifold& space = model.coordinates()[f].space;
      first_.push_back(first);
      first += space.has_constraints() ? space.ambient() : space.rates();
      add_rates(f);
    }
  }

  Kernel kernel() {
    const LoweredModel& lowered = m_.lowered;
    const Exprs q_rate = substitute(m_.frame.velocity, of_xi_), solution = solve();
    Exprs xi_rate;
    for (std::size_t f = 0; f < first_.size(); ++f) {
      const Manifold& space = m_.model.coordinates()[f].space;
      VectorXe rate = part_of(solution, first_[f], space.has_constraints() ? space.ambient() : space.rates());
      if (space.has_constraints())
        rate = space.rates_of_acceleration(point(f), part_of(q_rate, lowered.offsets[f], space.ambient()), rate);
      xi_rate.insert(xi_rate.end(), rate.begin(), rate.end());
    }
    return {"motion", {lowered.q, xi_, lowered.u, {lowered.t}}, {q_rate, xi_rate, {}}, m_.parameters};
  }

 private:
  static VectorXe part_of(const Exprs& x, int begin, int size) {
    return Eigen::Map<const VectorXe>(x.data() + begin, size);
  }
  VectorXe point(std::size_t f) const {
    return part_of(m_.lowered.q, m_.lowered.offsets[f], m_.model.coordinates()[f].space.ambient());
  }

  // Natural rates are the quasi-velocities of a basis, or ambient.
  void add_rates(std::size_t f) {
    const auto& [name, space] = m_.model.coordinates()[f];
    if (!space.has_constraints()) {
      const auto own = m_.frame.eta.begin() + first_.back();
      xi_.insert(xi_.end(), own, own + space.rates());
      return;
    }
    const Exprs own = Graph::current().variables("xi_of_" + name, space.rates());
    const VectorXe v = space.basis(point(f)) * part_of(own, 0, space.rates());
    for (int i = 0; i < v.size(); ++i) of_xi_[m_.frame.eta[at(first_.back() + i)].id()] = v(i);
    xi_.insert(xi_.end(), own.begin(), own.end());
  }

  Exprs solve() const {
    SparseEntries matrix = mirrored(jacobian(m_.equations, m_.unknowns));
    for (Entry& entry : matrix) entry.value = substitute(Exprs{entry.value}, of_xi_).front();
    Exprs b = substitute(m_.at_zero(), of_xi_);
    for (Expr& x : b) x = -x;
    return eliminate(natural_unknowns(m_.model), matrix, std::move(b), true, {.least_inertia = least_inertia});
  }

  MotionEquations m_;
  std::vector<int> first_;  // unknown of each factor
  Exprs xi_;
  std::unordered_map<std::uint32_t, Expr> of_xi_;
};

}  // namespace

Kernel reduced_motion_kernel(const Model& model) {
  if (!has_motion(model)) return {};
  try {
    Kernel kernel = ReducedMotion(model).kernel();
    return kernel.program().operations() <= most_dense_operations ? kernel : Kernel();
  } catch (const NoPivot&) {
    return {};
  }
}

}  // namespace hamel
