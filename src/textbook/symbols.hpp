// The symbols of a model's equations: its coordinates, their rates and what the forms add to them, as sums of one term.
#pragma once

#include <string>
#include <vector>

#include "hamel/mechanics/field.hpp"
#include "hamel/textbook/textbook.hpp"
#include "textbook/derivative.hpp"

namespace hamel::textbook {

enum class Space { euclidean, circle, sphere, rotation, pose };

// One coordinate. What does not exist in its space is a zero of no use.
struct Place {
  std::string name;
  Space space;
  int slot;
  Sum q{0.0}, v{0.0}, a{0.0};                             // point, q', q'': R^n, S^1, S^2; the position of a pose
  Sum R{0.0}, R_rate{0.0}, R_acceleration{0.0};           // of SO(3) and SE(3); the last two only as names
  Sum omega{0.0}, omega_rate{0.0};                        // S^1, S^2; Omega of SO(3) and SE(3)
  Sum velocity{0.0}, velocity_rate{0.0};                  // V of SE(3)
  Sum momentum{0.0}, momentum_rate{0.0};                  // mu, or pi; of R^n, S^1, S^2; for the position of a pose
  Sum turning_momentum{0.0}, turning_momentum_rate{0.0};  // of SO(3) and SE(3)

  bool has_point() const { return space != Space::rotation; }
  bool is_sphere() const { return space == Space::circle || space == Space::sphere; }
  bool turns() const { return space == Space::rotation || space == Space::pose; }
};

// q x f on S^2 and (S q).f on S^1: what the sphere does not resist.
Sum moment(const Place& place, const Sum& f);
Sum quarter_turn();

class Symbols {
 public:
  // Throws NoVectorForm where a coordinate is on a manifold that has none in this form.
  Symbols(const Model& model, Form form, bool pose_names = true);

  const Model& model() const { return *model_; }
  const std::vector<Place>& places() const { return places_; }
  const Place& place(int slot) const { return places_[static_cast<std::size_t>(slot)]; }
  const std::vector<Quantity>& quantities() const { return quantities_; }

  Sum multiplier(std::size_t constraint, int size);  // lambda
  // A symbol that the model has not; rank sorts it.
  Sum quantity(char rank, const std::string& name, int primes, std::pair<int, int> shape, Quantity::Meaning meaning,
               int slot, const Leaf& knowledge = {});
  void add_rate(const Sum& symbol, const Sum& rate) { rates_.insert_or_assign(key_of_symbol(symbol), rate); }
  bool is_free(const std::string& name) const;  // the model does not have it
  Sum read(const Formula& formula) const;
  // What is known of a formula of parameters: whether it is symmetric, and its diagonal where that is all of it.
  Leaf constant_matrix(const Formula& formula) const;
  Sum rate(const Sum& f) const;  // along the motion
  Sum rate_of_rotation(const Place& place) const;

 private:
  void add_place(int slot);
  void add_point(Place& place, const Formula& q, OnSphere sphere);
  void add_pose(Place& place, const Formula& pose);
  void add_acceleration(Place& place, const Formula& q);
  void add_turning(Place& place, const Formula& R);
  void add_rotation(Place& place, const std::string& name);
  void add_momenta(Place& place);
  std::string name_for(const std::string& letter, const Place& place) const;
  bool is_own_family(const std::string& letter, const Place& place) const;
  const Model* model_;
  Form form_;
  bool body_velocity_, pose_names_;
  std::vector<Place> places_;
  std::vector<Quantity> quantities_;
  Values rates_;
};

}  // namespace hamel::textbook
