// From the numbers of [start], or of an equilibrium, to a state on the manifold and on the constraints.
#include "language/start_state.hpp"

#include <fmt/format.h>

#include <cmath>

#include "hamel/language/model_file.hpp"
#include "hamel/manifold/tangent_space.hpp"
#include "hamel/mechanics/geometry.hpp"
#include "hamel/mechanics/parts.hpp"
#include "hamel/model/file_text.hpp"
#include "language/inertia.hpp"
#include "language/reading.hpp"

namespace hamel {

namespace {

constexpr double largest_correction = 1e-3;
constexpr double rounding = 1e-12;

class Start {
 public:
  // `where` names the numbers in messages.
  Start(const ModelFile& file, const StartValues& values, std::string where, const System& system,
        std::vector<std::string>& remarks)
      : file_(file), values_(values), where_(std::move(where)), system_(system), remarks_(remarks) {}

  State run() {
    state_.t = values_.t_formula ? value_of(*values_.t_formula, system_.model())(0) : values_.t;
    state_.q = VectorXd::Zero(system_.ambient());
    state_.v = VectorXd::Zero(system_.ambient());
    for (int k = 0; k < system_.geometry().factors(); ++k) set_point(k);
    if (system_.constraints() > 0) correct_points();
    if (!system_.has_energies())
      system_.field(work(), state_.t, state_.q, state_.v);
    else
      set_rates();
    thread_local System::CheckScratch scratch;
    at_place(values_.place, [&] { system_.check(state_, scratch); });
    return std::move(state_);
  }

 private:
  const StartValues::Coordinate& given(int k) const { return values_.coordinates[static_cast<std::size_t>(k)]; }
  const Coordinate& coordinate(int k) const { return file_.model.coordinates()[static_cast<std::size_t>(k)]; }
  Eigen::Ref<VectorXd> part(VectorXd& all, int k) const {
    const Geometry& geometry = system_.geometry();
    return all.segment(geometry.offset(k), geometry.offset(k + 1) - geometry.offset(k));
  }

  VectorXd number_of(const StartValues::Given& given) const {
    return given.formula ? VectorXd(value_of(*given.formula, system_.model()).reshaped()) : given.value;
  }

  bool is_too_far(double off) const { return !(off <= largest_correction) && !values_.project; }

  // What can be pasted in the place of what was given.
  std::string offer(const char* what, const std::vector<std::string>& lines) const {
    constexpr std::size_t most = 12;
    const bool is_start = &values_ == &file_.start;
    if (lines.size() > most) return is_start ? "; write project = true in [start]" : "";
    return fmt::format("; {} the nearest {}:\n{}", is_start ? "write project = true in [start], or" : "write", what,
                       fmt::join(lines, "\n"));
  }

  // q, "q'", "q'[2]"
  std::string key_of(int k, bool rate) const {
    const std::string& name = coordinate(k).name;
    const bool plain = !rate && name.find('[') == std::string::npos;
    return plain ? name : quoted_text(rate ? primed(name) : name);
  }

  std::string written(int k, In x) const {
    const auto [rows, cols] = coordinate(k).space.shape();
    return numbers_text(x.reshaped(rows, cols));
  }

  // One line for each coordinate that differs.
  std::vector<std::string> changed_lines(const VectorXd& before, const VectorXd& now, bool rate) const {
    std::vector<std::string> result;
    const Geometry& geometry = system_.geometry();
    for (int k = 0; k < geometry.factors(); ++k) {
      const auto at = Eigen::seq(geometry.offset(k), geometry.offset(k + 1) - 1);
      if ((now(at) - before(at)).norm() > rounding * now(at).norm())
        result.push_back(key_of(k, rate) + " = " + written(k, VectorXd(now(at))));
    }
    return result;
  }

  // What is off is said by a function: most is not.
  void remark(const auto& what, double off) {
    if (off > rounding) remarks_.push_back(fmt::format("{} was off by {:.2g} and was corrected", what(), off));
  }

  void set_point(int k) {
    const auto& [name, space] = coordinate(k);
    const auto& point = given(k).point;
    if (!point)
      throw SourceError(values_.place, fmt::format("{0} does not say where {1} is: add {1} = ...", where_, name));
    const VectorXd x = number_of(*point);
    VectorXd q(x.size());
    double off = std::numeric_limits<double>::infinity();
    try {
      space.project(x, q);
      off = (q - x).norm();
    } catch (const std::exception&) {
      // so far off that there is no nearest point
    }
    if (!std::isfinite(off) || is_too_far(off))
      throw SourceError(
          point->place,
          fmt::format("{} must be on {}; it is off by {:.3g}, and at most {} is corrected{}", name, space.name(),
                      std::isfinite(off) ? off : space.defect(x), largest_correction,
                      std::isfinite(off) ? offer("point", {key_of(k, false) + " = " + written(k, q)}) : ""));
    remark([&, &it = name] { return fmt::format("{} in {}", it, where_); }, off);
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
    if (start.xi && start.rate)
      throw SourceError(start.rate->place, fmt::format("the quasi-velocities and the rate of {} are both given", name));
    const VectorXd q = part(state_.q, k);
    VectorXd v = VectorXd::Zero(q.size());
    if (start.xi) space.velocity(q, number_of(*start.xi), v);
    if (start.rate) {
      const VectorXd rate = number_of(*start.rate);
      space.tangent_project(q, rate, v);
      const double off = (v - rate).norm(), size = rate.norm();
      if (size > 0 && is_too_far(off / size))
        throw SourceError(
            start.rate->place,
            fmt::format("the rate of {} must be tangent to {}; it is off by {:.3g}, and at most {} of its "
                        "size is corrected{}",
                        name, space.name(), off, largest_correction,
                        offer("rate", {key_of(k, true) + " = " + written(k, v)})));
      if (size > 0) remark([&, &it = name] { return fmt::format("the rate of {} in {}", it, where_); }, off / size);
    } else if (start.omega || start.velocity) {
      VectorXd xi = VectorXd::Zero(space.rates());
      if (start.omega) xi.head(start.omega->value.size()) = number_of(*start.omega);
      space.velocity(q, xi, v);
      if (start.velocity) v.tail(3) = number_of(*start.velocity);
    }
    part(state_.v, k) = v;
  }

  void set_momenta() {
    VectorXd p = VectorXd::Zero(system_.ambient());
    bool any = false;
    for (int k = 0; k < system_.geometry().factors(); ++k)
      if (given(k).momentum) {
        any = true;
        if (given(k).rate || given(k).omega || given(k).xi)
          throw SourceError(given(k).momentum->place,
                            fmt::format("a momentum and a rate of {} are both given", coordinate(k).name));
        part(p, k) = number_of(*given(k).momentum);
      } else if (any) {
        throw SourceError(values_.place, fmt::format("give the momenta of all coordinates, or of none: {} has none",
                                                     coordinate(k).name));
      }
    if (!any) return;
    VectorXd v(system_.ambient());
    system_.velocity(work(), state_.t, state_.q, p, v);
    state_.v = v;
  }

  // The directions that the constraints leave at this point.
  TangentSpace tangent_space() {
    const Geometry& geometry = system_.geometry();
    constraints().evaluate(constraint_, state_.q);
    for (Eigen::Index i = 0; i < constraint_.G.rows(); ++i)
      if (!constraint_.G.is_finite(i))
        throw SourceError(values_.place, fmt::format("constraint {} has no finite derivative at {}",
                                                     system_.constraint_names()[static_cast<std::size_t>(i)], where_));
    TangentSpace tangent(geometry.spaces(), geometry.offsets(), state_.q, VectorXd::Ones(geometry.ambient()));
    tangent.constrain(constraint_.G);
    return tangent;
  }

  const Constraints& constraints() const { return system_.parts().dynamics->constraints(); }
  const VectorXd& constraint_at(const VectorXd& q) {
    constraints().evaluate(constraint_, q);
    return constraint_.c;
  }

  // A step towards the constraints, shortened until they are closer; false: there is none, rounding is reached.
  bool approach_constraints() {
    constexpr int most_halvings = 10;
    const VectorXd c = constraint_at(state_.q);
    const TangentSpace tangent = tangent_space();
    VectorXd change = tangent.vector(tangent.shortest(-c)), next(state_.q.size());
    for (int i = 0; i <= most_halvings; ++i, change /= 2) {
      system_.space().retract(state_.q, change, next);
      if (constraint_at(next).lpNorm<Eigen::Infinity>() < c.lpNorm<Eigen::Infinity>()) {
        state_.q = next;
        return true;
      }
    }
    return false;
  }

  void correct_points() {
    constexpr int most_steps = 50;
    constexpr double tolerance = 1e-9;  // of System::check
    const VectorXd before = state_.q, c = constraint_at(before);
    const auto size = [&] { return constraint_at(state_.q).lpNorm<Eigen::Infinity>(); };
    for (int i = 0; i < most_steps && size() > 1e-15 && approach_constraints(); ++i) {
    }
    const double moved = (state_.q - before).norm();
    const std::string violated =
        fmt::format("{} violates the constraints: {} is {:.3g}", where_, worst(c), c.lpNorm<Eigen::Infinity>());
    if (!(size() <= tolerance))
      throw SourceError(values_.place, fmt::format("{}, and no point that satisfies them was found near it", violated));
    if (is_too_far(moved))
      throw SourceError(values_.place,
                        fmt::format("{}; it would have to move by {:.3g}, and at most {} is corrected{}", violated,
                                    moved, largest_correction, offer("point", changed_lines(before, state_.q, false))));
    remark([&] { return where_ + " with respect to the constraints"; }, moved);
  }

  std::string worst(const VectorXd& c) const {
    Eigen::Index i = 0;
    c.cwiseAbs().maxCoeff(&i);
    return system_.constraint_names()[static_cast<std::size_t>(i)];
  }

  void correct_rates() {
    const TangentSpace tangent = tangent_space();
    const VectorXd before = state_.v;
    VectorXd y = tangent.along(before);
    tangent.project(y);
    state_.v = tangent.vector(y);
    const double off = (state_.v - before).norm(), size = before.norm();
    if (size > 0 && is_too_far(off / size))
      throw SourceError(
          values_.place,
          fmt::format("the rates of the start violate the constraints: they are off by {:.3g}, and at most {} "
                      "of their size is corrected{}",
                      off, largest_correction, offer("rate", changed_lines(before, state_.v, true))));
    if (size > 0) remark([] { return "the rates of the start with respect to the constraints"; }, off / size);
  }

  // Most starts need none.
  Workspace& work() {
    if (!w_) w_.emplace(system_);
    return *w_;
  }

  const ModelFile& file_;
  const StartValues& values_;
  std::string where_;
  const System& system_;
  std::vector<std::string>& remarks_;
  std::optional<Workspace> w_;
  State state_;
  Constraints::Workspace constraint_ = constraints().workspace();
};

}  // namespace

State state_at(const ModelFile& file, const StartValues& values, const std::string& where, const System& system,
               std::vector<std::string>& remarks) {
  return Start(file, values, where, system, remarks).run();
}

State start_state(const ModelFile& file, const System& system, std::vector<std::string>& remarks) {
  State start = state_at(file, file.start, "[start]", system, remarks);
  remark_inertia(system, start, remarks);
  return start;
}

}  // namespace hamel
