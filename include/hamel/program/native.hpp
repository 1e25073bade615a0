// Native code: the C of a program, compiled by the host compiler, kept in a cache folder and loaded.
//
// Nothing depends on it. Without a compiler, or with a cache that cannot be used, programs go on in the
// interpreter and one notice per cause says why. Environment:
//   HAMEL_NATIVE=0   never compile
//   HAMEL_CC         the compiler, a name or a path; otherwise cc, gcc or clang, whichever is found first
//   HAMEL_CFLAGS     more flags for it; those that change rounding change the bits, which are else the interpreter's
//   HAMEL_CACHE      the folder; otherwise $XDG_CACHE_HOME/hamel or ~/.cache/hamel. Created with mode 0700 and
//                    refused where it is not the user's own or others may write to it, for what it holds is run.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <string>

#include "hamel/program/program.hpp"

namespace hamel {

// Compiles all that are not native yet for so many lanes (1, 4 or 8), in one or two runs of the compiler. True when all
// are native afterwards. Thread-safe. A program that could not be compiled stays interpreted and is not tried again;
// after a compiler that did not finish in time, none is.
bool compile_native(std::span<const Program* const> programs, int lanes = 1);

// Whether this many runs, of all lanes at once, win back the time to compile. Estimated from the sizes alone, so it
// never varies.
bool native_pays(const Program& program, double runs, int lanes = 1);

// While the flag is true no compiler is waited for: it is ended, and compile_native throws Interrupted.
void set_interruption(const std::atomic<bool>* flag);
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What the last bits of a result depend on: processor, compiler, flags, libm.
std::map<std::string, std::string> this_machine();

// Where notices go; standard error by default, and again after an empty handler.
void set_notice_handler(std::function<void(const std::string&)> handler);

}  // namespace hamel
