// From the formulas of a model to sums; labels of named points are looked through.
#pragma once

#include <unordered_map>

#include "textbook/symbols.hpp"

namespace hamel::textbook {

class Reader {
 public:
  explicit Reader(const Symbols& symbols) : symbols_(symbols) {}

  Sum read(const Formula& formula);

 private:
  using Node = Formula::Node;
  Sum read_node(const Node& node);
  Sum read_symbol(const Node& node) const;
  Sum read_stack(const Node& node);
  Sum read_list(const Node& node) const;
  Sum read_component(const Node& node);
  Sum read_block(const Node& node);
  Sum read_power(const Node& node);
  Sum read_function(const Node& node);
  Sum read_angular_velocity(const Node& node) const;

  const Symbols& symbols_;
  std::unordered_map<const Node*, Sum> memo_;  // of formulas that live as long as the model
  int depth_ = 0;
};

}  // namespace hamel::textbook
