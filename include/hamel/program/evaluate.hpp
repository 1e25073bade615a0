// A program in any arithmetic: a template on the scalar, for what doubles cannot see. Simple and slow.
#pragma once

#include <vector>

#include "hamel/graph/apply.hpp"
#include "hamel/program/code.hpp"

namespace hamel {

template <class Scalar>
void evaluate(const Program& program, const Scalar* const* in, Scalar* const* out) {
  const Code& code = program.code();
  std::vector<Scalar> values(code.constants.begin(), code.constants.end());
  values.reserve(code.values());
  for (const std::uint32_t size : code.input_sizes) {
    values.insert(values.end(), *in, *in + size);
    ++in;
  }
  const auto argument = [&](const Operation& operation, std::size_t k) {
    return k < operation.arity ? values[operation.argument[k]] : Scalar(0);
  };
  for (const Operation& operation : code.operations)
    values.push_back(
        apply_operation(operation.op, argument(operation, 0), argument(operation, 1), argument(operation, 2)));
  auto next = code.outputs.begin();
  for (const std::uint32_t size : code.output_sizes) {
    for (std::uint32_t i = 0; i < size; ++i) (*out)[i] = values[*next++];
    ++out;
  }
}

}  // namespace hamel
