// Numbers, arrays and formulas, from Python and back.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "hamel/integrate/event.hpp"
#include "hamel/language/model_file.hpp"
#include "hamel/model/formula.hpp"
#include "hamel/model/model.hpp"
#include "hamel/model/parameters.hpp"

namespace hamel::python {

namespace nb = nanobind;
using Array = nb::ndarray<nb::numpy, double>;

// Arguments as they come: the functions below look at them. Stubs show these names, of python/hamel/_types.py.
// NOLINTBEGIN(bugprone-macro-parentheses)
inline bool is_anything(PyObject*) { return true; }
class FormulaLike : public nb::object {
  NB_OBJECT_DEFAULT(FormulaLike, nb::object, "FormulaLike", is_anything)
};
class ArrayLike : public nb::object {
  NB_OBJECT_DEFAULT(ArrayLike, nb::object, "ArrayLike", is_anything)
};
class InputValues : public nb::object {
  NB_OBJECT_DEFAULT(InputValues, nb::object, "InputValues", is_anything)
};
class NamedNumbers : public nb::dict {
  NB_OBJECT_DEFAULT(NamedNumbers, nb::dict, "NamedNumbers", PyDict_Check)
};
class NamedTexts : public nb::dict {
  NB_OBJECT_DEFAULT(NamedTexts, nb::dict, "NamedTexts", PyDict_Check)
};
class NamedFormulas : public nb::dict {
  NB_OBJECT_DEFAULT(NamedFormulas, nb::dict, "NamedFormulas", PyDict_Check)
};
// NOLINTEND(bugprone-macro-parentheses)

// Finite numbers of any kind and layout, with the shape that they had: a number, a list, an array.
struct Numbers {
  std::vector<std::size_t> shape;
  std::vector<double> values;  // the last index runs first

  Eigen::MatrixXd matrix() const;  // of at most two dimensions; one is a column
};
// TypeError where these are no numbers, ValueError where one is not finite; `what` names them.
Numbers numbers_of(nb::handle value, const std::string& what);
std::string shape_text(const std::vector<std::size_t>& shape);  // "(2, 3)"

Array array_of(const Eigen::VectorXd& values);
Array array_of(const Eigen::MatrixXd& values);  // of two dimensions
Array shaped(const Eigen::MatrixXd& values);    // a column has one dimension, a single number none

// A formula, a number, an array of numbers, or lists of all these; none of anything else.
std::optional<Formula> formula_or_none(nb::handle value);
Formula formula_of(nb::handle value, const std::string& what);

std::vector<Model::Named> named_formulas_of(const NamedFormulas& formulas);

// m=2.0, l=[1, 2], {"l[0]": 0.5}
ParameterValues parameter_values_of(const nb::dict& values);

// {"m": 2, "l": "[1, 2]"}: numbers, or texts as behind --set.
Overrides overrides_of(const nb::dict& given);

Crossing crossing_named(const std::string& name);  // any, rising, falling; refuses others

}  // namespace hamel::python
