// What an expression of a model file stands for: a typed formula, or a family of values such as q[1], ..., q[n].
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "hamel/model/formula.hpp"

namespace hamel {

class Value;

struct Family {
  std::string name;  // what it is called in messages
  int first = 1;
  std::vector<Value> members;
};

class Value {
 public:
  Value(Formula formula) : content_(std::move(formula)) {}                // NOLINT(google-explicit-constructor)
  Value(std::shared_ptr<Family> family) : content_(std::move(family)) {}  // NOLINT(google-explicit-constructor)

  bool is_family() const { return std::holds_alternative<std::shared_ptr<Family>>(content_); }
  const Formula& formula() const { return std::get<Formula>(content_); }
  const Family& family() const { return *std::get<std::shared_ptr<Family>>(content_); }
  Family& family() { return *std::get<std::shared_ptr<Family>>(content_); }

 private:
  std::variant<Formula, std::shared_ptr<Family>> content_;
};

// The numbers of a formula without symbols.
Eigen::MatrixXd constant_value(const Formula& formula);

}  // namespace hamel
