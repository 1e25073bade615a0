#include "hamel/mechanics/field.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <mutex>

#include "bindings.hpp"
#include "convert.hpp"
#include "forms.hpp"

namespace hamel::python {

namespace {

using Input = nb::ndarray<const double, nb::device::cpu>;

// A field with the memory that it needs, for one thread at a time.
class VectorField {
 public:
  VectorField(const System& system, Form form)
      : system_(std::make_shared<const System>(system)), field_(*system_, form), work_(*system_) {}

  int size() const { return field_.size(); }

  // y' of y, or of every column of y.
  Array operator()(double t, const Input& y) {
    const auto n = static_cast<std::size_t>(size());
    if (y.ndim() < 1 || y.ndim() > 2 || y.shape(0) != n)
      throw std::invalid_argument(fmt::format("y must have the shape ({},) or ({}, states)", n, n));
    const std::size_t states = y.ndim() == 2 ? y.shape(1) : 1;
    const std::int64_t down = y.stride(0), across = y.ndim() == 2 ? y.stride(1) : 0;
    auto* rates = new std::vector<double>(n * states);
    const nb::capsule owner(rates, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    const double* from = y.data();
    {
      const nb::gil_scoped_release release;
      const std::lock_guard lock(mutex_);
      VectorXd state(size()), rate(size());
      for (std::size_t k = 0; k < states; ++k) {
        for (std::size_t i = 0; i < n; ++i)
          state(static_cast<Eigen::Index>(i)) =
              from[static_cast<std::int64_t>(i) * down + static_cast<std::int64_t>(k) * across];
        field_(work_, t, state, rate);
        for (std::size_t i = 0; i < n; ++i) (*rates)[i * states + k] = rate(static_cast<Eigen::Index>(i));
      }
    }
    const std::size_t shape[] = {n, states};
    return Array(rates->data(), y.ndim(), shape, owner);
  }

  Array pack(const State& state) {
    const std::lock_guard lock(mutex_);
    return array_of(field_.pack(work_, state));
  }

  State unpack(double t, nb::handle y) {
    const Numbers numbers = numbers_of(y, "y");
    if (numbers.values.size() != static_cast<std::size_t>(size()))
      throw std::invalid_argument(fmt::format("y must have the shape ({},)", size()));
    const std::lock_guard lock(mutex_);
    State state = field_.unpack(work_, t, numbers.matrix().reshaped());
    state.model = std::make_shared<const Model>(system_->model());
    return state;
  }

 private:
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
      .def_prop_ro("size", &VectorField::size)
      .def("__call__", &VectorField::operator(), nb::arg("t"), nb::arg("y"), "y' of y, or of every column of y.")
      .def("pack", &VectorField::pack, nb::arg("state"), "The y of a state.")
      .def("unpack", &VectorField::unpack, nb::arg("t"), nb::arg("y"), "The state of y.");
}

}  // namespace hamel::python
