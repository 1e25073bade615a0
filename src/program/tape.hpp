// Everything a Program owns: its code, the interpreter's schedule, the loops found in it, and its native code
// once that has been compiled.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "hamel/program/code.hpp"
#include "hamel/program/lane_text.hpp"
#include "program/roll.hpp"
#include "program/schedule.hpp"

namespace hamel {

using NativeFunction = void (*)(const double* const* in, double* const* out, double* work);

// One program may be spread over two shared objects, which are run one after the other.
struct NativeCode {
  std::array<NativeFunction, 2> part{};
  std::array<std::shared_ptr<void>, 2> library;  // keeps the parts loaded

  void run(const double* const* in, double* const* out, double* work) const {
    for (const NativeFunction function : part)
      if (function != nullptr) function(in, out, work);
  }
};

struct Program::Tape {
  Tape(std::string program_name, Code program_code);

  std::string name;
  Code code;
  Rolled rolled;
  Schedule schedule;

  // For 1, 4 and 8 lanes. Written once, under the lock of compile_native; read by every run.
  struct Native {
    std::atomic<const NativeCode*> code = nullptr;
    std::unique_ptr<const NativeCode> owner;
    bool failed = false;
  };
  mutable std::once_flag varied_once;
  mutable std::shared_ptr<const Tape> varied;  // Program::varied, once it has been asked for

  mutable std::array<Native, 3> natives;
  mutable std::atomic<NativeFunction> entry = nullptr;  // of code for one lane, in one part

  // For states in columns; the groups are those of the first who asked.
  struct Columns {
    std::atomic<Program::ColumnsEntry> entry = nullptr;
    std::shared_ptr<void> library;
    bool failed = false;
  };
  mutable Columns columns;

  // Steps of methods around this program, by their texts; those that could not be compiled are null.
  struct LaneText {
    LaneEntry entry = nullptr;
    std::shared_ptr<void> library;
  };
  mutable std::map<std::string, LaneText> lane_texts;  // under the lock of compile_native

  Native& native(int lanes) const { return natives[lanes == 1 ? 0 : lanes == 4 ? 1 : 2]; }
};

// Runs the schedule on `lanes` states in the given file of schedule.registers * lanes numbers.
template <int lanes>
void interpret(const Schedule& schedule, double* file);

}  // namespace hamel
