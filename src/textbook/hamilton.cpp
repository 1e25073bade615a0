#include "textbook/hamilton.hpp"

#include <fmt/format.h>

#include "textbook/lagrange.hpp"
#include "textbook/lines.hpp"

namespace hamel::textbook {
namespace {

class Hamilton {
 public:
  Hamilton(const Model& model, Form form)
      : lagrange_(model, Form::mu), named_(model, form), lines_(model), form_(form) {
    set_.model = model.name();
    set_.form = form;
    for (const Formula& term : model.hamiltonian_terms()) energy_ += lagrange_.symbols().read(term);
    for (const Place& place : lagrange_.symbols().places())
      by_pi_.insert({key_of_symbol(place.momentum), mu_of(place)});
  }

  TextbookEquations run() {
    for (const Place& place : lagrange_.symbols().places()) {
      if (!place.is_sphere())
        add_euclidean(place);
      else if (form_ == Form::mu)
        add_mu(place);
      else
        add_pi(place);
    }
    lines_.define_quarter_turn(set_);
    set_.quantities = used_quantities(named_.quantities(), set_);
    return set_;
  }

 private:
  // mu in the variables of the form: itself, pi x q, or pi S q.
  Sum mu_of(const Place& place) const {
    const Sum& momentum = named_.place(place.slot).momentum;
    if (form_ == Form::mu || !place.is_sphere()) return momentum;
    return place.space == Space::circle ? momentum * (quarter_turn() * place.q) : cross(momentum, place.q);
  }
  Sum in_form(const Sum& sum) const { return substitute(sum, by_pi_); }
  Sum by_momentum(const Place& place) const { return gradient(energy_, place.momentum); }
  Sum force(const Place& place) const { return lagrange_.force(place) - gradient(energy_, place.q); }
  void add_rate(const Place& place, const Formula& rate) {
    set_.dynamics.push_back({lines_.plain(named_.place(place.slot).momentum_rate), rate});
  }

  void add_euclidean(const Place& place) {
    set_.kinematics.push_back({lines_.plain(place.v), lines_.plain(in_form(by_momentum(place)))});
    add_rate(place, lines_.plain(in_form(force(place))));
  }

  // q' = P H_mu, mu' = mu (q.H_mu) - q (mu.H_mu) - P (H_q - f): book (4.17), (4.18), (5.20), (5.21)
  void add_mu(const Place& place) {
    const Sum H_mu = by_momentum(place);
    set_.kinematics.push_back({lines_.plain(place.v), lines_.tangent(parts_of(H_mu, place, place.momentum), place)});
    const Sum turned = dot(place.q, H_mu) * place.momentum - dot(place.momentum, H_mu) * place.q;
    const Formula forces = lines_.tangent(parts_of(force(place), place, place.momentum), place);
    add_rate(place, lines_.plain(turned) + forces);
  }

  // With w = q x H_mu or (S q).H_mu: q' = w x q or w S q, book (4.24), (5.28); pi' = H_mu x mu - q x (H_q - f) on S^2,
  // (q.H_mu) pi - (S q).(H_q - f) on S^1.
  void add_pi(const Place& place) {
    const Sum H_mu = in_form(by_momentum(place)), w = moment(place, H_mu),
              forces = moment(place, in_form(force(place)));
    const Sum& pi = named_.place(place.slot).momentum;
    const bool circle = place.space == Space::circle;
    const Sum q_rate = circle ? w * (quarter_turn() * place.q) : cross(w, place.q);
    set_.kinematics.push_back({lines_.plain(place.v), lines_.plain(q_rate)});
    const Sum turned = circle ? dot(place.q, H_mu) * pi : cross(H_mu, mu_of(place));
    add_rate(place, lines_.nested(turned + forces, place));
  }

  Lagrange lagrange_;
  Symbols named_;
  Lines lines_;
  Form form_;
  Sum energy_{0.0};
  Values by_pi_;
  TextbookEquations set_;
};

}  // namespace

TextbookEquations hamilton(const Model& model, Form form) {
  if (form == Form::velocity || form == Form::omega)
    throw NoVectorForm{"the equations of a Hamiltonian are those of its momenta"};
  if (!model.constraints().empty()) throw NoVectorForm{"a Hamiltonian has no constraints"};
  for (const Coordinate& coordinate : model.coordinates())
    if (coordinate.space.turning() == Turning::body)
      throw NoVectorForm{fmt::format("the momentum of {} is a matrix", coordinate.name)};
  return Hamilton(model, form).run();
}

}  // namespace hamel::textbook
