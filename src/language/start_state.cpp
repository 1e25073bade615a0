// From the numbers of [start], or of an equilibrium, to a state on the manifold and on the constraints.
#include "language/start_state.hpp"

#include <fmt/format.h>

#include <cmath>

#include "hamel/graph/differentiate.hpp"
#include "hamel/language/model_file.hpp"
#include "hamel/model/lower.hpp"
#include "hamel/program/program.hpp"
#include "manifold/linear_algebra.hpp"

namespace hamel {

namespace {

constexpr double largest_correction = 1e-3;
constexpr double rounding = 1e-12;

class Start {
 public:
  // `where` names the numbers in messages.
  Start(const ModelFile& file, const StartValues& values, std::string where, const System& system,
        std::vector<std::string>& remarks)
      : file_(file), values_(values), where_(std::move(where)), system_(system), remarks_(remarks), w_(system) {}

  State run() {
    state_.t = values_.t;
    state_.q = VectorXd::Zero(system_.ambient());
    state_.v = VectorXd::Zero(system_.ambient());
    for (int k = 0; k < system_.geometry().factors(); ++k) set_point(k);
    if (system_.constraints() > 0) correct_points();
    if (system_.is_first_order())
      system_.field(w_, state_.t, state_.q, state_.v);
    else
      set_rates();
    system_.check(state_);
    return state_;
  }

 private:
  const StartValues::Coordinate& given(int k) const { return values_.coordinates[static_cast<std::size_t>(k)]; }
  const Coordinate& coordinate(int k) const { return file_.model.coordinates()[static_cast<std::size_t>(k)]; }
  Eigen::Ref<VectorXd> part(VectorXd& all, int k) const {
    const Geometry& geometry = system_.geometry();
    return all.segment(geometry.offset(k), geometry.offset(k + 1) - geometry.offset(k));
  }

  void remark(const std::string& what, double off) {
    if (off > rounding) remarks_.push_back(fmt::format("{} was off by {:.2g} and was corrected", what, off));
  }

  void set_point(int k) {
    const auto& [name, space] = coordinate(k);
    const auto& point = given(k).point;
    if (!point)
      throw SourceError(values_.place, fmt::format("{0} does not say where {1} is: add {1} = ...", where_, name));
    const VectorXd& x = point->value;
    VectorXd q(x.size());
    double off = std::numeric_limits<double>::infinity();
    try {
      space.project(x, q);
      off = (q - x).norm();
    } catch (const std::exception&) {
      // so far off that there is no nearest point
    }
    if (!(off <= largest_correction))
      throw SourceError(point->place,
                        fmt::format("{} must be on {}; it is off by {:.3g}, and at most {} is corrected", name,
                                    space.name(), std::isfinite(off) ? off : space.defect(x), largest_correction));
    remark(fmt::format("{} in {}", name, where_), off);
    part(state_.q, k) = q;
  }

  void set_rates() {
    for (int k = 0; k < system_.geometry().factors(); ++k) set_rate(k);
    set_momenta();
    if (system_.constraints() > 0) correct_rates();
  }

  void set_rate(int k) {
    const auto& [name, space] = coordinate(k);
    const StartValues::Coordinate& start = given(k);
    if (start.omega && start.rate)
      throw SourceError(start.rate->place, fmt::format("the angular velocity and the rate of {} are both given", name));
    const VectorXd q = part(state_.q, k);
    VectorXd v = VectorXd::Zero(q.size());
    if (start.rate) {
      space.tangent_project(q, start.rate->value, v);
      const double off = (v - start.rate->value).norm(), size = start.rate->value.norm();
      if (off > largest_correction * size)
        throw SourceError(
            start.rate->place,
            fmt::format("the rate of {} must be tangent to {}; it is off by {:.3g}, and at most {} of its "
                        "size is corrected",
                        name, space.name(), off, largest_correction));
      if (size > 0) remark(fmt::format("the rate of {} in {}", name, where_), off / size);
    } else if (start.omega || start.velocity) {
      VectorXd xi = VectorXd::Zero(space.rates());
      if (start.omega) xi.head(start.omega->value.size()) = start.omega->value;
      space.velocity(q, xi, v);
      if (start.velocity) v.tail(3) = start.velocity->value;
    }
    part(state_.v, k) = v;
  }

  void set_momenta() {
    VectorXd p = VectorXd::Zero(system_.ambient());
    bool any = false;
    for (int k = 0; k < system_.geometry().factors(); ++k)
      if (given(k).momentum) {
        any = true;
        if (given(k).rate || given(k).omega)
          throw SourceError(given(k).momentum->place,
                            fmt::format("a momentum and a rate of {} are both given", coordinate(k).name));
        part(p, k) = given(k).momentum->value;
      } else if (any) {
        throw SourceError(values_.place, fmt::format("give the momenta of all coordinates, or of none: {} has none",
                                                     coordinate(k).name));
      }
    if (!any) return;
    VectorXd v(system_.ambient());
    system_.velocity(w_, state_.t, state_.q, p, v);
    state_.v = v;
  }

  // The derivative of the constraints along an orthonormal basis of the tangent space.
  void linearize() {
    if (!jacobian_) make_jacobian();
    const VectorXd parameters = parameter_values(file_.model);
    MatrixXd C(system_.constraints(), system_.ambient());
    MatrixXd transposed(system_.ambient(), system_.constraints());
    const double* in[] = {state_.q.data(), parameters.data(), &state_.t};
    double* out[] = {transposed.data()};
    VectorXd scratch(static_cast<Eigen::Index>(jacobian_->scratch_size()));
    jacobian_->run(in, out, scratch.data());
    C = transposed.transpose();
    N_ = MatrixXd::Zero(system_.ambient(), system_.geometry().dimension());
    const Geometry& geometry = system_.geometry();
    for (int k = 0; k < geometry.factors(); ++k) {
      const Eigen::Index size = geometry.offset(k + 1) - geometry.offset(k);
      const Eigen::Index dimension = geometry.tangent_offset(k + 1) - geometry.tangent_offset(k);
      MatrixXd basis(size, dimension);
      geometry.space(k).tangent_basis(part(state_.q, k), basis);
      N_.block(geometry.offset(k), geometry.tangent_offset(k), size, dimension) = basis;
    }
    C_ = C;
    CN_ = C * N_;
  }

  void make_jacobian() {
    Graph graph;
    const Graph::Scope scope(graph);
    const LoweredModel lowered = lower(file_.model);
    std::vector<Expr> entries;
    for (const Expr c : lowered.constraints)
      for (const Expr entry : gradient(c, lowered.q)) entries.push_back(entry);
    jacobian_ = Program("constraint Jacobian", {lowered.q, lowered.parameters, {lowered.t}}, {entries});
  }

  void correct_points() {
    VectorXd c(system_.constraints());
    system_.constraint(w_, state_.q, c);
    const VectorXd before = state_.q;
    constexpr int most_iterations = 20;
    for (int i = 0; i < most_iterations && c.lpNorm<Eigen::Infinity>() > 1e-15; ++i) {
      linearize();
      const VectorXd change = -(N_ * linear::shortest_least_squares(CN_, c));

      if (change.norm() > largest_correction || (state_.q + change - before).norm() > 2 * largest_correction)
        throw SourceError(
            values_.place,
            fmt::format("{} violates the constraints: {} is {:.3g}; it would have to move by {:.3g}, and at most {} is "
                        "corrected",
                        where_, worst(c), c.lpNorm<Eigen::Infinity>(), change.norm(), largest_correction));
      VectorXd next(state_.q.size());
      system_.space().retract(state_.q, change, next);
      const double size = c.lpNorm<Eigen::Infinity>();
      const VectorXd last = state_.q;
      state_.q = next;
      system_.constraint(w_, state_.q, c);
      if (c.lpNorm<Eigen::Infinity>() >= size) {  // rounding is reached
        state_.q = last;
        break;
      }
    }
    remark(where_ + " with respect to the constraints", (state_.q - before).norm());
  }

  std::string worst(const VectorXd& c) const {
    Eigen::Index i = 0;
    c.cwiseAbs().maxCoeff(&i);
    return system_.constraint_names()[static_cast<std::size_t>(i)];
  }

  void correct_rates() {
    linearize();
    const VectorXd change = N_ * linear::shortest_least_squares(CN_, VectorXd(C_ * state_.v));
    const double off = change.norm(), size = state_.v.norm();
    if (off > largest_correction * size)
      throw SourceError(
          values_.place,
          fmt::format("the rates of the start violate the constraints: they are off by {:.3g}, and at most {} "
                      "of their size is corrected",
                      off, largest_correction));
    if (size > 0) remark("the rates of the start with respect to the constraints", off / size);
    state_.v -= change;
  }

  const ModelFile& file_;
  const StartValues& values_;
  std::string where_;
  const System& system_;
  std::vector<std::string>& remarks_;
  Workspace w_;
  State state_;
  std::optional<Program> jacobian_;
  MatrixXd C_, N_, CN_;  // the constraints, linearized; a tangent basis; their product
};

}  // namespace

State state_at(const ModelFile& file, const StartValues& values, const std::string& where, const System& system,
               std::vector<std::string>& remarks) {
  return Start(file, values, where, system, remarks).run();
}

State start_state(const ModelFile& file, const System& system, std::vector<std::string>& remarks) {
  return state_at(file, file.start, "[start]", system, remarks);
}

}  // namespace hamel
