#include "textbook/symbols.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hamel/model/lower.hpp"
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

const Formula& formula_of(const Sum& symbol) { return symbol.terms().front().core.front()->leaf.formula; }

Sum quarter_turned(const Sum& q) { return quarter_turn() * q; }

}  // namespace

Sum quarter_turn() { return constant(Eigen::Matrix2d{{0, -1}, {1, 0}}); }

Sum moment(const Place& place, const Sum& f) {
  return place.space == Space::circle ? dot(quarter_turned(place.q), f) : cross(place.q, f);
}

Symbols::Symbols(const Model& model, Form form, bool pose_names)
    : model_(&model), form_(form), body_velocity_(form == Form::omega || form == Form::pi), pose_names_(pose_names) {
  for (const Coordinate& coordinate : model.coordinates())
    places_.push_back(
        {.name = coordinate.name, .space = space_of(coordinate, form), .slot = static_cast<int>(places_.size())});
  for (const Place& place : places_) add_place(place.slot);
  rates_.insert({"7time", 1.0});
}

bool Symbols::is_free(const std::string& name) const {
  const auto taken = [&](const auto& named) { return base_of(named.name) == name; };
  const auto among = [&](const auto& all) { return std::any_of(all.begin(), all.end(), taken); };
  const Model& m = *model_;
  return !among(m.parameters()) && !among(m.coordinates()) && !among(m.inputs()) && !among(m.points()) &&
         !among(m.definitions());
}

// Does the letter alone say which coordinates are meant?
bool Symbols::is_own_family(const std::string& letter, const Place& place) const {
  const auto taken = [&](const auto& named) { return base_of(named.name) == letter; };
  const Model& m = *model_;
  if (std::any_of(m.parameters().begin(), m.parameters().end(), taken) ||
      std::any_of(m.coordinates().begin(), m.coordinates().end(), taken) ||
      std::any_of(m.inputs().begin(), m.inputs().end(), taken) ||
      std::any_of(m.points().begin(), m.points().end(), taken) ||
      std::any_of(m.definitions().begin(), m.definitions().end(), taken))
    return false;
  return std::all_of(places_.begin(), places_.end(), [&](const Place& other) {
    const bool same_letter = uses(letter, other);
    return !same_letter || base_of(other.name) == base_of(place.name);
  });
}

// Never pi alone, which is a number.
std::string Symbols::name_for(const std::string& letter, const Place& place) const {
  if (letter != "pi" && is_own_family(letter, place)) return letter + index_of(place.name);
  std::string name = letter + "_";
  while (!is_free(name + base_of(place.name))) name += '_';
  return name + place.name;
}

Sum Symbols::quantity(char rank, const std::string& name, int primes, std::pair<int, int> shape, Meaning meaning,
                      int slot, const Leaf& knowledge) {
  const std::string primed = base_of(name) + std::string(static_cast<std::size_t>(primes), '\'') + index_of(name);
  Leaf leaf = knowledge;
  leaf.order = key(rank, slot, primed);
  leaf.is_acceleration = meaning == Meaning::acceleration || meaning == Meaning::angular_acceleration ||
                         meaning == Meaning::point_acceleration || meaning == Meaning::body_turning_rate;
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
  if (place.space == Space::pose) add_pose(place, q);
  if (place.space == Space::rotation) add_turning(place, q);
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
  add_acceleration(place, q);
  if (!place.is_sphere()) return;
  const std::pair turning_shape{place.space == Space::circle ? 1 : q.rows(), 1};
  const Leaf normal{.is_rate = true, .sphere = OnSphere::normal, .coordinate = slot};
  const std::string name = name_for("omega", place);
  place.omega = quantity(turning_rank, name, 0, turning_shape, Meaning::angular_velocity, slot, normal);
  place.omega_rate = quantity(turning_rank, name, 1, turning_shape, Meaning::angular_acceleration, slot, normal);
}

void Symbols::add_acceleration(Place& place, const Formula& q) {
  const Leaf moving{.is_rate = true, .coordinate = place.slot};
  place.a =
      quantity(acceleration_rank, q.to_string(), 2, {q.rows(), q.cols()}, Meaning::acceleration, place.slot, moving);
  add_rate(place.q, place.v);
  add_rate(place.v, place.a);
}

// x_G and R_G, if no one else is called so.
void Symbols::add_pose(Place& place, const Formula& pose) {
  const std::string x = "x_" + place.name, R = "R_" + place.name;
  if (!pose_names_ || !is_free(base_of(x)) || !is_free(base_of(R))) {
    add_point(place, position(pose), OnSphere::no);
    return add_turning(place, rotation(pose));
  }
  const int slot = place.slot;
  const Leaf resting{.coordinate = slot}, moving{.is_rate = true, .coordinate = slot},
      turning{.is_rotation = true, .coordinate = slot};
  place.q = quantity(point_rank, x, 0, {3, 1}, Meaning::pose_position, slot, resting);
  place.v = quantity(rate_rank, x, 1, {3, 1}, Meaning::pose_position_rate, slot, moving);
  add_acceleration(place, formula_of(place.q));
  place.R = quantity(point_rank, R, 0, {3, 3}, Meaning::pose_rotation, slot, turning);
  place.R_rate = quantity(rate_rank, R, 1, {3, 3}, Meaning::pose_rotation_rate, slot, resting);
  add_rotation(place, R);
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
  add_rotation(place, R.to_string());
}

void Symbols::add_rotation(Place& place, const std::string& R) {
  const int slot = place.slot;
  const Leaf moving{.is_rate = true, .coordinate = slot};
  const std::string w = name_for("Omega", place), v = name_for("V", place);
  place.R_acceleration = quantity(acceleration_rank, R, 2, {3, 3}, Meaning::rotation_acceleration, slot, moving);
  place.omega = quantity(turning_rank, w, 0, {3, 1}, Meaning::angular_velocity, slot, moving);
  place.omega_rate = quantity(turning_rank, w, 1, {3, 1}, Meaning::angular_acceleration, slot, moving);
  rates_.insert({key_of_symbol(place.R), place.R * hat(place.omega)});
  rates_.insert({key_of_symbol(place.omega), place.omega_rate});
  if (place.space != Space::pose || !body_velocity_) return;
  place.velocity = quantity(turning_rank, v, 0, {3, 1}, Meaning::body_velocity, slot, moving);
  place.velocity_rate = quantity(turning_rank, v, 1, {3, 1}, Meaning::body_acceleration, slot, moving);
  rates_.insert_or_assign(key_of_symbol(place.q), place.R * place.velocity);
  rates_.insert({key_of_symbol(place.velocity), place.velocity_rate});
}

void Symbols::add_momenta(Place& place) {
  const int slot = place.slot;
  const bool pi = form_ == Form::pi;
  const auto add = [&](Sum& momentum, Sum& rate, const std::string& letter, std::pair<int, int> shape, bool turning) {
    const Leaf known{
        .is_rate = true, .sphere = place.is_sphere() ? OnSphere::normal : OnSphere::no, .coordinate = slot};
    const std::string name = name_for(letter, place);
    momentum =
        quantity(momentum_rank, name, 0, shape, turning ? Meaning::turning_momentum : Meaning::momentum, slot, known);
    rate = quantity(momentum_rank, name, 1, shape, turning ? Meaning::turning_momentum_rate : Meaning::momentum_rate,
                    slot, known);
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
                  static_cast<int>(constraint), {.is_rate = true});
}

Sum Symbols::rate(const Sum& f) const { return derivative(f, rates_); }

Sum Symbols::read(const Formula& formula) const { return Reader(*this).read(formula); }

Leaf Symbols::constant_matrix(const Formula& formula) const {
  const Eigen::MatrixXd value = value_of(formula, *model_);
  const auto entry = [&](int i) {
    return formula.node().kind == Kind::stack ? formula.node().args[static_cast<std::size_t>(i)][i] : formula(i, i);
  };
  auto definition = std::make_shared<Definition>();
  if (value.rows() == 3 && value.cols() == 3 && value.isDiagonal(0.0))
    for (int i = 0; i < 3; ++i) definition->diagonal.push_back(read(entry(i)));
  Leaf leaf{.is_constant = true};
  leaf.is_symmetric = value.rows() > 1 && value.rows() == value.cols() && value == value.transpose();
  leaf.definition = definition;
  return leaf;
}

Sum Symbols::rate_of_rotation(const Place& place) const { return place.R * hat(place.omega); }

}  // namespace hamel::textbook
