#include "hamel/textbook/textbook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "textbook/field.hpp"
#include "textbook/hamilton.hpp"
#include "textbook/identities.hpp"
#include "textbook/lagrange.hpp"
#include "textbook/lines.hpp"

namespace hamel {
namespace textbook {
namespace {

Sum part_of(const Sum& sum, const std::function<bool(const Term&)>& wanted) {
  Sum part(sum.rows(), sum.cols());
  for (const Term& term : sum.terms())
    if (wanted(term)) part.add(term);
  return part;
}

class Derivation {
 public:
  Derivation(const Model& model, Form form, Naming naming)
      : lagrange_(model, form, naming), lines_(model, lagrange_.names().have_motions()), form_(form) {
    set_.model = model.name();
    set_.form = form;
  }

  TextbookEquations run() {
    for (const Place& place : places()) add_velocity(place);
    for (const Place& place : places())
      form_ == Form::velocity || form_ == Form::omega ? add_motion(place) : add_flow(place);
    for (const Sum& constraint : lagrange_.constraints()) add(set_.constraints, constraint, Sum(constraint.rows(), 1));
    add_names();
    lines_.define_quarter_turn(set_);
    set_.quantities = used_quantities(lagrange_.symbols().quantities(), set_);
    return set_;
  }
  bool has_names() const { return lagrange_.names().have_motions(); }

 private:
  const std::vector<Place>& places() const { return lagrange_.symbols().places(); }
  const Symbols& symbols() const { return lagrange_.symbols(); }

  void add(std::vector<TextbookEquation>& list, const Sum& left, const Sum& right) {
    list.push_back({lines_.plain(left), lines_.plain(right)});
  }

  bool is_acceleration(const Term& term) const {
    const Sum one = sum_of(1, 1, {{1, term.factors, {}}});
    Sum core(3, 1);
    if (!term.core.empty()) core = from(term.core);
    return std::any_of(places().begin(), places().end(), [&](const Place& place) {
      for (const Sum* symbol : {&place.a, &place.omega_rate, &place.velocity_rate})
        if (!symbol->is_zero() && !symbol->is_number() && (mentions(one, *symbol) || mentions(core, *symbol)))
          return true;
      return false;
    });
  }

  struct Named {
    std::pair<int, int> order;
    TextbookEquation equation;
  };
  // The names that are used, the last ones first: they stand for those before them.
  void add_names() {
    const std::vector<Names::Entry>& entries = lagrange_.names().entries();
    std::vector<Named> definitions;
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      TextbookEquations so_far = set_;
      for (const Named& named : definitions) so_far.definitions.push_back(named.equation);
      if (!uses_name(so_far, entry->name)) continue;
      const Formula value = entry->formula ? lagrange_.names().in_print(*entry->formula)
                                           : lines_.plain(in_angular_velocities(entry->value));
      if (entry->is_constant) set_.constants.push_back({lines_.plain(entry->symbol), *entry->formula});
      if (!entry->is_given) definitions.push_back({entry->order, {lines_.plain(entry->symbol), value}});
    }
    std::stable_sort(definitions.begin(), definitions.end(),
                     [](const Named& a, const Named& b) { return a.order < b.order; });
    for (const Named& named : definitions) set_.definitions.push_back(named.equation);
  }
  Sum in_angular_velocities(const Sum& sum) const {
    return form_ == Form::omega || form_ == Form::pi ? substitute(sum, by_angular_velocity()) : sum;
  }
  Sum accelerations(const Sum& sum) const {
    return part_of(sum, [&](const Term& term) { return is_acceleration(term); });
  }

  // q' in the variables of the form, and q'': what q' and q'' are replaced by.
  Values by_angular_velocity() const {
    Values values;
    for (const Place& place : places()) {
      if (!place.is_sphere()) continue;
      const Sum turned = place.space == Space::circle ? quarter_turn() * place.q : place.q;
      const auto turn = [&](const Sum& w) { return place.space == Space::circle ? w * turned : cross(w, place.q); };
      values.insert({key_of_symbol(place.v), turn(place.omega)});
      values.insert({key_of_symbol(place.a), turn(place.omega_rate) - dot(place.omega, place.omega) * place.q});
    }
    return values;
  }

  void add_velocity(const Place& place) {
    if (place.turns()) add(set_.kinematics, place.R_rate, symbols().rate_of_rotation(place));
    if (form_ == Form::velocity && place.turns()) {
      const Sum W = hat(place.omega);
      add(set_.kinematics, place.R_acceleration, place.R * hat(place.omega_rate) + place.R * (W * W));
    }
    if (form_ != Form::omega) return;
    if (place.is_sphere()) add(set_.kinematics, place.v, by_angular_velocity().at(key_of_symbol(place.v)));
    if (place.space == Space::pose) add(set_.kinematics, place.v, place.R * place.velocity);
  }

  // Euler and Lagrange: velocity and omega forms.
  void add_motion(const Place& place) {
    if (place.turns()) add_turning(place);
    if (place.space == Space::pose && form_ == Form::omega) return add_translation(place);
    if (!place.has_point()) return;
    const Sum inertia = symbols().rate(lagrange_.momentum(place.v)) - lagrange_.inertial_force(place);
    const Sum balance = with_identities(inertia - lagrange_.force(place)), named = lagrange_.inertia(place.v);
    if (form_ == Form::velocity) {
      place.is_sphere() ? add_projected(place, balance, named) : split(place, balance, named);
      return;
    }
    const auto turning = [&](const Sum& sum) {
      const Sum substituted = substitute(sum, by_angular_velocity());
      return place.is_sphere() ? moment(place, substituted) : substituted;
    };
    split(place, turning(balance), turning(named));
  }

  // The coordinate's own accelerations first, those of others last.
  Sum ordered(const Sum& sum, const std::vector<const Sum*>& own) const {
    const auto is_own = [&](const Term& term) {
      const Sum one = sum_of(sum.rows(), sum.cols(), {term});
      return std::any_of(own.begin(), own.end(), [&](const Sum* symbol) { return mentions(one, *symbol); });
    };
    const Sum others = accelerations(part_of(sum, [&](const Term& term) { return !is_own(term); }));
    const Sum rest = part_of(sum - others, [&](const Term& term) { return !is_own(term); });
    return part_of(sum, is_own) + rest + others;
  }

  void split(const Place& place, const Sum& balance, const Sum& named) {
    const bool turning = form_ == Form::omega && place.is_sphere();
    const Sum left = ordered(accelerations(balance), {turning ? &place.omega_rate : &place.a});
    set_.dynamics.push_back({lines_.nested(left + named, place), lines_.nested(left - balance, place)});
  }

  Sum in_form(const Sum& sum) const { return form_ == Form::omega ? substitute(sum, by_angular_velocity()) : sum; }

  // J Omega' + Omega x J Omega = M
  void add_turning(const Place& place) {
    const Sum Pi = lagrange_.momentum(place.omega);
    Sum inertia = symbols().rate(Pi) + cross(place.omega, Pi) - lagrange_.inertial_torque(place);
    if (place.space == Space::pose && form_ == Form::omega)
      inertia += cross(place.velocity, lagrange_.momentum(place.velocity));
    inertia += lagrange_.inertia(place.omega);
    add(set_.dynamics, ordered(in_form(inertia), {&place.omega_rate}), in_form(lagrange_.torque(place)));
  }

  void add_translation(const Place& place) {
    const Sum P = lagrange_.momentum(place.velocity);
    const Sum inertia = symbols().rate(P) + cross(place.omega, P) - lagrange_.inertial_body_force(place) +
                        lagrange_.inertia(place.velocity);
    add(set_.dynamics, ordered(in_form(inertia), {&place.velocity_rate}), in_form(lagrange_.body_force(place)));
  }

  // P E = 0, with P q'' = q'' + |q'|^2 q
  void add_projected(const Place& place, const Sum& balance, const Sum& named) {
    const Sum left = accelerations(balance);
    const Parts moving = parts_of(left + named, place, place.a), resting = parts_of(left - balance, place, place.a);
    const Sum own_factor = substitute(moving.own, {{key_of_symbol(place.a), place.q}});
    const Sum curvature = dot(place.v, place.v) * own_factor;
    set_.dynamics.push_back({lines_.plain(moving.own + moving.tangent) + lines_.projected(moving.other, place),
                             lines_.plain(-curvature + resting.tangent) + lines_.projected(resting.other, place)});
  }

  // Hamilton: mu and pi forms of a Lagrangian.
  void add_flow(const Place& place) {
    if (place.has_point() && !(place.space == Space::pose && form_ == Form::pi)) {
      if (form_ == Form::pi && place.is_sphere())
        add_pi(place);
      else
        add_mu(place);
    }
    if (!place.turns()) return;
    form_ == Form::pi ? add_turning_pi(place) : add_turning_mu(place);
  }

  // mu = c q' with a constant c: then q' = mu / c.
  struct Simple {
    bool is_simple;
    Sum inverse;
  };
  static Simple simple(const Sum& momentum, const Sum& rate) {
    if (momentum.is_zero()) return {false, 0.0};
    Sum factor(1, 1);
    for (const Term& term : momentum.terms()) {
      Term rest{term.coefficient, term.factors, {}};
      if (rate.is_scalar()) {
        const auto is_rate = [&](const Factor& f) {
          return f.exponent == 1 && f.atom->leaf.order == key_of_symbol(rate);
        };
        const auto found = std::find_if(rest.factors.begin(), rest.factors.end(), is_rate);
        if (found == rest.factors.end()) return {false, 0.0};
        rest.factors.erase(found);
      } else if (term.core.size() != 1 || term.core[0]->leaf.order != key_of_symbol(rate)) {
        return {false, 0.0};
      }
      factor.add(rest);
    }
    if (!factor.is_constant()) return {false, 0.0};
    return {true, reciprocal(factor)};
  }

  // The momentum of a coordinate in its own velocity: q', or omega in the pi form.
  Sum own_momentum(const Place& place) const {
    const Sum p = lagrange_.momentum(place.v);
    if (!place.is_sphere()) return p;
    if (form_ == Form::mu) return p - parts_of(p, place, place.v).normal;
    return moment(place, substitute(p, by_angular_velocity()));
  }

  // What is put in for the velocities of coordinates whose momenta are simple.
  const Values& by_momenta() {
    if (!by_momenta_.empty() || by_momenta_known_) return by_momenta_;
    by_momenta_known_ = true;
    for (const Place& place : places()) {
      if (!place.has_point() || (place.space == Space::pose && form_ == Form::pi)) continue;
      const bool turning = form_ == Form::pi && place.is_sphere();
      const auto [is_simple, inverse] = simple(own_momentum(place), turning ? place.omega : place.v);
      if (!is_simple) continue;
      const Sum rate = inverse * place.momentum;
      by_momenta_.insert({key_of_symbol(turning ? place.omega : place.v), rate});
      if (turning)
        by_momenta_.insert({key_of_symbol(place.v),
                            place.space == Space::circle ? rate * (quarter_turn() * place.q) : cross(rate, place.q)});
    }
    return by_momenta_;
  }
  bool is_simple(const Sum& rate) { return by_momenta().contains(key_of_symbol(rate)); }
  Sum in_momenta(const Sum& sum) { return substitute(sum, by_momenta()); }

  void add_mu(const Place& place) {
    const Sum p = lagrange_.momentum(place.v), force = lagrange_.inertial_force(place) + lagrange_.force(place);
    if (is_simple(place.v)) add(set_.kinematics, place.v, by_momenta().at(key_of_symbol(place.v)));
    const Formula left = lines_.plain(place.momentum), left_rate = lines_.plain(place.momentum_rate);
    if (!place.is_sphere()) {
      add(set_.momenta, place.momentum, p);
      add(set_.dynamics, place.momentum_rate, in_momenta(force));
      return;
    }
    const Parts parts = parts_of(p, place, place.v);
    set_.momenta.push_back({left, lines_.tangent(parts, place)});
    // mu' = P (dL/dq + f) - (q.p) q' - (q'.p) q
    const Sum turned = -(dot(place.q, p) * place.v) - dot(place.v, p) * place.q;
    const Parts forces = parts_of(in_momenta(force), place, place.v);
    set_.dynamics.push_back({left_rate, lines_.plain(in_momenta(turned) + forces.own + forces.tangent) +
                                            lines_.projected(forces.other, place)});
  }

  // pi = q x p, pi' = q x (dL/dq + f) + q' x p
  void add_pi(const Place& place) {
    const Sum p = lagrange_.momentum(place.v), force = lagrange_.inertial_force(place) + lagrange_.force(place);
    const bool simple = is_simple(place.omega);
    const Sum turning = by_angular_velocity().at(key_of_symbol(place.v));
    add(set_.kinematics, place.v, simple ? by_momenta().at(key_of_symbol(place.v)) : turning);
    set_.momenta.push_back({lines_.plain(place.momentum), lines_.nested(own_momentum(place), place)});
    const Sum q_rate = simple ? by_momenta().at(key_of_symbol(place.v)) : place.v;
    const Sum rest = in_momenta(p);
    const Sum turned = place.space == Space::circle ? dot(quarter_turn() * q_rate, rest) : cross(q_rate, rest);
    const Sum rate = moment(place, in_momenta(force)) + turned;
    set_.dynamics.push_back({lines_.plain(place.momentum_rate), lines_.nested(rate, place)});
  }

  // J Omega = Pi, Pi' = Pi x Omega + M; on SE(3) also P' = P x Omega + F and P x V in the former.
  void add_turning_pi(const Place& place) {
    const bool pose = place.space == Space::pose;
    add(set_.momenta, lagrange_.momentum(place.omega), place.turning_momentum);
    Sum rate = cross(place.turning_momentum, place.omega);
    if (pose) {
      add(set_.kinematics, place.v, place.R * place.velocity);
      add(set_.momenta, lagrange_.momentum(place.velocity), place.momentum);
      rate += cross(place.momentum, place.velocity);
    }
    rate += lagrange_.inertial_torque(place) + lagrange_.torque(place);
    add(set_.dynamics, place.turning_momentum_rate, in_momenta(rate));
    if (pose)
      add(set_.dynamics, place.momentum_rate,
          in_momenta(cross(place.momentum, place.omega) + lagrange_.inertial_body_force(place) +
                     lagrange_.body_force(place)));
  }

  // mu = R hat(Pi) / 2, mu' = mu hat(Omega) + R hat(M) / 2
  void add_turning_mu(const Place& place) {
    const Sum torque = lagrange_.inertial_torque(place) + lagrange_.torque(place);
    set_.momenta.push_back({lines_.plain(place.turning_momentum), half_turned(place, lagrange_.momentum(place.omega))});
    const Formula turned = lines_.plain(place.turning_momentum * hat(place.omega));
    set_.dynamics.push_back({lines_.plain(place.turning_momentum_rate),
                             torque.is_zero() ? turned : turned + half_turned(place, in_momenta(torque))});
  }
  Formula half_turned(const Place& place, const Sum& w) const {
    return lines_.plain(place.R) * hat(lines_.plain(w)) / 2.0;
  }

  Lagrange lagrange_;
  Lines lines_;
  Form form_;
  TextbookEquations set_;
  Values by_momenta_;
  bool by_momenta_known_ = false;
};

TextbookEquations in_components(const Model& model, Form form, const std::string& reason) {
  TextbookEquations set;
  set.model = model.name();
  set.form = form;
  set.components = equations(model, form);
  set.reason = reason;
  return set;
}

}  // namespace
}  // namespace textbook

std::vector<TextbookEquation> TextbookEquations::all() const {
  std::vector<TextbookEquation> result;
  for (const auto* list : {&definitions, &kinematics, &momenta, &dynamics, &constraints})
    result.insert(result.end(), list->begin(), list->end());
  return result;
}

namespace textbook {
namespace {

std::size_t length(const TextbookEquations& set) {
  std::size_t size = 0;
  for (const std::string& line : lines(set)) size += line.size();
  return size;
}

// Equations that fill more than a page are written with the names of the model, if that is shorter.
TextbookEquations of_energies(const Model& model, Form form) {
  constexpr std::size_t page = 2000;
  std::optional<TextbookEquations> plain;
  std::optional<TooLong> refusal;
  try {
    plain = Derivation(model, form, Naming::constants).run();
    if (length(*plain) <= page) return *plain;
  } catch (const TooLong& length) {
    refusal = length;
  }
  try {
    Derivation derivation(model, form, Naming::everything);
    const TextbookEquations named = derivation.run();
    if (derivation.has_names() && (!plain || length(named) < length(*plain))) return named;
  } catch (const NoVectorForm&) {
    if (!plain) throw;
  } catch (const TooLong&) {
    if (!plain) throw;
  }
  if (!plain) throw *refusal;
  return *plain;
}

}  // namespace
}  // namespace textbook

TextbookEquations textbook_equations(const Model& model, Form form) {
  constexpr std::size_t most_coordinates = 64;
  check_complete(model);
  try {
    if (model.coordinates().size() > most_coordinates)
      throw textbook::TooLong{fmt::format("{} coordinates", model.coordinates().size())};
    if (model.has_field()) return textbook::field(model, form);
    if (!model.hamiltonian_terms().empty()) return textbook::hamilton(model, form);
    return textbook::of_energies(model, form);
  } catch (const textbook::NoVectorForm& none) {
    return textbook::in_components(model, form, none.reason);
  } catch (const textbook::TooLong& length) {
    throw std::invalid_argument(fmt::format(
        "the equations of {} have {}, which no one would read; ask for those of a smaller system of its kind",
        model.name(), length.how));
  }
}

}  // namespace hamel
