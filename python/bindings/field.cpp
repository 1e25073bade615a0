#include "hamel/mechanics/field.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <mutex>

#include "bindings.hpp"
#include "convert.hpp"
#include "forms.hpp"
#include "hamel/program/native.hpp"
#include "interrupt.hpp"

namespace hamel::python {

namespace {

using Input = nb::ndarray<const double, nb::device::cpu>;
using Output = nb::ndarray<double, nb::numpy, nb::c_contig, nb::device::cpu>;
using Rows = Eigen::OuterStride<>;

// A field with the memory that it needs, for one thread at a time.
class VectorField {
 public:
  VectorField(const System& system, Form form)
      : system_(std::make_shared<const System>(system)), field_(*system_, form), work_(*system_) {}

  int size() const { return field_.size(); }

  // y' of y, or of every column of y; into `out` where there is one, whose memory is at hand.
  Output operator()(double t, const Input& y, const std::optional<Output>& out) {
    const auto n = static_cast<std::size_t>(size());
    if (y.ndim() < 1 || y.ndim() > 2 || y.shape(0) != n)
      throw std::invalid_argument(fmt::format("y must have the shape ({},) or ({}, states)", n, n));
    if (out) need_shape(*out, y);
    const Output rates = out ? *out : new_output(y);
    const auto states = static_cast<Eigen::Index>(y.ndim() == 2 ? y.shape(1) : 1);
    Eigen::Map<Field::Columns> result(rates.data(), size(), states);
    const Unlocked unlocked;
    const std::lock_guard lock(mutex_);
    prepare(static_cast<std::size_t>(states));
    if (const auto rows = rows_in_place(y, states))
      field_.of_columns(work_, t, *rows, result);
    else
      field_.of_columns(work_, t, copy_of(y, states), result);
    return rates;
  }

  Array pack(const State& state) {
    const std::lock_guard lock(mutex_);
    return array_of(field_.pack(work_, state));
  }

  State unpack(double t, const ArrayLike& y) {
    const Numbers numbers = numbers_of(y, "y");
    if (numbers.values.size() != static_cast<std::size_t>(size()))
      throw std::invalid_argument(fmt::format("y must have the shape ({},)", size()));
    const std::lock_guard lock(mutex_);
    State state = field_.unpack(work_, t, numbers.matrix().reshaped());
    state.model = std::make_shared<const Model>(system_->model());
    return state;
  }

 private:
  static Output new_output(const Input& y) {
    auto* numbers = new double[y.size()];
    const nb::capsule owner(numbers, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    const std::size_t shape[] = {y.shape(0), y.ndim() == 2 ? y.shape(1) : 1};
    return Output(numbers, y.ndim(), shape, owner);
  }

  static void need_shape(const Output& out, const Input& y) {
    bool same = out.ndim() == y.ndim();
    for (std::size_t k = 0; same && k < y.ndim(); ++k) same = out.shape(k) == y.shape(k);
    if (!same) throw std::invalid_argument("out must have the shape of y");
  }

  // Where the numbers of neighbouring states are neighbours.
  std::optional<Eigen::Map<const Field::Columns, 0, Rows>> rows_in_place(const Input& y, Eigen::Index states) const {
    if (y.stride(0) < states || (y.ndim() == 2 && y.stride(1) != 1)) return std::nullopt;
    return Eigen::Map<const Field::Columns, 0, Rows>(y.data(), size(), states, Rows(y.stride(0)));
  }

  // Of any layout.
  Field::Columns copy_of(const Input& y, Eigen::Index states) const {
    using Stride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
    return Eigen::Map<const Field::Columns, 0, Stride>(y.data(), size(), states,
                                                       Stride(y.stride(0), y.ndim() == 2 ? y.stride(1) : 1));
  }

  // Native code as soon as it pays.
  void prepare(std::size_t states) {
    const bool many = states >= Field::lanes;
    double& runs = many ? lane_runs_ : runs_;
    // The interpreter takes four times as long for eight as for one, and native code no longer.
    runs += static_cast<double>(many ? states / Field::lanes * 4 : states);
    if (many) return field_.compile_columns(runs);
    for (const Program* program : field_.programs())
      if (native_pays(*program, runs)) compile_native({&program, 1});
  }

  double runs_ = 0, lane_runs_ = 0;
  std::shared_ptr<const System> system_;
  Field field_;
  Workspace work_;
  std::mutex mutex_;
};

}  // namespace

void bind_fields(nb::module_& m) {
  nb::class_<VectorField>(m, "Field",
                          "The motion as y' = f(t, y), for solve_ivp and the like: y is q and a rate or a momentum.")
      .def(
          "__init__",
          [](VectorField* self, const System& system, const std::string& form) {
            new (self) VectorField(system, form_named(form));
          },
          nb::arg("system"), nb::arg("form") = "omega")
      .def_prop_ro("size", &VectorField::size, "How many numbers y has.")
      .def("__call__", &VectorField::operator(), nb::arg("t"), nb::arg("y"), nb::arg("out").noconvert() = nb::none(),
           "y' of y, or of every column of y; into the array `out`, where one is given.")
      .def("pack", &VectorField::pack, nb::arg("state"), "The y of a state.")
      .def("unpack", &VectorField::unpack, nb::arg("t"), nb::arg("y"), "The state of y.");
}

}  // namespace hamel::python
