// Tables with a row for each output, for Python, without copies.
#pragma once

#include <nanobind/ndarray.h>

#include "convert.hpp"
#include "hamel/record/record.hpp"
#include "motion.hpp"

namespace hamel::python {

inline Array array_of_rows(RowMatrix rows) {
  auto* kept = new RowMatrix(std::move(rows));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<RowMatrix*>(p); });
  const std::size_t shape[] = {static_cast<std::size_t>(kept->rows()), static_cast<std::size_t>(kept->cols())};
  return Array(kept->data(), 2, shape, owner);
}

}  // namespace hamel::python
