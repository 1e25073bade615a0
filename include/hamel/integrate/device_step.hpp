// A step of a method as text for a GPU: everything that one member of an ensemble remembers, and what a step makes of
// it, operation by operation as the stepper of the same method does.
//
//   struct Step { ... };
//   step_begin(s, own, start, t, h)               from the numbers of a start, at t, before steps of size h
//   int step_advance(s, own, t, h, 1/h, next)     one step, to the time `next`; 0, or a StepFailure and s stays
//   int step_advance_long(...)                    the same, where step_advance may return LONG_STEP: with more code
//   than
//                                                 should be in the loop of those that need it not
//   step_state(s, own, t, q, v)                   where it is now, at t
//   step_end(s, own, t, end)                      the numbers of it, as many as of a start
//
// `own` are those numbers of the table that differ between members (program/device_text.hpp).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hamel/derive/kernel.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

// The numbers that do not change along a run, of one member: inputs, and what follows from parameters.
class DeviceNumbers {
 public:
  explicit DeviceNumbers(int inputs) : rows_(inputs) {}

  static constexpr int inputs_row = 0;
  int add(const Kernel& kernel);  // the row where its constants begin
  int add(int size, std::function<void(In parameters, Out numbers)> fill);
  int rows() const { return rows_; }
  // All rows, for these values of all parameters (parameter_values) and inputs.
  void read(In parameters, In u, Out numbers);

 private:
  struct Part {
    int row, size;
    std::function<void(In, Out)> fill;
  };
  int rows_;
  std::vector<Part> parts_;
};

enum class StepFailure { none, not_finite, no_solution, not_converged, fold };
const char* to_string(StepFailure failure);  // as a part of a sentence

// The system must outlive it.
class DeviceStep {
 public:
  virtual ~DeviceStep() = default;

  virtual int size() const = 0;  // numbers of a start, and of an end
  virtual void pack(const State& state, Out numbers) = 0;
  virtual void unpack(double t, In numbers, State& state) = 0;

  virtual bool has_long_steps() const { return false; }
  // Where these rows of the numbers are zero for all members.
  std::string text(const std::vector<bool>& zeros = {}) const;
  std::vector<const Program*> programs() const;  // that the text has functions of
  DeviceNumbers& numbers() { return numbers_; }
  // One more function: of the kernel's groups of inputs, that with index `inputs` is read from the table.
  void add_function(const std::string& name, const Kernel& kernel, int groups, int inputs = -1);

 protected:
  explicit DeviceStep(const System& system) : numbers_(system.inputs()) {}

  DeviceNumbers numbers_;
  std::string text_;  // with marks in the places of functions

 private:
  struct Function {
    std::string name;
    Program program;
    std::vector<int> rows;
  };
  std::vector<Function> functions_;
};

// Refuses methods without such a step, systems that no single program computes, and those that are too large.
std::unique_ptr<DeviceStep> device_step(const System& system, const Method& method);

}  // namespace hamel
