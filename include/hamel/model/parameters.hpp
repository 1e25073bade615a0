// Other values for the parameters of a model.
//
//   const Model heavy = model.with({{"m", 2.0}, {"l[1]", 0.5}, {"J", inertia}});
//
// Names and elements are those of the model; J[2] is an element of a vector, or of a matrix column by column, J[1, 2]
// one of a matrix. Parameters that are formulas of others follow them, unless they are given a value themselves. What a
// size, an index or a set was made from cannot change: the model would be another one.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "hamel/graph/sequence.hpp"

namespace hamel {

class Formula;
class Model;

struct ParameterValue {
  ParameterValue(std::string parameter, double number);
  ParameterValue(std::string parameter, std::initializer_list<double> vector);
  template <class Derived>
  ParameterValue(std::string parameter, const Eigen::MatrixBase<Derived>& numbers)
      : name(std::move(parameter)), value(numbers) {}

  std::string name;
  Eigen::MatrixXd value;
};
using ParameterValues = std::vector<ParameterValue>;

// What a name like J, J[2] or J[1, 2] says: all of a parameter, or one of its elements, column by column.
struct ParameterPlace {
  std::size_t slot;
  std::optional<Eigen::Index> element;
  bool operator==(const ParameterPlace&) const = default;
};

// How parameters follow from others: made once for a model, used for many sets of values.
class ParameterRules {
 public:
  explicit ParameterRules(const Model& model);

 private:
  friend class Model;
  struct Rule {
    std::size_t slot;
    Sequence formula;  // of the entries of all parameters
  };
  std::vector<Rule> rules_;  // each after those that it depends on
};

// Where in `value` the element with this index is, counted from 0; refused, with indices from `first_index`, if
// nowhere.
Eigen::Index element_of(const std::string& name, const Eigen::MatrixXd& value, const std::vector<int>& index,
                        int first_index);

// The value of a formula of parameters.
Eigen::MatrixXd value_of(const Formula& formula, const Model& model);

}  // namespace hamel
