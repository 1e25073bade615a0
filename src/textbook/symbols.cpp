#include "textbook/symbols.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "textbook/read.hpp"

namespace hamel::textbook {
namespace {

using Meaning = Quantity::Meaning;

// Symbols are sorted by rank, then by coordinate: momenta, angular velocities, points, rates, ...
constexpr char momentum_rank = '0', turning_rank = '1', point_rank = '2', rate_rank = '3', acceleration_rank = '4',
               multiplier_rank = '5';

Space space_of(const Coordinate& coordinate, Form form) {
  const Manifold& space = coordinate.space;
  const bool vector_form = form == Form::velocity || form == Form::mu;
  if (space.is_flat()) return Space::euclidean;
  if (space.turning() == Turning::plane) return Space::circle;
  if (space.turning() == Turning::direction || (space.is_unit_sphere() && vector_form)) return Space::sphere;
  if (space.turning() == Turning::body) return space.is_pose() ? Space::pose : Space::rotation;
  throw NoVectorForm{fmt::format("{} is on {}, which has no vector form here", coordinate.name, space.name())};
}

std::string base_of(const std::string& name) { return name.substr(0, name.find('[')); }
std::string index_of(const std::string& name) { return name.substr(base_of(name).size()); }

std::string key(char rank, int slot, const std::string& name) { return fmt::format("{}{:05}{}", rank, slot, name); }

// Which coordinates have a quantity of this letter.
bool uses(const std::string& letter, const Place& place) {
  if (letter == "omega" || letter == "pi") return place.is_sphere();
  if (letter == "Omega" || letter == "Pi") return place.turns();
  if (letter == "mu") return place.is_sphere() || place.turns();
  if (letter == "p") return place.space == Space::euclidean || place.space == Space::pose;
  return place.space == Space::pose;
}

Sum quarter_turned(const Sum& q) { return quarter_turn() * q; }

}  // namespace

Sum quarter_turn() { return constant(Eigen::Matrix2d{{0, -1}, {1, 0}}); }

Sum moment(const Place& place, const Sum& f) {
  return place.space == Space::circle ? dot(quarter_turned(place.q), f) : cross(place.q, f);
}

Symbols::Symbols(const Model& model, Form form)
    : model_(&model), form_(form), body_velocity_(form == Form::omega || form == Form::pi) {
  for (const Coordinate& coordinate : model.coordinates())
    places_.push_back(
        {.name = coordinate.name, .space = space_of(coordinate, form), .slot = static_cast<int>(places_.size())});
  for (const Place& place : places_) add_place(place.slot);
  rates_.insert({"7time", 1.0});
}

// Does the letter alone say which coordinates are meant?
bool Symbols::is_own_family(const std::string& letter, const Place& place) const {
  const auto taken = [&](const auto& named) { return base_of(named.name) == letter; };
  const Model& m = *model_;
  if (std::any_of(m.parameters().begin(), m.parameters().end(), taken) ||
      std::any_of(m.coordinates().begin(), m.coordinates().end(), taken) ||
      std::any_of(m.inputs().begin(), m.inputs().end(), taken))
    return false;
  return std::all_of(places_.begin(), places_.end(), [&](const Place& other) {
    const bool same_letter = uses(letter, other);
    return !same_letter || base_of(other.name) == base_of(place.name);
  });
}

std::string Symbols::name_for(const std::string& letter, const Place& place) const {
  if (is_own_family(letter, place)) return letter + index_of(place.name);
  return letter + "_" + place.name;
}

Sum Symbols::quantity(char rank, const std::string& name, int primes, std::pair<int, int> shape, Meaning meaning,
                      int slot, OnSphere sphere) {
  const std::string primed = base_of(name) + std::string(static_cast<std::size_t>(primes), '\'') + index_of(name);
  Leaf leaf{.order = key(rank, slot, primed), .is_rate = true, .sphere = sphere, .coordinate = slot};
  leaf.is_acceleration = meaning == Meaning::acceleration || meaning == Meaning::angular_acceleration;
  leaf.formula = Formula::symbol(
      {.role = Role::quantity, .name = primed, .slot = slot, .model = 0, .first_index = model_->first_index()},
      shape.first, shape.second);
  quantities_.push_back({primed, meaning, slot});
  return symbol(leaf);
}

void Symbols::add_place(int slot) {
  Place& place = places_[static_cast<std::size_t>(slot)];
  const Formula q = model_->coordinate(static_cast<std::size_t>(slot));
  if (place.is_sphere() || place.space == Space::euclidean)
    add_point(place, q, place.is_sphere() ? OnSphere::point : OnSphere::no);
  if (place.space == Space::pose) add_point(place, position(q), OnSphere::no);
  if (place.turns()) add_turning(place, place.space == Space::pose ? rotation(q) : q);
  add_momenta(place);
}

void Symbols::add_point(Place& place, const Formula& q, OnSphere sphere) {
  const int slot = place.slot;
  Leaf leaf{.order = key(point_rank, slot, q.to_string()), .sphere = sphere, .coordinate = slot};
  leaf.formula = q;
  place.q = symbol(leaf);
  leaf.order = key(rate_rank, slot, q.to_string() + "'");
  leaf.formula = hamel::rate(q);
  leaf.is_rate = true;
  leaf.sphere = sphere == OnSphere::no ? OnSphere::no : OnSphere::rate;
  place.v = symbol(leaf);
  const std::pair shape{q.rows(), q.cols()};
  const std::string name = q.to_string();
  place.a = quantity(acceleration_rank, name, 2, shape, Meaning::acceleration, slot);
  rates_.insert({key_of_symbol(place.q), place.v});
  rates_.insert({key_of_symbol(place.v), place.a});
  if (!place.is_sphere()) return;
  const std::pair turning_shape{place.space == Space::circle ? 1 : q.rows(), 1};
  place.omega = quantity(turning_rank, name_for("omega", place), 0, turning_shape, Meaning::angular_velocity, slot,
                         OnSphere::normal);
  place.omega_rate = quantity(turning_rank, name_for("omega", place), 1, turning_shape, Meaning::angular_acceleration,
                              slot, OnSphere::normal);
}

void Symbols::add_turning(Place& place, const Formula& R) {
  const int slot = place.slot;
  Leaf leaf{.order = key(point_rank, slot, R.to_string()), .is_rotation = true, .coordinate = slot};
  leaf.formula = R;
  place.R = symbol(leaf);
  leaf.order = key(rate_rank, slot, R.to_string() + "'");
  leaf.formula = hamel::rate(R);
  leaf.is_rotation = false;
  place.R_rate = symbol(leaf);
  const std::string name = R.to_string();
  place.R_acceleration = quantity(acceleration_rank, name, 2, {3, 3}, Meaning::rotation_acceleration, slot);
  place.omega = quantity(turning_rank, name_for("Omega", place), 0, {3, 1}, Meaning::angular_velocity, slot);
  place.omega_rate = quantity(turning_rank, name_for("Omega", place), 1, {3, 1}, Meaning::angular_acceleration, slot);
  rates_.insert({key_of_symbol(place.R), place.R * hat(place.omega)});
  rates_.insert({key_of_symbol(place.omega), place.omega_rate});
  if (place.space != Space::pose || !body_velocity_) return;
  place.velocity = quantity(turning_rank, name_for("V", place), 0, {3, 1}, Meaning::body_velocity, slot);
  place.velocity_rate = quantity(turning_rank, name_for("V", place), 1, {3, 1}, Meaning::body_acceleration, slot);
  rates_.insert_or_assign(key_of_symbol(place.q), place.R * place.velocity);
  rates_.insert({key_of_symbol(place.velocity), place.velocity_rate});
}

void Symbols::add_momenta(Place& place) {
  const int slot = place.slot;
  const bool pi = form_ == Form::pi;
  const auto add = [&](Sum& momentum, Sum& rate, const std::string& letter, std::pair<int, int> shape, bool turning) {
    const OnSphere sphere = place.is_sphere() ? OnSphere::normal : OnSphere::no;
    const std::string name = name_for(letter, place);
    momentum =
        quantity(momentum_rank, name, 0, shape, turning ? Meaning::turning_momentum : Meaning::momentum, slot, sphere);
    rate = quantity(momentum_rank, name, 1, shape, turning ? Meaning::turning_momentum_rate : Meaning::momentum_rate,
                    slot, sphere);
  };
  if (place.has_point()) {
    const std::pair ambient{place.q.rows(), place.q.cols()};
    const bool scalar = pi && place.space == Space::circle;
    add(place.momentum, place.momentum_rate,
        !place.is_sphere() ? "p"
        : pi               ? "pi"
                           : "mu",
        scalar ? std::pair{1, 1} : ambient, false);
  }
  if (place.turns())
    add(place.turning_momentum, place.turning_momentum_rate, pi ? "Pi" : "mu", pi ? std::pair{3, 1} : std::pair{3, 3},
        true);
}

Sum Symbols::multiplier(std::size_t constraint, int size) {
  const auto is_lambda = [](const auto& named) { return named.name == "lambda"; };
  const bool taken = std::any_of(model_->parameters().begin(), model_->parameters().end(), is_lambda);
  const bool only = model_->constraints().size() == 1 && !taken;
  const std::string& of = model_->constraints()[constraint].name;
  return quantity(multiplier_rank, only ? "lambda" : "lambda_" + of, 0, {size, 1}, Meaning::multiplier,
                  static_cast<int>(constraint));
}

Sum Symbols::rate(const Sum& f) const { return derivative(f, rates_); }

Sum Symbols::rate_of_rotation(const Place& place) const { return place.R * hat(place.omega); }

Sum Symbols::read(const Formula& formula) const { return Reader(*this).read(formula); }

}  // namespace hamel::textbook
