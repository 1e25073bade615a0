#include "textbook/field.hpp"

#include <fmt/format.h>

#include "textbook/lagrange.hpp"
#include "textbook/lines.hpp"

namespace hamel::textbook {
namespace {

// q' = f, on any manifold.
TextbookEquations plain_field(const Model& model, Form form) {
  TextbookEquations set;
  set.model = model.name();
  set.form = form;
  for (std::size_t k = 0; k < model.coordinates().size(); ++k)
    set.kinematics.push_back({rate(model.coordinate(k)), in_print(model, *model.field()[k].rate)});
  return set;
}

// Without energies, the forces of Lagrange are the reactions - C^T lambda.
class FieldEquations {
 public:
  FieldEquations(const Model& model, Form form) : model_(model), lagrange_(model, Form::velocity), lines_(model) {
    set_.model = model.name();
    set_.form = form;
  }

  TextbookEquations run() {
    for (const Place& place : lagrange_.symbols().places()) {
      const Model::Prescribed& given = model_.field()[static_cast<std::size_t>(place.slot)];
      given.rate ? add_rate(place, said(*given.rate)) : add_turning(place, given);
    }
    for (const Sum& constraint : lagrange_.constraints())
      set_.constraints.push_back({lines_.plain(constraint), lines_.plain(Sum(constraint.rows(), 1))});
    lines_.define_quarter_turn(set_);
    set_.quantities = used_quantities(lagrange_.symbols().quantities(), set_);
    return set_;
  }

 private:
  Formula said(const Formula& given) const { return in_print(model_, given); }
  Formula with(const Formula& given, const Sum& reaction) const {
    return reaction.is_zero() ? given : given + lines_.plain(reaction);
  }

  void add_rate(const Place& place, const Formula& given) {
    if (place.turns() && !model_.constraints().empty())
      throw NoVectorForm{fmt::format("the rate of {} is a matrix, and there are constraints", place.name)};
    const Formula left = rate(model_.coordinate(static_cast<std::size_t>(place.slot)));
    if (place.turns()) return set_.kinematics.push_back({left, given});
    const Sum reaction = lagrange_.force(place);
    if (!place.is_sphere() || reaction.is_zero()) return set_.kinematics.push_back({left, with(given, reaction)});
    set_.kinematics.push_back({left, given + lines_.tangent(parts_of(reaction, place, place.v), place)});
  }

  void add_turning(const Place& place, const Model::Prescribed& given) {
    const Formula omega = given.omega ? said(*given.omega) : lines_.plain(Sum(place.omega.rows(), 1));
    const Formula symbol = lines_.plain(place.omega);
    if (place.is_sphere()) {
      const Sum turned =
          place.space == Space::circle ? place.omega * (quarter_turn() * place.q) : cross(place.omega, place.q);
      set_.kinematics.push_back({lines_.plain(place.v), lines_.plain(turned)});
      set_.dynamics.push_back({symbol, with(omega, moment(place, lagrange_.force(place)))});
      return;
    }
    // |R'|^2 = 2 |Omega|^2: a torque turns a rotation half as much.
    set_.kinematics.push_back({lines_.plain(place.R_rate), lines_.plain(lagrange_.symbols().rate_of_rotation(place))});
    if (place.space == Space::pose)
      set_.kinematics.push_back(
          {lines_.plain(place.v),
           with(given.velocity ? said(*given.velocity) : lines_.plain(Sum(3, 1)), lagrange_.force(place))});
    set_.dynamics.push_back({symbol, with(omega, Sum(0.5) * lagrange_.torque(place))});
  }

  const Model& model_;
  Lagrange lagrange_;
  Lines lines_;
  TextbookEquations set_;
};

}  // namespace

TextbookEquations field(const Model& model, Form form) {
  const bool rates_alone = std::all_of(model.field().begin(), model.field().end(),
                                       [](const Model::Prescribed& given) { return given.rate.has_value(); });
  if (rates_alone && model.constraints().empty()) return plain_field(model, form);
  return FieldEquations(model, form).run();
}

}  // namespace hamel::textbook
