// From the formulas of a model to sums; names are looked through, except for those that are kept.
#pragma once

#include <unordered_map>

#include "textbook/names.hpp"

namespace hamel::textbook {

class Reader {
 public:
  explicit Reader(const Symbols& symbols, Names* names = nullptr) : symbols_(symbols), names_(names) {}

  Sum read(const Formula& formula);
  Sum read_body(const Model::Body& body, int index);          // its kinetic energy
  std::optional<Attitude> turning_of(const Formula& matrix);  // where it is a rotation

 private:
  using Node = Formula::Node;
  Sum read_node(const Node& node);
  Sum read_named(const std::string& name, const Formula& formula);
  Sum read_product(const Node& node);
  Sum read_sum(const Node& node, double sign);
  Sum read_symbol(const Node& node) const;
  Sum read_stack(const Node& node);
  Sum read_list(const Node& node) const;
  Sum read_matrix(const Node& node) const;
  Sum read_component(const Node& node);
  Sum read_block(const Node& node);
  Sum read_norm(const Node& node);
  Sum read_power(const Node& node);
  Sum read_function(const Node& node);
  Sum read_angular_velocity(const Node& node) const;
  Sum read_inertia(const Model::Body& body);
  Attitude read_turn(const Node& node);
  Sum read_unturned(const Formula& vector);
  void add_factors(const Formula& matrix, std::vector<Formula>& factors);
  std::optional<Attitude> turning_of_product(const Formula& matrix);
  std::optional<Attitude> turning_of_node(const Formula& matrix);
  std::optional<Attitude> turning_of_columns(const Formula& matrix);
  Attitude named_turning(const std::string& name, const Formula& matrix, const Attitude& inner);

  const Symbols& symbols_;
  Names* names_;
  // Of formulas that live as long as the model, or are kept; in norms names of points are kept.
  std::unordered_map<const Node*, Sum> memo_, memo_in_norms_;
  bool in_norm_ = false;
  std::vector<Formula> kept_;
  int depth_ = 0;
};

}  // namespace hamel::textbook
