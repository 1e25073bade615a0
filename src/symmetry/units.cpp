#include "symmetry/units.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

#include "hamel/graph/expr.hpp"
#include "symmetry/space_parts.hpp"

namespace hamel {
namespace {

constexpr double most_work = 1e6;   // nodes to visit when every term is differentiated on its own
constexpr double most_room = 2e6;   // derivatives of all terms at as many states as there are coordinates
constexpr int largest_power = 120;  // of two, of a unit
constexpr int first_stride = 8;     // between powers that are tried
constexpr int exponent_of_ten = 3;  // a factor of ten halves the likeness
constexpr std::size_t most_sizes = 9;

// x[3] and x[4] are called x: they have the same unit.
std::string family_of(const std::string& name) { return name.substr(0, name.find('[')); }

std::optional<int> power_of(double x) {
  if (x == 0 || !std::isfinite(x)) return {};
  return std::ilogb(x);
}

// By how many powers of two the things that an operation compares differ.
std::optional<int> imbalance(Op op, double a, double b) {
  switch (op) {
    case Op::add:
    case Op::subtract:
    case Op::min:
    case Op::max:
    case Op::less:
    case Op::less_equal:
    case Op::atan2:
    case Op::hypot:
    case Op::mod:
      if (const auto first = power_of(a), second = power_of(b); first && second) return *first - *second;
      return {};
    case Op::exp:
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::erf:
      return power_of(a);
    default:
      return {};
  }
}

constexpr int nothing_compared = 1 << 20;

// Operation by operation, with numbers; where nothing is compared, or there are no numbers, that is said.
std::vector<int> imbalances_of(const Code& code, const double* const* in) {
  std::vector<double> values(code.constants.begin(), code.constants.end());
  values.reserve(code.values());
  for (const std::uint32_t size : code.input_sizes) {
    values.insert(values.end(), *in, *in + size);
    ++in;
  }
  std::vector<int> result;
  for (const Operation& operation : code.operations) {
    std::array<double, 3> arguments{};
    for (std::size_t k = 0; k < operation.arity; ++k) arguments[k] = values[operation.argument[k]];
    result.push_back(imbalance(operation.op, arguments[0], arguments[1]).value_or(nothing_compared));
    values.push_back(apply(operation.op, arguments[0], arguments[1], arguments[2]));
  }
  return result;
}

std::vector<StateSize> thinned_sizes(const std::vector<StateSize>& sizes) {
  if (sizes.size() <= most_sizes) return sizes;
  std::vector<StateSize> result;
  for (std::size_t k = 0; k < most_sizes; ++k) result.push_back(sizes[k * (sizes.size() - 1) / (most_sizes - 1)]);
  return result;
}

bool are_too_many(const Exprs& terms, std::size_t coordinates) {
  if (static_cast<double>(terms.size()) * static_cast<double>(reachable(terms).size()) > most_work) return true;
  std::size_t derivatives = 0;
  for (const Expr term : terms) derivatives += dependencies(Exprs{term}).size();
  return static_cast<double>(derivatives) * static_cast<double>(coordinates) > most_room;
}

}  // namespace

Exprs energy_terms(const LoweredModel& lowered) {
  Exprs terms = lowered.kinetic;
  terms.insert(terms.end(), lowered.lagrangian.begin(), lowered.lagrangian.end());
  for (const Expr U : lowered.potential) terms.push_back(-U);
  for (const Expr H : lowered.hamiltonian) terms.push_back(-H);
  return are_too_many(terms, lowered.q.size()) ? Exprs{sum(terms)} : terms;
}

BalanceOfTerms::BalanceOfTerms(const Model& model, const LoweredModel& lowered, const Parameters& parameters)
    : by_hamiltonian_(!lowered.hamiltonian.empty()), parameters_(parameters.values) {
  const Exprs& fibre = by_hamiltonian_ ? lowered.mu : lowered.v;
  Exprs formulas = {sum(energy_terms(lowered)), lowered.rayleigh};
  formulas.insert(formulas.end(), lowered.constraints.begin(), lowered.constraints.end());
  for (const auto& [force, rate] : lowered.forces) formulas.push_back(force);
  if (by_hamiltonian_) {  // rates in forces are H_mu
    std::unordered_map<std::uint32_t, Expr> rates;
    const Exprs velocity = gradient(sum(lowered.hamiltonian), lowered.mu);
    for (std::size_t i = 0; i < velocity.size(); ++i) rates[lowered.v[i].id()] = velocity[i];
    formulas = substitute(formulas, rates);
  }
  formulas_ = make_code("compared", {lowered.q, fibre, lowered.u, {lowered.t}, parameters.variables}, {formulas});

  Random random(23);
  std::normal_distribution<double> normal;
  const auto draw = [&] { return normal(random); };
  q_.resize(static_cast<Eigen::Index>(lowered.q.size()));
  fibre_.resize(q_.size());
  std::map<std::string, int> units;
  for (std::size_t c = 0; c < model.coordinates().size(); ++c) {
    const auto& [name, space] = model.coordinates()[c];
    const int begin = lowered.offsets[c], n = space.ambient(), places = first_place(space);
    q_.segment(begin, n) = space.random_point(random);
    fibre_.segment(begin, n) = space.random_tangent(q_.segment(begin, n), random);
    unit_of_.insert(unit_of_.end(), at(places), -1);
    if (places == n) continue;
    const int unit = units.try_emplace(family_of(name), static_cast<int>(units.size())).first->second;
    unit_of_.insert(unit_of_.end(), at(n - places), unit);
  }
  lengths_ = static_cast<int>(units.size());
  u_ = VectorXd::NullaryExpr(static_cast<Eigen::Index>(lowered.u.size()), draw);
  t_ = draw();
}

Units BalanceOfTerms::units_of(const Exponents& exponents) const {
  Units units{VectorXd::Ones(q_.size()), std::ldexp(1, exponents(lengths_)), std::ldexp(1, exponents(lengths_ + 1))};
  for (Eigen::Index i = 0; i < q_.size(); ++i)
    if (const int unit = unit_of_[static_cast<std::size_t>(i)]; unit >= 0)
      units.length(i) = std::ldexp(1, exponents(unit));
  return units;
}

std::vector<int> BalanceOfTerms::imbalances(const Units& units, const StateSize& size) const {
  VectorXd q = q_, fibre = fibre_;
  const double time = units.time * size.place / size.rate;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    double length = units.length(i);
    if (unit_of_[static_cast<std::size_t>(i)] >= 0) length *= size.place;
    q(i) *= length;
    fibre(i) *= by_hamiltonian_ ? units.energy * time / length : length / time;
  }
  const double t = time * t_;
  const std::array<const double*, 5> in = {q.data(), fibre.data(), u_.data(), &t, parameters_.data()};
  return imbalances_of(formulas_, in.data());
}

double BalanceOfTerms::likeness(const Exponents& exponents) const {
  double sum = 0;
  for (const int imbalance : imbalances(units_of(exponents), {}))
    if (imbalance != nothing_compared) sum += 1 / (1 + std::abs(imbalance) / static_cast<double>(exponent_of_ten));
  constexpr double little = 0.002;  // to stay near one where no unit is better than others
  return sum - little * exponents.cwiseAbs().maxCoeff();
}

// Each unit alone; all lengths together, with times such that speeds stay, accelerations stay, or planets go round.
std::vector<BalanceOfTerms::Exponents> BalanceOfTerms::directions() const {
  std::vector<Exponents> result;
  const auto unit = [&](int k) { return Exponents(Exponents::Unit(lengths_ + 2, k)); };
  for (int k = 0; k <= lengths_; ++k) result.push_back(unit(k));
  if (by_hamiltonian_) result.push_back(unit(lengths_ + 1));
  if (lengths_ == 0) return result;
  Exponents all = Exponents::Zero(lengths_ + 2);
  all.head(lengths_).setOnes();
  if (lengths_ > 1) result.push_back(all);
  for (const auto& [of_length, of_time] : {std::pair(1, 1), {2, 1}, {2, 3}})
    result.push_back(of_length * all + of_time * unit(lengths_));
  return result;
}

bool BalanceOfTerms::move_along(const Exponents& direction, Exponents& now) const {
  const Exponents start = now;
  double best = likeness(now) * (1 + 1e-9);
  const auto attempt = [&](const Exponents& there) {
    if (there.cwiseAbs().maxCoeff() > largest_power) return;
    if (const double likeness_there = likeness(there); likeness_there > best) {
      best = likeness_there * (1 + 1e-9);
      now = there;
    }
  };
  for (int far = first_stride; far <= 2 * largest_power; far += first_stride)
    for (const int sign : {1, -1}) attempt(start + sign * far * direction);
  for (int stride = first_stride / 2; stride > 0; stride /= 2) {
    const Exponents above = now + stride * direction, below = now - stride * direction;
    attempt(above);
    attempt(below);
  }
  return now != start;
}

// The best of a coarse lattice of times and lengths, these all alike.
BalanceOfTerms::Exponents BalanceOfTerms::rough_units() const {
  constexpr std::size_t large = 10000;
  const int stride = formulas_.operations.size() < large ? first_stride : 3 * first_stride;
  Exponents best = Exponents::Zero(lengths_ + 2), now = best;
  if (lengths_ == 0) return best;
  double largest = likeness(best);
  for (int length = -largest_power; length <= largest_power; length += stride)
    for (int time = -largest_power; time <= largest_power; time += stride) {
      now.head(lengths_).setConstant(length);
      now(lengths_) = time;
      if (const double here = likeness(now); here > largest) {
        largest = here;
        best = now;
      }
    }
  return best;
}

Units BalanceOfTerms::units() const {
  constexpr int most_rounds = 6;
  Exponents now = rough_units();
  const std::vector<Exponents> all = directions();
  bool moved = true;
  for (int round = 0; round < most_rounds && moved; ++round) {
    moved = false;
    for (const Exponents& direction : all) moved = move_along(direction, now) || moved;
  }
  return units_of(now);
}

std::vector<StateSize> BalanceOfTerms::other_sizes(const Units& units) const {
  std::vector<StateSize> result;
  for (const auto& [of_place, of_rate] : {std::pair(1, 0), {0, 1}, {1, 1}}) {
    const auto size_at = [&, place = of_place, rate = of_rate](int k) {
      return StateSize{std::ldexp(1, k * place), std::ldexp(1, k * rate)};
    };
    std::vector<StateSize> changing;
    std::vector<int> before;
    for (int k = -largest_power; k <= largest_power; k += first_stride) {
      const std::vector<int> here = imbalances(units, size_at(k));
      bool changes = false;
      for (std::size_t i = 0; i < before.size(); ++i)
        if (here[i] != nothing_compared && before[i] != nothing_compared && (here[i] > 0) != (before[i] > 0))
          changes = true;
      if (changes) changing.push_back(size_at(k - first_stride / 2));
      before = here;
    }
    const std::vector<StateSize> few = thinned_sizes(changing);
    result.insert(result.end(), few.begin(), few.end());
  }
  return result;
}

LoweredModel in_units(const LoweredModel& lowered, const Units& units) {
  std::unordered_map<std::uint32_t, Expr> replacement;
  const auto replace = [&](Expr variable, double unit) {
    if (unit != 1) replacement[variable.id()] = unit * variable;
  };
  for (std::size_t i = 0; i < lowered.q.size(); ++i) {
    const double length = units.length(static_cast<Eigen::Index>(i));
    replace(lowered.q[i], length);
    replace(lowered.v[i], length / units.time);
    if (!lowered.mu.empty()) replace(lowered.mu[i], units.energy * units.time / length);
  }
  replace(lowered.t, units.time);
  LoweredModel result = lowered;
  if (replacement.empty() && units.energy == 1) return result;
  for (auto* terms : {&result.kinetic, &result.potential, &result.lagrangian, &result.hamiltonian}) {
    *terms = substitute(*terms, replacement);
    for (Expr& term : *terms) term = term / units.energy;
  }
  result.constraints = substitute(result.constraints, replacement);
  result.rayleigh = substitute(Exprs{result.rayleigh}, replacement).front();
  Exprs forces;
  for (const auto& [force, rate] : result.forces) forces.insert(forces.end(), {force, rate});
  forces = substitute(forces, replacement);
  for (std::size_t k = 0; k < result.forces.size(); ++k) result.forces[k] = {forces[2 * k], forces[2 * k + 1]};
  return result;
}

}  // namespace hamel
