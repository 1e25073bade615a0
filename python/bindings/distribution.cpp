#include "hamel/ensemble/distribution.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "hamel/manifold/spaces.hpp"

namespace hamel::python {

namespace {

// The space follows from the shape of the centre.
Distribution cap_around(const ArrayLike& centre, double angle) {
  const Numbers numbers = numbers_of(centre, "the centre of a cap");
  const VectorXd at = numbers.matrix().reshaped();
  using Shape = std::vector<std::size_t>;
  if (numbers.shape == Shape{2}) return cap(S1(), at, angle);
  if (numbers.shape == Shape{3}) return cap(S2(), at, angle);
  if (numbers.shape == Shape{3, 3}) return cap(SO3(), at, angle);
  throw std::invalid_argument(
      fmt::format("the centre of a cap is on S1, S2 or SO3 and has the shape (2,), (3,) or (3, 3), not {}",
                  shape_text(numbers.shape)));
}

}  // namespace

void bind_distributions(nb::module_& m) {
  nb::class_<Distribution>(m, "_Distribution").def_ro("text", &Distribution::text);
  m.def("_uniform", &uniform, nb::arg("low"), nb::arg("high"));
  m.def("_normal", &normal, nb::arg("mean"), nb::arg("deviation"));
  m.def("_lognormal", &lognormal, nb::arg("mean"), nb::arg("deviation"));
  m.def("_cap", cap_around, nb::arg("centre"), nb::arg("angle"));
}

}  // namespace hamel::python
