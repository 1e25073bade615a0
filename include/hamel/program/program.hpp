// A Program computes groups of outputs from groups of inputs: the numbers behind a set of expressions.
//
// It is a flat tape with register reuse, run by an interpreter on 1, 4 or 8 states at once, or as native code
// (see native.hpp). A Program is immutable and may be shared between threads; all scratch memory is the
// caller's, so running one never allocates.
//
// With lanes L > 1 every number is L neighbouring doubles, one per state: value i of state k is at [i * L + k]. The
// last groups of inputs may be uniform: one number for all states, such as parameters.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hamel/graph/expr.hpp"

namespace hamel {

struct Code;

class Program {
 public:
  using Groups = std::vector<std::vector<Expr>>;

  Program() = default;
  // Inputs are variables, all different. Built in the current graph, which may be destroyed afterwards.
  Program(std::string name, const Groups& inputs, const Groups& outputs, std::size_t uniform_groups = 0);

  const std::string& name() const;
  std::size_t operations() const;                 // arithmetic operations of one run
  std::size_t scratch_size(int lanes = 1) const;  // doubles

  // in[g] points at input group g, out[g] at output group g. Outputs must not overlap inputs.
  void run(const double* const* in, double* const* out, double* scratch) const {
    const NativeEntry native = entry_ == nullptr ? nullptr : entry_->load(std::memory_order_acquire);
    native == nullptr ? run_lanes<1>(in, out, scratch) : native(in, out, scratch);
  }
  template <int lanes>  // 1, 4, 8
  void run_lanes(const double* const* in, double* const* out, double* scratch) const;

  // The same with no uniform group: every lane has all inputs of its own. Made once, and shared.
  Program varied() const;

  // Many states where they lie, as native code: number i of state k is at [i * stride + k], `from` the stride of inputs
  // and `to` that of outputs. The first groups lie so; further inputs are one number for all states, further outputs
  // are not wanted. States are taken by eight, and some that are not finite among the outputs make it return zero.
  struct InColumns {
    std::size_t inputs, outputs;
  };
  using ColumnsEntry = int (*)(const double* const* in, double* const* out, long from, long to, long states);
  bool compile_columns(InColumns groups) const;
  ColumnsEntry columns() const;  // null until it is compiled

  // Native code from now on, for so many lanes, where a compiler can be had; see native.hpp.
  bool compile(int lanes = 1) const;
  bool is_native(int lanes = 1) const;

  const Code& code() const;  // the operations one by one (code.hpp): for other arithmetics, see evaluate.hpp
  struct Tape;               // with what the tiers make of them, for the native one and for tests
  const Tape& tape() const;

 private:
  explicit Program(std::shared_ptr<const Tape> tape);

  using NativeEntry = void (*)(const double* const* in, double* const* out, double* scratch);

  std::shared_ptr<const Tape> tape_;
  const std::atomic<NativeEntry>* entry_ = nullptr;  // in the tape: native code that is a single function
};

}  // namespace hamel
