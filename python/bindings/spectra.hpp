// Complex numbers for Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/complex.h>

#include <complex>
#include <vector>

namespace hamel::python {

namespace nb = nanobind;
using ComplexList = nb::typed<nb::list, std::complex<double>>;

template <class Numbers>
ComplexList complex_list(const Numbers& values) {
  ComplexList result;
  for (const std::complex<double>& value : values) result.append(value);
  return result;
}

}  // namespace hamel::python
