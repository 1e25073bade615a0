#include "hamel/derive/equations.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "hamel/derive/projection.hpp"
#include "hamel/model/lower.hpp"

namespace hamel {
namespace {

VectorXe vector_of(const Exprs& x) { return Eigen::Map<const VectorXe>(x.data(), static_cast<Eigen::Index>(x.size())); }
Exprs list_of(const VectorXe& x) { return {x.begin(), x.end()}; }

MatrixXe matrix_of(const SparseEntries& entries, std::size_t rows, std::size_t cols) {
  MatrixXe matrix = MatrixXe::Constant(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cols), Expr());
  for (const auto& [i, j, value] : entries) matrix(i, j) += value;
  return matrix;
}

// How the quasi-velocities of a manifold are redundant, read off its numbers.
enum class Redundancy {
  none,       // as many as the dimension
  rate,       // xi = q', B = P
  radial,     // B(q) q = 0: omega on S^2
  isotropic,  // a homogeneous space
};

MatrixXe identity(int n) { return MatrixXe::Identity(n, n); }

// B^+, where rates are those of acceleration without a velocity.
MatrixXe shortest_rates(const Manifold& space, const VectorXe& q) {
  const VectorXe at_rest = VectorXe::Constant(space.ambient(), Expr());
  MatrixXe result(space.rates(), space.ambient());
  for (int i = 0; i < space.ambient(); ++i)
    result.col(i) = space.rates_of_acceleration(q, at_rest, identity(space.ambient()).col(i));
  return result;
}

Redundancy redundancy(const Manifold& space) {
  if (space.rates() == space.dimension()) return Redundancy::none;
  if (space.rates() != space.ambient()) return Redundancy::isotropic;
  Random random(1);
  const VectorXd q = space.random_point(random), v = space.random_tangent(q, random);
  VectorXd image(space.ambient());
  space.rates(q, v, image);
  if (image.isApprox(v, 1e-9)) return Redundancy::rate;
  space.velocity(q, q, image);
  return image.norm() < 1e-9 && space.rates() == space.dimension() + 1 ? Redundancy::radial : Redundancy::isotropic;
}

class FormDerivation {
 public:
  // In the current graph, which begins with the formulation.
  FormDerivation(const Model& model, const Formulation& formulation, Form form)
      : model_(model), lowered_(formulation.lowered) {
    result_.model = model.name();
    result_.form = form;
    result_.first_index = model.first_index();
    result_.q = lowered_.q;
    result_.inputs = lowered_.u;
    result_.parameters = lowered_.parameters;
    result_.t = lowered_.t;
    for (const Coordinate& coordinate : model.coordinates()) spaces_.push_back(coordinate.space);
    has_hamiltonian_ = !lowered_.hamiltonian.empty();
  }

  Equations run() {
    const Form form = result_.form;
    if (model_.has_field())
      from_field();
    else if (has_hamiltonian_)
      from_hamiltonian();
    else if (form == Form::velocity)
      velocity_form();
    else if (form == Form::omega)
      omega_form();
    else
      momentum_form();
    for (const Expr c : lowered_.constraints) result_.constraints.push_back({Expr(), c});
    return result_;
  }

 private:
  // For all factors at once, one after another: B(q), the curvature q'' - B xi', and the rows of c'(q).
  MatrixXe basis() const {
    MatrixXe B = MatrixXe::Constant(ambient(), rates(), Expr());
    for_each_factor([&](const Manifold& space, int q, int xi) {
      need_formulas(space);
      B.block(q, xi, space.ambient(), space.rates()) = space.basis(point(space, q));
    });
    return B;
  }

  VectorXe curvature() const {
    VectorXe result(ambient());
    for_each_factor([&](const Manifold& space, int q, int xi) {
      const VectorXe here = point(space, q);
      result.segment(q, space.ambient()) =
          is_own_rate(space) ? space.curvature(here, vector_of(lowered_.v).segment(q, space.ambient()))
                             : space.curvature_of_rates(here, vector_of(result_.partner).segment(xi, space.rates()));
    });
    return result;
  }

  static bool is_flat_or_constrained(const Manifold& space) {
    return space.ambient() == space.dimension() || space.has_constraint_formula();
  }

  // Of the manifolds that are given by them, then of the model.
  Exprs all_constraints() const {
    Exprs all;
    for_each_factor([&](const Manifold& space, int q, int) {
      if (space.ambient() == space.dimension() || !space.has_constraint_formula()) return;
      const VectorXe c = space.constraints(point(space, q));
      all.insert(all.end(), c.begin(), c.end());
    });
    all.insert(all.end(), lowered_.constraints.begin(), lowered_.constraints.end());
    return all;
  }

  // P of the factors that no constraints keep on their manifolds, I of the others.
  MatrixXe projector() const {
    MatrixXe P = identity(ambient());
    for_each_factor([&](const Manifold& space, int q, int) {
      if (is_flat_or_constrained(space)) return;
      for (int i = 0; i < space.ambient(); ++i)
        P.col(q + i).segment(q, space.ambient()) =
            space.tangent_project(point(space, q), identity(space.ambient()).col(i));
    });
    return P;
  }

  // q'' of these factors normal to their manifolds.
  VectorXe normal_acceleration(const MatrixXe& P) const {
    VectorXe result = VectorXe::Constant(ambient(), Expr());
    for_each_factor([&](const Manifold& space, int q, int) {
      if (is_flat_or_constrained(space)) return;
      const int n = space.ambient();
      const VectorXe gamma = space.curvature(point(space, q), vector_of(lowered_.v).segment(q, n));
      result.segment(q, n) = gamma - P.block(q, q, n, n) * gamma;
    });
    return result;
  }

  template <class Visit>
  void for_each_factor(Visit visit) const {
    int q = 0, xi = 0;
    for (const Manifold& space : spaces_) {
      visit(space, q, xi);
      q += space.ambient();
      xi += space.rates();
    }
  }

  VectorXe point(const Manifold& space, int begin) const {
    return vector_of(lowered_.q).segment(begin, space.ambient());
  }
  int ambient() const { return static_cast<int>(lowered_.q.size()); }
  int rates() const {
    int sum = 0;
    for (const Manifold& space : spaces_) sum += space.rates();
    return sum;
  }

  void need_formulas(const Manifold& space) const {
    if (space.has_formulas()) return;
    throw std::invalid_argument(
        fmt::format("the equations of {} have the form velocity alone: {} has no formula for its tangent basis",
                    model_.name(), space.name()));
  }

  // One variable per component, as model files write it: "q''.x", "R''[1,2]"; of a list "xi(g)[1]".
  void add_components(Exprs& variables, const std::string& name, std::pair<int, int> shape,
                      bool is_list = false) const {
    const Symbol whole{.role = is_list ? Role::parameter : Role::coordinate,
                       .name = name,
                       .slot = 0,
                       .first_index = model_.first_index()};
    const Formula symbol = Formula::symbol(whole, shape.first, shape.second);
    for (int j = 0; j < shape.second; ++j)
      for (int i = 0; i < shape.first; ++i) variables.push_back(Graph::current().variable(symbol(i, j).to_string()));
  }

  Exprs multipliers(Eigen::Index size) const {
    Exprs result;
    for (Eigen::Index i = 0; i < size; ++i)
      result.push_back(Graph::current().variable(fmt::format("lambda[{}]", i + model_.first_index())));
    return result;
  }

  // L_vv, p = L_v, and dL/dq + f - d/dt L_v at q'' = 0.
  struct Lagrange {
    Exprs p, force, inertial_force;
    MatrixXe mass;
  };
  Lagrange lagrange() const {
    const Expr L = sum(lowered_.kinetic) + sum(lowered_.lagrangian) - sum(lowered_.potential);
    Lagrange result;
    result.p = gradient(L, lowered_.v);
    result.mass = matrix_of(jacobian(result.p, lowered_.v), lowered_.v.size(), lowered_.v.size());
    result.force = gradient(L, lowered_.q);
    const Exprs applied = applied_force(lowered_.forces, lowered_.rayleigh, lowered_.v);
    Exprs x = lowered_.q, x_rate = lowered_.v;
    x.push_back(lowered_.t);
    x_rate.push_back(Expr(1.0));
    const Exprs drift = directional_derivative(result.p, x, x_rate);
    for (std::size_t i = 0; i < drift.size(); ++i) {
      result.force[i] += applied[i];
      result.inertial_force.push_back(result.force[i] - drift[i]);
    }
    return result;
  }

  struct Border {  // C and -c''(v, v)
    MatrixXe C;
    VectorXe right;
  };
  Border border(const Exprs& c) const {
    const Exprs second =
        directional_derivative(directional_derivative(c, lowered_.q, lowered_.v), lowered_.q, lowered_.v);
    return {matrix_of(jacobian(c, lowered_.q), c.size(), lowered_.q.size()), -vector_of(second)};
  }

  void set_linear_system(const MatrixXe& M, const VectorXe& r, const Border& border) {
    const Eigen::Index n = M.rows(), m = border.C.rows();
    result_.matrix = MatrixXe::Constant(n + m, n + m, Expr());
    result_.matrix.topLeftCorner(n, n) = M;
    result_.matrix.topRightCorner(n, m) = border.C.transpose();
    result_.matrix.bottomLeftCorner(m, n) = border.C;
    result_.right.resize(n + m);
    result_.right << r, border.right;
    const Exprs lambda = multipliers(m);
    result_.unknowns.insert(result_.unknowns.end(), lambda.begin(), lambda.end());
  }

  void velocity_form() {
    result_.partner = lowered_.v;
    for (const Coordinate& coordinate : model_.coordinates())
      add_components(result_.unknowns, coordinate.name + "''", coordinate.space.shape());
    const Lagrange terms = lagrange();
    Border outer = border(all_constraints());
    if (std::all_of(spaces_.begin(), spaces_.end(), is_flat_or_constrained))
      return set_linear_system(terms.mass, vector_of(terms.inertial_force), outer);
    const MatrixXe P = projector(), normal = identity(ambient()) - P;
    const VectorXe gamma = normal_acceleration(P);
    outer.right -= outer.C * gamma;
    outer.C = (outer.C * P).eval();
    set_linear_system(P * terms.mass * P + normal, P * (vector_of(terms.inertial_force) - terms.mass * gamma) + gamma,
                      outer);
  }

  // omega on S^1 and S^2, Omega on SO(3), (Omega, V) on SE(3), q' where it is the quasi-velocity, else xi.
  void add_quasi_velocities() {
    for (std::size_t k = 0; k < spaces_.size(); ++k) {
      const Manifold& space = spaces_[k];
      const std::string& name = model_.coordinates()[k].name;
      const auto add = [&](const std::string& symbol, int size) {
        add_components(result_.partner, fmt::format("{}({})", symbol, name), {size, 1}, has_list(space));
        add_components(result_.unknowns, fmt::format("{}({})'", symbol, name), {size, 1}, has_list(space));
      };
      if (is_own_rate(space)) {
        const auto begin = lowered_.v.begin() + lowered_.offsets[k];
        result_.partner.insert(result_.partner.end(), begin, begin + space.ambient());
        add_components(result_.unknowns, name + "''", space.shape());
      } else {
        for (const auto& [symbol, size] : space.rate_names()) add(symbol, size);
      }
    }
  }

  // Quasi-velocities that are no vectors in space: xi(g)[1], not xi(g).x.
  static bool has_list(const Manifold& space) { return space.turning() == Turning::none && !is_own_rate(space); }

  static bool is_own_rate(const Manifold& space) { return space.is_flat() || redundancy(space) == Redundancy::rate; }

  void omega_form() {
    add_quasi_velocities();
    const MatrixXe B = basis();
    const VectorXe gamma = curvature();
    const Lagrange terms = lagrange();
    MatrixXe M = B.transpose() * terms.mass * B;
    VectorXe r = B.transpose() * (vector_of(terms.inertial_force) - terms.mass * gamma);
    for_each_factor([&](const Manifold& space, int q, int xi) {
      const int n = space.rates();
      const Redundancy kind = redundancy(space);
      if (kind == Redundancy::radial) M.block(xi, xi, n, n) += point(space, q) * point(space, q).transpose();
      if (kind == Redundancy::isotropic) {
        // The shortest xi with q' = B xi: the part of xi' that does not move q is that of xi = B^+ q'.
        const VectorXe here = point(space, q);
        M.block(xi, xi, n, n) += identity(n) - shortest_rates(space, here) * B.block(q, xi, space.ambient(), n);
        r.segment(xi, n) += space.rates_of_acceleration(here, vector_of(lowered_.v).segment(q, space.ambient()),
                                                        gamma.segment(q, space.ambient()));
      }
      if (kind != Redundancy::rate) return;
      // xi' = q'' has a normal part, which is the curvature.
      M.block(xi, xi, n, n) += MatrixXe::Identity(n, n) - B.block(q, xi, n, n);
      r.segment(xi, n) += gamma.segment(q, n);
    });
    Border outer = border(lowered_.constraints);
    outer.right -= outer.C * gamma;
    outer.C = (outer.C * B).eval();
    set_linear_system(M, r, outer);

    const VectorXe velocity = B * vector_of(result_.partner);
    std::unordered_map<std::uint32_t, Expr> along;
    for_each_factor([&](const Manifold& space, int q, int) {
      if (is_own_rate(space)) return;
      for (int i = q; i < q + space.ambient(); ++i) along[lowered_.v[at(i)].id()] = velocity(i);
      for (int i = q; i < q + space.ambient(); ++i) result_.kinematics.push_back({lowered_.v[at(i)], velocity(i)});
    });
    put_in(along);
  }

  void put_in(const std::unordered_map<std::uint32_t, Expr>& values) {
    Exprs all(result_.matrix.data(), result_.matrix.data() + result_.matrix.size());
    all.insert(all.end(), result_.right.begin(), result_.right.end());
    all = substitute(all, values);
    std::copy(all.begin(), all.begin() + result_.matrix.size(), result_.matrix.data());
    std::copy(all.begin() + result_.matrix.size(), all.end(), result_.right.data());
  }

  // S(q)^T x for S = P or B, as the form wants.
  VectorXe paired(const VectorXe& x) const {
    for (const Manifold& space : spaces_) need_formulas(space);
    if (result_.form == Form::mu) return vector_of(tangent_part(model_, lowered_, list_of(x)));
    return basis().transpose() * x;
  }

  // S'(q)^T x along q' = velocity.
  VectorXe paired_rate(const VectorXe& x, const Exprs& velocity) const {
    const Exprs held = Graph::current().variables("p", ambient());
    std::unordered_map<std::uint32_t, Expr> values;
    for (int i = 0; i < ambient(); ++i) values[held[at(i)].id()] = x(i);
    const Exprs rate = directional_derivative(list_of(paired(vector_of(held))), lowered_.q, velocity);
    return vector_of(substitute(rate, values));
  }

  void set_momenta(const VectorXe& momentum, const VectorXe& rate) {
    const std::string symbol = result_.form == Form::mu ? "mu" : "pi";
    Exprs names, rate_names;
    for (const auto& [name, space] : model_.coordinates()) {
      const bool is_mu = result_.form == Form::mu, is_list = !is_mu && has_list(space);
      const std::pair<int, int> shape = is_mu ? space.shape() : std::pair(space.rates(), 1);
      add_components(names, fmt::format("{}_{}", symbol, name), shape, is_list);
      add_components(rate_names, fmt::format("{}_{}'", symbol, name), shape, is_list);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      if (momentum.size() > 0) result_.legendre.push_back({names[i], momentum(k)});
      result_.momentum_rates.push_back({rate_names[i], rate(k)});
    }
    if (result_.form == Form::pi) set_covector(names);
  }

  void momentum_form() {
    result_.partner = lowered_.v;
    result_.multipliers = multipliers(static_cast<Eigen::Index>(lowered_.constraints.size()));
    const Lagrange terms = lagrange();
    VectorXe force = vector_of(terms.force);
    const MatrixXe C =
        matrix_of(jacobian(lowered_.constraints, lowered_.q), lowered_.constraints.size(), lowered_.q.size());
    force -= C.transpose() * vector_of(result_.multipliers);
    const VectorXe p = vector_of(terms.p);
    set_momenta(paired(p), paired(force) + paired_rate(p, lowered_.v));
  }

  void from_field() {
    const VectorXe f = vector_of(lowered_.field);
    if (lowered_.constraints.empty()) {
      for (std::size_t i = 0; i < lowered_.v.size(); ++i)
        result_.kinematics.push_back({lowered_.v[i], lowered_.field[i]});
      return;
    }
    result_.unknowns = lowered_.v;
    const Exprs c = all_constraints();
    const VectorXe zero = VectorXe::Constant(static_cast<Eigen::Index>(c.size()), Expr());
    set_linear_system(identity(ambient()), f,
                      {matrix_of(jacobian(c, lowered_.q), c.size(), lowered_.q.size()) * projector(), zero});
  }

  void from_hamiltonian() {
    if (result_.form == Form::velocity || result_.form == Form::omega)
      throw std::invalid_argument(
          fmt::format("{} is given by a Hamiltonian: its equations have the forms mu and pi", model_.name()));
    if (!lowered_.constraints.empty())
      throw std::invalid_argument(fmt::format(
          "{} has a Hamiltonian and constraints, which is not supported: give a Lagrangian", model_.name()));
    result_.partner = lowered_.mu;
    const HamiltonianFlow flow = hamiltonian_flow(model_, lowered_);
    for (std::size_t i = 0; i < flow.velocity.size(); ++i)
      result_.kinematics.push_back({lowered_.v[i], flow.velocity[i]});
    const VectorXe rate = vector_of(flow.momentum_rate);
    if (result_.form == Form::mu)
      set_momenta({}, rate);
    else
      set_momenta(paired(vector_of(lowered_.mu)), paired(rate) + paired_rate(vector_of(lowered_.mu), flow.velocity));
  }

  // p = B^+T pi is tangent, and B^T p = pi.
  void set_covector(const Exprs& names) {
    for_each_factor([&](const Manifold& space, int q, int xi) {
      const VectorXe pi = vector_of(names).segment(xi, space.rates());
      const VectorXe p = shortest_rates(space, point(space, q)).transpose() * pi;
      result_.covector.insert(result_.covector.end(), p.begin(), p.end());
    });
  }

  const Model& model_;
  Equations result_;
  LoweredModel lowered_;
  std::vector<Manifold> spaces_;
  bool has_hamiltonian_ = false;
};

}  // namespace

std::vector<Expr> Equations::variables() const {
  std::vector<Expr> all;
  for (const auto* group : {&q, &partner, &multipliers, &inputs, &parameters})
    all.insert(all.end(), group->begin(), group->end());
  all.push_back(t);
  return all;
}

std::vector<Form> forms(const Model& model) {
  if (!model.hamiltonian_terms().empty()) return {Form::mu, Form::pi};
  const auto& all = model.coordinates();
  const bool has_rates =
      std::all_of(all.begin(), all.end(), [](const Coordinate& q) { return q.space.has_formulas(); });
  if (!has_rates && !model.has_field()) return {Form::velocity};
  return {Form::omega, Form::velocity, Form::mu, Form::pi};
}

Equations equations(const Model& model, Form form) {
  const auto begin = formulation(model);
  const auto graph = std::make_shared<Graph>(&begin->graph);
  const Graph::Scope scope(*graph);
  Equations result = FormDerivation(model, *begin, form).run();
  result.graph = graph;
  return result;
}

}  // namespace hamel
