// A Model describes a mechanical system by its energies: coordinates on manifolds, parameters, kinetic and
// potential energy (or a Lagrangian, or a Hamiltonian), forces, inputs, dissipation and constraints. Instead of
// energies it may have a field, which says how every coordinate moves: q' = f(t, q).
//
//   Model model("spherical pendulum");
//   auto m = model.parameter("m", 1.0), l = model.parameter("l", 0.9), g = model.parameter("g", 9.81);
//   auto q = model.coordinate<S2>("q");
//   Vec3 x = l * q;
//   model.kinetic(m / 2 * squared_norm(rate(x)));
//   model.potential(m * g * x.z());
//
// Mistakes are refused where they are made, with a message that quotes the formula.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hamel/manifold/manifold.hpp"
#include "hamel/model/formula.hpp"
#include "hamel/model/parameters.hpp"

namespace hamel {

struct Formulation;  // lower.hpp

struct Parameter {
  std::string name;
  Eigen::MatrixXd value;
};

// What is known of a parameter beside its value.
struct ParameterOrigin {
  std::optional<Formula> formula = {};  // of other parameters, which it follows
  std::string fixed_by = {};            // what was made from its value and cannot change: "the number of coordinates"
};

struct Coordinate {
  std::string name;  // "q" or "q[1]"
  Manifold space;
};

struct Input {
  std::string name;
  int size;
  std::optional<Formula> law = {};  // what it is, as a function of coordinates, rates, parameters and time
  double sample = 0;                // how long a value is held; 0: the law holds at all times
};

// Mass, inertia matrix about the origin of the body frame, centre of mass in the body frame.
struct RigidBody {
  Formula attitude;                                                // 3x3
  Formula position = Formula(Eigen::MatrixXd::Zero(3, 1).eval());  // of the origin of the body frame
  Formula mass = 0.0;
  Formula inertia;  // 3x3
  Formula center_of_mass = Formula(Eigen::MatrixXd::Zero(3, 1).eval());
};

class Model {
 public:
  // Families of coordinates and components of vectors are numbered from 0 in C++, from 1 in model files.
  explicit Model(std::string name, int first_index = 0);
  const std::string& name() const { return name_; }
  int first_index() const { return first_index_; }

  Formula parameter(const std::string& name, double value);
  Formula parameter(const std::string& name, std::initializer_list<double> values);  // a vector
  Formula parameter(const std::string& name, const Eigen::MatrixXd& value);
  // One that follows others: derived_parameter("J", m * l * l / 3).
  Formula derived_parameter(const std::string& name, const Formula& formula);

  // The same model with other values (parameters.hpp).
  Model with(const ParameterValues& values) const;
  Model with(const ParameterValues& values, const ParameterRules& rules) const;
  ParameterPlace place_of_parameter(const std::string& name) const;  // refused where there is none
  // For readers of models: lets a parameter follow a formula of others that follow no later one; says why a parameter
  // cannot change.
  void follow(const std::string& parameter, const Formula& formula);
  void fix(const std::string& parameter, const std::string& why);

  Formula coordinate(const std::string& name, const Manifold& space);
  std::vector<Formula> coordinates(const std::string& name, const Manifold& space, int count);
  template <class Factor>
  Formula coordinate(const std::string& name) {
    return coordinate(name, Manifold(Factor{}));
  }
  template <class Factor>
  std::vector<Formula> coordinates(const std::string& name, int count) {
    return coordinates(name, Manifold(Factor{}), count);
  }

  Formula coordinate(std::size_t k) const;  // the symbol of one that exists
  Formula time() const;
  Formula momentum(const Formula& coordinate);           // mu, for a Hamiltonian; same shape as the coordinate
  Formula input(const std::string& name, int size = 1);  // a control input
  // A law for an input. It stays an input, in print and for those who ask what it can do (open); in motion the law
  // takes its place, at all times, or as it was at the last of the times t0 + k sample.
  void law(const Formula& input, const Formula& value, double sample = 0);
  Model open() const;  // the same without its laws
  // The same with constants for the inputs that have no law: one after another as those of its system, or zero. Inputs
  // of sampled laws stay inputs.
  Model held(const Eigen::VectorXd& inputs = Eigen::VectorXd()) const;
  Model continuous() const;                   // the same with sampled laws that hold at all times
  double sample() const;                      // of its sampled laws, which have one interval; 0: there are none
  bool follows_law(std::size_t input) const;  // at all times
  Formula input_symbol(std::size_t k) const;  // of one that exists

  Formula point(const std::string& name, const Formula& position);  // names a point; returns it
  void define(const std::string& name, const Formula& formula);     // a name that printed equations may keep
  Formula body(const std::string& name, const RigidBody& body);  // adds its kinetic energy; returns its centre of mass

  void kinetic(const Formula& energy);
  void potential(const Formula& energy);
  void lagrangian(const Formula& energy);   // added to kinetic - potential
  void hamiltonian(const Formula& energy);  // instead of all of these

  // Instead of energies: how a coordinate moves, as a function of coordinates, inputs and time. The rate of a point
  // must be tangent to its space. Constraints act by multipliers: q' = f - C^T lambda.
  void field(const Formula& coordinate, const Formula& rate);
  void angular_field(const Formula& coordinate, const Formula& omega);      // S1, S2; SO3 and SE3 in the body
  void position_field(const Formula& coordinate, const Formula& velocity);  // SE3, in space

  void force(const Formula& point, const Formula& force);          // at a point, in space
  void force_on(const Formula& coordinate, const Formula& force);  // paired with the rate of the coordinate
  void torque(const Formula& coordinate,
              const Formula& torque);         // S^1 scalar, S^2 in space, SO(3) and SE(3) in the body
  void dissipation(const Formula& rayleigh);  // force - dR/dq'
  void constraint(const std::string& name, const Formula& zero);  // holonomic: every component is 0

  // What was said, for those who read a model.
  struct Named {
    std::string name;
    Formula formula;
  };
  struct Body {
    std::string name;
    RigidBody body;
    std::size_t energy;  // which of the kinetic terms is its own
  };
  struct Applied {  // a force and the rate that it works on: its power is the sum of force * rate
    Formula force, rate;
    std::string what;
  };
  struct Prescribed {  // of a coordinate: its rate, or what is said of a pose
    std::optional<Formula> rate = {}, omega = {}, velocity = {};
  };
  const std::vector<Parameter>& parameters() const { return parameters_; }
  const ParameterOrigin& origin(std::size_t parameter) const { return origins_[parameter]; }
  const std::vector<std::size_t>& derived_parameters() const { return derived_; }  // in the order in which they follow
  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  const std::vector<Input>& inputs() const { return inputs_; }
  const std::vector<Named>& points() const { return points_; }
  const std::vector<Named>& definitions() const { return definitions_; }
  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<Formula>& kinetic_terms() const { return kinetic_; }
  const std::vector<Formula>& potential_terms() const { return potential_; }
  const std::vector<Formula>& lagrangian_terms() const { return lagrangian_; }
  const std::vector<Formula>& hamiltonian_terms() const { return hamiltonian_; }
  bool has_field() const { return !field_.empty(); }
  const std::vector<Prescribed>& field() const { return field_; }  // by coordinate; empty: there are energies
  const std::vector<Applied>& forces() const { return forces_; }
  const std::vector<Formula>& dissipation_terms() const { return dissipation_; }
  const std::vector<Named>& constraints() const { return constraints_; }
  std::size_t size() const;  // of all that was said; it grows with everything that is added
  bool uses_momentum(int coordinate) const { return momentum_used_[static_cast<std::size_t>(coordinate)]; }

 private:
  friend std::shared_ptr<const Formulation> formulation(const Model& model);
  friend struct StoredModel;  // stored.hpp
  void take_name(const std::string& name, const std::string& owner);
  void need_own_symbols(const Formula& formula) const;
  void need_scalar(const char* what, const Formula& formula) const;
  void need_energy(const char* what, const Formula& energy) const;
  void need_no_hamiltonian(const char* what, const Formula& energy) const;
  Prescribed& prescribed(const char* what, const Formula& coordinate, const Formula& value);
  void need_position(const std::string& what, const Formula& formula) const;
  void need_coordinate(const char* what, const Formula& formula) const;
  void need_body(const std::string& name, const RigidBody& body) const;
  void need_symmetric(const std::string& name, const Formula& inertia) const;
  Formula add_coordinate(const std::string& name, const Manifold& space);
  std::size_t slot_of(const std::string& parameter) const;
  void set(const ParameterValue& value);
  void check_bodies() const;

  std::string name_;
  int first_index_;
  int id_;                                     // marks the symbols of this model
  std::map<std::string, std::string> owners_;  // of names: "x" -> "a parameter"
  std::set<std::string> constraint_names_;
  std::vector<bool> momentum_used_;  // by coordinate
  std::vector<Parameter> parameters_;
  std::vector<ParameterOrigin> origins_;  // of the parameters
  std::vector<std::size_t> derived_;      // slots of those that have formulas, each after those that it depends on
  std::vector<Coordinate> coordinates_;
  std::vector<Input> inputs_;
  bool has_laws_ = true;  // unless it was opened
  std::vector<Named> points_, definitions_;
  std::vector<Body> bodies_;
  std::vector<Formula> kinetic_, potential_, lagrangian_, hamiltonian_, dissipation_;
  std::vector<Prescribed> field_;
  std::vector<Applied> forces_;
  std::vector<Named> constraints_;
  // Derived when it is first asked for, and anew when something was added since.
  mutable std::shared_ptr<const Formulation> formulation_;
  mutable std::size_t formulated_size_ = 0;
};

// Refuses a model that cannot be a mechanical system: no coordinates, a coordinate whose rate no energy contains, a
// momentum without a Hamiltonian, a field with energies or forces, or not of all coordinates. Called by lower.
void check_complete(const Model& model);

}  // namespace hamel
