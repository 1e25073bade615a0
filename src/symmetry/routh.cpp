#include "hamel/symmetry/routh.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

#include "hamel/derive/energies.hpp"
#include "hamel/derive/expressions.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/graph/print.hpp"
#include "hamel/manifold/manifold.hpp"
#include "hamel/model/file_text.hpp"
#include "hamel/symmetry/noether.hpp"

namespace hamel {

namespace {

using Eigen::Index;

bool is_shift_of_one(const ConservedMomentum& momentum, const Model& model) {
  if (momentum.blocks.size() != 1 || !momentum.couplings.empty() || momentum.energy != 0) return false;
  const ConservedMomentum::Block& block = momentum.blocks.front();
  const Manifold& space = model.coordinates()[static_cast<std::size_t>(block.coordinate)].space;
  return space.dimension() == 1 && (space.is_flat() || space.turning() == Turning::plane) && block.linear.isZero(0) &&
         block.quadratic.isZero(0);
}

std::vector<std::size_t> cyclic_of(const Model& model) {
  std::vector<std::size_t> found;
  for (const ConservedMomentum& momentum : conserved_momenta(model).momenta)
    if (is_shift_of_one(momentum, model)) found.push_back(static_cast<std::size_t>(momentum.blocks[0].coordinate));
  return found;
}

void need_energies_only(const System& system) {
  const auto refuse = [&](const char* what) {
    throw std::invalid_argument(fmt::format(
        "{} cannot be reduced: it has {}, and Routh's reduction needs a Lagrangian alone", system.name(), what));
  };
  if (!system.has_energies()) refuse("a field");
  if (system.has_hamiltonian()) refuse("a Hamiltonian");
  if (system.constraints() > 0) refuse("constraints");
  if (!is_conservative(Sheet(system.model().held()).lowered))
    refuse("forces, laws, dissipation or time in its energies");
}

std::size_t coordinate_named(const Model& model, const std::string& name) {
  const std::vector<std::size_t> cyclic = cyclic_of(model);
  for (const std::size_t k : cyclic)
    if (model.coordinates()[k].name == name) return k;
  const std::vector<std::string> others = cyclic_coordinates(model);
  throw std::invalid_argument(
      fmt::format("{} is no cyclic coordinate on R or S1 of {}; {}", name, model.name(),
                  others.empty() ? "there is none" : fmt::format("there is {}", fmt::join(others, ", "))));
}

std::string identifier(const std::string& name) {
  std::string result;
  for (const char c : name)
    if (c != ']') result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return result;
}

// Where phi is, and how it turns there: its point and its rate for phi' = 1.
struct Angle {
  VectorXd point, unit_rate;
};
Angle angle_at(const Manifold& space, double phi) {
  if (space.is_flat()) return {VectorXd::Constant(1, phi), VectorXd::Ones(1)};
  return {Eigen::Vector2d(std::cos(phi), std::sin(phi)), Eigen::Vector2d(-std::sin(phi), std::cos(phi))};
}
double angle_of(const Manifold& space, const VectorXd& point) {
  return space.is_flat() ? point(0) : std::atan2(point(1), point(0));
}

// L as a function of phi' = s, with phi at a place where nothing depends on it.
struct Routhian {
  Expr R, rate;  // of the reduced coordinates, their rates, the parameters and p
};

class Reduction {
 public:
  Reduction(const Model& model, std::size_t cyclic) : model_(model), cyclic_(cyclic), sheet_(model) {}

  Routhian routhian(const std::string& momentum_name) {
    const LoweredModel& lowered = sheet_.lowered;
    const Expr s = Graph::current().variable("phi'"), p = Graph::current().variable(momentum_name);
    const Expr L = sum(lowered.kinetic) - sum(lowered.potential) + sum(lowered.lagrangian);
    std::unordered_map<std::uint32_t, Expr> replaced;
    const Angle angle = angle_at(model_.coordinates()[cyclic_].space, 0);
    for (std::size_t k = 0; k < model_.coordinates().size(); ++k)
      for (int i = lowered.offsets[k]; i < lowered.offsets[k + 1]; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Index entry = i - lowered.offsets[k];
        replaced[lowered.q[at].id()] = k == cyclic_ ? Expr(angle.point(entry)) : renamed(lowered.q[at], k, "");
        replaced[lowered.v[at].id()] = k == cyclic_ ? Expr(angle.unit_rate(entry)) * s : renamed(lowered.q[at], k, "'");
      }
    const Expr of_s = substitute(std::vector{L}, replaced)[0];
    const Expr slope = gradient(of_s, std::vector{s})[0];
    const Expr a = at_zero(gradient(slope, std::vector{s})[0], s), b = at_zero(slope, s), c = at_zero(of_s, s);
    need_quadratic(of_s, c + b * s + a * s * s / 2);
    return {c - (p - b) * (p - b) / (2 * a), (p - b) / a};
  }

 private:
  // "q[2].x" becomes "q_2.x", and its rate "q_2'.x".
  Expr renamed(Expr entry, std::size_t k, const char* prime) const {
    const std::string& name = model_.coordinates()[k].name;
    const std::string whole = print(entry);
    return Graph::current().variable(identifier(name) + prime + whole.substr(name.size()));
  }

  static Expr at_zero(Expr f, Expr s) { return substitute(std::vector{f}, {{s.id(), Expr(0)}})[0]; }

  // At random values of all that there is.
  void need_quadratic(Expr L, Expr quadratic) const {
    const std::vector<Expr> both = {L, quadratic};
    const std::vector<Expr> variables = dependencies(both);
    Random random(1877);
    std::uniform_real_distribution<double> any(0.5, 1.5);
    for (int tries = 0; tries < 4; ++tries) {
      std::vector<double> values;
      for (std::size_t k = 0; k < variables.size(); ++k) values.push_back(any(random));
      const std::vector<double> found = evaluate(both, variables, values);
      if (std::abs(found[0] - found[1]) > 1e-9 * (std::abs(found[0]) + std::abs(found[1])))
        throw std::invalid_argument(
            fmt::format("{} cannot be reduced: its Lagrangian is not quadratic in the rate of {}", model_.name(),
                        model_.coordinates()[cyclic_].name));
    }
  }

  const Model& model_;
  std::size_t cyclic_;
  Sheet sheet_;
};

// That no name begins with.
std::string unused(std::string name, const Model& model) {
  const auto taken = [&](const auto& one) { return identifier(one.name).starts_with(name); };
  while (std::any_of(model.parameters().begin(), model.parameters().end(), taken) ||
         std::any_of(model.coordinates().begin(), model.coordinates().end(), taken))
    name += "_";
  return name;
}

double momentum_along(const System& system, const State& state, const Angle& angle, Index begin) {
  return momentum(system, state).segment(begin, angle.point.size()).dot(angle.unit_rate);
}

Index offset_of(const Model& model, std::size_t coordinate) {
  Index begin = 0;
  for (std::size_t k = 0; k < coordinate; ++k) begin += model.coordinates()[k].space.ambient();
  return begin;
}

std::string text_of(const System& system, const State& start, std::size_t cyclic, double value) {
  const Model& model = system.model();
  const std::string& left_out = model.coordinates()[cyclic].name;
  const std::string p = unused("momentum", model), s = unused("s", model);
  Reduction reduction(model, cyclic);
  const auto [R, rate] = reduction.routhian(p);
  const Listing listing = print_shared(std::vector{R, rate}, Notation::text, s);
  std::string text =
      fmt::format("name = {}\ndescription = {}\n\n[parameters]\n{} = {}    # of {}\n",
                  quoted_text(fmt::format("{}, without {}", model.name(), left_out)),
                  quoted_text(fmt::format(
                      "{0} by Routh's reduction: {1} is cyclic, its momentum is constant, and the others move by the "
                      "Lagrangian L - p {1}'.",
                      model.name(), left_out)),
                  p, number_text(value), left_out);
  for (const Parameter& parameter : model.parameters())
    text += fmt::format("{} = {}\n", parameter.name, numbers_text(parameter.value));
  std::string coordinates, point, rates;
  for (std::size_t k = 0; k < model.coordinates().size(); ++k) {
    if (k == cyclic) continue;
    const Coordinate& coordinate = model.coordinates()[k];
    const std::string name = identifier(coordinate.name);
    if (name != coordinate.name && coordinate.space.name().find('{') != std::string::npos)
      throw std::invalid_argument(
          fmt::format("{} cannot be reduced: the space of {} is written with its name, which "
                      "would change",
                      model.name(), coordinate.name));
    coordinates += fmt::format("{} = \"{}\"\n", name, coordinate.space.name());
    const auto [rows, cols] = coordinate.space.shape();
    const Index begin = offset_of(model, k);
    const auto shaped = [&, rows = rows, cols = cols](const VectorXd& all) {
      const MatrixXd part = all.segment(begin, coordinate.space.ambient()).reshaped(rows, cols);
      return part.size() == 1 ? "[" + number_text(part(0)) + "]" : numbers_text(part);
    };
    point += fmt::format("{} = {}\n", name, shaped(start.q));
    rates += fmt::format("\"{}'\" = {}\n", name, shaped(start.v));
  }
  text += "\n[coordinates]\n" + coordinates;
  if (!listing.shared.empty()) text += "\n[definitions]\n";
  for (const auto& [name, formula] : listing.shared) text += fmt::format("{} = \"{}\"\n", name, formula);
  text += fmt::format("\n[energy]\nlagrangian = \"{}\"\n\n[start]\n{}{}\n[outputs]\n{}_rate = \"{}\"\n",
                      listing.formulas[0], point, rates, identifier(left_out), listing.formulas[1]);
  return text;
}

}  // namespace

std::vector<std::string> cyclic_coordinates(const Model& model) {
  std::vector<std::string> names;
  for (const std::size_t k : cyclic_of(model)) names.push_back(model.coordinates()[k].name);
  return names;
}

RouthReduction routh_reduction(const System& system, const State& start, const std::string& coordinate,
                               std::optional<double> momentum) {
  need_energies_only(system);
  const Model& model = system.model();
  const std::size_t cyclic = coordinate_named(model, coordinate);
  if (model.coordinates().size() == 1)
    throw std::invalid_argument(fmt::format("{} has no other coordinate than {}", model.name(), coordinate));
  const Manifold& space = model.coordinates()[cyclic].space;
  const Index begin = offset_of(model, cyclic);
  const Angle here = angle_at(space, angle_of(space, start.q.segment(begin, space.ambient())));
  const double value = momentum.value_or(momentum_along(system, start, here, begin));
  if (!std::isfinite(value)) throw std::invalid_argument("a momentum is a number");
  return {cyclic, value, text_of(system, start, cyclic, value)};
}

std::vector<State> reconstruct(const System& system, const State& start, const RouthReduction& reduction,
                               std::span<const State> reduced) {
  const Manifold& space = system.model().coordinates()[reduction.coordinate].space;
  const Index begin = offset_of(system.model(), reduction.coordinate), size = space.ambient();
  const Index rest = system.ambient() - begin - size;
  double phi = angle_of(space, start.q.segment(begin, size)), rate_before = 0, change_before = 0;
  std::vector<State> states;
  for (const State& small : reduced) {
    State whole = start;
    const auto fill = [&](double at, double rate) {
      const Angle angle = angle_at(space, at);
      whole.t = small.t;
      whole.q << small.q.head(begin), angle.point, small.q.tail(rest);
      whole.v << small.v.head(begin), rate * angle.unit_rate, small.v.tail(rest);
      return angle;
    };
    // The momentum is linear in phi', wherever phi is.
    Angle angle = fill(phi, 0);
    const double at_rest = momentum_along(system, whole, angle, begin);
    angle = fill(phi, 1);
    const double rate = (reduction.momentum - at_rest) / (momentum_along(system, whole, angle, begin) - at_rest);
    angle = fill(phi, rate);
    const double change = acceleration(system, whole).segment(begin, size).dot(angle.unit_rate);
    if (!states.empty()) {
      const double h = small.t - states.back().t;
      phi += h / 2 * (rate_before + rate) + h * h / 12 * (change_before - change);
      fill(phi, rate);
    }
    rate_before = rate;
    change_before = change;
    states.push_back(std::move(whole));
  }
  return states;
}

}  // namespace hamel
