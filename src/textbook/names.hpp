// Names that equations keep in place of what they stand for: constants of the model, inertias of its bodies; and, where
// equations would be long without them, points, rotations and the angular velocities of bodies.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "textbook/symbols.hpp"

namespace hamel::textbook {

enum class Naming { constants, everything };

// A rotation A with A' = A hat(rate).
struct Attitude {
  Sum matrix, rate;
};

class Names {
 public:
  // x' of a point x or Omega of a body: a rate whose value is linear in those of the coordinates.
  struct Rate {
    Sum symbol, value, acceleration;
    bool turns;
  };
  struct Entry {
    std::string name;
    Sum symbol, value;               // the value is a sum ...
    std::optional<Formula> formula;  // ... or is said as in the model
    bool is_given, is_constant;      // by the model; of parameters alone
    std::pair<int, int> order;       // in print: inertias, rotations, points, angular velocities
  };

  Names(Symbols& symbols, Naming naming);
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;
  ~Names();  // a rotation may turn by what contains itself: its meaning ends with its name

  bool keeps_motions() const { return naming_ == Naming::everything; }
  // The name that the model has given to a formula; empty: none.
  std::string name_of(const Formula& formula) const;

  Sum constant(const std::string& name, const Formula& formula, bool is_given);
  Sum inertia(const Model::Body& body, const Formula& formula);
  Sum point(const std::string& name, const Sum& value);
  Attitude rotation(const std::string& name, const Formula& formula, const Attitude& inner, const Attitude* first,
                    const Attitude* last);
  Sum angular_velocity(const std::string& body, int index, const Sum& value);

  const std::vector<Rate>& rates() const { return rates_; }
  const std::vector<Entry>& entries() const { return entries_; }  // each after those that it uses
  Values held() const;                                            // rates that do not move
  Formula in_print(const Formula& formula) const;                 // with its names, and x_G for position(G)
  bool have_motions() const { return have_motions_; }

 private:
  int index_of(const std::string& name) const;
  std::vector<Definition::Move> moves() const;
  Formula replaced(const Formula& formula, const Formula::Node* whole) const;

  std::vector<std::shared_ptr<Definition>> rotations_;
  Symbols& symbols_;
  Naming naming_;
  std::unordered_map<const Formula::Node*, std::string> definitions_;
  std::vector<Rate> rates_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, Sum> known_;
  bool have_motions_ = false;
};

}  // namespace hamel::textbook
