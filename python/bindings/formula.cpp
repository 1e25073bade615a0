#include <fmt/format.h>
#include <nanobind/operators.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "convert.hpp"

namespace hamel::python {

namespace {

using Binary = Formula (*)(const Formula&, const Formula&);

nb::object not_implemented() { return nb::borrow(Py_NotImplemented); }

// a * b as NumPy has it for numbers; where it would multiply entry by entry, one must say what is meant.
Formula times(const Formula& a, const Formula& b) {
  if (!a.is_scalar() && !b.is_scalar())
    throw std::invalid_argument(
        fmt::format("{} * {}: write a @ b for the product of matrices, dot(a, b) or cross(a, b) for vectors",
                    a.quoted(), b.quoted()));
  return a.is_scalar() ? a * b : b * a;
}

Formula matrix_times(const Formula& a, const Formula& b) {
  if (a.is_scalar() || b.is_scalar())
    throw std::invalid_argument(fmt::format("{} @ {}: write a * b where one is a scalar", a.quoted(), b.quoted()));
  return a.is_vector() && b.is_vector() ? dot(a, b) : a.is_vector() ? transpose(b) * a : a * b;
}

template <class F>
auto forward(F operation) {
  return [operation](const Formula& a, const FormulaLike& b) -> nb::typed<nb::object, Formula> {
    const std::optional<Formula> other = formula_or_none(b);
    return other ? nb::cast(operation(a, *other)) : not_implemented();
  };
}

template <class F>
auto backward(F operation) {
  return [operation](const Formula& a, const FormulaLike& b) -> nb::typed<nb::object, Formula> {
    const std::optional<Formula> other = formula_or_none(b);
    return other ? nb::cast(operation(*other, a)) : not_implemented();
  };
}

// Python's index, which counts from the end where it is negative.
int index_in(const Formula& a, Py_ssize_t i, int size, const char* of) {
  if (i < -size || i >= size)
    throw nb::index_error(fmt::format("{} has {} {}, and no {}", a.quoted(), size, of, i).c_str());
  return static_cast<int>(i < 0 ? i + size : i);
}

void need_no_scalar(const Formula& a) {
  if (a.is_scalar()) throw nb::type_error(fmt::format("{} has no components", a.quoted()).c_str());
}

Formula row(const Formula& a, int i) {
  std::vector<Formula> entries;
  for (int j = 0; j < a.cols(); ++j) entries.push_back(a(i, j));
  return Formula::vector(entries);
}

Formula at(const Formula& a, int i) { return a.is_vector() ? a[i] : row(a, i); }

Formula item(const Formula& a, Py_ssize_t i) {
  need_no_scalar(a);
  return at(a, index_in(a, i, a.rows(), a.is_vector() ? "components" : "rows"));
}

Formula slice(const Formula& a, const nb::slice& range) {
  need_no_scalar(a);
  const auto [start, stop, step, length] = range.compute(static_cast<std::size_t>(a.rows()));
  if (length == 0) throw nb::index_error(fmt::format("an empty slice of {}", a.quoted()).c_str());
  std::vector<Formula> parts;
  for (std::size_t k = 0; k < length; ++k)
    parts.push_back(at(a, static_cast<int>(start + static_cast<Py_ssize_t>(k) * step)));
  return a.is_vector() ? Formula::vector(parts) : transpose(Formula::columns(parts));
}

nb::typed<nb::object, Formula> entry(const Formula& a, const nb::tuple& place) {
  if (place.size() != 2 || a.is_vector())
    throw nb::index_error(fmt::format("{} has {} index", a.quoted(), a.is_vector() ? "one" : "two").c_str());
  const auto pick = [](const Formula& of, nb::handle index) -> Formula {
    return nb::isinstance<nb::slice>(index) ? slice(of, nb::borrow<nb::slice>(index))
                                            : item(of, nb::cast<Py_ssize_t>(index));
  };
  if (!nb::isinstance<nb::slice>(place[0])) return nb::cast(pick(item(a, nb::cast<Py_ssize_t>(place[0])), place[1]));
  const Formula rows = pick(a, place[0]);
  const Formula result = pick(transpose(rows), place[1]);
  return nb::cast(result.is_vector() ? result : transpose(result));
}

nb::typed<nb::tuple, int, nb::ellipsis> shape(const Formula& a) {
  if (a.is_scalar()) return nb::make_tuple();
  return a.is_vector() ? nb::make_tuple(a.rows()) : nb::make_tuple(a.rows(), a.cols());
}

Formula component(const Formula& a, int i) {
  if (!a.is_vector() || a.is_scalar() || a.rows() <= i)
    throw nb::attribute_error(fmt::format("{} has no component {}", a.quoted(), "xyz"[i]).c_str());
  return a[i];
}

void bind_class(nb::module_& m) {
  nb::class_<Formula>(m, "Formula", "A scalar, a vector or a matrix, as people write them.")
      .def("__add__", forward<Binary>([](const Formula& a, const Formula& b) { return a + b; }))
      .def("__radd__", backward<Binary>([](const Formula& a, const Formula& b) { return a + b; }))
      .def("__sub__", forward<Binary>([](const Formula& a, const Formula& b) { return a - b; }))
      .def("__rsub__", backward<Binary>([](const Formula& a, const Formula& b) { return a - b; }))
      .def("__mul__", forward<Binary>(times))
      .def("__rmul__", backward<Binary>(times))
      .def("__matmul__", forward<Binary>(matrix_times))
      .def("__rmatmul__", backward<Binary>(matrix_times))
      .def("__truediv__", forward<Binary>([](const Formula& a, const Formula& b) { return a / b; }))
      .def("__rtruediv__", backward<Binary>([](const Formula& a, const Formula& b) { return a / b; }))
      .def("__pow__", forward<Binary>([](const Formula& a, const Formula& b) { return pow(a, b); }))
      .def("__rpow__", backward<Binary>([](const Formula& a, const Formula& b) { return pow(a, b); }))
      .def("__lt__", forward<Binary>([](const Formula& a, const Formula& b) { return less(a, b); }))
      .def("__le__", forward<Binary>([](const Formula& a, const Formula& b) { return less_equal(a, b); }))
      .def("__gt__", backward<Binary>([](const Formula& a, const Formula& b) { return less(a, b); }))
      .def("__ge__", backward<Binary>([](const Formula& a, const Formula& b) { return less_equal(a, b); }))
      .def("__neg__", [](const Formula& a) { return -a; })
      .def("__pos__", [](const Formula& a) { return a; })
      .def("__abs__", [](const Formula& a) { return abs(a); })
      .def(
          "__bool__",
          [](const Formula& a) -> bool {
            throw nb::type_error(
                fmt::format("{} is neither true nor false: a choice in a formula is where(condition, a, b)", a.quoted())
                    .c_str());
          })
      .def("__len__",
           [](const Formula& a) {
             need_no_scalar(a);
             return a.rows();
           })
      .def("__getitem__", item)
      .def("__getitem__", slice)
      .def("__getitem__", entry)
      .def("__repr__", &Formula::to_string)
      .def("named", &Formula::named, nb::arg("label"), "The same formula, printed by this name.")
      .def_prop_ro("shape", shape, "() of a scalar, (n,) of a vector, (n, k) of a matrix.")
      .def_prop_ro(
          "T", [](const Formula& a) { return transpose(a); }, "The transpose.")
      .def_prop_ro(
          "x", [](const Formula& a) { return component(a, 0); }, "The first component.")
      .def_prop_ro(
          "y", [](const Formula& a) { return component(a, 1); }, "The second component.")
      .def_prop_ro(
          "z", [](const Formula& a) { return component(a, 2); }, "The third component.");
}

void def_unary(nb::module_& m, const char* name, Formula (*function)(const Formula&), const char* words) {
  const std::string what = fmt::format("the argument of {}", name);
  m.def(
      name, [function, what](const FormulaLike& a) { return function(formula_of(a, what)); }, nb::arg("a"), words);
}

void def_binary(nb::module_& m, const char* name, Binary function, const char* words) {
  const std::string what = fmt::format("an argument of {}", name);
  m.def(
      name,
      [function, what](const FormulaLike& a, const FormulaLike& b) {
        return function(formula_of(a, what), formula_of(b, what));
      },
      nb::arg("a"), nb::arg("b"), words);
}

}  // namespace

void bind_formulas(nb::module_& m) {
  bind_class(m);
  def_unary(m, "rate", rate, "How a formula changes along the motion: d/dt.");
  def_unary(m, "norm", norm, "The length of a vector.");
  def_unary(m, "norm2", squared_norm, "The square of the length of a vector.");
  def_unary(m, "hat", hat, "The matrix of cross(a, .).");
  def_unary(m, "vee", vee, "The vector of the skew part of a matrix.");
  def_unary(m, "transpose", transpose, "The transpose of a matrix.");
  def_unary(m, "trace", trace, "The trace of a matrix.");
  def_unary(m, "det", determinant, "The determinant of a matrix.");
  def_unary(m, "omega", omega,
            "The angular velocity of a coordinate: a number on S1, a vector on S2, in the body on SO3 and SE3.");
  def_unary(m, "xi", xi, "The quasi-velocities of a coordinate on a group of matrices.");
  def_unary(m, "rotation", rotation, "The attitude of a pose.");
  def_unary(m, "position", position, "The position of a pose.");
  def_binary(m, "dot", dot, "The inner product of two vectors.");
  def_binary(m, "turn", turn, "The rotation about an axis by an angle.");
  def_binary(m, "cross", cross, "The cross product of two vectors.");
#define FUNCTION_1(name, ...) def_unary(m, #name, name, "Of a scalar, as a formula.");
#define FUNCTION_2(name, ...) def_binary(m, #name, name, "Of two scalars, as a formula.");
#include "hamel/graph/functions.def"
  m.def(
      "where",
      [](const FormulaLike& condition, const FormulaLike& a, const FormulaLike& b) {
        return select(formula_of(condition, "the condition of where"), formula_of(a, "an argument of where"),
                      formula_of(b, "an argument of where"));
      },
      nb::arg("condition"), nb::arg("a"), nb::arg("b"), "a where the condition holds, b elsewhere.");
  m.def(
      "constant", [](const FormulaLike& value) { return formula_of(value, "a constant"); }, nb::arg("value"),
      "A number or an array as a formula.");
  m.def(
      "columns",
      [](const nb::args& columns) {
        std::vector<Formula> all;
        for (const nb::handle column : columns) all.push_back(formula_of(column, "a column"));
        return Formula::columns(all);
      },
      nb::sig("def columns(*columns: FormulaLike) -> Formula"), "The matrix of these columns.");
}

}  // namespace hamel::python
