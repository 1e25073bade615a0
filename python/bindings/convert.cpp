#include "convert.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace hamel::python {

namespace {

std::string python_type(nb::handle value) { return nb::cast<std::string>(nb::str(value.type().attr("__name__"))); }

[[noreturn]] void refuse_type(const std::string& what, nb::handle value) {
  throw nb::type_error(
      fmt::format("{} must be a number or an array of numbers, not {}", what, python_type(value)).c_str());
}

bool is_list(nb::handle value) { return nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value); }

bool has_formulas(nb::handle value) {
  if (nb::isinstance<Formula>(value)) return true;
  if (!is_list(value)) return false;
  for (const nb::handle entry : nb::borrow<nb::iterable>(value))
    if (has_formulas(entry)) return true;
  return false;
}

bool is_numeric(nb::handle value) {
  if (PyFloat_Check(value.ptr()) || (PyLong_Check(value.ptr()) && !PyBool_Check(value.ptr()))) return true;
  return is_list(value) || nb::hasattr(value, "__array__");
}

// Of scalars a vector, of vectors a matrix by rows.
Formula stacked(nb::handle list, const std::string& what) {
  std::vector<Formula> rows;
  for (const nb::handle entry : nb::borrow<nb::iterable>(list)) rows.push_back(formula_of(entry, what));
  if (rows.empty()) throw std::invalid_argument(fmt::format("{} is empty", what));
  const bool of_scalars = std::all_of(rows.begin(), rows.end(), [](const Formula& f) { return f.is_scalar(); });
  if (of_scalars) return Formula::vector(rows);
  std::vector<Formula> columns;
  for (const Formula& row : rows)
    if (!row.is_vector() || row.rows() != rows.front().rows())
      throw std::invalid_argument(fmt::format("{}: a list of numbers, or of vectors of one length, is needed", what));
  return transpose(Formula::columns(rows));
}

Array new_array(std::vector<double> values, const std::vector<std::size_t>& shape) {
  auto* kept = new std::vector<double>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return Array(kept->data(), shape.size(), shape.data(), owner);
}

}  // namespace

Eigen::MatrixXd Numbers::matrix() const {
  const auto rows = static_cast<Eigen::Index>(shape.empty() ? 1 : shape[0]);
  const auto cols = static_cast<Eigen::Index>(shape.size() < 2 ? 1 : shape[1]);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(values.data(), rows, cols);
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  return shape.size() == 1 ? fmt::format("({},)", shape[0]) : fmt::format("({})", fmt::join(shape, ", "));
}

Numbers numbers_of(nb::handle value, const std::string& what) {
  if (!is_numeric(value) || has_formulas(value)) refuse_type(what, value);
  const nb::object numpy = nb::module_::import_("numpy");
  nb::object array;
  try {
    array = numpy.attr("asarray")(value);
  } catch (nb::python_error&) {
    throw std::invalid_argument(fmt::format("{}: the rows of a list must have one length", what));
  }
  const auto kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
  if (kind.find_first_not_of("fiu") != std::string::npos)
    refuse_type(fmt::format("{} (dtype {})", what, nb::cast<std::string>(array.attr("dtype").attr("name"))), value);
  const nb::object doubles = numpy.attr("ascontiguousarray")(array, numpy.attr("float64"));
  Numbers result;
  for (const nb::handle size : nb::borrow<nb::iterable>(array.attr("shape")))
    result.shape.push_back(nb::cast<std::size_t>(size));
  const auto view = nb::cast<nb::ndarray<const double, nb::c_contig, nb::device::cpu>>(doubles);
  result.values.assign(view.data(), view.data() + view.size());
  for (std::size_t i = 0; i < result.values.size(); ++i)
    if (!std::isfinite(result.values[i]))
      throw std::invalid_argument(fmt::format("{} is not finite: entry {} is {}", what, i, result.values[i]));
  return result;
}

Array array_of(const Eigen::VectorXd& values) {
  return new_array({values.begin(), values.end()}, {static_cast<std::size_t>(values.size())});
}

Array array_of(const Eigen::MatrixXd& values) {
  const Eigen::MatrixXd transposed = values.transpose();
  const auto all = transposed.reshaped();
  return new_array({all.begin(), all.end()},
                   {static_cast<std::size_t>(values.rows()), static_cast<std::size_t>(values.cols())});
}

Array shaped(const Eigen::MatrixXd& values) {
  if (values.size() == 1) return new_array({values(0, 0)}, {});
  if (values.cols() == 1) return array_of(Eigen::VectorXd(values.col(0)));
  return array_of(values);
}

std::optional<Formula> formula_or_none(nb::handle value) {
  if (nb::isinstance<Formula>(value)) return nb::cast<Formula>(value);
  if (!is_numeric(value)) return std::nullopt;
  if (is_list(value) && has_formulas(value)) return stacked(value, "a list of formulas");
  const Numbers numbers = numbers_of(value, "a constant");
  if (numbers.shape.size() > 2 || numbers.values.empty())
    throw std::invalid_argument(fmt::format("a constant must be a number, a vector or a matrix, and has the shape {}",
                                            shape_text(numbers.shape)));
  return Formula(numbers.matrix());
}

Formula formula_of(nb::handle value, const std::string& what) {
  if (std::optional<Formula> formula = formula_or_none(value)) return *std::move(formula);
  throw nb::type_error(
      fmt::format("{} must be a formula, a number or an array, not {}", what, python_type(value)).c_str());
}

std::vector<Model::Named> named_formulas_of(const NamedFormulas& formulas) {
  std::vector<Model::Named> result;
  for (const auto& [key, value] : formulas) {
    const auto name = nb::cast<std::string>(key);
    result.push_back({name, formula_of(value, name)});
  }
  return result;
}

ParameterValues parameter_values_of(const nb::dict& values) {
  ParameterValues result;
  for (const auto& [key, value] : values) {
    const auto name = nb::cast<std::string>(key);
    const Numbers numbers = numbers_of(value, name);
    if (numbers.shape.size() > 2)
      throw std::invalid_argument(fmt::format("{} must be a number, a vector or a matrix, and has the shape {}", name,
                                              shape_text(numbers.shape)));
    result.emplace_back(name, numbers.matrix());
  }
  return result;
}

}  // namespace hamel::python
