#include "textbook/lagrange.hpp"

#include <algorithm>

#include "textbook/collect.hpp"
#include "textbook/identities.hpp"
#include "textbook/read.hpp"

namespace hamel::textbook {
namespace {

// Long chains have n^3 terms m_k l_i l_j (q_i'.q_j'), but n^2 products of rates.
constexpr std::size_t many_terms = 300;

Sum with_grouped_parameters(const Sum& sum) {
  Sum result(1, 1);
  for (const Collected& term : collect(sum)) result += scaled({1, term.others, {}}, as_factor(term.coefficient));
  return result;
}

}  // namespace

Lagrange::Lagrange(const Model& model, Form form, Naming naming) : symbols_(model, form), names_(symbols_, naming) {
  Reader reader(symbols_, &names_);
  Sum lagrangian(1, 1);
  const std::vector<Model::Body>& bodies = model.bodies();
  for (std::size_t k = 0; k < model.kinetic_terms().size(); ++k) {
    const auto body = std::find_if(bodies.begin(), bodies.end(), [&](const Model::Body& b) { return b.energy == k; });
    lagrangian += body == bodies.end() ? reader.read(model.kinetic_terms()[k])
                                       : reader.read_body(*body, static_cast<int>(body - bodies.begin()));
  }
  for (const Formula& term : model.lagrangian_terms()) lagrangian += reader.read(term);
  for (const Formula& term : model.potential_terms()) lagrangian += -reader.read(term);
  lagrangian = with_identities(lagrangian);
  if (lagrangian.terms().size() > many_terms) lagrangian = with_grouped_parameters(lagrangian);
  for (const Term& term : lagrangian.terms()) {
    const Sum one = sum_of(1, 1, {term});
    (one.has_rates() ? kinetic_ : resting_) += one;
  }
  for (const Formula& term : model.dissipation_terms()) rayleigh_ += reader.read(term);
  rayleigh_ = with_identities(rayleigh_);
  for (const Model::Applied& applied : model.forces()) {
    forces_.push_back(reader.read(applied.force));
    force_rates_.push_back(reader.read(applied.rate));
  }
  for (std::size_t k = 0; k < model.constraints().size(); ++k) {
    constraints_.push_back(reader.read(model.constraints()[k].formula));
    if (constraints_[k].cols() > 1) throw NoVectorForm{"a constraint is a matrix"};
    multipliers_.push_back(symbols_.multiplier(k, constraints_[k].rows()));
  }
  if (form == Form::velocity || form == Form::omega) find_inertial_forces();
}

Sum Lagrange::simple(const Sum& sum) { return with_identities(sum); }

void Lagrange::find_inertial_forces() {
  held_ = names_.held();
  for (const Names::Rate& rate : names_.rates()) {
    const Sum momentum = gradient(kinetic_, rate.symbol, held_);
    Sum force = symbols_.rate(momentum);
    if (rate.turns) force += cross(rate.symbol, momentum);
    inertial_forces_.push_back(force);
  }
}

Sum Lagrange::inertia(const Sum& rate) const {
  Leaf leaf{.order = "1~"};
  leaf.formula = Formula::symbol({Role::quantity, "~", 0}, rate.rows(), rate.cols());
  const Sum d = symbol(leaf);
  Sum result(rate.rows(), rate.cols());
  for (std::size_t k = 0; k < inertial_forces_.size(); ++k) {
    const Sum moved = derivative(names_.rates()[k].value, {{key_of_symbol(rate), d}});
    result += coefficient(dot(inertial_forces_[k], moved), d);
  }
  return result;
}

Sum Lagrange::applied(const Sum& rate) const {
  Leaf leaf{.order = "1~"};
  leaf.formula = Formula::symbol({Role::quantity, "~", 0}, rate.rows(), rate.cols());
  const Sum d = symbol(leaf);
  Sum result = -gradient(rayleigh_, rate);
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    const Sum moved = derivative(force_rates_[k], {{key_of_symbol(rate), d}});
    const Sum power = moved.cols() > 1 ? trace(transpose(forces_[k]) * moved) : dot(forces_[k], moved);
    result += coefficient(power, d);
  }
  return result;
}

// - lambda dc/dq, for multipliers of d/dt dL/dq' - dL/dq + C^T lambda = f
Sum Lagrange::reaction(const std::function<Sum(const Sum& scalar)>& gradient_of) const {
  Sum result = -gradient_of(Sum(0.0));
  for (std::size_t k = 0; k < constraints_.size(); ++k) result += -gradient_of(dot(multipliers_[k], constraints_[k]));
  return result;
}

Sum Lagrange::force(const Place& place) const {
  return gradient(resting_, place.q) + applied(place.v) +
         reaction([&](const Sum& scalar) { return gradient(scalar, place.q); });
}

Sum Lagrange::torque(const Place& place) const {
  return turning_gradient(resting_, place.R) + applied(place.omega) +
         reaction([&](const Sum& scalar) { return turning_gradient(scalar, place.R); });
}

Sum Lagrange::body_force(const Place& place) const {
  return transpose(place.R) *
             (gradient(resting_, place.q) + reaction([&](const Sum& scalar) { return gradient(scalar, place.q); })) +
         applied(place.velocity);
}

}  // namespace hamel::textbook
