// The numbers of a motion, as Python has them: a row for each output.
#pragma once

#include <nanobind/ndarray.h>

#include "bindings.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel::python {

using States = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Times = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline State state_at(const Times& t, const States& q, const States& v, std::size_t k) {
  const auto size = static_cast<Eigen::Index>(q.shape(1));
  return {t.data()[k], Eigen::Map<const VectorXd>(q.data() + k * q.shape(1), size),
          Eigen::Map<const VectorXd>(v.data() + k * v.shape(1), size)};
}

}  // namespace hamel::python
